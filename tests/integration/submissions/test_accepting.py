"""From a stored file to a submission with its judging, in one transaction or not at all."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from podium.accounts.service.deletion import delete_account
from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import Database
from podium.core.models import IdempotencyKey, Judging, QuotaSlot, Submission
from podium.errors import InvalidInput, Unavailable, WrongState
from podium.queue import EngineJobState, job_name
from podium.storage import Stored
from podium.submissions.service import idempotency, quota, submissions
from podium.submissions.service.submissions import Admission
from tests.builders.rows import RULES, add_competition, add_team

FILE = Stored("ab" * 32, 12)


def enter(database: Database) -> Actor:
    with database.write() as session:
        return add_team(session, add_competition(session, settings={"daily_limit": 50}))[1]


def admit(database: Database, actor: Actor, key: str | None = None) -> Admission:
    with database.write() as session:
        return submissions.admit(session, slug="otto", actor=actor, rules=RULES, key=key)


def accept(application: Application, actor: Actor, slot_id: str, key: str | None = None) -> str:
    with application.database.write() as session:
        return submissions.accept(
            session,
            queue=application.queue,
            actor=actor,
            slot_id=slot_id,
            stored=FILE,
            filename="a.csv",
            note="",
            key=key,
        ).id


def test_an_accepted_file_has_a_queued_judging_and_a_job(application: Application) -> None:
    actor = enter(application.database)
    slot_id = admit(application.database, actor).slot_id
    submission_id = accept(application, actor, slot_id)
    with application.database.read() as session:
        submission = session.query(Submission).one()
        judging = session.query(Judging).one()
        slot = session.query(QuotaSlot).one()
    assert submission.judging_id == judging.id
    assert (judging.state, judging.ground_truth_version) == ("queued", 1)
    job = job_name(judging.id, 1)
    assert application.queue.states([job]) == {job: EngineJobState.WAITING}
    assert (slot.submission_id, slot.lapses_at) == (submission_id, None)
    assert submission.submitted_at == slot.reserved_at


def test_what_fails_half_way_leaves_nothing(application: Application) -> None:
    actor = enter(application.database)
    slot_id = admit(application.database, actor, "key").slot_id
    jobs: list[str] = []

    def half_way() -> None:
        with application.database.write() as session:
            submission = submissions.accept(
                session,
                queue=application.queue,
                actor=actor,
                slot_id=slot_id,
                stored=FILE,
                filename="a.csv",
                note="",
                key="key",
            )
            jobs.append(job_name(str(submission.judging_id), 1))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half_way()
    with application.database.read() as session:
        assert session.query(Submission).count() == session.query(Judging).count() == 0
        assert session.query(QuotaSlot).one().submission_id is None
        assert session.query(IdempotencyKey).one().submission_id is None
    assert application.queue.states(jobs) == {jobs[0]: EngineJobState.GONE}


def test_a_slot_serves_one_submission(application: Application) -> None:
    actor = enter(application.database)
    slot_id = admit(application.database, actor).slot_id
    accept(application, actor, slot_id)
    for used in (slot_id, "unknown"):
        with pytest.raises(Unavailable) as refusal:
            accept(application, actor, used)
        assert refusal.value.code == "upload-lapsed"


def test_a_file_of_an_account_that_was_deleted_meanwhile_is_refused(
    application: Application,
) -> None:
    actor = enter(application.database)
    slot_id = admit(application.database, actor).slot_id
    with application.database.write() as session:
        delete_account(session, actor=actor, user_id=actor.user_id, confirm=actor.name)
    with pytest.raises(Unavailable) as refusal:
        accept(application, actor, slot_id)
    assert refusal.value.code == "upload-lapsed"


def test_a_key_stands_for_its_submission_once_that_is_accepted(application: Application) -> None:
    actor = enter(application.database)
    first = admit(application.database, actor, "key")
    with pytest.raises(WrongState) as refusal:
        admit(application.database, actor, "key")
    assert refusal.value.code == "idempotency-running"
    submission_id = accept(application, actor, first.slot_id, "key")
    again = admit(application.database, actor, "key")
    assert again.earlier is not None
    assert again.earlier.submission_id == submission_id
    idempotency.refuse_other_bytes(again.earlier, sha256=FILE.sha256)
    with pytest.raises(InvalidInput):
        idempotency.refuse_other_bytes(again.earlier, sha256="cd" * 32)
    with application.database.read() as session:
        assert session.query(QuotaSlot).count() == 1


def test_the_key_of_a_dead_upload_is_free(application: Application) -> None:
    actor = enter(application.database)
    dead = admit(application.database, actor, "key").slot_id
    with application.database.write() as session:
        quota.renew_slot(session, slot_id=dead, lease_seconds=-1)
    assert admit(application.database, actor, "key").slot_id not in ("", dead)


def test_sixteen_racers_with_one_key_get_one_slot(database: Database) -> None:
    actor = enter(database)
    start = threading.Barrier(16)

    def race(_: int) -> str:
        start.wait()
        try:
            return admit(database, actor, "key").slot_id
        except WrongState as refusal:
            return refusal.code

    with ThreadPoolExecutor(16) as pool:
        ends = list(pool.map(race, range(16)))
    assert ends.count("idempotency-running") == 15
    with database.read() as session:
        assert session.query(QuotaSlot).count() == 1
