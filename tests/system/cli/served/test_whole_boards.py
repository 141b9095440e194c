"""Programs are given the whole board, people its head; and after the close nothing is promised."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator

import pytest

from podium.client import Podium
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, launch, serving, submission

# One server for all tests of this file.
pytestmark = pytest.mark.xdist_group("whole boards")

ROWS = 21

COLUMNS = {"diagnostics": ["hit_rate@1"], "board_diagnostics": ["hit_rate@1"]}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A board of 21 rows, and a competition that is open."""
    folder = tmp_path_factory.mktemp("server")
    file = folder / "good.csv"
    file.write_text(submission(clicks="3", carts="2", orders="4"))
    with serving(folder) as installation:
        with installation.organizer() as organizer:
            launch(organizer, "shop", folder, **COLUMNS)
            launch(organizer, "over", folder)
            sent = []
            for number in range(ROWS):
                team = organizer.make_baseline("shop", f"baseline {number}")
                sent.append(organizer.submit("shop", file, team=team["id"]))
            for each in sent:
                assert organizer.wait(each["id"])["status"] == "scored"
        yield installation


@pytest.fixture
def ada(person: Person, server: Installation) -> Person:
    """A person who is signed in."""
    with server.organizer() as organizer:
        token = organizer.create_user(f"ada {person.home.parent.name}")["token"]
    assert person.types("login", server.url, "--competition", "shop", stdin=token).code == 0
    (person.home / "good.csv").write_text(submission(clicks="3", carts="2", orders="4"))
    return person


def test_programs_get_the_whole_board_or_exactly_what_they_ask_for(ada: Person) -> None:
    whole = ada.types("leaderboard", "--json")
    assert (len(whole.document), whole.err) == (ROWS, "")
    table = ada.types("leaderboard", "--csv")
    header, *lines = csv.reader(table.out.splitlines())
    assert len(lines) == ROWS
    # One of two public sessions is hit in the first place, for every objective.
    assert whole.document[0]["diagnostics"] == {"hit_rate@1": 0.5}
    assert dict(zip(header, lines[0], strict=True))["hit_rate@1"] == "0.50000"
    assert table.err == ""
    for options, rows in (
        (["--page-size", "5"], whole.document[:5]),
        (["--page-size", "5", "--page", "5"], whole.document[20:]),
        (["--page", "2"], whole.document[20:]),
        (["--page", "9"], []),
        (["--all"], whole.document),
    ):
        assert ada.types("leaderboard", "--json", *options).document == rows


def test_people_are_told_how_much_of_the_board_they_see(ada: Person) -> None:
    table = ada.types("leaderboard")
    assert len(table.out.splitlines()) == 1 + 20
    assert table.err.strip() == "20 of 21 rows; --all shows every one."
    assert "5 of 21 rows" in ada.types("leaderboard", "--page-size", "5", "--page", "2").err
    whole = ada.types("leaderboard", "--all")
    assert (len(whole.out.splitlines()), whole.err) == (1 + ROWS, "")
    assert ada.types("leaderboard", "--all", "--page", "2").code == 2


def test_after_the_close_no_team_is_promised_more(ada: Person, server: Installation) -> None:
    stored = json.loads((ada.home / "config/podium/login.json").read_text())
    with Podium(server.url, stored["token"]) as podium, server.organizer() as organizer:
        podium.create_team("over", "Team Ada")
        assert ada.types("limits", "over").code == 0
        assert ada.types("team", "show", "-c", "over").err == ""
        organizer.close("over")
    message = "The competition is over. Its final ranking is not published yet."
    for asked in (
        ["limits", "over"],
        ["limits", "over", "--json"],
        ["submit", "over", "-f", "good.csv"],
    ):
        ran = ada.types(*asked)
        assert (ran.code, ran.err.strip()) == (6, message), asked
        assert "T00:00:00" not in ran.out
    shown = ada.types("team", "show", "-c", "over")
    assert (shown.code, shown.err.strip()) == (0, message)
    assert "Team Ada" in shown.out
    assert ada.types("limits", "over", "--json").document == {
        "submissions_left_today": 0,
        "resets_at": None,
        "limited_by": "phase",
        "reason": message,
    }
