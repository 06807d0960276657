"""What the marking page says of answers that are odd, and of who marked."""

from types import SimpleNamespace

from jupyter_server.auth.identity import IdentityProvider, PasswordIdentityProvider

from autograder.marking import view
from autograder.marking.handlers import Base

WORDS = ("field", "layers", "kernel", "mean", "squared", "error", "points")


def test_empty_long_and_foreign_answers_are_odd_and_others_are_not():
    usual = {f"s{n}": " ".join((*WORDS, *WORDS[: n % 7])) for n in range(12)}
    odd = {"empty": " \n", "long": " ".join(WORDS * 40), "apart": "my dog ate this because he likes to chew paper"}
    cards = {
        name: SimpleNamespace(answer=SimpleNamespace(text=text, language="en")) for name, text in (usual | odd).items()
    }
    order, _, found = view.arranged(cards, "en")
    assert {name: said for name, said in found.items() if said} == {name: name for name in odd}
    assert sorted(order) == sorted(cards)


def test_a_mark_bears_the_name_that_a_hub_tells_and_else_the_initials():
    class Hub(IdentityProvider):
        """Stands for a hub's, which knows users by name."""

    def marker(provider: type[IdentityProvider]) -> str:
        handler = object.__new__(Base)
        handler.application = SimpleNamespace(settings={"identity_provider": provider()})
        handler.current_user = SimpleNamespace(username="ines")
        return handler.grader("xy")

    assert [marker(one) for one in (Hub, IdentityProvider, PasswordIdentityProvider)] == ["ines", "xy", "xy"]
