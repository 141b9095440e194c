"""Two requests about teams that meet at any place leave what one after the other would have
left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from podium.core.access import Actor
from tests.builders import teams
from tests.builders.installation import Person
from tests.builders.servers.interleaving import Replicas
from tests.builders.servers.meetings import (
    At,
    Makes,
    Meeting,
    came_before,
    fresh,
    in_both_orders,
    log_of,
    made,
    meet,
    member,
    name_of,
    newcomer,
    one_of,
    own_team,
    team_of,
)

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.xdist_group("meetings of teams"),
    pytest.mark.timeout(900),
]


@pytest.fixture(scope="module")
def replicas(place: Replicas) -> Replicas:
    """Two replicas with some competitions that are open."""
    place.first.launched("otto", team_size=3, daily_limit=100)
    place.first.launched("pairs", team_size=2)
    place.first.launched("asking", registration="approval")
    place.first.launched("ending")
    return place


def last_place_of_a_team(replicas: Replicas) -> Meeting:
    code = own_team(replicas, member(replicas, "pairs"), "pairs").invite_code
    ada, bob = newcomer(replicas), newcomer(replicas)

    def join(person: Person) -> Callable[[At], Any]:
        path, body = "/competitions/pairs/teams/join", {"invite_code": code}
        return lambda at: at(person).post(path, json=body)

    return Meeting(join(ada), join(bob), one_of)


def two_teams_of_one_person(replicas: Replicas) -> Meeting:
    ada = newcomer(replicas)

    def make(name: str) -> Callable[[At], Any]:
        return lambda at: at(ada).post("/competitions/otto/teams", json={"name": name})

    return Meeting(make(fresh("team")), make(fresh("team")), one_of)


def one_name_for_two_teams(replicas: Replicas) -> Meeting:
    ada, bob = newcomer(replicas), newcomer(replicas)
    name = fresh("team")

    def make(person: Person) -> Callable[[At], Any]:
        return lambda at: at(person).post("/competitions/otto/teams", json={"name": name})

    return Meeting(make(ada), make(bob), one_of)


def an_approval_that_is_taken_back(replicas: Replicas) -> Meeting:
    ada = newcomer(replicas)
    request = made(ada.post("/competitions/asking/join-request", json={}))["id"]
    decision = f"/admin/join-requests/{request}"
    made(replicas.first.admin.post(f"{decision}/approve"))
    return Meeting(
        lambda at: at(ada).post("/competitions/asking/teams", json={"name": fresh("team")}),
        lambda at: at(replicas.first.admin).post(f"{decision}/decline", json={}),
        one_of,
    )


def two_merges_that_share_a_team(replicas: Replicas) -> Meeting:
    ada, bob, eve = (member(replicas) for _ in range(3))
    into_bob, into_eve = asked(replicas, ada, bob), asked(replicas, bob, eve)

    def is_right(first: Any, second: Any) -> bool:
        ids = [own_team(replicas, one).id for one in (ada, bob, eve)]
        if first.is_success and second.is_success:
            return len(set(ids)) == 1
        if first.is_success:
            return ids[0] == ids[1] != ids[2]
        return bool(second.is_success) and ids[0] != ids[1] == ids[2]

    return Meeting(accept(bob, into_bob), accept(eve, into_eve), is_right)


def two_teams_that_take_each_other_in(replicas: Replicas) -> Meeting:
    ada, bob = member(replicas), member(replicas)
    into_bob, into_ada = asked(replicas, ada, bob), asked(replicas, bob, ada)
    return Meeting(accept(bob, into_bob), accept(ada, into_ada), one_of)


def the_last_member_who_leaves_while_a_person_joins(replicas: Replicas) -> Meeting:
    ada, bob = member(replicas), newcomer(replicas)
    body = {"invite_code": own_team(replicas, ada).invite_code}
    return Meeting(
        leave(ada),
        lambda at: at(bob).post("/competitions/otto/teams/join", json=body),
        lambda left, joined: (
            left.is_success and joined.is_success == (team_of(replicas, bob) is not None)
        ),
    )


def the_last_member_who_leaves_while_a_link_is_used(replicas: Replicas) -> Meeting:
    ada, bob = member(replicas), newcomer(replicas)
    code = made(invite(replicas, ada))["address"].rpartition("/")[2]
    return Meeting(
        leave(ada),
        lambda at: at(bob).post(f"/links/{code}", json={}),
        lambda left, used: (
            left.is_success and used.is_success == (team_of(replicas, bob) is not None)
        ),
    )


def the_last_member_who_leaves_while_a_link_is_revoked(replicas: Replicas) -> Meeting:
    ada = member(replicas)
    link = made(invite(replicas, ada))["id"]
    return Meeting(
        leave(ada),
        lambda at: at(replicas.first.admin).delete(f"/admin/invites/{link}"),
        lambda left, _: left.is_success,
    )


def the_last_member_who_leaves_while_a_link_is_made(replicas: Replicas) -> Meeting:
    ada = member(replicas)
    body = {"competition": "otto", "team_id": own_team(replicas, ada).id}
    return Meeting(
        leave(ada),
        lambda at: at(replicas.first.admin).post("/admin/invites", json=body),
        lambda left, _: left.is_success,
    )


def the_last_member_who_leaves_while_another_team_asks_to_merge(replicas: Replicas) -> Meeting:
    ada, bob = member(replicas), member(replicas)
    return Meeting(leave(ada), ask(replicas, bob, ada), lambda left, _: left.is_success)


def two_teams_that_ask_each_other_to_merge(replicas: Replicas) -> Meeting:
    ada, bob = member(replicas), member(replicas)
    return Meeting(
        ask(replicas, ada, bob),
        ask(replicas, bob, ada),
        lambda *both: all(one.is_success for one in both),
    )


def a_team_that_merges_while_it_is_asked(replicas: Replicas) -> Meeting:
    ada, bob, eve = (member(replicas) for _ in range(3))
    into_bob = asked(replicas, ada, bob)

    def is_right(accepted: Any, _: Any) -> bool:
        requests = made(eve.get("/competitions/otto/team/merge-requests"))["items"]
        return bool(accepted.is_success) and all(one["status"] != "pending" for one in requests)

    return Meeting(accept(bob, into_bob), ask(replicas, eve, ada), is_right)


def a_choice_of_a_submission_that_is_disqualified(replicas: Replicas) -> Meeting:
    ada = member(replicas)
    sent = submission_of(ada)

    def is_right(chosen: Any, disqualified: Any) -> bool:
        log = log_of(replicas, "otto")
        return bool(disqualified.is_success) and (
            not chosen.is_success or came_before(log, "selection.change", "submission.disqualify")
        )

    body = {"reason": "copied"}
    return Meeting(
        choose(ada, sent),
        lambda at: at(replicas.first.admin).post(
            f"/admin/submissions/{sent}/disqualify", json=body
        ),
        is_right,
    )


def a_choice_of_a_team_that_merges(replicas: Replicas) -> Meeting:
    ada, bob = member(replicas), member(replicas)
    sent, into_bob = submission_of(ada), asked(replicas, ada, bob)

    def is_right(chosen: Any, accepted: Any) -> bool:
        selection = made(bob.get("/competitions/otto/selection"))["submission_ids"]
        return bool(chosen.is_success and accepted.is_success) and selection == [sent]

    return Meeting(choose(ada, sent), accept(bob, into_bob), is_right)


def a_file_of_a_team_that_is_disqualified(replicas: Replicas) -> Meeting:
    ada = member(replicas)
    path = f"/admin/teams/{own_team(replicas, ada).id}/disqualify"

    def is_right(sent: Any, disqualified: Any) -> bool:
        entry = next(
            one for one in log_of(replicas, "otto")[::-1] if one["action"] == "team.disqualify"
        )
        return bool(disqualified.is_success) and (
            not sent.is_success or sent.json()["submitted_at"] <= entry["at"]
        )

    return Meeting(
        lambda at: at(ada).post("/competitions/otto/submissions", content=b"a"),
        lambda at: at(replicas.first.admin).post(path, json={"reason": "copied"}),
        is_right,
    )


def a_team_that_is_made_while_the_competition_closes(replicas: Replicas) -> Meeting:
    ada = newcomer(replicas)
    return closing(
        replicas,
        lambda at: at(ada).post("/competitions/ending/teams", json={"name": fresh("team")}),
        "team.create",
    )


def a_team_of_the_organizers_that_is_made_while_the_competition_closes(
    replicas: Replicas,
) -> Meeting:
    def make(at: At) -> Any:
        path = "/admin/competitions/ending/teams"
        return at(replicas.first.admin).post(path, json={"name": fresh("team"), "members": []})

    return closing(replicas, make, "team.create")


def a_team_that_is_joined_while_the_competition_closes(replicas: Replicas) -> Meeting:
    reopen(replicas)
    ada, bob = member(replicas, "ending"), newcomer(replicas)
    body = {"invite_code": own_team(replicas, ada, "ending").invite_code}
    return closing(
        replicas, lambda at: at(bob).post("/competitions/ending/teams/join", json=body), "team.join"
    )


def a_team_that_is_left_while_the_competition_closes(replicas: Replicas) -> Meeting:
    reopen(replicas)
    ada = member(replicas, "ending")
    return closing(replicas, leave(ada, "ending"), "team.leave")


def closing(replicas: Replicas, act: Callable[[At], Any], action: str) -> Meeting:
    """An act that is done before the competition closes, or not at all."""
    reopen(replicas)

    def is_right(done: Any, closed: Any) -> bool:
        log = log_of(replicas, "ending")
        is_in_time = not done.is_success or came_before(log, action, "competition.close")
        return bool(closed.is_success) and is_in_time

    return Meeting(
        act,
        lambda at: at(replicas.first.admin).post("/admin/competitions/ending/close", json={}),
        is_right,
    )


def reopen(replicas: Replicas) -> None:
    """Sees to it that the competition is open."""
    if made(replicas.first.admin.get("/competitions/ending"))["phase"] == "closed":
        made(replicas.first.admin.post("/admin/competitions/ending/reopen", json={}))


def leave(person: Person, slug: str = "otto") -> Callable[[At], Any]:
    return lambda at: at(person).post(f"/competitions/{slug}/team/leave")


def ask(replicas: Replicas, person: Person, other: Person) -> Callable[[At], Any]:
    body = {"team": own_team(replicas, other).id}
    return lambda at: at(person).post("/competitions/otto/team/merge-requests", json=body)


def asked(replicas: Replicas, person: Person, other: Person) -> str:
    """The request by which one team has asked another to take it in."""
    actor = Actor(person.id, name_of(replicas, person))
    team = own_team(replicas, other).id
    return teams.ask(replicas.first.application.database, actor, team)


def accept(person: Person, request: str) -> Callable[[At], Any]:
    path = f"/competitions/otto/team/merge-requests/{request}/accept"
    return lambda at: at(person).post(path)


def invite(replicas: Replicas, person: Person) -> Any:
    body = {"competition": "otto", "team_id": own_team(replicas, person).id}
    return replicas.first.admin.post("/admin/invites", json=body)


def submission_of(person: Person) -> str:
    answer = person.post("/competitions/otto/submissions", content=fresh("file").encode())
    return str(made(answer)["id"])


def choose(person: Person, submission: str) -> Callable[[At], Any]:
    body = {"submission_ids": [submission]}
    return lambda at: at(person).put("/competitions/otto/selection", json=body)


MEETINGS = [
    last_place_of_a_team,
    two_teams_of_one_person,
    one_name_for_two_teams,
    an_approval_that_is_taken_back,
    two_merges_that_share_a_team,
    two_teams_that_take_each_other_in,
    the_last_member_who_leaves_while_a_person_joins,
    the_last_member_who_leaves_while_a_link_is_used,
    the_last_member_who_leaves_while_a_link_is_revoked,
    the_last_member_who_leaves_while_a_link_is_made,
    the_last_member_who_leaves_while_another_team_asks_to_merge,
    two_teams_that_ask_each_other_to_merge,
    a_team_that_merges_while_it_is_asked,
    a_choice_of_a_submission_that_is_disqualified,
    a_choice_of_a_team_that_merges,
    a_file_of_a_team_that_is_disqualified,
    a_team_that_is_made_while_the_competition_closes,
    a_team_of_the_organizers_that_is_made_while_the_competition_closes,
    a_team_that_is_joined_while_the_competition_closes,
    a_team_that_is_left_while_the_competition_closes,
]


@in_both_orders(MEETINGS)
def test_the_two_leave_what_one_after_the_other_would(
    replicas: Replicas, meeting: Makes, swapped: bool
) -> None:
    meet(replicas, meeting, swapped=swapped)
