"""Selection of submissions to judge anew: portions, and refusals."""

from __future__ import annotations

import threading

import pytest

from podium.core.judging_states import State
from podium.core.models import Competition, Judging, Submission
from podium.errors import InvalidInput, NotFound, PodiumError, WrongState
from podium.rejudging.service import rejudgings, rounds
from tests.builders.rejudging import Stage


def anew(stage: Stage, rejudging_id: str) -> list[str]:
    """The submissions that have new judgings, once for each."""
    rows = stage.read(lambda s: s.query(Judging).filter_by(rejudging_id=rejudging_id).all())
    return sorted(row.submission_id for row in rows)


def test_every_accepted_submission_is_judged_anew_so_often(stage: Stage) -> None:
    sent = [stage.scored("Ada", "0.5"), stage.scored("Bob", "0.4")]
    rejudging_id = stage.start(times=3)
    assert anew(stage, rejudging_id) == []
    assert (stage.look(rejudging_id).count.done, stage.look(rejudging_id).count.total) == (0, 6)
    stage.feed(rejudging_id)
    assert anew(stage, rejudging_id) == sorted(sent * 3)
    assert stage.look(rejudging_id).count.total == 6


def test_bad_files_and_cancelled_ones_are_left_out_and_what_died_is_not(stage: Stage) -> None:
    stage.scored("Ada", "0", state=State.REJECTED, problem={"code": "bad-label"})
    stage.scored("Ada", "0", state=State.CANCELLED)
    died = stage.scored("Ada", "0", state=State.REJECTED, problem={"code": "resource-limit"})
    failed = stage.scored("Ada", "0", state=State.FAILED)
    waiting = stage.scored("Ada", "0", state=State.QUEUED)
    rejudging_id = stage.start()
    stage.feed(rejudging_id)
    assert anew(stage, rejudging_id) == sorted([died, failed, waiting])


def test_what_arrives_meanwhile_is_judged_anew_too(stage: Stage) -> None:
    first = stage.scored("Ada", "0.5")
    rejudging_id = stage.done({first: ("0.5", "0.5")})
    assert stage.look(rejudging_id).status == "ready"
    second = stage.scored("Bob", "0.4")
    assert stage.look(rejudging_id).status == "running"
    stage.feed(rejudging_id)
    assert anew(stage, rejudging_id) == sorted([first, second])


def test_portions_follow_each_other_without_gap_or_repetition(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "PORTION", 2)
    sent = [stage.scored("Ada", "0.5", minute=minute) for minute in range(5)]
    rejudging_id = stage.start()
    feed = [stage.write(lambda s: rounds.feed(s, rejudging_id=rejudging_id))]
    assert anew(stage, rejudging_id) == sent[:2]
    while feed[-1]:
        feed.append(stage.write(lambda s: rounds.feed(s, rejudging_id=rejudging_id)))
    assert feed == [True, True, False]
    assert anew(stage, rejudging_id) == sent


def test_many_workers_feed_one_rejudging_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "PORTION", 2)
    sent = [stage.scored("Ada", "0.5", minute=minute) for minute in range(9)]
    rejudging_id = stage.start(times=2)
    threads = [threading.Thread(target=stage.feed, args=(rejudging_id,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert anew(stage, rejudging_id) == sorted(sent * 2)


def test_only_the_named_submissions_are_judged_anew(stage: Stage) -> None:
    named = stage.scored("Ada", "0.5")
    other = stage.scored("Bob", "0.4")
    rejudging_id = stage.start(ground_truth_version=None, submission_ids=[named, named])
    assert anew(stage, rejudging_id) == [named]
    assert stage.look(rejudging_id).count.total == 1
    stage.judge(rejudging_id, {named: ("0.3", "0.3")})
    later = stage.scored("Bob", "0.2")
    stage.apply(rejudging_id)
    assert stage.board() == [(1, "Bob", "0.40000"), (2, "Ada", "0.30000")]
    for untouched in (other, later):
        assert stage.submission(untouched)[1].rejudging_id is None


def test_a_board_never_mixes_versions_of_the_ground_truth_or_of_the_settings(stage: Stage) -> None:
    one, two = stage.scored("Ada", "0.5"), stage.scored("Bob", "0.4")
    for more in (
        {"ground_truth_version": 2},
        {"ground_truth_version": 1, "settings": {"missing_rows": "zero"}},
    ):
        with pytest.raises(InvalidInput, match="never mixes") as refusal:
            stage.start(submission_ids=[one], **more)
        assert refusal.value.code == "would-mix-versions"
    whole = stage.start(submission_ids=[one, two])
    assert not stage.row(whole).is_partial


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"ground_truth_version": 3}, "unknown-ground-truth"),
        ({"ground_truth_version": 1, "submission_ids": ["nobody"]}, "not-rejudgeable"),
        ({"settings": {"objectives": {"clicks": "1", "carts": "1"}}}, "objectives-fixed"),
        ({"settings": {"objectives": {"a": "1", "b": "1", "c": "1"}}}, "objectives-fixed"),
        ({"settings": {"daily_limit": 3}}, "invalid"),
        ({"settings": {"missing_rows": "maybe"}}, "invalid"),
    ],
)
def test_what_makes_no_sense_is_refused(stage: Stage, given: object, code: str) -> None:
    stage.scored("Ada", "0.5")
    with pytest.raises(InvalidInput) as refusal:
        stage.start(**given)  # type: ignore[arg-type]
    assert refusal.value.code == code


def test_objectives_keep_their_order_whatever_the_order_of_the_new_weights(stage: Stage) -> None:
    weights = {"orders": "0.2", "clicks": "0.5", "carts": "0.3"}
    rejudging_id = stage.done({}, settings={"objectives": weights})
    stage.apply(rejudging_id)
    kept = stage.competition().settings["objectives"]
    assert list(kept.items()) == [("clicks", "0.5"), ("carts", "0.3"), ("orders", "0.2")]


def test_one_rejudging_at_a_time_and_the_refusal_names_it(stage: Stage) -> None:
    first = stage.start()
    with pytest.raises(WrongState) as refusal:
        stage.start()
    assert (refusal.value.code, refusal.value.facts["rejudging"]) == ("rejudging-unfinished", first)
    stage.write(lambda s: rejudgings.cancel(s, actor=stage.organizer, rejudging_id=first))
    assert stage.start() != first


def test_of_many_that_start_at_once_one_wins(stage: Stage) -> None:
    ended: list[str] = []

    def begin() -> None:
        try:
            ended.append(f"won {stage.start()}"[:3])
        except PodiumError as refusal:
            ended.append(refusal.code)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ended) == ["rejudging-unfinished"] * 7 + ["won"]


def test_a_draft_may_take_another_ground_truth(stage: Stage) -> None:
    def unlaunch(session: object) -> None:
        session.get_one(Competition, stage.competition_id).launched_at = None  # type: ignore[attr-defined]

    stage.write(unlaunch)
    rejudging_id = stage.start(ground_truth_version=2)
    stage.feed(rejudging_id)
    stage.apply(rejudging_id)
    assert stage.competition().active_ground_truth == 2
    assert stage.competition().launched_at is None


def test_a_stranger_neither_starts_nor_finds_one(stage: Stage) -> None:
    rejudging_id = stage.start()
    for act in (
        lambda s: rejudgings.start(s, actor=stage.stranger, slug="otto", reason="r"),
        lambda s: rejudgings.find(s, actor=stage.stranger, rejudging_id=rejudging_id),
        lambda s: rejudgings.cancel(s, actor=stage.stranger, rejudging_id=rejudging_id),
    ):
        with pytest.raises(NotFound):
            stage.write(act)


def test_starting_and_feeding_change_nothing_that_others_see(stage: Stage) -> None:
    sent = stage.scored("Ada", "0.5")
    before = stage.competition()
    rejudging_id = stage.done({sent: ("0.9", "0.9")})
    after = stage.competition()
    assert stage.look(rejudging_id).status == "ready"
    assert stage.board() == [(1, "Ada", "0.50000")]
    assert stage.submission(sent)[1].rejudging_id is None
    for name in ("board_version", "version", "active_ground_truth", "settings"):
        assert getattr(after, name) == getattr(before, name)


def test_a_late_submission_is_judged_anew_and_on_no_board(stage: Stage) -> None:
    sent = stage.scored("Ada", "0.5")

    def make_late(session: object) -> None:
        session.query(Submission).filter_by(id=sent).one().is_late = True  # type: ignore[attr-defined]

    stage.write(make_late)
    rejudging_id = stage.done({sent: ("0.9", "0.9")})
    assert stage.look(rejudging_id).changes == []
    stage.apply(rejudging_id)
    assert stage.board() == []
    assert stage.submission(sent)[1].rejudging_id == rejudging_id
