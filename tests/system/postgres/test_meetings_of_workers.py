"""Work of two processes at one time leaves what one after the other would have left."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, select

from podium.application import Application
from podium.core.database.engine import database_now
from podium.core.leases import WorkState
from podium.core.models import Competition, Job, JudgingPause
from podium.jobs.starting import MAX_UNFINISHED
from podium.judging.service import pauses
from tests.builders.servers.interleaving import Act, Replicas
from tests.builders.servers.meetings import fresh

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.xdist_group("meetings of workers"),
    pytest.mark.timeout(900),
]


@pytest.fixture(scope="module")
def replicas(place: Replicas) -> Replicas:
    """Two replicas with a competition that is open."""
    place.first.launched("otto")
    return place


def test_no_more_jobs_of_a_competition_are_unfinished_than_may_be(replicas: Replicas) -> None:
    admin = replicas.first.admin

    def two_jobs() -> tuple[Act, Act]:
        slug = fresh("busy")
        replicas.first.draft(slug)
        with replicas.second.application.database.write() as session:
            id_ = competition_id(replicas, slug)
            now = database_now(session)
            session.add_all(running_job(id_, now) for _ in range(MAX_UNFINISHED - 1))
        path = f"/admin/competitions/{slug}/published-ids"
        return (
            lambda: admin.put(path, content=b"session\n1\n"),
            lambda: replicas.at_second(admin).put(path, content=b"session\n2\n"),
        )

    for after, *answers in replicas.meetings(two_jobs):
        assert all(one.is_success or one.status_code == 503 for one in answers), after
        with replicas.second.application.database.read() as session:
            query = select(Job).where(Job.kind != "any").order_by(Job.created_at.desc()).limit(2)
            later, earlier = session.scalars(query)
        is_alone = later.competition_id != earlier.competition_id
        assert is_alone or (earlier.ended_at and earlier.ended_at <= later.created_at), after


def running_job(id_: str, now: Any) -> Job:
    """A job that is at work for an hour."""
    return Job(
        kind="any",
        competition_id=id_,
        key=fresh("key"),
        arguments={},
        state=WorkState.RUNNING,
        priority=1,
        created_at=now,
        lease_until=now + timedelta(hours=1),
    )


def test_a_pause_of_judging_ends_while_it_is_resumed(replicas: Replicas) -> None:
    first, second = replicas.first.application, replicas.second.application
    id_ = competition_id(replicas, "otto")

    def end() -> None:
        with second.database.write() as session:
            pauses.end(session, competition_id=id_, version=1)

    def paused() -> tuple[Act, Act]:
        pause(first, id_)
        path = "/admin/competitions/otto/resume-judging"
        return lambda: replicas.first.admin.post(path, json={}), end

    for after, resumed, _ in replicas.meetings(paused):
        assert resumed.status_code in (200, 409), (after, resumed.text)


def test_two_workers_that_cannot_read_a_ground_truth_pause_judging_once(
    replicas: Replicas,
) -> None:
    first, second = replicas.first.application, replicas.second.application
    id_ = competition_id(replicas, "otto")

    def unpaused() -> tuple[Act, Act]:
        with second.database.write() as session:
            session.execute(delete(JudgingPause))
        return lambda: pause(first, id_), lambda: pause(second, id_)

    for after, *_ in replicas.meetings(unpaused):
        with second.database.read() as session:
            assert session.scalars(select(JudgingPause.attempts)).all() == [1], after


def competition_id(replicas: Replicas, slug: str) -> str:
    """The id of the competition of this slug."""
    with replicas.second.application.database.read() as session:
        return session.scalars(select(Competition.id).where(Competition.slug == slug)).one()


def pause(application: Application, id_: str) -> None:
    """Lets a worker find the first ground truth of a competition unreadable."""
    with application.database.write() as session:
        pauses.pause(session, competition_id=id_, version=1, because="any")
