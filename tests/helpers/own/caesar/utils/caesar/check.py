"""The public checks of the lesson on secret letters."""

from utils.caesar.letters import ALPHABET

from utils.checks.check import Check

encrypted = Check("encrypted", title="Letters that move", sizes={"N": 31}, hints=("Use the remainder by 26.",))
broken = Check("broken", title="The key from the text alone", sizes={"N": 41})


def words(probe):
    return "".join((ALPHABET + " .")[number] for number in probe.integers(0, 28, probe["N"]).tolist()) + ", z!"


@encrypted.test("a text with spaces")
def text(probe, encrypted):
    return encrypted(words(probe), 5)


@broken.test("a text in which one letter is frequent")
def frequent(probe, broken):
    return [broken(words(probe) + letter * 30) for letter in "aekz"]
