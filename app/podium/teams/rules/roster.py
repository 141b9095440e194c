"""Rosters: lists of people, with or without teams, as organizers paste or upload them.

The text is small and the organizer's own, but not trusted. Every line is checked, so that all
problems are reported at once.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

from podium.core.names import clean_name, look_of, name_key
from podium.errors import InvalidInput, ProblemEntry, problem_entry
from podium.errors.codes import ErrorCode
from podium.errors.reasons import SAVE_AS_UTF8
from podium.scoring.inference.guessing import A_SHEET

MAX_PEOPLE = 500
"""Maximum number of people in one roster: each gets an account and a link in one transaction."""

MAX_CHARACTERS = 200_000
"""Maximum characters of one roster: twice as many as the largest roster of long names needs."""

NAME, TEAM = "name", "team"

LOST = "\ufffd"
"""The replacement character, for bytes that could not be decoded."""

ZIP = "PK\x03\x04"
"""The first bytes of a ZIP archive, which a spreadsheet is."""

NOT_TEXT = "The file is not text. Save the list as CSV in UTF-8, and choose that file."

SEPARATORS = "\t;,"
"""Characters between cells; a line may have those behind the first one in its names."""

MAX_ALIKE = 3
"""Problems of one kind that are listed one by one, however many lines have them."""

HEADINGS: Mapping[str, frozenset[str]] = {
    NAME: frozenset({"name", "full name", "student", "participant", "user", "account"}),
    TEAM: frozenset({"team", "team name", "group"}),
}
"""Accepted headings of the two columns."""


@dataclass(frozen=True, slots=True)
class RosterLine:
    """A person of a roster, with the physical line, from 1; names are clean."""

    line: int
    name: str
    team: str | None


@dataclass(slots=True)
class Roster:
    """A parsed roster: its people, ignored columns, all problems so far, the separator of its
    cells, whether its first line has headings, and the number of lines for people."""

    people: list[RosterLine] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    problems: list[ProblemEntry] = field(default_factory=list)
    separator: str = ","
    has_headings: bool = False
    lines: int = 0

    def refuse(
        self,
        line: int | None,
        column: str | None,
        code: str,
        detail: str,
        hint: str | None = None,
    ) -> None:
        """Adds a problem of a line and a column to those that are reported together."""
        self.problems.append(problem_entry(code, detail, line=line, column=column, hint=hint))


def binary_problem(text: str) -> str:
    r"""Returns the refusal of a pasted file that is not text; empty for text.

    >>> binary_problem("PK\x03\x04\x14")[:30], binary_problem("A\x00d\x00a")[:21]
    ('The file is a spreadsheet. Exp', 'The file is not text.')
    """
    if text.startswith(ZIP):
        return A_SHEET
    return NOT_TEXT if "\x00" in text else ""


def read_roster(text: str) -> Roster:
    r"""Parses people from CSV, with commas or semicolons, or with tabs, as spreadsheets copy it;
    the first line that has one of these decides. A line of headings may come first; without one,
    the columns are names and then teams.

    >>> roster = read_roster("name;team\nAda;Engines\nBob;\n")
    >>> [(one.line, one.name, one.team) for one in roster.people]
    [(2, 'Ada', 'Engines'), (3, 'Bob', None)]
    """
    roster = Roster()
    rows = list(_rows(text.removeprefix("\ufeff"), roster))
    places = _places(rows[0][1], roster) if rows else None
    roster.has_headings = places is not None
    listed = rows if places is None else rows[1:]
    roster.lines = len(listed)
    if places is None and len(rows) > 1 and all(len(cells) > 2 for _, cells in rows):
        _refuse_columns(roster, *rows[0])
        return roster
    for line, cells in listed:
        _take(roster, line, cells, places)
    if not roster.people and not roster.problems:
        roster.refuse(None, None, "empty", "No person stands in this roster.")
    if len(roster.people) > MAX_PEOPLE:
        detail = f"{len(roster.people)} people; one roster has at most {MAX_PEOPLE}."
        roster.refuse(None, None, "too-many-people", detail, "Send it in parts.")
    _refuse_twins(roster)
    return roster


def by_team(people: Sequence[RosterLine]) -> dict[str, list[RosterLine]]:
    """Groups people by the key of their team's name; those without a team are left out."""
    teams: dict[str, list[RosterLine]] = {}
    for person in people:
        if person.team is not None:
            teams.setdefault(name_key(person.team), []).append(person)
    return teams


def warnings_of(roster: Roster) -> list[str]:
    r"""Warns of names in a valid roster that may be mistakes.

    >>> warnings_of(read_roster("Ada <ada@uni.example>\n"))
    ['Names are shown to others, and 1 has an @. Leave mail addresses out, if these are some.']
    """
    found: list[str] = []
    names = [name for each in roster.people for name in (each.name, each.team or "")]
    if addresses := sum("@" in name for name in names):
        has = "has" if addresses == 1 else "have"
        found.append(
            f"Names are shown to others, and {addresses} {has} an @. Leave mail addresses out, if"
            " these are some."
        )
    is_each_alone = len(by_team(roster.people)) == len(roster.people) > 1
    if is_each_alone and roster.separator == "," and not roster.has_headings:
        found.append(
            "Each line has a team of its own behind the comma. If it is “surname, first name”, put"
            " the names in quotes."
        )
    return found


def grouped_problems(roster: Roster) -> list[ProblemEntry]:
    r"""Sorts the problems by line. One that at least half of the lines share has a common cause,
    such as a wrong column, and is reported once, with all its lines.

    >>> roster = read_roster("name,team\n,Engines\n,Engines\n,Looms\n,Looms\nAda,Looms\n")
    >>> [(each["line"], each["detail"]) for each in grouped_problems(roster)]
    [(2, 'The name is missing. So it is on 3 more lines: 3–5.')]
    """
    kinds: dict[tuple[str, str | None], list[ProblemEntry]] = {}
    for problem in sorted(roster.problems, key=_line_of):
        kinds.setdefault((problem["code"], problem["column"]), []).append(problem)
    grouped: list[ProblemEntry] = []
    for alike in kinds.values():
        if len(alike) > MAX_ALIKE and 2 * len(alike) >= roster.lines:
            more = f"So it is on {len(alike) - 1} more lines: {_ranges(map(_line_of, alike[1:]))}."
            whole: ProblemEntry = {**alike[0], "detail": f"{alike[0]['detail']} {more}"}
            grouped.append(whole)
        else:
            grouped += alike
    return sorted(grouped, key=_line_of)


def _line_of(problem: ProblemEntry) -> int:
    return problem.get("line") or 0


def _ranges(lines: Iterable[int]) -> str:
    """Formats ordered numbers as ranges.

    >>> _ranges([3, 4, 5, 9, 11, 12])
    '3–5, 9, 11–12'
    """
    runs: list[tuple[int, int]] = []
    for line in lines:
        if runs and line == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], line)
        else:
            runs.append((line, line))
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in runs)


def _rows(text: str, roster: Roster) -> Iterator[tuple[int, list[str]]]:
    """Yields the non-empty lines, with their numbers."""
    found = (each for line in text.splitlines() for each in SEPARATORS if each in line)
    roster.separator = next(found, ",")
    lines = StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=roster.separator, strict=True, skipinitialspace=True)
    begins = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            roster.refuse(begins, None, "bad-line", f"The line cannot be read: {error}.")
            return
        if any(cell.strip() for cell in cells):
            yield begins, [cell.strip() for cell in cells]
        begins = reader.line_num + 1


def _places(cells: Sequence[str], roster: Roster) -> dict[str, int] | None:
    """Finds the places of the columns; None where the first line is a person instead of
    headings."""
    places: dict[str, int] = {}
    for place, cell in enumerate(cells):
        known = next((name for name, words in HEADINGS.items() if cell.casefold() in words), None)
        if known is not None and known not in places:
            places[known] = place
    if NAME not in places:
        return None
    roster.ignored = [cell for place, cell in enumerate(cells) if place not in places.values()]
    return places


def _refuse_columns(roster: Roster, line: int, cells: Sequence[str]) -> None:
    """Records that every line has more than two cells, and no heading identifies them."""
    hint = (
        "Begin with a line of headings, such as name,team,mail: columns with other headings"
        " than “name” and “team” are not used. Put names with a comma in quotes."
    )
    detail = (
        f"No line has headings, and each has more than a name and a team: “{', '.join(cells)}”."
    )
    roster.refuse(line, None, "too-many-cells", detail, hint)


def _is_garbled(roster: Roster, line: int, cells: Sequence[str]) -> bool:
    """Records a line with undecodable characters: browsers insert this sign where a file is not
    UTF-8."""
    garbled = next((cell for cell in cells if LOST in cell), None)
    if garbled is None:
        return False
    detail = f"“{garbled}” holds characters that could not be read: the file is not UTF-8."
    roster.refuse(line, None, "encoding", detail, f"{SAVE_AS_UTF8} Then choose it again.")
    return True


def _take(
    roster: Roster, line: int, cells: Sequence[str], places: Mapping[str, int] | None
) -> None:
    if _is_garbled(roster, line, cells):
        return
    if places is None and len(cells) > 2:
        hint = "Put names with a comma in quotes, or begin with a line of headings: name,team."
        roster.refuse(line, None, "too-many-cells", "More than a name and a team.", hint)
        return
    if len(cells) == 1 and _is_separated_otherwise(roster, line, cells[0]):
        return
    found: dict[str, str | None] = {}
    for column, place in (places or {NAME: 0, TEAM: 1}).items():
        given = cells[place] if place < len(cells) else ""
        if not given and column == NAME:
            hint = "Write a name, or remove the line."
            roster.refuse(line, column, ErrorCode.NAME_MISSING, "The name is missing.", hint)
            return
        try:
            found[column] = clean_name(given) if given else None
        except InvalidInput as error:
            roster.refuse(line, column, ErrorCode.BAD_NAME, error.detail)
            return
    roster.people.append(RosterLine(line, found[NAME] or "", found.get(TEAM)))


def _is_separated_otherwise(roster: Roster, line: int, cell: str) -> bool:
    """Records a line whose only cell contains another separator: it was meant as a name and a
    team."""
    other = next((each for each in SEPARATORS if each in cell and each != roster.separator), None)
    if other is None:
        return False
    own = "a tab" if roster.separator == "\t" else f"“{roster.separator}”"
    parts = roster.separator.join(part.strip() for part in cell.split(other))
    detail = f"“{cell}” is separated otherwise than the lines before, which have {own}."
    hint = f"Write “{parts}”, or end the line with {own} if it is one name."
    roster.refuse(line, NAME, "other-separator", detail, hint)
    return True


def _refuse_twins(roster: Roster) -> None:
    """Records names that occur twice, or look like an earlier one."""
    firsts: dict[str, RosterLine] = {}
    for person in roster.people:
        keys = {name_key(person.name), look_of(person.name)}
        first = next((firsts[key] for key in keys if key in firsts), None)
        if first is not None:
            detail = f"“{person.name}” stands already on line {first.line}, or looks like it."
            hint = "Account names differ: add a middle name or a number."
            roster.refuse(person.line, NAME, "duplicate-name", detail, hint)
        for key in keys:
            firsts.setdefault(key, person)
