"""Rosters as people paste them: with commas, semicolons or tabs."""

from __future__ import annotations

import pytest

from podium.teams.rules.roster import grouped_problems, read_roster


def people(text: str) -> list[tuple[str, str | None]]:
    roster = read_roster(text)
    assert roster.problems == []
    return [(each.name, each.team) for each in roster.people]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_found_in_a_line_further_down(separator: str) -> None:
    text = f"Ada\nEve{separator}Engines\n"
    assert people(text) == [("Ada", None), ("Eve", "Engines")]


def test_names_may_have_commas_between_semicolons() -> None:
    assert people("Lovelace, Ada;Engines\nBo;\nNoether, Emmy;") == [
        ("Lovelace, Ada", "Engines"),
        ("Bo", None),
        ("Noether, Emmy", None),
    ]


def test_a_quoted_name_with_a_comma_stays_one() -> None:
    assert people('Ada,Engines\n"Noether, Emmy"') == [("Ada", "Engines"), ("Noether, Emmy", None)]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Ada,Engines\nEve;Engines", "Write “Eve,Engines”, or end the line with “,” if it is one"),
        ("Ada,Engines\nEve\tEngines", "Write “Eve,Engines”, or"),
        ("Ada;Engines\nEve, Engines", "Write “Eve;Engines”, or end the line with “;” if it is one"),
        ("Ada\tEngines\nEve;Engines", "Write “Eve\tEngines”, or end the line with a tab if it"),
    ],
)
def test_a_line_that_is_separated_otherwise_is_refused_with_what_to_write(
    text: str, hint: str
) -> None:
    (problem,) = read_roster(text).problems
    assert (problem["line"], problem["code"]) == (2, "other-separator")
    assert str(problem["hint"]).startswith(hint)


@pytest.mark.parametrize("text", ["Ada,Engines\n,Engines", "team,name\nEngines,Ada\nEngines,"])
def test_an_empty_name_is_said_to_be_missing(text: str) -> None:
    (problem,) = read_roster(text).problems
    assert problem["line"] == len(text.splitlines())
    assert (problem["code"], problem["detail"]) == ("name-missing", "The name is missing.")


def test_a_name_of_a_file_that_is_no_utf_8_is_refused_with_how_to_save_it() -> None:
    text = "name,team\nJürgen Example,Engines\nAda,Engines\n".encode("latin-1")
    roster = read_roster(text.decode(errors="replace"))
    (problem,) = roster.problems
    assert (problem["line"], problem["code"]) == (2, "encoding")
    assert "the file is not UTF-8" in str(problem["detail"])
    assert "“CSV UTF-8”" in str(problem["hint"])
    assert [each.name for each in roster.people] == ["Ada"]


def test_lines_of_which_no_heading_says_what_they_hold_are_one_problem() -> None:
    lines = ["Vorname;Gruppe;Mail", *(f"Ada {n};Engines;{n}@example.org" for n in range(30))]
    (problem,) = read_roster("\n".join(lines)).problems
    assert (problem["line"], problem["code"]) == (1, "too-many-cells")
    assert "Vorname, Gruppe, Mail" in problem["detail"]
    assert "Begin with a line of headings" in str(problem["hint"])


def test_a_problem_of_most_lines_is_told_once_with_all_its_lines() -> None:
    lines = ["name,team", *(f",Team {n}" for n in range(6)), "Ada,Engines", ",Looms", "A\u202eb,"]
    told = grouped_problems(read_roster("\n".join(lines)))
    assert [(each["line"], each["code"]) for each in told] == [
        (2, "name-missing"),
        (10, "bad-name"),
    ]
    assert told[0]["detail"] == "The name is missing. So it is on 6 more lines: 3–7, 9."
    assert told[0]["hint"] == "Write a name, or remove the line."


def test_a_problem_of_few_lines_is_told_of_each() -> None:
    rare = ["name,team", *(f"Person {n}," for n in range(6)), *(4 * [",Engines"])]
    told = grouped_problems(read_roster("\n".join(rare)))
    assert [each["line"] for each in told] == [8, 9, 10, 11]
    three = grouped_problems(read_roster("name,team\n,A\n,B\n,C\n"))
    assert [each["line"] for each in three] == [2, 3, 4]
