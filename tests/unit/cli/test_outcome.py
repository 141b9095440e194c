"""Exit codes, and problems as lines."""

from __future__ import annotations

import re
from pathlib import Path

import httpx2
import pytest
from typer import Abort
from typer.exceptions import TyperException

from podium import errors
from podium.cli.outcome import MEANINGS, Exit, problem_lines, report_rejection
from podium.cli.reporting import exit_code, reported
from podium.client.refusals import error_of
from podium.errors.codes import CODES, ErrorCode, OurCode
from tests.places import ROOT


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.NotAuthenticated("x"), 5),
        (errors.NotAllowed("x"), 5),
        (errors.QuotaExhausted("x", retry_after=1), 6),
        (errors.WrongState("x", code=ErrorCode.COMPETITION_CLOSED), 6),
        (errors.TooLarge("x"), 3),
        (errors.UnsupportedContainer("x"), 3),
        (errors.InvalidInput("x"), 2),
        (errors.InvalidInput("x", code=ErrorCode.DIGEST_MISMATCH), 4),
        (errors.BadRequest("x"), 2),
        (errors.NotFound("x"), 2),
        (errors.NotFound("x", code=ErrorCode.NO_TEAM), 2),
        (errors.NotAllowed("x", code=ErrorCode.NOT_JOINED), 2),
        (errors.NotConfigured("x"), 2),
        (errors.Unavailable("x"), 4),
        (errors.StoredFileCorrupt("x"), 4),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_every_error_has_its_exit_code(error: errors.PodiumError, code: int) -> None:
    assert exit_code(error) == code


BY_STATUS = {
    400: 2,
    401: 5,
    403: 5,
    404: 2,
    405: 4,
    408: 4,
    409: 6,
    410: 2,
    412: 2,
    413: 3,
    414: 4,
    415: 3,
    416: 4,
    421: 4,
    422: 2,
    429: 6,
    431: 4,
    500: 4,
    503: 4,
}
"""The table of exit codes as it is for the statuses of the API …"""

OTHERS = {
    "name-taken": 2,
    "names-taken": 2,
    "slug-taken": 2,
    "already-in-team": 2,
    "launch-checklist": 2,
    "leak-limit": 6,
    "not-joined": 2,
    "not-revealed": 6,
    "registration-closed": 6,
    "digest-mismatch": 4,
    "upload-cut": 4,
}
"""… and the codes whose meaning in the table is another one than that of their status."""


@pytest.mark.parametrize(
    ("code", "status"), [(code, status) for code in CODES.values() for status in code.statuses]
)
def test_every_refusal_of_a_server_ends_as_the_table_says(code: OurCode, status: int) -> None:
    request = httpx2.Request("GET", "http://localhost/api/v1/me")
    answer = httpx2.Response(status, json={"code": code, "detail": "No."}, request=request)
    assert exit_code(error_of(answer)) == OTHERS.get(code, BY_STATUS[status])


def test_the_guide_has_the_table_of_exit_codes() -> None:
    text = (ROOT / "docs" / "participants.md").read_text()
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE)
    assert {int(code): meaning for code, meaning in rows} == MEANINGS
    assert set(MEANINGS) == set(Exit)


def test_an_error_is_one_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught, reported():
        raise errors.NotFound("There is no such competition.")
    assert caught.value.code == Exit.USAGE
    assert capsys.readouterr() == ("", "There is no such competition.\n")


def test_one_problem_is_told_once_and_by_the_name_of_its_member(
    capsys: pytest.CaptureFixture[str],
) -> None:
    entry: errors.ProblemEntry = {
        "code": "extra-forbidden",
        "line": None,
        "id": None,
        "column": "body.dayly_limit",
        "detail": "There is no such member.",
        "hint": None,
    }
    with pytest.raises(SystemExit), reported():
        raise errors.InvalidInput("body.dayly_limit: There is no such member.", problems=[entry])
    assert capsys.readouterr().err == "dayly_limit: There is no such member.\n"


def test_of_several_problems_each_is_told_once_with_what_was_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    entries: list[errors.ProblemEntry] = [
        {
            "code": "extra-forbidden",
            "line": None,
            "id": None,
            "column": f"body.{name}",
            "detail": "There is no such member.",
            "hint": hint,
        }
        for name, hint in (("dayly_limit", "Did you mean daily_limit?"), ("luck", None))
    ]
    with pytest.raises(SystemExit), reported():
        raise errors.InvalidInput(
            "body.dayly_limit: There is no such member.", problems=entries, problem_count=12
        )
    assert capsys.readouterr().err.splitlines() == [
        "dayly_limit: There is no such member. Did you mean daily_limit?",
        "luck: There is no such member.",
        "And 10 more.",
    ]


def test_a_place_that_cannot_be_written_is_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as caught, reported():
        (tmp_path / "none" / ".o.csv.part").write_text("")
    assert caught.value.code == Exit.USAGE
    told = f"There is no folder {tmp_path / 'none'}. Make it first, or name another one.\n"
    assert capsys.readouterr().err == told
    with pytest.raises(SystemExit), reported():
        tmp_path.write_text("")
    assert capsys.readouterr().err == f"{tmp_path}: Is a directory. Name another place.\n"
    with pytest.raises(SystemExit), reported():
        raise PermissionError(13, "Permission denied", "/etc/o.csv")
    assert capsys.readouterr().err.startswith("You may not read or write /etc/o.csv.")


def test_other_exceptions_are_bugs_and_stay_visible() -> None:
    with pytest.raises(ZeroDivisionError), reported():
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (
            {"line": 7, "detail": "No number.", "hint": "Use digits."},
            "a.csv:7: No number. Use digits.",
        ),
        (
            {"line": 7, "detail": "no number", "hint": "Use digits."},
            "a.csv:7: no number. Use digits.",
        ),
        ({"line": 7, "detail": "No number.", "hint": None}, "a.csv:7: No number."),
        ({"line": None, "row": 0, "detail": "No number."}, "a.csv:row 0: No number."),
        ({"line": None, "detail": "3 ids are missing."}, "a.csv: 3 ids are missing."),
    ],
)
def test_a_problem_is_a_line_that_editors_understand(
    problem: errors.ProblemEntry, line: str
) -> None:
    assert problem_lines("a.csv", [problem]) == [line]


def test_a_long_rejection_says_how_many_problems_it_leaves_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = [{"line": line, "detail": "No."} for line in (2, 3)]
    report_rejection("a.csv", {"errors": shown, "error_count": 12})
    assert capsys.readouterr().err.splitlines() == [
        "a.csv:2: No.",
        "a.csv:3: No.",
        "a.csv: and 10 more problems.",
    ]
    report_rejection("a.csv", {"errors": shown, "error_count": 1002, "reading_stopped": True})
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "a.csv: and 1,000 or more others; the rest of the file was not read."


def test_a_file_of_another_form_is_told_its_ways_out(capsys: pytest.CaptureFixture[str]) -> None:
    problem = {"detail": "No.", "readable_as": {"form": "no header", "forms": ["no-header"]}}
    report_rejection("a.csv", problem)
    assert capsys.readouterr().err.splitlines() == [
        "a.csv: No.",
        "a.csv: It can be read as no header. `podium convert FILE -c SLUG --out NEW` writes it as"
        " the competition takes it. Organizers allow it by the setting forms: no-header.",
    ]
    # The order of candidates is not known everywhere; nor is a form of a later server.
    for form in ("candidate-ranks", "of-tomorrow"):
        report_rejection("a.csv", {**problem, "readable_as": {"form": "it", "forms": [form]}})
        assert "podium convert" not in capsys.readouterr().err


def test_a_misspelt_choice_is_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    message = "Invalid value for 'name': Value error, 'covis' is not one of 'als', 'covisitation'."
    with pytest.raises(SystemExit), reported():
        raise TyperException(message)
    told = capsys.readouterr().err
    assert "Value error" not in told
    assert "Did you mean covisitation?" in told


@pytest.mark.parametrize(("cause", "code"), [(KeyboardInterrupt, 130), (EOFError, 1)])
def test_ctrl_c_at_a_question_is_no_answer(cause: type[BaseException], code: int) -> None:
    abort = Abort()
    abort.__context__ = cause()
    with pytest.raises(SystemExit) as end, reported():
        raise abort
    assert end.value.code == code
