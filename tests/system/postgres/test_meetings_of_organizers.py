"""Two requests of organizers that meet at any place leave what one after the other would have
left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from podium.core.models import Competition
from tests.builders.custom_metrics.scene import METRIC, draft_of_tables
from tests.builders.installation import Person
from tests.builders.season import truth_with
from tests.builders.servers.interleaving import Replicas
from tests.builders.servers.meetings import (
    At,
    Makes,
    Meeting,
    came_before,
    cancel_rejudgings,
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
)

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.xdist_group("meetings of organizers"),
    pytest.mark.timeout(900),
]

ITEMS = "item,sweet\n1,8\n2,2\n"


@pytest.fixture(scope="module")
def replicas(place: Replicas) -> Replicas:
    """Two replicas with competitions that are open, and a draft."""
    place.first.launched("otto")
    place.first.launched("rejudged")
    place.first.draft("draft")
    return place


def one_slug_for_two_competitions(replicas: Replicas) -> Meeting:
    body = {"slug": fresh("slug"), "title": "Any", "preset": "otto"}

    def make(at: At) -> Any:
        return at(replicas.first.admin).post("/admin/competitions", json=body)

    return Meeting(make, make, one_of)


def two_launches(replicas: Replicas) -> Meeting:
    slug = fresh("launched")
    replicas.first.draft(slug, split={"public_fraction": 0.5})
    replicas.first.upload_truth(slug)

    def launch(at: At) -> Any:
        return at(replicas.first.admin).post(f"/admin/competitions/{slug}/launch")

    return Meeting(launch, launch, one_of)


def two_ground_truths(replicas: Replicas) -> Meeting:
    slug = fresh("truths")
    replicas.first.draft(slug)
    path = f"/admin/competitions/{slug}/ground-truth"

    def upload(truth: bytes) -> Callable[[At], Any]:
        return lambda at: at(replicas.first.admin).post(path, content=truth)

    def is_right(*answers: Any) -> bool:
        versions = [one["version"] for one in made(replicas.first.admin.get(path))["items"]]
        done = sum(bool(each.is_success) for each in answers)
        return len(set(versions)) == len(versions) == done

    return Meeting(upload(truth_with(1)), upload(truth_with(2)), is_right)


def two_rejudgings(replicas: Replicas) -> Meeting:
    cancel_rejudgings(replicas, "rejudged")
    path = "/admin/competitions/rejudged/rejudgings"

    def start(at: At) -> Any:
        return at(replicas.first.admin).post(path, json={"reason": "by hand"})

    return Meeting(start, start, one_of)


def the_only_organizers_who_take_each_other_out(replicas: Replicas) -> Meeting:
    ada, bob = (replicas.first.person(fresh("person"), organizer=True) for _ in range(2))
    slug = fresh("organized")
    made(ada.post("/admin/competitions", json={"slug": slug, "title": "Any", "preset": "otto"}))
    path = f"/admin/competitions/{slug}/organizers"
    made(ada.post(path, json={"user_id": bob.id}))

    def remove(actor: Person, other: Person) -> Callable[[At], Any]:
        return lambda at: at(actor).delete(f"{path}/{other.id}")

    return Meeting(remove(ada, bob), remove(bob, ada), one_of)


def one_metric_file_twice(replicas: Replicas) -> Meeting:
    scene = draft_of_tables(replicas.first, replicas.first.admin, fresh("table"))

    def upload(at: At) -> Any:
        return at(replicas.first.admin).post(scene.route, content=METRIC)

    def is_right(*answers: Any) -> bool:
        versions = made(replicas.first.admin.get(scene.route))["items"]
        return all(one.is_success for one in answers) and len(versions) == 1

    return Meeting(upload, upload, is_right)


def two_files_of_one_name(replicas: Replicas) -> Meeting:
    admin, name = replicas.first.admin, fresh("file")

    def put(content: bytes) -> Callable[[At], Any]:
        path = f"/admin/competitions/otto/files/{name}"
        return lambda at: at(admin).put(path, content=content)

    def is_right(*answers: Any) -> bool:
        sizes = [
            one["bytes"]
            for one in made(admin.get("/competitions/otto/files", params={"limit": 100}))["items"]
            if one["name"] == name
        ]
        return sizes in ([1], [2]) and sorted(one.status_code for one in answers) == [200, 201]

    return Meeting(put(b"a"), put(b"ab"), is_right)


def a_file_that_is_removed_twice(replicas: Replicas) -> Meeting:
    path = f"/admin/competitions/otto/files/{fresh('file')}"
    made(replicas.first.admin.put(path, content=b"a"))
    act = remove(replicas, path)
    return Meeting(act, act, one_of)


def two_item_files(replicas: Replicas) -> Meeting:
    remove(replicas, ITEM_FILE)(lambda person: person)

    def put(content: str) -> Callable[[At], Any]:
        return lambda at: at(replicas.first.admin).put(ITEM_FILE, content=content)

    def is_right(*answers: Any) -> bool:
        return sorted(one.status_code for one in answers) == [200, 201]

    return Meeting(put(ITEMS), put(ITEMS + "3,1\n"), is_right)


def an_item_file_that_is_removed_twice(replicas: Replicas) -> Meeting:
    made(replicas.first.admin.put(ITEM_FILE, content=ITEMS))
    act = remove(replicas, ITEM_FILE)
    return Meeting(act, act, one_of)


def an_announcement_that_is_removed_twice(replicas: Replicas) -> Meeting:
    path = "/admin/competitions/otto/announcements"
    made_one = made(replicas.first.admin.post(path, json={"title": "A", "text": "B"}))
    path += f"/{made_one['id']}"
    act = remove(replicas, path)
    return Meeting(act, act, one_of)


def a_merge_while_the_ranking_is_revealed(replicas: Replicas) -> Meeting:
    unrevealed(replicas)
    ada, bob = member(replicas), member(replicas)
    teams = [own_team(replicas, each).id for each in (ada, bob)]
    admin = replicas.first.admin
    made(admin.post("/admin/competitions/otto/close", json={}))

    def is_right(merged: Any, revealed: Any) -> bool:
        log = log_of(replicas, "otto")
        is_in_time = not merged.is_success or came_before(log, "team.merge", "competition.reveal")
        return bool(revealed.is_success) and is_in_time

    body = {"team_id": teams[1], "reason": "asked for"}
    return Meeting(
        lambda at: at(admin).post(f"/admin/teams/{teams[0]}/merge", json=body),
        lambda at: at(admin).post("/admin/competitions/otto/reveal", json={}),
        is_right,
    )


def unrevealed(replicas: Replicas) -> None:
    """Opens the competition again, which no request could do after the reveal."""
    with replicas.second.application.database.write() as session:
        session.execute(update(Competition).values(closed_at=None, revealed_at=None))


def an_organizer_who_goes_and_is_taken_out(replicas: Replicas) -> Meeting:
    ada = newcomer(replicas)
    path, admin = "/admin/competitions/otto/organizers", replicas.first.admin
    made(admin.post(path, json={"user_id": ada.id}))
    confirm = {"confirm": name_of(replicas, ada)}
    return Meeting(
        lambda at: at(ada).delete("/me", json=confirm),
        remove(replicas, f"{path}/{ada.id}"),
        lambda deleted, _: deleted.is_success,
    )


def a_draft_that_is_deleted_while_it_is_announced(replicas: Replicas) -> Meeting:
    return going_draft(replicas, "announcements", {"title": "A", "text": "B"})


def a_draft_that_is_deleted_while_it_gets_a_team(replicas: Replicas) -> Meeting:
    return going_draft(replicas, "teams", {"name": "team", "members": []})


def a_draft_that_is_deleted_while_it_gets_an_organizer(replicas: Replicas) -> Meeting:
    return going_draft(replicas, "organizers", {"user_id": newcomer(replicas).id})


def a_draft_that_is_deleted_while_people_are_invited(replicas: Replicas) -> Meeting:
    slug = fresh("draft")
    body = {"competition": slug, "organizer": True}
    return going_draft(replicas, None, body, slug=slug)


def a_draft_that_is_deleted_while_a_link_to_it_is_used(replicas: Replicas) -> Meeting:
    slug, ada, admin = fresh("draft"), newcomer(replicas), replicas.first.admin
    replicas.first.draft(slug)
    link = made(admin.post("/admin/invites", json={"competition": slug, "organizer": True}))
    code = link["address"].rpartition("/")[2]
    return Meeting(
        remove(replicas, f"/admin/competitions/{slug}"),
        lambda at: at(ada).post(f"/links/{code}", json={}),
        lambda deleted, used: deleted.is_success and used.status_code in (200, 404),
    )


def a_draft_that_is_deleted_while_its_ids_are_published(replicas: Replicas) -> Meeting:
    slug = fresh("draft")
    replicas.first.draft(slug)
    path = f"/admin/competitions/{slug}/published-ids"
    return Meeting(
        remove(replicas, f"/admin/competitions/{slug}"),
        lambda at: at(replicas.first.admin).put(path, content=b"session\n1\n2\n"),
        lambda deleted, _: deleted.is_success,
    )


def going_draft(
    replicas: Replicas, what: str | None, body: Any, *, slug: str | None = None
) -> Meeting:
    """A draft that is deleted while something is added to it, or an invitation to it."""
    slug = slug or fresh("draft")
    replicas.first.draft(slug)
    path = "/admin/invites" if what is None else f"/admin/competitions/{slug}/{what}"
    return Meeting(
        remove(replicas, f"/admin/competitions/{slug}"),
        lambda at: at(replicas.first.admin).post(path, json=body),
        lambda deleted, added: deleted.is_success and added.status_code in (201, 404),
    )


ITEM_FILE = "/admin/competitions/draft/items"


def remove(replicas: Replicas, path: str) -> Callable[[At], Any]:
    return lambda at: at(replicas.first.admin).delete(path)


MEETINGS = [
    two_ground_truths,
    the_only_organizers_who_take_each_other_out,
    two_files_of_one_name,
    two_item_files,
    a_merge_while_the_ranking_is_revealed,
    an_organizer_who_goes_and_is_taken_out,
    a_draft_that_is_deleted_while_it_is_announced,
    a_draft_that_is_deleted_while_it_gets_a_team,
    a_draft_that_is_deleted_while_it_gets_an_organizer,
    a_draft_that_is_deleted_while_people_are_invited,
    a_draft_that_is_deleted_while_a_link_to_it_is_used,
    a_draft_that_is_deleted_while_its_ids_are_published,
]

ALIKE = [
    one_slug_for_two_competitions,
    two_launches,
    two_rejudgings,
    one_metric_file_twice,
    a_file_that_is_removed_twice,
    an_item_file_that_is_removed_twice,
    an_announcement_that_is_removed_twice,
]
"""Those of a request with the same request."""


@in_both_orders(MEETINGS, ALIKE)
def test_the_two_leave_what_one_after_the_other_would(
    replicas: Replicas, meeting: Makes, swapped: bool | None
) -> None:
    meet(replicas, meeting, swapped=swapped)
