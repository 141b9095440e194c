"""Enters a roster: accounts, teams and links of first credentials, all in one transaction or not at
all; and previews it, with every problem, before any change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from podium.accounts.service.accounts import accounts_named, add_user, require_may_see_accounts
from podium.core import audit, locks
from podium.core.access import Actor, competition_for_organizer, phase_of
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import AccessLink, Competition, Team, User
from podium.core.models.teams import BASELINE
from podium.core.names import look_of, name_key
from podium.core.phases import Phase
from podium.errors import InvalidInput, ProblemEntry, WrongState
from podium.errors.codes import ErrorCode
from podium.teams import queries
from podium.teams.rules import LinkKind
from podium.teams.rules.roster import NAME, TEAM, Roster, grouped_problems, read_roster, warnings_of
from podium.teams.service import forming, links

SHOWN_PROBLEMS = 10


@dataclass(frozen=True, slots=True)
class WantedRoster:
    """A roster as it was sent. Without a competition it creates accounts only. `uses_existing`
    reuses existing accounts and teams instead of refusing their names."""

    text: str
    slug: str | None = None
    uses_existing: bool = False
    expires_at: datetime | None = None


@dataclass(slots=True)
class PlannedPerson:
    """A person of the roster: the existing or new account, and the name of the team. `is_member` is
    true for those who are in this team already."""

    line: int
    name: str
    team: str | None
    user: User | None
    is_new: bool
    is_member: bool = False


@dataclass(slots=True)
class PlannedTeam:
    """A team of the roster, existing or new, with its people."""

    name: str
    people: list[PlannedPerson] = field(default_factory=list)
    team: Team | None = None
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class RosterPlan:
    """The outcome of a roster before it is carried out; with problems, it cannot be."""

    competition: Competition | None
    people: Sequence[PlannedPerson]
    teams: Sequence[PlannedTeam]
    problems: Sequence[ProblemEntry]
    ignored_columns: Sequence[str]
    warnings: Sequence[str]


@dataclass(frozen=True, slots=True)
class EnteredRoster:
    """A roster that was carried out: the plan, and the code of each new account by its line."""

    plan: RosterPlan
    codes: Mapping[int, str]
    expires_at: datetime | None


def plan_roster(session: Session, *, actor: Actor, wanted: WantedRoster) -> RosterPlan:
    """Previews a roster: its result, and all its problems, by line; one that most lines share is
    reported once.

    Raises `NotAllowed`, `NotFound` (a competition that the caller does not organize) and
    `WrongState` (`competition-closed`).
    """
    require_may_see_accounts(session, actor=actor)
    competition = None
    if wanted.slug is not None:
        competition = competition_for_organizer(session, slug=wanted.slug, actor=actor)
        if phase_of(competition, database_now(session)) in (Phase.CLOSED, Phase.REVEALED):
            raise WrongState("The competition is closed.", code=ErrorCode.COMPETITION_CLOSED)
    roster = read_roster(wanted.text)
    people = _with_accounts(session, roster, wanted)
    teams: list[PlannedTeam] = []
    if competition is None:
        _refuse_teams(roster)
    else:
        teams = _with_teams(session, roster, people, competition, wanted)
    return RosterPlan(
        competition, people, teams, grouped_problems(roster), roster.ignored, warnings_of(roster)
    )


def enter_roster(session: WriteSession, *, actor: Actor, wanted: WantedRoster) -> EnteredRoster:
    """Creates the accounts, the teams and a link of first credentials for each new account.

    Raises `InvalidInput` (`bad-roster`, with the problems by line; `bad-date`), what `plan_roster`
    raises, and `WrongState` (`too-many-links`; `name-taken`, `changed-meanwhile` and others where
    another request was quicker).
    """
    plan = plan_roster(session, actor=actor, wanted=wanted)
    if plan.problems:
        raise InvalidInput(
            "Nothing was done: the roster has problems. Correct them and send it again.",
            code=ErrorCode.BAD_ROSTER,
            problems=plan.problems[:SHOWN_PROBLEMS],
            problem_count=len(plan.problems),
        )
    _lock_people(session, actor, plan)
    entered = _with_new_accounts(session, actor, plan, wanted.expires_at)
    if plan.competition is not None:
        _fill_teams(session, plan.competition, plan.teams)
    audit.record(
        session,
        actor,
        "roster.enter",
        competition_id=plan.competition.id if plan.competition else None,
        people=len(plan.people),
        accounts=len(entered.codes),
        teams=len(plan.teams),
    )
    return entered


def _lock_people(session: WriteSession, actor: Actor, plan: RosterPlan) -> None:
    """Locks all existing people of the plan. Raises `WrongState` (`changed-meanwhile`)."""
    present = {person.user.id for person in plan.people if person.user is not None}
    locks.lock_people(session, user_ids={actor.user_id, *present})
    if len(queries.users_with_ids(session, present)) < len(present):
        raise _changed_meanwhile()


def _lock_teams(
    session: WriteSession, competition: Competition, teams: Sequence[PlannedTeam]
) -> None:
    """Locks the existing teams, and the competition. Raises `WrongState` (`changed-meanwhile`), and
    `NotFound` for a competition that was removed."""
    present = {planned.team.id for planned in teams if planned.team is not None}
    locked = locks.locked_teams(session, present)
    if not (present <= locked.keys() and all(map(_can_be_joined, locked.values()))):
        raise _changed_meanwhile()
    locks.lock_board(session, competition_id=competition.id)


def _changed_meanwhile() -> WrongState:
    return WrongState(
        "An account or a team of this roster was changed while it was read. Send it again.",
        code=ErrorCode.CHANGED_MEANWHILE,
    )


def _with_new_accounts(
    session: WriteSession, actor: Actor, plan: RosterPlan, expires_at: datetime | None
) -> EnteredRoster:
    new = [person for person in plan.people if person.is_new]
    links.refuse_more_links(session, actor, len(new))
    codes: dict[int, str] = {}
    end = None
    # Names are locked as they are inserted: in one order everywhere, which rules out deadlocks.
    for person in sorted(new, key=lambda one: look_of(one.name)):
        person.user = user = add_user(session, name=person.name)
        session.flush()
        link = AccessLink(
            kind=LinkKind.FIRST,
            user_id=user.id,
            competition_id=plan.competition.id if plan.competition else None,
            seats=1,
        )
        codes[person.line] = links.store_link(session, actor, link, expires_at=expires_at)
        end = link.expires_at
    return EnteredRoster(plan, codes, end)


def _with_accounts(session: Session, roster: Roster, wanted: WantedRoster) -> list[PlannedPerson]:
    """Matches the people with existing accounts; a look-alike of one is always a problem."""
    names = [person.name for person in roster.people]
    found = accounts_named(session, names=names)
    by_key = {user.name_key: user for user in found}
    by_look = {user.look: user for user in found}
    planned = []
    for person in roster.people:
        user = by_key.get(name_key(person.name))
        alike = user or by_look.get(look_of(person.name))
        planned.append(PlannedPerson(person.line, person.name, person.team, user, user is None))
        if alike is None or (user is not None and wanted.uses_existing and not user.disabled_at):
            continue
        detail = f"There is an account “{alike.name}”."
        if user is not None and user.disabled_at:
            detail = f"The account “{alike.name}” is disabled."
        hint = "Add something to the name, or use accounts and teams that already exist."
        roster.refuse(person.line, NAME, ErrorCode.NAME_TAKEN, detail, hint)
    return planned


def _refuse_teams(roster: Roster) -> None:
    for person in roster.people:
        if person.team is not None:
            detail = "A team needs a competition; this roster makes accounts only."
            roster.refuse(person.line, TEAM, "no-competition", detail)


def _with_teams(
    session: Session,
    roster: Roster,
    people: Sequence[PlannedPerson],
    competition: Competition,
    wanted: WantedRoster,
) -> list[PlannedTeam]:
    """Builds the teams of the roster; people without one get a team of their own, named like
    them."""
    own = queries.teams_of_users(
        session,
        competition_id=competition.id,
        user_ids=[person.user.id for person in people if person.user],
    )
    planned: dict[str, PlannedTeam] = {}
    for person in people:
        present = own.get(person.user.id) if person.user else None
        if present is not None and person.team is None:
            person.team, person.is_member = present.name, True
        name = person.team or person.name
        team = planned.setdefault(name_key(name), PlannedTeam(name))
        if present is not None and name_key(present.name) != name_key(name):
            detail = f"“{person.name}” is in the team “{present.name}” already."
            roster.refuse(person.line, TEAM, ErrorCode.ALREADY_IN_TEAM, detail)
        person.team, person.is_member = team.name, present is not None
        team.people.append(person)
    _check_teams(session, roster, list(planned.values()), competition, wanted)
    return list(planned.values())


def _check_teams(
    session: Session,
    roster: Roster,
    teams: Sequence[PlannedTeam],
    competition: Competition,
    wanted: WantedRoster,
) -> None:
    names = [team.name for team in teams]
    found = queries.teams_named(
        session,
        competition_id=competition.id,
        keys={name_key(name) for name in names},
        looks={look_of(name) for name in names},
    )
    by_key = {one.team.name_key: one for one in found}
    by_look = {one.team.look: one.team for one in found}
    size = settings_of(competition).team_size
    looks: dict[str, PlannedTeam] = {}
    for team in teams:
        line = team.people[0].line
        present = by_key.get(name_key(team.name))
        team.team, team.is_new = (present.team, False) if present else (None, True)
        is_usable = present is not None and wanted.uses_existing and _can_be_joined(present.team)
        alike = team.team or by_look.get(look_of(team.name))
        twin = looks.setdefault(look_of(team.name), team)
        if alike is not None and not is_usable:
            detail = f"There is a team “{alike.name}”."
            hint = "Name it otherwise, or use the teams that there are."
            roster.refuse(line, TEAM, ErrorCode.NAME_TAKEN, detail, hint)
        elif twin is not team:
            detail = f"“{team.name}” looks like the team “{twin.name}” of this roster."
            roster.refuse(line, TEAM, "duplicate-name", detail)
        more = [person for person in team.people if not person.is_member]
        count = (present.members if present else 0) + len(more)
        if more and count > size:
            place = more[max(0, len(more) - (count - size))].line
            detail = f"“{team.name}” would have {count} members; a team may have {size}."
            roster.refuse(place, TEAM, ErrorCode.TOO_MANY_MEMBERS, detail)


def _can_be_joined(team: Team) -> bool:
    return team.merged_into_id is None and BASELINE not in team.tags


def _fill_teams(
    session: WriteSession, competition: Competition, teams: Sequence[PlannedTeam]
) -> None:
    _lock_teams(session, competition, teams)
    for planned in sorted(teams, key=lambda one: look_of(one.name)):
        members = [person.user.id for person in planned.people if person.user]
        if planned.team is None:
            planned.team = forming.insert_team(
                session, competition, name=planned.name, members=members
            )
            continue
        newcomers = [one.user.id for one in planned.people if one.user and not one.is_member]
        size = queries.count_members(session, team_id=planned.team.id) + len(newcomers)
        if newcomers and size > settings_of(competition).team_size:
            raise WrongState("The team filled up meanwhile.", code=ErrorCode.TEAM_FULL)
        forming.add_members(session, planned.team, newcomers)
        forming.tag_organizers(session, competition, planned.team)
    session.flush()
    locks.touch_board(session, competition_id=competition.id, now=database_now(session))
