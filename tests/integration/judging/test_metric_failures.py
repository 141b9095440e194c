"""Teams with which the custom metric fails again and again; workers that die in between."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.lookups import waiting_teams
from podium.core.models import Competition, JudgingPause, Run, User
from podium.judging.rules import OWN_FAILURES
from podium.judging.service import failures
from podium.judging.service.rounds import reconciler as rounds_of
from podium.queue import job_name
from podium.queue.reconciler import Rounds
from podium.submissions.queries import submissions
from podium.submissions.service import disqualification
from podium.submissions.service.views import present
from tests.builders.jobs.engine import lose
from tests.builders.judging.table_scene import TableScene

GOOD = {"score": 0.5}
FAILS = {"outcome": "failed", "report": "KeyError"}
REFUSES = {"outcome": "refused", "text": "no"}


@pytest.fixture
def scene(application: Application, tmp_path: Path) -> TableScene:
    return TableScene(application, tmp_path)


@pytest.fixture
def reconciler(scene: TableScene) -> Rounds[Run]:
    return rounds_of(scene.application.database, scene.application.queue, lease_seconds=0.3)


def waits(scene: TableScene) -> bool:
    with scene.application.database.read() as session:
        return scene.team_id in waiting_teams(session)


def test_after_three_failures_in_a_row_the_next_file_stays_in_the_queue(
    scene: TableScene, reconciler: Rounds[Run]
) -> None:
    for number in (1, 2, 3):
        assert not waits(scene)
        scene.judged(FAILS, number=number)
    row = scene.judged(GOOD, number=4)
    assert (row.state, scene.run(row.id).fence) == (State.QUEUED, 0)
    assert waits(scene)
    assert reconciler.round() == 0
    with scene.application.database.read() as session:
        found = submissions.find(session, submission_id=row.submission_id)
        assert found is not None
        (view,) = present(session, [found], is_organizer=False)
    assert view.waits
    assert view.notice == (
        "Waits for the organizers: their metric failed with the last 3 files of this team."
    )


@pytest.mark.parametrize("between", [GOOD, REFUSES])
def test_a_file_that_the_metric_can_judge_begins_the_count_anew(
    scene: TableScene, between: dict[str, object]
) -> None:
    for number, told in enumerate((FAILS, FAILS, between, FAILS, FAILS)):
        scene.judged(told, number=number)
    assert not waits(scene)


def test_a_bad_file_that_met_no_metric_does_not(scene: TableScene) -> None:
    for number in (1, 2):
        scene.judged(FAILS, number=number)
    scene.judge(scene.submit(b"bad", number=3))
    scene.judged(FAILS, number=4)
    assert waits(scene)


def test_a_slot_that_is_given_back_lets_the_team_go_on(
    scene: TableScene, reconciler: Rounds[Run]
) -> None:
    rows = [scene.judged(FAILS, number=number) for number in (1, 2, 3)]
    held = scene.judged(GOOD, number=4)

    def give_back(session: WriteSession) -> None:
        admin = session.get_one(User, session.query(Competition).one().created_by)
        actor = Actor(user_id=admin.id, name=admin.name, is_administrator=True)
        disqualification.return_slot(session, submission_id=rows[1].submission_id, actor=actor)

    scene.change(give_back)
    assert scene.slots() == 3
    assert reconciler.round() == 1
    assert scene.judge(held.id).state == State.SCORED


def test_a_worker_that_dies_between_the_splits_leaves_only_the_private_one(
    scene: TableScene, reconciler: Rounds[Run]
) -> None:
    row_id = scene.submit_table(GOOD, {"score": 0.125})
    row = scene.judge_public(row_id)
    assert (row.state, scene.private_run(row_id)) == (State.SCORED, WorkState.QUEUED)
    assert scene.scores(row_id) == ("1/2", None)
    judged_at = row.judged_at
    assert scene.take(row_id) is None
    assert reconciler.round() == 0

    scene.taken(row_id, worker="w2", is_private=True)
    lose(scene.application.queue, job_name(scene.run(row_id, is_private=True).id, 1))
    assert reconciler.round() == 0
    scene.expire(row_id)
    assert reconciler.round() == 1
    row = scene.judge(row_id, worker="w3")
    assert (row.state, row.judged_at) == (State.SCORED, judged_at)
    run = scene.run(row_id, is_private=True)
    assert (run.state, run.worker_deaths, run.lease_until) == (WorkState.DONE, 1, None)
    assert scene.scores(row_id) == ("1/2", "1/8")
    assert reconciler.round() == 0


def test_a_private_solution_that_cannot_be_read_pauses_judging_until_it_can(
    scene: TableScene, reconciler: Rounds[Run]
) -> None:
    row_id = scene.submit_table(GOOD)
    scene.lose_part("private")
    row = scene.judge(row_id)
    assert (row.state, scene.private_run(row_id)) == (State.SCORED, WorkState.QUEUED)
    assert reconciler.round() == 0
    # No engine runs here that could have taken it.
    lose(scene.application.queue, job_name(scene.run(row_id, is_private=True).id, 1))
    scene.end_wait()
    assert reconciler.round() == 1
    for _ in range(OWN_FAILURES + 1):
        row = scene.judge(row_id)
        assert scene.take(row_id) is None
        scene.end_wait()
    run = scene.run(row_id, is_private=True)
    assert (row.state, run.state, run.worker_deaths) == (State.SCORED, WorkState.QUEUED, 0)
    with scene.application.database.read() as session:
        pause = session.query(JudgingPause).one()
    assert pause.attempts == OWN_FAILURES + 2
    assert pause.because.startswith("The stored file secret/ground-truth/")
    scene.find_part("private")
    scene.end_wait()
    scene.judge(row_id)
    assert scene.private_run(row_id) == WorkState.DONE
    assert scene.scores(row_id) == ("1/2", "1/4")
    assert scene.count(JudgingPause) == 0


def test_neither_a_public_score_nor_a_bad_file_ends_a_pause_for_the_private_solution(
    scene: TableScene,
) -> None:
    scene.lose_part("private")
    scene.judged(GOOD, number=1)
    scene.end_wait()
    assert scene.private_run(scene.judged(GOOD, number=2).id) == WorkState.QUEUED
    scene.end_wait()
    assert scene.judge(scene.submit(b"bad", number=3)).state == State.REJECTED
    scene.end_wait()
    assert scene.judged(REFUSES, number=4).state == State.REJECTED
    with scene.application.database.read() as session:
        assert session.query(JudgingPause).one().attempts == 2


def test_a_bad_file_ends_a_pause_where_a_built_in_metric_scores(
    application: Application, tmp_path: Path
) -> None:
    # The settings still name a version of a custom metric, which is not in force.
    scene = TableScene(application, tmp_path, metric={"name": "rmse"})
    row_id = scene.submit(b"bad")
    scene.write(scene.taken(row_id), partial(failures.record_unusable_truth, report="gone"))
    assert scene.count(JudgingPause) == 1
    scene.end_wait()
    assert scene.reject(scene.taken(row_id))
    assert scene.count(JudgingPause) == 0


def test_files_of_a_team_that_waits_hold_no_place_in_the_queue(scene: TableScene) -> None:
    for number in (1, 2, 3):
        scene.judged(FAILS, number=number)
    held = scene.row(scene.submit_table(GOOD, number=4))
    scene.begin(held.id)
    with scene.application.database.read() as session:
        assert held.id in submissions.waiting_judgings(session)
        held_by = waiting_teams(session)
        assert submissions.waiting_judgings(session, without=held_by) == []
