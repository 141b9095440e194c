"""The bits that the board has revealed to each team, stored with every verdict, so that later
settings do not change them; those of anything that is shown later are added
(`standings.rules.leaks` has the rules).

Only what a team sees before the reveal counts. After it everything is shown, and counting stops.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import is_scored_by_custom_metric, labelled_rows, settings_of
from podium.core.database.engine import WriteSession
from podium.core.judging_states import METRIC_FAILED, State
from podium.core.models import Competition, Judging
from podium.core.visibility import ScoreVisibility, visibility_of
from podium.scoring.problems import Code
from podium.standings import queries
from podium.standings.queries import EndedJudging
from podium.standings.rules import leaks, shown_units
from podium.standings.rules.leaks import NumberRange, RevealedBits


def record(session: WriteSession, *, judging: Judging) -> None:
    """Counts the bits that an effective judging with a new verdict reveals."""
    competition = session.get_one(Competition, judging.competition_id)
    if competition.revealed_at is not None or judging.state == State.CANCELLED:
        return
    submission = lookups.submission_of(session, submission_id=judging.submission_id)
    team = lookups.surviving_team(session, team_id=submission.team_id)
    _record(session, competition, of_file=(team.id, submission.sha256))


def record_all(session: WriteSession, *, competition: Competition) -> None:
    """Recounts the bits of all effective judgings, after their visibility changed: other judgings,
    more decimals, the end of a freeze. No count decreases."""
    if competition.revealed_at is None:
        _record(session, competition)


def bits_by_team(
    session: Session, *, competition_id: str, team_ids: Collection[str] | None = None
) -> dict[str, int]:
    """Maps team ids to the upper bound of bits of the public split that were revealed to them."""
    found = queries.bits_by_team(session, competition_id=competition_id, team_ids=team_ids)
    return {team_id: leaks.total([bits]) for team_id, bits in found.items()}


def bits_of_team(session: Session, *, competition_id: str, team_id: str) -> int:
    """Computes the upper bound of bits of the public split that were revealed to a team."""
    found = bits_by_team(session, competition_id=competition_id, team_ids=[team_id])
    return found.get(team_id, 0)


def bits_by_submission(session: Session, *, team_id: str) -> list[tuple[str, float]]:
    """Lists the submissions of a team in their order, with the bits that each has revealed."""
    return queries.bits_by_submission(session, team_id=team_id)


def most_of_next(session: Session, *, competition: Competition) -> float:
    """Computes the upper bound of bits that the next verdict reveals to a team."""
    return leaks.most_bits(settings_of(competition), _active(session, competition))


def public_rows(session: Session, *, competition: Competition) -> int | None:
    """Counts the labeled rows of the public split; None where they were not counted."""
    objectives = _active(session, competition).get("objectives", {})
    return labelled_rows(objectives, settings_of(competition), "public") or None


def _active(session: Session, competition: Competition) -> dict[str, Any]:
    """Reads the counts of the ground truth in force; empty without one."""
    summaries = queries.truth_summaries(session, competition_id=competition.id)
    return summaries.get(competition.active_ground_truth or 0, {})


def _record(
    session: WriteSession, competition: Competition, *, of_file: tuple[str, str] | None = None
) -> None:
    session.flush()
    what = _Telling(competition, queries.truth_summaries(session, competition_id=competition.id))
    judgings = queries.ended_judgings(
        session,
        competition_id=competition.id,
        with_figures=what.has_details,
        of_file=of_file,
    )
    by_file: dict[tuple[str, str], list[EndedJudging]] = {}
    for one in judgings:
        by_file.setdefault((one.team_id, one.sha256), []).append(one)
    rows = [row for group in by_file.values() for row in _changed(what, group)]
    queries.store_bits(session, rows=rows)


def _changed(what: _Telling, judgings: Iterable[EndedJudging]) -> Iterable[dict[str, Any]]:
    """Yields the new values of those judgings of one file whose bits have grown."""
    group = list(judgings)
    revealed = [what.revealed(one) for one in group]
    scores = leaks.grown([score for score, _ in revealed])
    details = leaks.grown([detail for _, detail in revealed])
    for one in group:
        after = (scores[one.id], details[one.id])
        if one.is_effective and (one.told_bits, one.told_detail_bits) != after:
            yield {"id": one.id, "told_bits": after[0], "told_detail_bits": after[1]}


class _Telling:
    """The part of verdicts that a competition shows as it is set now, and the bits in it."""

    def __init__(self, competition: Competition, truths: Mapping[int, dict[str, Any]]) -> None:
        self.competition = competition
        self.settings: CompetitionSettings = settings_of(competition)
        self.score_range = NumberRange.of_score(self.settings)
        sees_all = self.settings.objective_scores == "always"
        self.has_details = sees_all or bool(self.settings.board_diagnostics)
        self.objective_ranges = leaks.objective_ranges(self.settings) if sees_all else {}
        self.diagnostic_ranges = leaks.diagnostic_ranges(self.settings, with_objectives=sees_all)
        self.status_bits = leaks.SCORED_BITS if is_scored_by_custom_metric(self.settings) else 0
        self.ladder_bits = leaks.LADDER_BITS if self.settings.board == "ladder" else 0
        self.counted = {
            version: leaks.counted_bits(self.settings, summary)
            for version, summary in truths.items()
        }

    def revealed(self, one: EndedJudging) -> tuple[RevealedBits, RevealedBits]:
        """Counts the bits of a judging: by its score or verdict, and by the numbers beside the
        score."""
        if one.score is None or one.state != State.SCORED:
            return _score(one, *_unscored(one)), _detail(one, None, 0)
        visible = self._visibility(one)
        units = shown_units(one.score, self.settings.decimals)
        most = self.counted.get(one.ground_truth_version, math.inf)
        number = min(self.score_range.bits(units, self.settings.decimals), most)
        hidden = self.ladder_bits if visible.is_held_back else 0
        bits = self.status_bits + (self.ladder_bits + number if visible.public_score else hidden)
        if not (self.has_details and visible.public_score):
            return _score(one, units, bits), _detail(one, None, 0)
        return _score(one, units, bits), _detail(one, *self._details(one, most - number))

    def _visibility(self, one: EndedJudging) -> ScoreVisibility:
        return visibility_of(
            is_organizer=False,
            submitted_at=one.submitted_at,
            frozen_at=self.competition.frozen_at,
            revealed_at=self.competition.revealed_at,
            objective_scores=self.settings.objective_scores,
            is_held_back=one.is_held_back,
        )

    def _details(self, one: EndedJudging, most: float) -> tuple[object, float]:
        """Formats the numbers beside the score as they are shown, and counts their bits; those of
        objectives are limited to `most`."""
        decimals = self.settings.decimals
        objectives = {
            name: shown_units(Fraction(figures["value"]), decimals)
            for name, figures in (one.objectives or {}).items()
            if name in self.objective_ranges
        }
        diagnostics = {
            name: shown_units(Fraction(figures["score"]), decimals)
            for name, figures in (one.diagnostics or {}).items()
            if name in self.diagnostic_ranges
        }
        bits = sum(self.objective_ranges[k].bits(n, decimals) for k, n in objectives.items())
        further = sum(self.diagnostic_ranges[k].bits(n, decimals) for k, n in diagnostics.items())
        return (*objectives.items(), *diagnostics.items()), min(bits, most) + further


def _score(one: EndedJudging, outcome: object, bits: float) -> RevealedBits:
    return RevealedBits(one.id, outcome, one.told_bits, bits if one.is_effective else 0)


def _detail(one: EndedJudging, outcome: object, bits: float) -> RevealedBits:
    return RevealedBits(one.id, outcome, one.told_detail_bits, bits if one.is_effective else 0)


def _unscored(one: EndedJudging) -> tuple[object, float]:
    """Finds the outcome that was shown instead of a score, and its bits: none, unless a custom
    metric decided."""
    problem = one.problem or {}
    code = problem.get("code")
    text = str(problem.get("detail") or "")
    if code == Code.METRIC_REFUSED:
        return (code, text), leaks.UNSCORED_BITS + leaks.text_bits(text)
    return code, leaks.UNSCORED_BITS if code == METRIC_FAILED else 0
