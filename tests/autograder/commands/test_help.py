"""`workbook --help`: every command stands in one of three groups, by who types it, and says what it does."""

import re

from click.testing import CliRunner

from autograder.__main__ import GROUPS, main
from benchmarks.proof.__main__ import main as proof


def shown() -> dict[str, list[str]]:
    """The commands that the help lists, by group."""
    text = CliRunner().invoke(main, ["--help"]).output
    titles = re.findall(r"(?m)^(\S.*):\n((?:  .*\n)+)", text)
    return {title: re.findall(r"(?m)^  ([a-z]+) ", lines) for title, lines in titles if title != "Options"}


def test_each_command_stands_in_one_of_three_groups():
    groups = shown()
    assert list(groups) == list(GROUPS) == ["A course", "One notebook", "For changing the workbook itself"]
    listed = [name for names in groups.values() for name in names]
    assert sorted(listed) == sorted(main.commands) and len(listed) == len(set(listed))
    assert groups["One notebook"] == ["try", "compose"]
    assert {"new", "grade", "status", "report", "export"} <= set(groups["A course"])


def test_what_proves_the_grader_is_no_command_of_instructors():
    assert not {"verdicts", "pairs", "slips", "siege", "attacks"} & set(main.commands)
    assert {"verdicts", "pairs", "slips", "siege", "credit"} <= set(proof.commands)


def test_each_command_says_what_it_does():
    for command in main.commands.values():
        assert (command.help or "").endswith("."), command.name


def test_the_list_of_commands_has_a_whole_phrase_for_each_on_one_line():
    text = CliRunner().invoke(main, ["--help"]).output
    for name, command in main.commands.items():
        phrase = command.short_help or ""
        assert phrase.endswith(".") and not phrase.endswith("..") and len(phrase) <= 45, name
        assert re.search(rf"(?m)^  {name} +{re.escape(phrase)}$", text), name
