"""The verdict transaction: what is written, who pays, and what follows a child's death."""

from __future__ import annotations

import copy
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from podium.core.database.engine import database_now
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.models import Judging, PrivateScore, PublicScore, Run, Standing, Submission
from podium.judging.rules import OWN_FAILURES
from podium.judging.service import failures, verdicts
from podium.judging.service.verdicts import Verdict, Work
from podium.sandbox import FailureReason
from podium.sandbox.definitions.judging import Judged
from podium.sandbox.serialization import decoded
from tests.builders.judging.scene import DOCUMENT, PROBLEM, Scene


def death(scene: Scene, row: str, kind: FailureReason) -> State:
    """The state of a judging after its child has died in this way."""
    scene.write(
        scene.taken(row),
        partial(failures.record_child_failure, failure=kind, report="what happened"),
    )
    return State(scene.row(row).state)


def record(scene: Scene, row: str, document: dict[str, Any]) -> None:
    verdict = Verdict(state=State.SCORED, judged=decoded(Judged, document), hits_sha256="ab" * 32)
    scene.write(scene.taken(row), partial(verdicts.record, verdict=verdict))


def test_a_scored_file_has_both_scores_its_standing_and_pays_its_slot(scene: Scene) -> None:
    row = scene.submit()
    record(scene, row, DOCUMENT)
    verdict = scene.row(row)
    assert verdict.state == State.SCORED
    assert verdict.counts == {**DOCUMENT["counts"], "lists": DOCUMENT["lists"]}
    assert (verdict.scorer_version, verdict.hits_sha256) == ("1", "ab" * 32)
    assert scene.run(row).lease_until is None
    assert scene.run(row).state == WorkState.DONE
    assert verdict.judged_at is not None
    assert scene.slots() == 1
    with scene.application.database.read() as session:
        public = session.get_one(PublicScore, row)
        private = session.get_one(PrivateScore, row)
        [standing] = session.query(Standing).all()
    assert (public.score, private.score) == (Fraction(1, 2), Fraction(1, 3))
    assert public.objectives["orders"] == {
        "hits": 2,
        "denominator": 3,
        "queries": 2,
        "value": "2/3",
    }
    assert private.objectives["orders"]["hits"] == 3
    assert (public.standard_error, public.diagnostic_errors) == (0.25, {"mrr@20": 0.125})
    assert private.diagnostics == {
        "mrr@20": {
            "score": "1/5",
            "objectives": {"clicks": "1/4", "carts": "0", "orders": "1/2"},
            "notes": {"short lists": {"clicks": 1, "carts": 0, "orders": 2}},
        }
    }
    assert standing.shown == 50000


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("counts", "rows"), 11),
        (("counts", "missing"), 1),
        (("splits", "public", "hits", "clicks"), 3),
        (("counts", "empty"), 13),
        (("lists", "objectives", "clicks", "lists"), 5),
        (("lists", "objectives", "clicks", "full"), 4),
        (("lists", "objectives", "clicks", "items"), 81),
        (("lists", "distinct"), 91),
        (("lists", "catalogue", "items"), 59),
        (("splits", "private", "hits", "carts"), -1),
        (("splits", "public", "queries", "clicks"), 0),
        (("splits", "public", "queries", "clicks"), 3),
        (("splits", "private", "values", "clicks"), "-1/2"),
        (("splits", "private", "values", "clicks"), "3/2"),
        (("splits", "public", "diagnostics", "mrr@20", "orders"), "3/2"),
        (("splits", "public", "standard_error"), -0.1),
        (("splits", "public", "standard_error"), float("nan")),
        (("splits", "public", "diagnostic_errors", "mrr@20"), float("inf")),
    ],
)
def test_figures_that_contradict_each_other_are_never_a_score(
    scene: Scene, path: tuple[str, ...], value: object
) -> None:
    row = scene.submit()
    document = copy.deepcopy(DOCUMENT)
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ValueError, match=r"add up|hits|empty|labelled|of -?\d/2|error"):
        record(scene, row, document)
    assert scene.row(row).state == State.RUNNING
    assert scene.count(PublicScore) == 0


def test_more_labelled_queries_than_published_sessions_are_never_a_score(scene: Scene) -> None:
    row = scene.submit()
    document = copy.deepcopy(DOCUMENT)
    public = document["splits"]["public"]
    public["queries"]["clicks"] = public["denominators"]["clicks"] = 3
    public["values"]["clicks"] = "1/3"
    with pytest.raises(ValueError, match="labelled queries of 4 published sessions"):
        record(scene, row, document)
    assert scene.row(row).state == State.RUNNING
    assert scene.count(PublicScore) == 0


def test_a_bad_file_is_free_and_its_problem_is_kept(scene: Scene) -> None:
    row = scene.submit()
    scene.reject(scene.taken(row))
    assert scene.row(row).state == State.REJECTED
    assert scene.row(row).problem == PROBLEM
    assert scene.slots() == 0
    assert scene.count(Standing) == 0


def test_a_file_that_needs_too_much_memory_twice_is_rejected_and_pays(scene: Scene) -> None:
    row = scene.submit()
    assert death(scene, row, FailureReason.MEMORY) is State.QUEUED
    assert scene.taken(row).is_retry
    scene.expire(row)
    scene.change(lambda session: setattr(session.get_one(Run, row), "state", WorkState.QUEUED))
    assert death(scene, row, FailureReason.MEMORY) is State.REJECTED
    verdict = scene.row(row)
    assert verdict.problem is not None
    assert verdict.problem["code"] == "resource-limit"
    assert verdict.failure == "memory: what happened"
    assert scene.slots() == 1


@pytest.mark.parametrize(
    "kind", [FailureReason.WALL_TIME, FailureReason.CPU_TIME, FailureReason.FILE_SIZE]
)
def test_a_file_that_meets_another_limit_is_rejected_at_once_and_pays(
    scene: Scene, kind: FailureReason
) -> None:
    row = scene.submit()
    assert death(scene, row, kind) is State.REJECTED
    assert scene.slots() == 1


@pytest.mark.parametrize("kind", [FailureReason.CRASH, FailureReason.NO_ANSWER])
def test_a_file_that_crashes_the_judge_gets_one_more_try(scene: Scene, kind: FailureReason) -> None:
    row = scene.submit()
    assert death(scene, row, kind) is State.QUEUED
    assert death(scene, row, kind) is State.REJECTED
    assert scene.row(row).problem["detail"].startswith("This file made the judge")  # type: ignore[index]


@pytest.mark.parametrize("kind", [FailureReason.OUR_ERROR, FailureReason.NOT_STARTED])
def test_what_is_our_fault_is_tried_again_later_and_then_failed_without_a_charge(
    scene: Scene, kind: FailureReason
) -> None:
    row = scene.submit()
    for number in range(1, OWN_FAILURES):
        assert death(scene, row, kind) is State.QUEUED
        waiting = scene.run(row)
        assert (waiting.state, waiting.own_failures) == (WorkState.QUEUED, number)
        assert waiting.lease_until is not None
        assert waiting.lease_until > scene.change(database_now)
        assert scene.take(row) is None
        scene.expire(row)
    death(scene, row, kind)
    failed = scene.row(row)
    assert failed.state == State.FAILED
    run = scene.run(row)
    assert (run.child_deaths, run.worker_deaths, failed.problem) == (0, 0, None)
    assert failed.failure == f"{kind}: what happened"
    assert scene.slots() == 0


def test_a_judging_handed_back_counts_nothing(scene: Scene) -> None:
    row = scene.submit()
    assert death(scene, row, FailureReason.STOPPED) is State.QUEUED
    again = scene.run(row)
    assert (again.state, again.child_deaths, again.own_failures) == (WorkState.QUEUED, 0, 0)
    assert scene.taken(row).lease.fence == 2
    assert scene.run(row).worker_deaths == 0


def test_a_judging_that_is_cancelled_in_its_midst_is_charged(scene: Scene) -> None:
    row = scene.submit()
    cancelled = Verdict(state=State.CANCELLED)
    scene.write(scene.taken(row), partial(verdicts.record, verdict=cancelled))
    assert scene.row(row).state == State.CANCELLED
    assert scene.slots() == 1


def test_a_failure_of_the_worker_itself_is_tried_again_later_and_then_failed(scene: Scene) -> None:
    row = scene.submit()
    for number in range(1, OWN_FAILURES + 1):
        scene.write(
            scene.taken(row), partial(failures.record_own_failure, report="the disk is full")
        )
        assert scene.run(row).own_failures == number
        assert scene.take(row) is None
        scene.expire(row)
    failed = scene.row(row)
    assert (failed.state, failed.failure) == (State.FAILED, "the disk is full")
    assert scene.slots() == 0


def test_a_verdict_is_never_replaced_by_another(scene: Scene) -> None:
    row = scene.submit()
    record(scene, row, DOCUMENT)
    rejected = Verdict(state=State.REJECTED, problem=PROBLEM)
    with pytest.raises(ValueError, match="cannot go from scored to rejected"):
        scene.change(lambda session: verdicts.record(session, _work(session, row), rejected))
    assert scene.row(row).state == State.SCORED
    assert scene.slots() == 1


def test_a_late_file_is_scored_and_pays_and_its_team_gets_no_place_by_it(scene: Scene) -> None:
    row = scene.submit()
    scene.change(lambda session: setattr(session.query(Submission).one(), "is_late", True))
    record(scene, row, DOCUMENT)
    assert scene.row(row).state == State.SCORED
    assert scene.count(PublicScore) == 1
    assert scene.slots() == 1
    assert scene.count(Standing) == 0


def _work(session: Any, row: str) -> Work:
    return Work(session.get_one(Judging, row), session.get_one(Run, row))
