"""Recording how the reading of a ground truth ended, whatever happened meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from podium.accounts.service import accounts
from podium.accounts.service.bootstrap import ensure_administrator
from podium.competitions.service import competitions
from podium.core.access import Actor
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.texts import Texts
from podium.core.database.engine import Database
from podium.materials.service import ground_truth, ground_truth_reading
from podium.materials.service.ground_truth_reading import Read, Reading
from podium.sandbox.answers import OUR_FAULT
from podium.storage import Stored

COUNTS = {"queries": 1, "labels": 1, "denominator": 1}
SUMMARY: dict[str, Any] = {
    "sessions": 2,
    "queries": 2,
    "labels": 2,
    "objectives": {
        name: {"public": COUNTS, "private": COUNTS} for name in ("clicks", "carts", "orders")
    },
    "warnings": [],
}


@pytest.fixture
def admin(database: Database) -> Actor:
    """The administrator, with the draft `otto`."""
    with database.write() as session:
        ensure_administrator(session, token="given-to-the-tests-only")
    with database.write() as session:
        actor = accounts.authenticate(session, token="given-to-the-tests-only", address=None)
        competitions.create_competition(
            session,
            actor=actor,
            texts=Texts(slug="otto", title="OTTO"),
            settings=CompetitionSettings(),
        )
    return actor


def _accepted(database: Database, admin: Actor, number: int) -> Reading:
    upload = Stored(f"{number:064x}", 10)
    with database.write() as session:
        row, _ = ground_truth.accept_upload(session, actor=admin, slug="otto", stored=upload)
    with database.read() as session:
        return ground_truth_reading.prepare(session, upload_id=row.id)


def _record(
    database: Database, admin: Actor, one: Reading, read: Read | None, problem: Any = None
) -> tuple[Any, Any]:
    with database.write() as session:
        ground_truth_reading.record(
            session, actor=admin, upload_id=one.upload_id, read=read, problem=problem
        )
    with database.read() as session:
        competition, row = ground_truth.find_version(
            session, actor=admin, slug="otto", name=one.upload_id
        )
    return competition, row


def _good(one: Reading) -> Read:
    return Read(one, Stored(one.upload_sha256, 5), Stored("cd" * 32, 5), SUMMARY, {})


def test_versions_are_numbered_and_the_first_becomes_active(
    database: Database, admin: Actor
) -> None:
    for number in (1, 2, 3):
        one = _accepted(database, admin, number)
        competition, row = _record(database, admin, one, _good(one))
        assert (row.status, row.version) == ("stored", number)
        assert competition.active_ground_truth == 1


def test_a_rejected_upload_uses_up_no_number(database: Database, admin: Actor) -> None:
    one = _accepted(database, admin, 1)
    _, failed = _record(database, admin, one, None, OUR_FAULT.problem)
    assert (failed.status, failed.version) == ("rejected", None)
    two = _accepted(database, admin, 2)
    _, row = _record(database, admin, two, _good(two))
    assert row.version == 1


def test_settings_that_changed_while_it_was_read_reject_it(
    database: Database, admin: Actor
) -> None:
    one = _accepted(database, admin, 1)
    with database.write() as session:
        competitions.change_competition(
            session,
            actor=admin,
            slug="otto",
            changes={"item_ids": "string"},
            expected_versions=None,
        )
    competition, row = _record(database, admin, one, _good(one))
    assert row.status == "rejected"
    assert row.problem["code"] == "settings-changed"
    assert competition.active_ground_truth is None


def test_a_reading_that_has_ended_changes_nothing_when_it_ends_again(
    database: Database, admin: Actor
) -> None:
    one = _accepted(database, admin, 1)
    _record(database, admin, one, None, OUR_FAULT.problem)
    competition, row = _record(database, admin, one, _good(one))
    assert (row.status, row.problem["code"]) == ("rejected", "reading-failed")
    assert competition.active_ground_truth is None
