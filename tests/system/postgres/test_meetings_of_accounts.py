"""Two requests about accounts that meet at any place leave what one after the other would have
left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text, update

from podium.accounts.service.accounts import new_token
from podium.accounts.service.bootstrap import ensure_administrator
from podium.accounts.service.page_sessions import begin_session
from podium.application import Application
from podium.core.access import Actor
from podium.core.models import User
from tests.builders.installation import Person
from tests.builders.servers.interleaving import Act, Replicas, replicas_on
from tests.builders.servers.meetings import (
    At,
    Makes,
    Meeting,
    came_before,
    cancel_rejudgings,
    fresh,
    in_both_orders,
    made,
    meet,
    member,
    name_of,
    newcomer,
    one_of,
    own_team,
)

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.xdist_group("meetings of accounts"),
    pytest.mark.timeout(900),
]


@pytest.fixture(scope="module")
def replicas(place: Replicas) -> Replicas:
    """Two replicas with a competition that is open."""
    place.first.launched("otto", team_size=3)
    return place


def a_link_for_one(replicas: Replicas) -> Meeting:
    answer = replicas.first.admin.post("/admin/invites", json={"organizer": True})
    code = made(answer)["address"].rpartition("/")[2]

    def use(name: str) -> Callable[[At], Any]:
        stranger = replicas.first.anonymous
        return lambda at: at(stranger).post(f"/links/{code}", json={"name": name})

    return Meeting(use(fresh("person")), use(fresh("person")), one_of)


def the_last_two_ways_in_of_an_administrator(replicas: Replicas) -> Meeting:
    ada = newcomer(replicas)
    root = made(replicas.first.admin.get("/me"))["id"]
    are_administrators(replicas, root, ada.id)
    with replicas.second.application.database.write() as session:
        # Of its own: a token that another one makes ends with that.
        user = session.get_one(User, ada.id)
        other = new_token(session, user=user, label="other")[1]
    bob = Person(ada.client, other, ada.id)

    def revoke(person: Person) -> Callable[[At], Any]:
        tokens = made(person.get("/me/tokens"))["items"]
        own = next(one["id"] for one in tokens if (one["label"] == "other") == (person is bob))
        return lambda at: at(person).delete(f"/me/tokens/{own}")

    def is_right(*answers: Any) -> bool:
        ways = [each.get("/me").is_success for each in (ada, bob)]
        return one_of(*answers) and sum(ways) == 1

    return Meeting(revoke(ada), revoke(bob), is_right)


def two_administrators_who_delete_each_other(replicas: Replicas) -> Meeting:
    root = made(replicas.first.admin.get("/me"))["id"]
    ada, bob = newcomer(replicas), newcomer(replicas)

    def delete(actor: Person, other: Person) -> Callable[[At], Any]:
        confirm = {"confirm": name_of(replicas, other)}
        return lambda at: at(actor).delete(f"/admin/users/{other.id}", json=confirm)

    def is_right(*answers: Any) -> bool:
        are_administrators(replicas, root)
        return one_of(*answers)

    meeting = Meeting(delete(ada, bob), delete(bob, ada), is_right)
    are_administrators(replicas, ada.id, bob.id)
    return meeting


def are_administrators(replicas: Replicas, *user_ids: str) -> None:
    """Makes these accounts the administrators, and no others."""
    with replicas.second.application.database.write() as session:
        session.execute(update(User).values(is_administrator=User.id.in_(user_ids)))


def a_change_of_an_account_that_is_deleted(replicas: Replicas) -> Meeting:
    ada = newcomer(replicas)
    path, admin = f"/admin/users/{ada.id}", replicas.first.admin
    body = {"name": fresh("person"), "disabled": False}

    def is_right(_: Any, deleted: Any) -> bool:
        left = made(admin.get(path))
        is_gone: bool = left["name"].startswith("deleted account") and left["disabled"]
        return bool(deleted.is_success) == is_gone

    confirm = {"confirm": name_of(replicas, ada)}
    return Meeting(
        lambda at: at(admin).patch(path, json=body),
        lambda at: at(ada).delete("/me", json=confirm),
        is_right,
    )


def a_browser_that_is_signed_out_while_its_person_goes(replicas: Replicas) -> Meeting:
    ada = newcomer(replicas)
    name = name_of(replicas, ada)
    with replicas.second.application.database.write() as session:
        row, _ = begin_session(session, actor=Actor(ada.id, name), browser="any")
    return Meeting(
        lambda at: at(ada).delete(f"/me/sessions/{row.id}"),
        lambda at: at(replicas.first.admin).delete(
            f"/admin/users/{ada.id}", json={"confirm": name}
        ),
        lambda _, deleted: deleted.is_success,
    )


def a_link_that_is_used_while_its_maker_goes(replicas: Replicas) -> Meeting:
    ada, bob = organizing_member(replicas), newcomer(replicas)
    code = made(ada.post("/admin/invites", json={"competition": "otto"}))["address"]
    code, confirm = code.rpartition("/")[2], {"confirm": name_of(replicas, ada)}
    return Meeting(
        lambda at: at(bob).post(f"/links/{code}", json={}),
        lambda at: at(replicas.first.admin).delete(f"/admin/users/{ada.id}", json=confirm),
        lambda _, deleted: deleted.is_success,
    )


def a_team_that_is_joined_while_its_only_member_goes(replicas: Replicas) -> Meeting:
    ada, bob = newcomer(replicas), newcomer(replicas)
    name = name_of(replicas, ada)
    team = made(ada.post("/competitions/otto/teams", json={"name": name}))

    def is_right(deleted: Any, joined: Any) -> bool:
        # The name of two is not the account's any more.
        is_kept = own_team(replicas, bob).name == name
        return bool(deleted.is_success and joined.is_success) and is_kept == joined_first()

    def joined_first() -> bool:
        log = made(replicas.first.admin.get("/admin/audit?limit=100"))["items"]
        return came_before(list(reversed(log)), "team.join", "user.delete")

    body = {"invite_code": team["invite_code"]}
    return Meeting(
        lambda at: at(ada).delete("/me", json={"confirm": name}),
        lambda at: at(bob).post("/competitions/otto/teams/join", json=body),
        is_right,
    )


def a_team_that_is_made_with_a_person_who_goes(replicas: Replicas) -> Meeting:
    ada = newcomer(replicas)
    name = name_of(replicas, ada)
    body = {"name": name, "members": [ada.id]}
    path = "/admin/competitions/otto/teams"
    return Meeting(
        lambda at: at(ada).delete("/me", json={"confirm": name}),
        lambda at: at(replicas.first.admin).post(path, json=body),
        lambda deleted, _: deleted.is_success and is_forgotten(replicas, name),
    )


def a_roster_with_a_person_who_goes(replicas: Replicas) -> Meeting:
    ada = newcomer(replicas)
    name = name_of(replicas, ada)
    body = {"text": f"name\n{name}\n", "competition": "otto", "uses_existing": True}

    def is_right(deleted: Any, entered: Any) -> bool:
        # After the deletion another person may take the name.
        is_another = entered.is_success and entered.json()["people"][0]["address"] is not None
        return bool(deleted.is_success) and (is_another or is_forgotten(replicas, name))

    return Meeting(
        lambda at: at(ada).delete("/me", json={"confirm": name}),
        lambda at: at(replicas.first.admin).post("/admin/roster", json=body),
        is_right,
    )


def an_organizer_who_goes_and_a_merge_of_a_team_with_a_link(replicas: Replicas) -> Meeting:
    ada, admin = organizing_member(replicas), replicas.first.admin
    teams = [own_team(replicas, member(replicas)).id for _ in range(2)]
    made(ada.post("/admin/invites", json={"competition": "otto", "team_id": teams[1]}))
    confirm = {"confirm": name_of(replicas, ada)}
    body = {"team_id": teams[1], "reason": "asked for"}
    return Meeting(
        lambda at: at(ada).delete("/me", json=confirm),
        lambda at: at(admin).post(f"/admin/teams/{teams[0]}/merge", json=body),
        lambda *answers: all(each.is_success for each in answers),
    )


def an_organizer_who_goes_and_judges_anew(replicas: Replicas) -> Meeting:
    ada = organizing_member(replicas)
    confirm = {"confirm": name_of(replicas, ada)}
    return Meeting(
        lambda at: at(replicas.first.admin).delete(f"/admin/users/{ada.id}", json=confirm),
        lambda at: at(ada).post("/admin/competitions/otto/rejudgings", json={"reason": "any"}),
        lambda deleted, _: deleted.is_success,
    )


def an_organizer_who_is_renamed_and_judges_anew(replicas: Replicas) -> Meeting:
    ada = organizing_member(replicas)
    body = {"name": fresh("person")}
    return Meeting(
        lambda at: at(replicas.first.admin).patch(f"/admin/users/{ada.id}", json=body),
        lambda at: at(ada).post("/admin/competitions/otto/rejudgings", json={"reason": "any"}),
        lambda *answers: all(each.is_success for each in answers),
    )


def is_forgotten(replicas: Replicas, name: str) -> bool:
    """True if no team of the competition has this name."""
    found = replicas.first.admin.get("/admin/competitions/otto/teams", params={"text": name})
    return all(team["name"] != name for team in made(found)["items"])


def organizing_member(replicas: Replicas) -> Person:
    """A new person who organizes the competition and is in a team of it; no rejudging is under
    way."""
    cancel_rejudgings(replicas, "otto")
    person = member(replicas)
    path = "/admin/competitions/otto/organizers"
    made(replicas.first.admin.post(path, json={"user_id": person.id}))
    return person


MEETINGS = [
    a_link_for_one,
    the_last_two_ways_in_of_an_administrator,
    two_administrators_who_delete_each_other,
    a_change_of_an_account_that_is_deleted,
    a_browser_that_is_signed_out_while_its_person_goes,
    a_link_that_is_used_while_its_maker_goes,
    a_team_that_is_joined_while_its_only_member_goes,
    a_team_that_is_made_with_a_person_who_goes,
    a_roster_with_a_person_who_goes,
    an_organizer_who_goes_and_a_merge_of_a_team_with_a_link,
    an_organizer_who_goes_and_judges_anew,
    an_organizer_who_is_renamed_and_judges_anew,
]


@in_both_orders(MEETINGS)
def test_the_two_leave_what_one_after_the_other_would(
    replicas: Replicas, meeting: Makes, swapped: bool
) -> None:
    meet(replicas, meeting, swapped=swapped)


def test_two_first_starts_print_one_token_of_one_administrator(
    postgres_url: str, tmp_path: Path
) -> None:
    def start(application: Application) -> Act:
        def act() -> str | None:
            with application.database.write() as session:
                return ensure_administrator(session, token=None)

        return act

    with replicas_on(postgres_url, tmp_path) as replicas:
        second = replicas.second.application

        def first_starts() -> tuple[Act, Act]:
            with second.database.write() as session:
                session.execute(text("TRUNCATE users CASCADE"))
            return start(replicas.first.application), start(second)

        for after, *tokens in replicas.meetings(first_starts):
            (printed,) = filter(None, tokens)
            person = Person(replicas.first.client, printed)
            assert made(person.get("/me"))["administrator"], after
            assert len(made(person.get("/admin/users"))["items"]) == 1, after
