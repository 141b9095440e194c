"""Commands of a participant, against a real server with its worker."""

from __future__ import annotations

import csv
import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.cli.configuration import Configuration
from podium.client import Podium
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, launch, serving, submission

# One server for all tests of this file.
pytestmark = pytest.mark.xdist_group("participant")

GOOD = submission(clicks="3", carts="2", orders="4")
"""By hand, on the two public sessions: clicks 1 of 2, carts 1 of 4, orders 1 of 2, which is
0.1 · 0.5 + 0.3 · 0.25 + 0.6 · 0.5 = 0.425."""

HEX = "20261126"
"""A slug that looks like the beginning of an id."""

names = (f"person {number}" for number in range(1000))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("server")
    with serving(folder) as installation:
        with installation.organizer() as organizer:
            launch(organizer, "shop", folder)
            launch(organizer, "strict", folder, daily_limit=1)
            launch(organizer, HEX, folder)
        yield installation


@pytest.fixture
def ada(person: Person, server: Installation) -> Person:
    """A person who is signed in, with a good and a bad file."""
    with server.organizer() as organizer:
        token = organizer.create_user(next(names))["token"]
    assert person.types("login", server.url, "--competition", "shop", stdin=token).code == 0
    (person.home / "good.csv").write_text(GOOD)
    (person.home / "bad.csv").write_text(GOOD.replace("1_carts,2", "1_carts,two"))
    return person


@pytest.fixture
def team(ada: Person, server: Installation) -> Person:
    """The same person with a team in both competitions."""
    here = Configuration(**json.loads((ada.home / "config/podium/login.json").read_text()))
    with Podium(here.url, here.token) as podium:
        for slug in ("shop", "strict", HEX):
            podium.create_team(slug, f"team of {podium.me()['name']}")
    return ada


def test_the_login_is_kept_for_this_user_alone(ada: Person) -> None:
    kept = ada.home / "config" / "podium" / "login.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_wrong_token_is_refused_and_not_kept(person: Person, server: Installation) -> None:
    ran = person.types("login", server.url, stdin="wrong")
    assert ran.code == 5
    assert not (person.home / "config").exists()


def test_a_submission_is_uploaded_and_scored_and_the_rank_is_told(team: Person) -> None:
    ran = team.types("submit", "-f", "good.csv", "-m", "first try", "--json")
    assert ran.code == 0, ran.err
    assert ran.document["status"] == "scored"
    assert ran.document["public_score"] == 0.425
    assert ran.document["private_score"] is None
    assert ran.document["note"] == "first try"
    assert ran.document["rank"] >= 1


def test_a_rejected_file_ends_with_3_and_names_the_line(team: Person) -> None:
    ran = team.types("submit", "shop", "-f", "bad.csv")
    assert ran.code == 3
    assert "status" in ran.out
    assert "rejected" in ran.out
    assert any(line.startswith("bad.csv:3: ") for line in ran.err.splitlines())


def test_without_waiting_the_answer_is_the_accepted_submission(team: Person) -> None:
    ran = team.types("submit", "-f", "good.csv", "--no-wait", "-q", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.document["status"] in ("queued", "judging", "scored")
    shown = team.types("submission", ran.document["id"], "--json")
    assert shown.document["id"] == ran.document["id"]


def test_a_used_up_quota_ends_with_6(team: Person) -> None:
    assert team.types("submit", "strict", "-f", "good.csv", "-q").code == 0
    ran = team.types("submit", "strict", "-f", "good.csv")
    assert (ran.code, ran.out) == (6, "")
    assert re.fullmatch(r"Daily limit reached\. Next submission in [^.]+\.\n", ran.err)
    shown = team.types("limits", "strict")
    # A minute may have passed in between.
    assert re.fullmatch(r"Daily limit reached\. Next submission in [^.]+\.\n", shown.err)
    assert re.search(r"^resets at +\S+ \(in [^)]+\)$", shown.out, re.MULTILINE)
    limits = team.types("limits", "strict", "--json")
    assert limits.document["submissions_left_today"] == 0
    assert limits.document["resets_at"] is not None


def test_a_person_without_a_team_learns_what_is_missing(ada: Person) -> None:
    ran = ada.types("submit", "-f", "good.csv")
    assert ran.code in (2, 5)
    assert "team" in ran.err
    listed = ada.types("submissions")
    assert (listed.code, "You are in no team of shop yet." in listed.err) == (0, True)


def test_a_beginning_that_no_id_has_is_told(team: Person) -> None:
    ran = team.types("select", "00000000")
    assert (ran.code, ran.out) == (2, "")
    assert "None of your submissions of shop has an id that begins with 00000000." in ran.err


def test_a_slug_may_look_like_the_beginning_of_an_id(team: Person) -> None:
    sent = team.types("submit", HEX, "-f", "good.csv", "--no-wait", "--json").document["id"]
    plain = sent.replace("-", "")
    # Another competition is configured.
    for words in ([HEX, "--clear"], [HEX, sent], [HEX, plain]):
        assert team.types("select", *words).code == 0, words
    for words in ([HEX, "--clear"], [HEX, sent[:13]], [sent[:13]], [plain]):
        assert team.types("select", *words, PODIUM_COMPETITION=HEX).code == 0, words


def test_submissions_are_listed_newest_first_and_can_be_selected(team: Person) -> None:
    assert team.types("submit", "-f", "good.csv", "-m", "older", "-q").code == 0
    again = team.types("submit", "-f", "good.csv", "-m", "newer")
    listed = team.types("submissions", "--json").document
    assert [row["note"] for row in listed] == ["newer", "older"]
    told = (
        f"before, as {listed[1]['id']}. Unless it is rejected, it counts against your limit again."
    )
    assert f"You have submitted this file {told}" in again.err
    chosen = team.types("select", "shop", listed[1]["id"], listed[1]["id"])
    assert chosen.code == 0
    assert chosen.err == "1 of 2 selected. Free places are filled with your best public ones.\n"
    listed = team.types("submissions", "--json").document
    assert [row["selected"] for row in listed] == [False, True]
    assert team.types("select", "shop", "--clear").err.startswith("0 of 2 selected.")
    listed = team.types("submissions", "--json").document
    assert [row["selected"] for row in listed] == [False, False]
    # The competition is configured, and the beginning of an id is enough.
    assert team.types("select", listed[0]["id"][:-2]).code == 0
    listed = team.types("submissions", "--json").document
    assert [row["selected"] for row in listed] == [True, False]
    table = team.types("submissions", "--csv").out.splitlines()
    assert next(csv.reader(table))[:5] == ["id", "submitted", "file", "note", "status"]
    assert [row["by"] for row in csv.DictReader(table)] == [listed[0]["submitted_by"]["name"]] * 2


def test_the_leaderboard_can_be_shown_and_downloaded(team: Person) -> None:
    assert team.types("submit", "-f", "good.csv", "-q").code == 0
    shown = team.types("leaderboard", "-s", "--json").document
    assert shown[0]["score"] == 0.425
    ran = team.types("leaderboard", "-d", "-p", "boards")
    assert ran.out.strip() == str(Path("boards") / "shop-public-leaderboard.csv")
    rows = list(csv.DictReader((team.home / ran.out.strip()).read_text().splitlines()))
    assert rows[0]["score"] == "0.42500"


def test_competitions_and_their_sample_need_no_account(
    person: Person, server: Installation
) -> None:
    listed = person.types("competitions", "list", "--json", PODIUM_URL=server.url)
    assert {"shop", "strict"} <= {row["slug"] for row in listed.document}
    ran = person.types("competitions", "download", "shop", PODIUM_URL=server.url)
    assert ran.code == 0, ran.err
    sample = (person.home / "sample_submission.csv").read_text().splitlines()
    assert sample[:2] == ["session_type,labels", "1_clicks,"]
    assert len(sample) == 13
    files = person.types("competitions", "files", "shop", "--json", PODIUM_URL=server.url).document
    assert files[-1] == {"name": "sample_submission.csv", "bytes": None, "sha256": None}
    command = ("competitions", "download", "shop", "-f", "sample_submission.csv", "-p", "alone")
    assert person.types(*command, PODIUM_URL=server.url).out.splitlines() == [
        "alone/sample_submission.csv",
        "alone/sample_submission.settings.json",
    ]
    assert (person.home / "alone/sample_submission.csv").read_text().splitlines() == sample


def test_what_the_server_accepts_is_valid_offline_too(ada: Person, server: Installation) -> None:
    ada.types("competitions", "download", "shop")
    assert ada.types("validate", "good.csv", "--sample", "sample_submission.csv").code == 0
    assert ada.types("validate", "bad.csv", "--sample", "sample_submission.csv").code == 3
    # The server is asked for the ids, too, where no sample is named.
    for sample in ([], ["--sample", "sample_submission.csv"]):
        good = ada.types("validate", "good.csv", "-c", "shop", *sample)
        assert (good.code, good.out.splitlines()[0]) == (0, "status   valid")
        assert ada.types("validate", "bad.csv", "-c", "shop", *sample).code == 3
    both = ada.types("validate", "good.csv", "-c", "shop", "--preset", "otto")
    assert (both.code, "name no others" in both.err) == (2, True)


@pytest.mark.parametrize("command", [["limits", "shop"], ["submissions", "shop"]], ids=" ".join)
def test_a_token_is_needed(person: Person, server: Installation, command: list[str]) -> None:
    assert person.types(*command, PODIUM_URL=server.url).code == 5


def test_a_stored_token_is_not_sent_to_another_address(ada: Person) -> None:
    ran = ada.types("limits", "shop", PODIUM_URL="http://127.0.0.1:1")
    assert ran.code == 4
    assert "does not answer" in ran.err


def test_what_is_not_there_is_a_wrong_use(ada: Person) -> None:
    assert ada.types("leaderboard", "nowhere").code == 2
    assert ada.types("submission", "nothing").code == 2


def test_without_a_competition_the_command_says_how_to_name_one(person: Person) -> None:
    ran = person.types("limits")
    assert ran.code == 2
    assert "PODIUM_COMPETITION" in ran.err
