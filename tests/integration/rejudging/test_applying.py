"""The preview of a rejudging, and its application: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from podium.core.database.engine import database_now
from podium.core.judging_states import State
from podium.core.models import Announcement, AuditEntry, Competition, QuotaSlot, Submission, Team
from podium.errors import WrongState
from podium.rejudging.service import rejudgings
from podium.standings.service import standings
from podium.submissions.service import disqualification
from tests.builders.rejudging import Stage
from tests.builders.rows import START, use_slot


def refusal_of(act: Callable[[], Any]) -> WrongState:
    with pytest.raises(WrongState) as refusal:
        act()
    return refusal.value


def side(public: float, private: float, rank: int, private_rank: int, submission: str) -> Any:
    return {
        "submission_id": submission,
        "public": public,
        "private": private,
        "rank": rank,
        "private_rank": private_rank,
    }


def test_the_table_shows_every_team_before_and_after_the_biggest_mover_first(stage: Stage) -> None:
    ada_low = stage.scored("Ada", "0.3", "0.31", minute=1)
    ada = stage.scored("Ada", "0.5", "0.51", minute=2)
    bob = stage.scored("Bob", "0.4", "0.41", minute=3)
    rejudging_id = stage.done(
        {ada_low: ("0.35", "0.36"), ada: ("0.2", "0.21"), bob: ("0.45", "0.46")}
    )
    view = stage.look(rejudging_id)
    assert view.changed_teams == 2
    assert view.changes == [
        {
            "team": {"id": stage.teams["Ada"].id, "name": "Ada"},
            "submission_id": ada_low,
            "old": side(0.5, 0.51, 1, 1, ada),
            "new": side(0.35, 0.36, 2, 2, ada_low),
        },
        {
            "team": {"id": stage.teams["Bob"].id, "name": "Bob"},
            "submission_id": bob,
            "old": side(0.4, 0.41, 2, 2, bob),
            "new": side(0.45, 0.46, 1, 1, bob),
        },
    ]
    assert stage.look(rejudging_id, offset=1, limit=1).changes == view.changes[1:]
    stage.apply(rejudging_id)
    assert (stage.look(rejudging_id).status, stage.look(rejudging_id).changes) == (
        "applied",
        view.changes,
    )


def test_baselines_are_no_teams_that_change(stage: Stage) -> None:
    ada, bob = stage.scored("Ada", "0.5"), stage.scored("Bob", "0.4", minute=1)

    def tag(session: Any) -> None:
        session.get_one(Team, stage.teams["Bob"].id).tags = ["baseline"]

    stage.write(tag)
    rejudging_id = stage.done({ada: ("0.3", "0.3"), bob: ("0.2", "0.2")})
    ready = stage.look(rejudging_id)
    assert (ready.changed_teams, len(ready.changes)) == (1, 2)
    stage.apply(rejudging_id)
    assert stage.look(rejudging_id).changed_teams == 1
    entry = stage.read(
        lambda s: s.query(AuditEntry).filter_by(action="rejudging.apply").one().facts
    )
    assert entry["changed_teams"] == 1


def test_applying_changes_truth_settings_verdicts_and_board_and_no_time(stage: Stage) -> None:
    ada = stage.scored("Ada", "0.5", minute=1)
    bob = stage.scored("Bob", "0.4", minute=2)
    before = stage.competition()
    rejudging_id = stage.done(
        {ada: ("0.4", "0.4"), bob: ("0.40000", "0.4")}, settings={"missing_rows": "zero"}
    )
    stage.apply(rejudging_id)
    after = stage.competition()
    assert stage.board() == [(1, "Ada", "0.40000"), (2, "Bob", "0.40000")]
    assert after.active_ground_truth == 2
    assert after.settings["missing_rows"] == "zero"
    assert after.board_version > before.board_version
    assert after.version > before.version
    submission, judging = stage.submission(ada)
    assert (judging.rejudging_id, judging.ground_truth_version) == (rejudging_id, 2)
    assert (submission.submitted_at - START).total_seconds() == 60
    entry = stage.read(
        lambda s: s.query(AuditEntry).filter_by(action="rejudging.apply").one().facts
    )
    announced = stage.read(lambda s: s.query(Announcement).one().text)
    assert announced == "The reason: a wrong label"
    assert entry["ground_truth"] == 2
    assert entry["settings"] == {"missing_rows": "zero"}


def test_after_the_reveal_both_boards_are_written_anew(stage: Stage) -> None:
    ada, bob = stage.scored("Ada", "0.5", "0.6"), stage.scored("Bob", "0.4", "0.5", minute=1)

    def reveal(session: Any) -> None:
        competition = session.get_one(Competition, stage.competition_id)
        competition.closed_at = competition.revealed_at = database_now(session)
        standings.write_private_board(session, competition=competition)

    stage.write(reveal)
    assert stage.board("private") == [(1, "Ada", "0.60000"), (2, "Bob", "0.50000")]
    stage.apply(stage.done({ada: ("0.5", "0.1"), bob: ("0.4", "0.2")}))
    assert stage.board("private") == [(1, "Bob", "0.20000"), (2, "Ada", "0.10000")]
    assert stage.board() == [(1, "Ada", "0.50000"), (2, "Bob", "0.40000")]


def test_it_is_refused_until_all_are_judged_also_what_arrived_meanwhile(stage: Stage) -> None:
    ada = stage.scored("Ada", "0.5")
    rejudging_id = stage.start()
    assert refusal_of(lambda: stage.apply(rejudging_id)).code == "rejudging-running"
    stage.feed(rejudging_id)
    refused = refusal_of(lambda: stage.apply(rejudging_id))
    assert (refused.facts["done"], refused.facts["total"]) == (0, 1)
    stage.judge(rejudging_id, {ada: ("0.1", "0.1")})
    bob = stage.scored("Bob", "0.4")
    assert refusal_of(lambda: stage.apply(rejudging_id)).code == "rejudging-running"
    stage.feed(rejudging_id)
    stage.judge(rejudging_id, {bob: ("0.2", "0.2")})
    stage.apply(rejudging_id)
    assert stage.board() == [(1, "Bob", "0.20000"), (2, "Ada", "0.10000")]
    assert refusal_of(lambda: stage.apply(rejudging_id)).code == "rejudging-applied"


def test_a_file_that_is_bad_under_the_new_settings_loses_its_score_and_is_named(
    stage: Stage,
) -> None:
    ada, bob = stage.scored("Ada", "0.5"), stage.scored("Bob", "0.4")
    rejudging_id = stage.done({ada: State.REJECTED, bob: ("0.4", "0.4")})
    (lost,) = stage.look(rejudging_id).lost_scores
    assert (lost.submission_id, lost.team_name, lost.status, lost.code) == (
        ada,
        "Ada",
        "rejected",
        "missing-ids",
    )
    stage.apply(rejudging_id)
    assert stage.board() == [(1, "Bob", "0.40000")]
    assert stage.submission(ada)[1].state == State.REJECTED


def test_a_verdict_that_we_owe_holds_it_back_until_that_submission_does_not_count(
    stage: Stage,
) -> None:
    ada, bob = stage.scored("Ada", "0.5"), stage.scored("Bob", "0.4")
    rejudging_id = stage.done({ada: State.FAILED, bob: ("0.4", "0.4")})
    refused = refusal_of(lambda: stage.apply(rejudging_id))
    assert (refused.code, refused.facts["submission_ids"]) == ("rejudging-failed", [ada])
    stage.write(
        lambda s: disqualification.disqualify(
            s, submission_id=ada, actor=stage.organizer, reason="its file is lost"
        )
    )
    stage.apply(rejudging_id)
    assert stage.board() == [(1, "Bob", "0.40000")]


def test_what_we_failed_at_before_may_fail_again(stage: Stage) -> None:
    lost = stage.scored("Ada", "0", state=State.FAILED)
    stage.apply(stage.done({lost: State.FAILED}))


def test_repeats_that_agree_are_told_and_those_that_do_not_cannot_be_applied(stage: Stage) -> None:
    ada = stage.scored("Ada", "0.5")
    same = stage.done({ada: ("0.2", "0.3")}, times=2)
    assert stage.look(same).deterministic is True
    stage.apply(same)

    for first, second in (
        (("0.2", "0.3"), ("0.2", "0.30001")),
        (("0.2", "0.3"), State.REJECTED),
    ):
        other = stage.start(times=2, ground_truth_version=1)
        stage.feed(other)
        stage.judge(other, {ada: first}, repeat=1)
        assert stage.look(other).deterministic is None
        stage.judge(other, {ada: second}, repeat=2)
        assert stage.look(other).deterministic is False
        assert refusal_of(partial(stage.apply, other)).code == "not-deterministic"
        stage.write(partial(rejudgings.cancel, actor=stage.organizer, rejudging_id=other))
    assert stage.board() == [(1, "Ada", "0.20000")]


def test_cancelling_leaves_everything_as_it_was(stage: Stage) -> None:
    ada = stage.scored("Ada", "0.5")
    before = stage.competition()
    rejudging_id = stage.start()
    stage.feed(rejudging_id)
    stage.write(lambda s: rejudgings.cancel(s, actor=stage.organizer, rejudging_id=rejudging_id))
    view = stage.look(rejudging_id)
    assert (view.status, view.changes, view.count.done) == ("cancelled", [], 1)
    assert stage.submission(ada)[1].state == State.SCORED
    assert stage.competition().board_version == before.board_version
    assert refusal_of(lambda: stage.apply(rejudging_id)).code == "rejudging-cancelled"


@pytest.mark.parametrize(
    ("verdict", "slots"), [(("0.3", "0.3"), 1), (State.REJECTED, 0)], ids=["scored", "rejected"]
)
def test_an_upload_that_still_waits_gets_its_first_verdict_from_the_rejudging(
    stage: Stage, verdict: Any, slots: int
) -> None:
    waiting = stage.scored("Ada", "0", state=State.QUEUED)
    stage.write(lambda s: use_slot(s, stage.teams["Ada"], waiting))
    live = stage.submission(waiting)[1].id
    stage.apply(stage.done({waiting: verdict}))
    with stage.database.read() as session:
        from podium.core.models import Judging

        assert session.get_one(Judging, live).state == State.CANCELLED
        assert session.query(QuotaSlot).count() == slots
    assert stage.submission(waiting)[1].state == (State.SCORED if slots else State.REJECTED)


def test_while_the_board_is_frozen_it_shows_the_same_submissions_with_new_scores(
    stage: Stage,
) -> None:
    early = stage.scored("Ada", "0.5", minute=1)

    def freeze(session: Any) -> None:
        competition = session.get_one(Competition, stage.competition_id)
        competition.frozen_at = session.query(Submission).one().submitted_at.replace(minute=2)

    stage.write(freeze)
    late = stage.scored("Ada", "0.9", minute=3)
    stage.apply(stage.done({early: ("0.4", "0.4"), late: ("0.8", "0.8")}))
    assert stage.board() == [(1, "Ada", "0.40000")]
