"""A participant's day at the command line: teams, history, receipts, logins, the shell."""

from __future__ import annotations

import hashlib
import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.builders.processes.commands import Person
from tests.builders.processes.serving import ADMIN_TOKEN, Installation, launch, serving, submission

# One server for all tests of this file.
pytestmark = pytest.mark.xdist_group("day")

GOOD = submission(clicks="3", carts="2", orders="4")
"""Scores 0.425 on the two public sessions: see test_participant."""

RULES = "Be fair.\nOne account each."
DATA = b"some sessions\n" * 1000
HISTORY = ".local/share/podium/runs.jsonl"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("server")
    with serving(folder) as installation:
        with installation.organizer() as organizer:
            launch(organizer, "shop", folder, description="Guess *well*.", team_size=2)
            launch(organizer, "ruled", folder, rules=RULES)
            code = {"registration": "code", "registration_code": "open sesame"}
            launch(organizer, "coded", folder, **code)
            launch(organizer, "approved", folder, registration="approval")
            (folder / "train.jsonl").write_bytes(DATA)
            organizer.add_file("shop", "train.jsonl", folder / "train.jsonl")
        yield installation


class Players:
    """People with accounts, each with a home of their own."""

    def __init__(self, server: Installation, folder: Path) -> None:
        self.server, self.folder = server, folder

    def enter(self, name: str) -> Person:
        """A new user, signed in."""
        home = self.folder / name
        home.mkdir()
        person = Person(home)
        made = person.types(
            "users", "add", name, PODIUM_URL=self.server.url, PODIUM_TOKEN=ADMIN_TOKEN
        )
        assert made.code == 0, made.err
        signed = person.types("login", self.server.url, "-c", "shop", stdin=made.out)
        assert signed.code == 0, signed.err
        (home / "good.csv").write_text(GOOD)
        return person


@pytest.fixture
def players(server: Installation, tmp_path: Path) -> Players:
    return Players(server, tmp_path)


def test_a_team_is_made_joined_renamed_shown_and_left(players: Players) -> None:
    ada, bob = players.enter("ada"), players.enter("bob")
    made = ada.types("team", "create", "Team Ada", "--json").document
    assert bob.types("team", "show").code == 2
    joined = bob.types("team", "join", made["invite_code"], "-c", "shop", "--json").document
    assert [member["name"] for member in joined["members"]] == ["ada", "bob"]
    assert bob.types("team", "rename", "Both").code == 0
    shown = ada.types("team", "show").out.splitlines()
    assert shown[:2] == ["team                    Both", "members                 ada, bob"]
    assert bob.types("team", "leave").code == 0
    alone = ada.types("team", "show", "--json").document
    assert [member["name"] for member in alone["members"]] == ["ada"]


def test_a_code_that_begins_with_a_dash_is_named_behind_two(players: Players) -> None:
    otis = players.enter("otis")
    taken = otis.types("team", "join", "-oldcode")
    assert (taken.code, "`podium team join -- -VALUE`" in taken.err) == (2, True), taken.err
    refused = otis.types("team", "join", "-c", "shop", "--", "-oldcode")
    assert refused.err.startswith("No team of this competition has this invite code."), refused.err


def test_a_competition_is_entered_with_the_code_that_the_organizers_gave_out(
    players: Players,
) -> None:
    edda = players.enter("edda")
    refused = edda.types("team", "create", "Team Edda", "-c", "coded")
    assert refused.code == 5
    assert "podium team create NAME --code CODE -c coded" in refused.err
    made = edda.types("team", "create", "Team Edda", "-c", "coded", "--code", "open sesame")
    assert made.code == 0, made.err


def test_who_has_to_be_approved_asks_and_sees_what_became_of_it(players: Players) -> None:
    ida = players.enter("ida")
    refused = ida.types("team", "create", "Team Ida", "-c", "approved")
    assert refused.code == 5
    assert "podium team request -c approved" in refused.err
    asked = ida.types("team", "request", "-c", "approved", "--note", "From the course")
    assert asked.out.split() == ["competition", "approved", "state", "pending"]
    seen = ida.types("team", "request", "-c", "approved", "--json").document
    assert (seen["state"], seen["note"]) == ("pending", "From the course")
    approve = httpx2.post(
        f"{players.server.url}/api/v1/admin/join-requests/{seen['id']}/approve",
        headers={"Authorization": f"Bearer {ADMIN_TOKEN}"},
        json={},
    )
    assert approve.status_code == 200, approve.text
    again = ida.types("team", "request", "-c", "approved")
    assert "podium team create NAME" in again.err
    assert ida.types("team", "create", "Team Ida", "-c", "approved").code == 0


def test_two_teams_merge_when_the_other_one_agrees(players: Players) -> None:
    cyd, dan = players.enter("cyd"), players.enter("dan")
    cyd.types("team", "create", "Team Cyd")
    dan.types("team", "create", "Team Dan")
    (asked,) = cyd.types("team", "merge", "Team Dan", "--json").document
    (seen,) = dan.types("team", "merge", "--json").document
    assert (seen["id"], seen["direction"]) == (asked["id"], "incoming")
    assert cyd.types("team", "merge", "--withdraw", asked["id"]).code == 0
    assert cyd.types("team", "merge", "Team Dan").code == 0
    assert cyd.types("team", "merge", "--accept", "Team Dan").code == 2
    assert dan.types("team", "merge", "--accept", "team cyd").code == 0
    together = cyd.types("team", "show", "--json").document
    assert together["name"] == "Team Dan"
    assert {member["name"] for member in together["members"]} == {"cyd", "dan"}


def test_rules_are_read_and_accepted_before_entering(players: Players) -> None:
    eve = players.enter("eve")
    refused = eve.types("team", "create", "Team Eve", "-c", "ruled")
    assert (refused.code, refused.out) == (5, "")
    read = eve.types("competitions", "rules", "ruled")
    assert (read.code, read.out) == (0, RULES + "\n")
    assert "not accepted" in read.err
    accepted = eve.types("competitions", "rules", "ruled", "--accept", "--json").document
    assert accepted["sha256"] == hashlib.sha256(RULES.encode()).hexdigest()
    assert eve.types("team", "create", "Team Eve", "-c", "ruled").code == 0


def test_a_competition_shows_its_metric_its_limits_and_its_text(players: Players) -> None:
    ran = players.enter("fay").types("competitions", "show")
    lines = ran.out.splitlines()
    assert "metric       recall_capped@20:micro" in lines
    assert "submissions  5 a day" in lines
    assert "team size    2" in lines
    assert lines[-1] == "Guess *well*."


def test_downloads_are_checked_and_not_repeated(players: Players) -> None:
    gil = players.enter("gil")
    written = gil.types("competitions", "download", "-p", "data", "--json").document
    assert [file["path"] for file in written] == [
        "data/train.jsonl",
        "data/sample_submission.csv",
        "data/sample_submission.settings.json",
    ]
    assert written[0]["sha256"] == hashlib.sha256(DATA).hexdigest()
    first = (gil.home / "data/train.jsonl").stat()
    again = gil.types("competitions", "download", "-p", "data", "-f", "train.jsonl")
    assert again.out == "data/train.jsonl\n"
    assert (gil.home / "data/train.jsonl").stat().st_mtime_ns == first.st_mtime_ns
    assert (gil.home / "data/train.jsonl").read_bytes() == DATA


def test_runs_pair_local_and_public_scores(players: Players) -> None:
    hal = players.enter("hal")
    hal.types("team", "create", "Team Hal")
    labels = {"clicks": 3, "carts": [2, 3], "orders": [4]}
    lines = [json.dumps({"session": session, "labels": labels}) for session in range(1, 5)]
    (hal.home / "labels.jsonl").write_text("\n".join(lines))
    (hal.home / "half.csv").write_text(submission(clicks="3"))
    (hal.home / "other.csv").write_text(submission(orders="4"))
    for file, options in (
        ("good.csv", ()),
        ("half.csv", ("-m", "clicks only")),
        ("other.csv", ("--no-history",)),
    ):
        assert hal.types("score", file, "--truth", "labels.jsonl", *options).code == 0
    assert hal.types("submit", "-f", "good.csv", "-m", "best").code == 0
    # Other bytes, and the note of a file that was scored at home.
    (hal.home / "half.csv").write_text(submission(clicks="3") + "\n")
    assert hal.types("submit", "-f", "half.csv", "-m", "clicks only").code == 0
    document = hal.types("runs", "--json").document
    # On all four sessions by hand: clicks 1 of 4, carts 1 of 8, orders 1 of 4.
    figures = [(run["note"], run["local"], run["public"]) for run in document["runs"]]
    assert figures == [("best", 0.2125, 0.425), ("clicks only", 0.025, 0.05)]
    assert document["correlation"] == {"pairs": 2, "pearson": None, "spearman": None}
    assert (document["metrics_differ"], document["server"]) == (False, players.server.url)
    assert (document["competition"], document["measure"]) == ("shop", "otto")
    again = hal.types("submit", "-f", "good.csv", "-m", "best", "--json").document
    document = hal.types("runs", "--json").document
    assert [run["local"] for run in document["runs"]] == [0.2125, 0.025, 0.2125]
    assert document["runs"][-1]["submission_id"] == again["id"]
    assert document["correlation"]["pairs"] == 2
    (hal.home / "runs.svg").write_text("mine")
    refused = hal.types("runs", "--plot", "runs.svg")
    assert (refused.code, "overwrite it with --force" in refused.err) == (2, True)
    drawn = hal.types("runs", "--chart", "--plot", "runs.svg", "--force")
    assert drawn.out.splitlines()[-1].endswith("2 pairs, too few to correlate")
    assert "│•" in drawn.out.splitlines()
    assert (hal.home / "runs.svg").read_text().count("<circle") == 2
    assert stat.S_IMODE((hal.home / HISTORY).stat().st_mode) == 0o600


def test_scores_that_came_later_are_fetched(players: Players) -> None:
    ivy = players.enter("ivy")
    ivy.types("team", "create", "Team Ivy")
    sent = ivy.types("submit", "-f", "good.csv", "--no-wait", "--no-history", "--json").document
    assert ivy.types("runs", "--json").document["runs"] == []
    assert ivy.types("submit", "-f", "good.csv", "-q").code == 0
    runs = ivy.types("runs", "--refresh", "--json").document["runs"]
    assert [run["public"] for run in runs] == [0.425, 0.425]
    assert runs[0]["submission_id"] == sent["id"]
    before = _submission_lines(ivy)
    assert sent["id"] in before
    refreshed = ivy.types("runs", "--refresh")
    assert (refreshed.err, _submission_lines(ivy)) == ("", before)


def test_a_score_that_was_judged_anew_is_told_to_be_of_another_time(players: Players) -> None:
    jan = players.enter("jan")
    jan.types("team", "create", "Team Jan")
    sent = jan.types("submit", "-f", "good.csv", "-q", "--json").document
    path = jan.home / HISTORY
    # What was kept before a rejudging: another score, with fewer digits than the board shows.
    old = path.read_text().replace(str(sent["public_score"]), "0.4")
    path.write_text(re.sub(r'"read_at": "[^"]*"', '"read_at": "2026-11-20T12:00:00Z"', old))
    ran = jan.types("runs", "shop")
    assert "  0.40000  " in ran.out.splitlines()[1]
    again = "`podium runs shop --refresh` reads them anew."
    assert ran.err == f"Scores were read at 2026-11-20T12:00:00Z; {again}\n"
    assert "  0.42500  " in jan.types("runs", "--refresh").out.splitlines()[1]
    assert "2026-11-20T12:00:00Z" not in jan.types("runs", "shop").err


def _submission_lines(person: Person) -> list[str]:
    """The ids of the submissions in a history, one a line of it."""
    entries = map(json.loads, (person.home / HISTORY).read_text().splitlines())
    return [entry["id"] for entry in entries if entry["kind"] == "submission"]


def test_what_was_submitted_ends_well_without_an_output(players: Players) -> None:
    mei = players.enter("mei")
    mei.types("team", "create", "日本 チーム")
    sent = mei.in_shell("podium submit -f good.csv -q >&-")
    assert (sent.returncode, sent.stderr) == (0, b"")
    assert len(mei.types("submissions", "--json").document) == 1
    for command in ("leaderboard --all", "submissions"):
        shut = mei.in_shell(f"podium {command} >&-")
        assert (shut.returncode, shut.stderr) == (0, b"")
    board = mei.in_shell("podium leaderboard --all", PYTHONIOENCODING="cp1252")
    assert (board.returncode, b"  ?? ???  " in board.stdout) == (0, True)


def test_a_receipt_is_kept_and_verified(players: Players) -> None:
    jim = players.enter("jim")
    jim.types("team", "create", "Team Jim")
    scored = jim.types("submit", "-f", "good.csv", "-q", "--json").document
    kept = jim.types("receipt", scored["id"], "-o", "receipt.json")
    assert (kept.code, kept.out, kept.err) == (0, "", "Wrote receipt.json.\n")
    printed = jim.types("receipt", scored["id"])
    assert printed.out == (jim.home / "receipt.json").read_text()
    ran = jim.types("verify", "receipt.json", "--file", "good.csv", "--json")
    assert (ran.code, ran.document["valid"]) == (0, True)


def test_the_board_shows_pages_the_neighborhood_and_the_past(players: Players) -> None:
    for name in ("kim", "leo"):
        person = players.enter(name)
        person.types("team", "create", f"Team {name}")
        assert person.types("submit", "-f", "good.csv", "-q").code == 0
    board = person.types("leaderboard", "--json").document
    names = [row["team"]["name"] for row in board]
    second = person.types("leaderboard", "--page", "2", "--page-size", "1", "--json").document
    assert [row["team"]["name"] for row in second] == names[1:2]
    around = person.types("leaderboard", "--me", "--json").document
    own = names.index("Team leo")
    assert [row["team"]["name"] for row in around] == names[max(0, own - 3) : own + 4]
    assert [row["team"]["name"] for row in around if row["you"]] == ["Team leo"]
    marked = person.types("leaderboard", "--me", "--csv").out.splitlines()
    assert [line.split(",")[1] for line in marked if line.endswith(",yes")] == ["Team leo"]
    earlier = person.types("leaderboard", "--as-of", "2020-01-01T00:00:00Z")
    assert (earlier.code, earlier.out) == (2, "")
    assert "before the launch" in earlier.err


def test_profiles_keep_logins_apart(players: Players, server: Installation) -> None:
    mia = players.enter("mia")
    ran = mia.types("--profile", "boss", "login", server.url, stdin=ADMIN_TOKEN)
    assert ran.code == 0, ran.err
    assert mia.types("whoami", "--json").document["account"]["name"] == "mia"
    boss = mia.types("whoami", "--json", PODIUM_PROFILE="boss").document
    assert boss["account"]["administrator"] is True
    kept = mia.home / "config/podium/profiles/boss.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert mia.types("--profile", "../boss", "whoami").code == 2


def test_what_the_server_rejects_is_rejected_at_home_for_the_same_reasons(
    players: Players,
) -> None:
    ned = players.enter("ned")
    ned.types("team", "create", "Team Ned")
    bad = GOOD.replace("1_carts,2", "1_carts,two").replace("2_clicks,9", "2_clicks,9,9") + "x,1\n"
    (ned.home / "bad.csv").write_text(bad)
    ned.types("competitions", "download")
    home = ned.types("validate", "bad.csv", "--sample", "sample_submission.csv", "--json")
    sent = ned.types("submit", "-f", "bad.csv", "-q", "--json")
    assert (home.code, sent.code) == (3, 3)
    assert home.document["problem"]["error_count"] >= 3
    for member in ("code", "detail", "errors", "error_count"):
        assert home.document["problem"][member] == sent.document["problem"][member]


def test_the_shell_completes_commands(person: Person) -> None:
    ran = person.types(_PODIUM_COMPLETE="complete_bash", COMP_WORDS="podium sub", COMP_CWORD="1")
    assert ran.out.split() == ["submit", "submission", "submissions"]


def test_a_download_takes_no_other_files_place_unless_it_is_told_to(players: Players) -> None:
    pia = players.enter("pia")
    data, sample = pia.home / "train.jsonl", pia.home / "sample_submission.csv"
    data.write_text("my own notes")
    refused = pia.types("competitions", "download")
    assert refused.code == 2
    assert "train.jsonl exists and has other content" in refused.err
    assert "--force" in refused.err
    assert data.read_text() == "my own notes"
    assert not sample.exists()
    assert pia.types("competitions", "download", "--force").code == 0
    assert data.read_bytes() == DATA

    good = sample.read_bytes()
    assert pia.types("competitions", "download").code == 0
    sample.write_text("my own submission")
    refused = pia.types("competitions", "download")
    assert refused.code == 2
    assert "sample_submission.csv exists" in refused.err
    assert sample.read_text() == "my own submission"
    assert pia.types("competitions", "download", "--force").code == 0
    assert sample.read_bytes() == good
    assert (
        sorted(each.name for each in pia.home.iterdir() if each.suffix in (".new", ".part")) == []
    )


def test_boards_and_receipts_take_no_other_files_place(players: Players) -> None:
    zoe = players.enter("zoe")
    board = zoe.home / "shop-public-leaderboard.csv"
    assert zoe.types("leaderboard", "-d").code == 0
    assert zoe.types("leaderboard", "-d").code == 0
    kept = board.read_bytes()
    board.write_text("older")
    assert zoe.types("leaderboard", "-d").code == 2
    assert board.read_text() == "older"
    assert zoe.types("leaderboard", "-d", "--force").code == 0
    assert board.read_bytes() == kept


def test_scores_keep_their_last_zeros_outside_of_json(players: Players) -> None:
    uma = players.enter("uma")
    uma.types("team", "create", "Team uma")
    sent = uma.types("submit", "-f", "good.csv", "-q")
    scored = uma.types("submissions", "--json").document[0]
    exact = f"{scored['public_score']:.5f}"
    assert exact != str(scored["public_score"])
    assert f"public score  {exact}" in sent.out
    for command in (("submissions",), ("leaderboard", "--me")):
        table, spreadsheet = uma.types(*command).out, uma.types(*command, "--csv").out
        assert exact in table.split()
        assert exact in spreadsheet.replace("\r\n", ",").split(",")
    assert exact in uma.types("submission", scored["id"]).out.split()
