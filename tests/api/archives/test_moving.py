"""A competition that was exported whole is the same competition on another installation."""

from __future__ import annotations

import time
from typing import Any

import pytest

from podium.core.models import Judging, RejudgingChange, Submission, Team, User
from podium.worker.service import start
from tests.builders.archives.season import (
    BOARD,
    Season,
    boards_of,
    exported,
    lines_of,
    members_of,
    restored,
)
from tests.builders.installation import Installation, problem_of

Moving = tuple[Season, Installation]


def test_the_boards_are_the_same_to_the_byte(moving: Moving) -> None:
    season, there = moving
    before = boards_of(season.installation)
    answer = restored(there, exported(season.installation.admin, "?full=true"))
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == "/api/v1/competitions/otto"
    assert boards_of(there) == before
    rows = there.anonymous.get(BOARD).json()["rows"]
    assert [(row["rank"], row["team"]["name"], row["score"]) for row in rows] == [
        (None, "Team Cleo", 0.9),
        (1, "Team Bob", 0.7),
        (2, "Team Ada", 0.6),
        (None, "Team <Eve>", 0.6),
    ]
    assert "private" not in rows[0]


def test_a_revealed_competition_brings_its_final_ranking(moving: Moving) -> None:
    season, there = moving
    season.reveal()
    before = boards_of(season.installation)
    assert b"0.81235" in before["leaderboard.csv?split=private"]
    assert restored(there, exported(season.installation.admin, "?full=true")).status_code == 201
    assert boards_of(there) == before


def test_everything_that_an_organizer_sees_is_the_same(moving: Moving) -> None:
    season, there = moving
    assert restored(there, exported(season.installation.admin, "?full=true")).status_code == 201
    for path in (
        "/competitions/otto",
        "/admin/competitions/otto/submissions",
        "/admin/competitions/otto/ground-truth",
        "/competitions/otto/files",
        "/competitions/otto/announcements",
        "/competitions/otto/sample-submission",
        "/competitions/otto/files/train.csv",
    ):
        assert _seen(there, path) == _seen(season.installation, path), path


def test_an_archive_of_the_import_has_the_same_rows(moving: Moving) -> None:
    """The export of the import equals the first one, but for the administrator's account."""
    season, there = moving
    archive = exported(season.installation.admin, "?full=true")
    assert restored(there, archive).status_code == 201
    first, second = members_of(archive), members_of(exported(there.admin, "?full=true"))
    assert first.keys() == second.keys()
    owner = _administrator(season.installation).encode(), _administrator(there).encode()
    signed = {"receipts.jsonl", "signing-keys.json"}
    for name in first.keys() - {"manifest.json", "tables/users.jsonl"} - signed:
        assert first[name].replace(*owner) == second[name], name
    facts = [
        [{**receipt, **dict.fromkeys(("key_id", "public_key", "signature"))} for receipt in each]
        for each in (lines_of(first["receipts.jsonl"]), lines_of(second["receipts.jsonl"]))
    ]
    # Another installation has keys of its own.
    assert facts[0] == facts[1]
    assert first["signing-keys.json"] != second["signing-keys.json"]


def test_a_file_that_was_waiting_is_judged_there(moving: Moving) -> None:
    season, there = moving
    sample = season.installation.admin.get("/competitions/otto/sample-submission").content
    sent = season.people["Ada"].post("/competitions/otto/submissions", content=sample)
    assert sent.status_code == 202, sent.text
    assert restored(there, exported(season.installation.admin, "?full=true")).status_code == 201
    worker = start(there.application)
    try:
        deadline = time.monotonic() + 60
        while (found := _state(there, sent.json()["id"])) in ("queued", "judging"):
            assert time.monotonic() < deadline
            time.sleep(0.2)
    finally:
        worker.stop()
    assert found == "scored"


def test_accounts_come_without_credentials_and_rights(moving: Moving) -> None:
    season, there = moving
    ada = season.people["Ada"]
    promoted = season.installation.admin.patch(f"/admin/users/{ada.id}", json={"organizer": True})
    assert promoted.status_code == 200
    assert restored(there, exported(season.installation.admin, "?full=true")).status_code == 201
    assert there.admin.get(f"/admin/users/{ada.id}").json()["organizer"] is False
    stranger = type(ada)(there.client, ada.token)
    assert stranger.get("/me").status_code == 401
    with there.application.database.read() as session:
        assert [user.name for user in session.query(User).filter_by(is_administrator=True)] == [
            _administrator_name(session)
        ]
        assert session.query(User).filter(User.password_hash.is_not(None)).count() == 0


def test_a_new_submission_there_comes_after_all_that_were_brought(moving: Moving) -> None:
    season, there = moving
    archive = exported(season.installation.admin, "?full=true")
    assert restored(there, archive).status_code == 201
    assert restored(there, archive, "?slug=again").status_code == 201
    with there.application.database.read() as session:
        sequences = [
            row.sequence for row in session.query(Submission).order_by(Submission.sequence)
        ]
        assert len(sequences) == len(set(sequences)) == 12


def test_a_copy_on_the_same_installation_has_ids_of_its_own(season: Season) -> None:
    before = boards_of(season.installation)
    answer = restored(
        season.installation, exported(season.installation.admin, "?full=true"), "?slug=copy"
    )
    assert answer.status_code == 201, answer.text
    assert boards_of(season.installation) == before
    own = season.installation.anonymous.get(BOARD).json()["rows"]
    copied = season.installation.anonymous.get("/competitions/copy/leaderboard").json()["rows"]
    shown = ("rank", "score", "submissions", "submitted_at", "tags")
    assert [[row[name] for name in shown] for row in own] == [
        [row[name] for name in shown] for row in copied
    ]
    assert {row["team"]["id"] for row in own}.isdisjoint(row["team"]["id"] for row in copied)
    with season.installation.application.database.read() as session:
        change = (
            session.query(RejudgingChange).order_by(RejudgingChange.rejudging_id).all()[-1].change
        )
        copy = session.get_one(Team, change["team"]["id"])
        assert copy.id != season.teams["Ada"]
        assert copy.name == "Team Ada"
        codes = [team.invite_code for team in session.query(Team)]
        assert len(codes) == len(set(codes))
        merged = session.query(Team).filter(Team.merged_into_id.is_not(None)).all()
        assert len({team.merged_into_id for team in merged}) == 2


def test_a_slug_that_is_taken_is_refused(season: Season) -> None:
    archive = exported(season.installation.admin, "?full=true")
    problem_of(restored(season.installation, archive), 409, "slug-taken")
    problem_of(restored(season.installation, archive, "?slug=Not%20one"), 422, "bad-slug")


@pytest.mark.parametrize(
    ("people", "name", "is_same"), [("same", "Ada", True), ("suffix", "Ada 2", False)]
)
def test_names_that_are_taken_are_decided_by_the_administrator(
    moving: Moving, people: str, name: str, is_same: bool
) -> None:
    season, there = moving
    other = there.person("ada")
    archive = exported(season.installation.admin, "?full=true")
    problem = problem_of(restored(there, archive), 409, "names-taken")
    assert "Ada" in problem["detail"]
    assert there.anonymous.get("/competitions/otto").status_code == 404
    assert restored(there, archive, f"?people={people}").status_code == 201
    assert (other.get("/competitions/otto/team").status_code == 200) is is_same
    names = {user["name"] for user in there.admin.get("/admin/users").json()["items"]}
    assert name.lower() in {found.lower() for found in names}


def test_both_sides_log_who_did_it(moving: Moving) -> None:
    season, there = moving
    assert restored(there, exported(season.installation.admin, "?full=true")).status_code == 201
    acts = {
        entry["action"]: entry["facts"]
        for here in (season.installation, there)
        for entry in here.admin.get("/admin/audit?limit=1000").json()["items"]
    }
    assert acts["competition.export"] == {"full": True}
    assert acts["competition.import"]["rows"]["submissions"] == 6


def test_nothing_but_the_files_of_the_archive_stays_in_the_store(moving: Moving) -> None:
    season, there = moving
    archive = exported(season.installation.admin, "?full=true")
    assert restored(there, archive).status_code == 201
    stores = [
        {path.name for path in (one.application.settings.data_dir / "storage").rglob("?" * 64)}
        for one in (season.installation, there)
    ]
    assert stores[1] <= stores[0]
    assert len(stores[1]) >= 15


def _seen(installation: Installation, path: str) -> Any:
    answer = installation.admin.get(path)
    assert answer.status_code == 200, answer.text
    return answer.content.replace(_administrator(installation).encode(), b"the administrator")


def _administrator(installation: Installation) -> str:
    return str(installation.admin.get("/me").json()["id"])


def _administrator_name(session: Any) -> str:
    return str(session.query(User).filter_by(is_administrator=True).one().name)


def _state(installation: Installation, submission_id: str) -> str:
    with installation.application.database.read() as session:
        submission = session.query(Submission).filter_by(id=submission_id).one()
        return str(session.get_one(Judging, submission.judging_id).state)
