"""The search for unfair play: similar files of different teams, and teams that probe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy.orm import Session

from podium.core import audit, lookups
from podium.core.access import Actor, competition_for_organizer
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession
from podium.core.models import Competition
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.integrity import queries, rules
from podium.integrity.queries import Marked
from podium.integrity.rules import ALIKE_TEAMS, CODES, Alert, AlertLook, FileStep
from podium.scoring.fingerprint import Likeness, likeness, sampled_lists
from podium.standings.rules import UNRANKED_TAGS
from podium.standings.service import leaks

AlertKey: TypeAlias = tuple[str, ...]
"""The code of an alert and the ids of its teams, in order."""

MIN_SHARE = 0.9
"""The default minimum share of equal lists of two files that count as alike."""

NEIGHBORS = 5
"""The number of first and of last files sharing a list that a file is compared with: in a crowd of
copies each is found without comparing all pairs."""

PROBES = 24
"""Sampled queries that select the files to compare: two files with 90 % equal lists differ in all
of them with probability 1e-24."""


@dataclass(frozen=True, slots=True)
class FilePair:
    """Two files of different teams, the earlier one first."""

    first: Marked
    second: Marked
    likeness: Likeness

    @property
    def is_identical(self) -> bool:
        """True if no hashed list differs."""
        return self.first.content == self.second.content


def alike(
    session: Session, *, actor: Actor, slug: str, least_share: float = MIN_SHARE
) -> Sequence[FilePair]:
    """Returns pairs of files of different teams with at least this share of equal lists, the most
    alike first, then the earliest.

    Teams of organizers and baselines are left out: many participants submit what they publish.
    Raises `NotFound`.
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    marked = queries.marked(session, competition_id=competition.id)
    size = lists_of(session, competition)
    found = []
    for first, second in _candidates(marked):
        seen = likeness(first.sketch, second.sketch, queries=size)
        if first.content == second.content or seen.lists >= least_share:
            found.append(FilePair(first, second, seen))
    return sorted(found, key=_order)


def lists_of(session: Session, competition: Competition) -> int:
    """Returns the number of lists in a complete file of the competition."""
    sessions = queries.session_count(session, competition_id=competition.id)
    return settings_of(competition).rows_of(sessions)


def _candidates(marked: Sequence[Marked]) -> Iterator[tuple[Marked, Marked]]:
    """Yields pairs of different teams' files that share at least one of the probed lists."""
    holders: dict[tuple[Any, ...], list[int]] = {}
    for number, one in enumerate(marked):
        others: set[int] = set()
        lists = sampled_lists(one.sketch, PROBES)
        keys: list[tuple[Any, ...]] = [(one.scheme, one.content)]
        keys += [(one.scheme, place, of_list) for place, of_list in lists]
        for key in keys:
            known = holders.setdefault(key, [])
            near = known[:NEIGHBORS] + known[-NEIGHBORS:]
            others.update(other for other in near if marked[other].team_id != one.team_id)
            known.append(number)
        yield from ((marked[other], one) for other in sorted(others))


def _order(pair: FilePair) -> tuple[bool, float, datetime, str]:
    return (
        not pair.is_identical,
        -pair.likeness.lists,
        pair.second.submitted_at,
        pair.second.submission_id,
    )


ALIKE_TIMES = 3
"""Pairs of similar files after which two teams may be one team, or copy."""

NOTHING_BEFORE = Likeness(changed=1.0, lists=0.0, heads=0.0, added=0.0)


@dataclass(frozen=True, slots=True)
class TeamAlert:
    """An alert with the one or two teams that it is about, by id and name, and the review that
    settled it, if any."""

    teams: tuple[tuple[str, str], ...]
    alert: Alert
    look: AlertLook | None = None


@dataclass(frozen=True, slots=True)
class AlertNamed:
    """An organizer's reference to an alert, with the number of its files and a note."""

    code: str
    team_ids: Sequence[str]
    submissions: int
    note: str


LOOK, REOPEN = "alert.look", "alert.reopen"
"""Actions in the log, the only place that stores reviews: the last entry about an alert is its
state."""


def alerts(session: Session, *, actor: Actor, slug: str) -> Sequence[TeamAlert]:
    """Returns all alerts, sorted by the teams' names, without those about disqualified teams.
    Raises `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    marked = queries.marked(session, competition_id=competition.id)
    lists = lists_of(session, competition)
    decimals = settings_of(competition).decimals
    by_team: dict[str, list[Marked]] = {}
    for one in marked:
        by_team.setdefault(one.team_id, []).append(one)
    found = [
        TeamAlert(((team_id, files[0].team_name),), alert)
        for team_id, files in by_team.items()
        for alert in rules.alerts(_steps(files, lists, decimals))
    ]
    found += _alike_teams(alike(session, actor=actor, slug=slug))
    found += _bits_alerts(session, competition)
    settled = queries.disqualified_teams(session, competition_id=competition.id)
    looks = _looks(session, competition)
    return sorted(
        (
            replace(one, look=_look_at(one, looks))
            for one in found
            if settled.isdisjoint(team_id for team_id, _ in one.teams)
        ),
        key=lambda one: [*(name for _, name in one.teams), one.alert.code],
    )


def _bits_alerts(session: Session, competition: Competition) -> Iterator[TeamAlert]:
    rows = leaks.public_rows(session, competition=competition)
    if rows is None:
        return
    teams = lookups.teams_of(session, competition_id=competition.id)
    for team_id, bits in leaks.bits_by_team(session, competition_id=competition.id).items():
        team = teams[team_id]
        if bits < rows or not UNRANKED_TAGS.isdisjoint(team.tags):
            continue
        alert = rules.bits_alert(leaks.bits_by_submission(session, team_id=team_id), rows)
        if alert is not None:
            yield TeamAlert(((team_id, team.name),), alert)


def look_at_alert(
    session: WriteSession, *, actor: Actor, slug: str, named: AlertNamed, reopens: bool
) -> None:
    """Sets an alert aside until more files belong to it, or with `reopens` reopens it; both are
    entries of the log. Raises `NotFound` and `InvalidInput` (`unknown-team`, `invalid`)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    if named.code not in CODES:
        raise InvalidInput(f"There are no alerts with the code “{named.code}”.")
    for team_id in named.team_ids:
        if lookups.team_in(session, competition_id=competition.id, team_id=team_id) is None:
            raise InvalidInput(
                "A team of this alert is not in this competition.", code=ErrorCode.UNKNOWN_TEAM
            )
    audit.record(
        session,
        actor,
        REOPEN if reopens else LOOK,
        competition,
        code=named.code,
        teams=sorted(set(named.team_ids)),
        submissions=named.submissions,
        note=named.note,
    )


def _looks(session: Session, competition: Competition) -> dict[AlertKey, AlertLook]:
    """Returns the last review of each alert that was not reopened since."""
    found: dict[AlertKey, AlertLook] = {}
    for entry in queries.entries_of_actions(
        session, competition_id=competition.id, actions=(LOOK, REOPEN)
    ):
        key = (entry.facts["code"], *entry.facts["teams"])
        found.pop(key, None)
        if entry.action == LOOK:
            found[key] = AlertLook(
                at=entry.at,
                by_id=entry.actor_id or "",
                by_name=entry.actor_name,
                note=entry.facts["note"],
                submissions=entry.facts["submissions"],
            )
    return found


def _look_at(one: TeamAlert, looks: Mapping[AlertKey, AlertLook]) -> AlertLook | None:
    look = looks.get((one.alert.code, *sorted(team_id for team_id, _ in one.teams)))
    return look if look is not None and look.settles(one.alert) else None


def _steps(files: Sequence[Marked], lists: int, decimals: int) -> list[FileStep]:
    moved = rules.shown_steps([one.score for one in files], decimals)
    steps = []
    for before, one, units in zip([None, *files], files, moved, strict=False):
        seen = NOTHING_BEFORE
        if before is not None and before.scheme == one.scheme:
            seen = likeness(before.sketch, one.sketch, queries=lists)
        answered = one.counts["rows"] - one.counts["empty"]
        steps.append(
            FileStep(
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


def _alike_teams(pairs: Sequence[FilePair]) -> list[TeamAlert]:
    together: dict[tuple[tuple[str, str], ...], list[FilePair]] = {}
    for pair in pairs:
        teams = sorted((one.team_id, one.team_name) for one in (pair.first, pair.second))
        together.setdefault(tuple(teams), []).append(pair)
    holders = _holders(pairs)
    return [
        TeamAlert(teams, Alert(ALIKE_TEAMS, reason, _files_of(found)))
        for teams, found in together.items()
        if (reason := _reason(found, holders)) is not None
    ]


def _reason(found: Sequence[FilePair], holders: Mapping[str, set[str]]) -> str | None:
    """Returns the reason to look at two teams, or None. A file that a third team sent, too, is no
    reason: all three may have been given it."""
    if len(found) >= ALIKE_TIMES:
        return f"{len(found)} pairs of files of these two teams are alike."
    if any(pair.is_identical and len(holders[pair.first.content]) == 2 for pair in found):
        return "Both teams sent a file with the same lists, and no third team did."
    return None


def _holders(pairs: Iterable[FilePair]) -> Mapping[str, set[str]]:
    """Returns the teams that sent the same content, by its hash, for contents of several teams."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        if pair.is_identical:
            found[pair.first.content] |= {pair.first.team_id, pair.second.team_id}
    return found


def _files_of(found: Iterable[FilePair]) -> tuple[str, ...]:
    files = [one.submission_id for pair in found for one in (pair.first, pair.second)]
    return tuple(dict.fromkeys(files))
