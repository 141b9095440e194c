"""Alerts for organizers: teams whose files look like probing, and teams whose files look alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.db.queries import fingerprints as queries_fingerprints
from podium.db.queries.fingerprints import Marked
from podium.domain import probing
from podium.domain.permissions import Actor
from podium.domain.probing import Alert, Step
from podium.scoring.fingerprint import Likeness, likeness
from podium.services import fingerprints
from podium.services.access import competition_for_organizer
from podium.services.fingerprints import Pair
from podium.services.tasks import settings_of

ALIKE_TIMES = 3
"""Teams with so many pairs of files that are alike may be one team, or copy."""

NOTHING_BEFORE = Likeness(changed=1.0, lists=0.0, heads=0.0, added=0.0)


@dataclass(frozen=True, slots=True)
class TeamAlert:
    """An alert with the one or two teams that it is about, by id and name."""

    teams: tuple[tuple[str, str], ...]
    alert: Alert


def alerts(session: Session, *, actor: Actor, slug: str) -> Sequence[TeamAlert]:
    """Everything that stands out now, by the teams' names. Raises `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    marked = queries_fingerprints.marked(session, competition_id=competition.id)
    lists = fingerprints.lists_of(session, competition)
    decimals = settings_of(competition).decimals
    by_team: dict[str, list[Marked]] = {}
    for one in marked:
        by_team.setdefault(one.team_id, []).append(one)
    found = [
        TeamAlert(((team_id, files[0].team_name),), alert)
        for team_id, files in by_team.items()
        for alert in probing.alerts(_steps(files, lists, decimals))
    ]
    found += _alike_teams(fingerprints.alike(session, actor=actor, slug=slug))
    return sorted(found, key=lambda one: [*(name for _, name in one.teams), one.alert.code])


def _steps(files: Sequence[Marked], lists: int, decimals: int) -> list[Step]:
    moved = probing.shown_steps([one.score for one in files], decimals)
    steps = []
    for before, one, units in zip([None, *files], files, moved, strict=False):
        seen = NOTHING_BEFORE
        if before is not None and before.scheme == one.scheme:
            seen = likeness(before.sketch, one.sketch, queries=lists)
        answered = one.counts["rows"] - one.counts["empty"]
        steps.append(
            Step(
                submission_id=one.submission_id,
                lists=lists,
                changed=seen.changed,
                heads=seen.heads,
                added=seen.added,
                empty=1 - answered / max(lists, 1),
                score_units=units,
                is_other_file=before is not None and before.sha256 != one.sha256,
            )
        )
    return steps


def _alike_teams(pairs: Iterable[Pair]) -> list[TeamAlert]:
    together: dict[tuple[tuple[str, str], ...], list[Pair]] = {}
    for pair in pairs:
        teams = sorted((one.team_id, one.team_name) for one in (pair.first, pair.second))
        together.setdefault(tuple(teams), []).append(pair)
    return [
        TeamAlert(
            teams,
            Alert(
                "alike-teams",
                f"{len(found)} pairs of files of these two teams are alike.",
                tuple(
                    dict.fromkeys(
                        one.submission_id for pair in found for one in (pair.first, pair.second)
                    )
                ),
            ),
        )
        for teams, found in together.items()
        if len(found) >= ALIKE_TIMES
    ]
