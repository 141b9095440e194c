"""Announcements: in the API, on the page, and as a feed that readers can parse."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from podium.competitions.service.announcements import announce
from podium.core.models import Competition
from tests.builders.installation import Installation, problem_of

PATH = "/admin/competitions/otto/announcements"
FEED = "/competitions/otto/announcements.atom"
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def say(installation: Installation, title: str = "News", text: str = "Read this.") -> Any:
    answer = installation.admin.post(PATH, json={"title": title, "text": text})
    assert answer.status_code == 201, answer.text
    return answer.json()


def feed_of(installation: Installation) -> ElementTree.Element:
    answer = installation.client.get(FEED)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def test_everybody_reads_the_newest_first(installation_on_both: Installation) -> None:
    installation_on_both.launched()
    first, second = say(installation_on_both, "First"), say(installation_on_both, "Second")
    listed = installation_on_both.anonymous.get("/competitions/otto/announcements").json()
    assert listed == {"items": [second, first], "next_cursor": None}
    page = installation_on_both.client.get("/competitions/otto").text
    assert page.index("Second") < page.index("First")
    assert f'href="{FEED}"' in page


def test_what_was_changed_says_so_and_what_was_deleted_is_gone(installation: Installation) -> None:
    installation.launched()
    made = say(installation)
    changed = installation.admin.patch(f"{PATH}/{made['id']}", json={"text": "Better."}).json()
    assert (changed["title"], changed["text"]) == ("News", "Better.")
    assert changed["created_at"] == made["created_at"]
    assert installation.admin.delete(f"{PATH}/{made['id']}").status_code == 204
    assert installation.anonymous.get("/competitions/otto/announcements").json()["items"] == []
    problem_of(installation.admin.delete(f"{PATH}/{made['id']}"), 404, "not-found")
    acts = [entry["action"] for entry in installation.admin.get("/admin/audit").json()["items"]]
    assert acts[:3] == ["announcement.delete", "announcement.change", "announcement.create"]


def test_the_feed_is_an_atom_feed(installation: Installation) -> None:
    installation.launched()
    made = say(installation, "Scores have changed", "Line 1\nLine 2")
    feed = feed_of(installation)
    assert feed.tag == f"{{{ATOM['a']}}}feed"
    assert feed.findtext("a:id", "", ATOM).startswith("urn:uuid:")
    assert feed.findtext("a:author/a:name", namespaces=ATOM)
    assert feed.findtext("a:updated", namespaces=ATOM) == made["updated_at"]
    links = {link.get("rel"): link.get("href") for link in feed.findall("a:link", ATOM)}
    assert links == {"alternate": "/competitions/otto", "self": FEED}
    (entry,) = feed.findall("a:entry", ATOM)
    assert {child.tag.split("}")[1]: child.text for child in entry if child.text} == {
        "id": f"urn:uuid:{made['id']}",
        "title": "Scores have changed",
        "published": made["created_at"],
        "updated": made["updated_at"],
        "content": "Line 1\nLine 2",
    }


def test_an_empty_feed_is_a_feed(installation: Installation) -> None:
    installation.launched()
    assert feed_of(installation).findtext("a:updated", namespaces=ATOM)


def test_texts_are_text_wherever_they_stand(installation: Installation) -> None:
    installation.launched()
    title, text = "<script>alert(1)</script>", "]]> & <b>x</b> {{ 7*7 }}"
    say(installation, title, text)
    page = installation.client.get("/competitions/otto").text
    assert "<script>" not in page
    assert "<b>x" not in page
    assert "{{ 7*7 }}" in page
    (entry,) = feed_of(installation).findall("a:entry", ATOM)
    assert entry.findtext("a:title", namespaces=ATOM) == title
    assert entry.findtext("a:content", namespaces=ATOM) == text


def test_private_competitions_and_drafts_hide_theirs(installation: Installation) -> None:
    installation.draft(visibility="private")
    say(installation)
    stranger = installation.person("ada")
    for who in (stranger, installation.anonymous):
        problem_of(who.get("/competitions/otto/announcements"), 404, "not-found")
    assert installation.client.get(FEED).status_code == 404
    headers = {"Authorization": f"Bearer {installation.admin.token}"}
    assert installation.client.get(FEED, headers=headers).status_code == 200


def test_only_organizers_of_the_competition_announce(installation: Installation) -> None:
    installation.launched()
    installation.launched("second")
    made = say(installation)
    for who in (installation.person("ada"), installation.person("grace", organizer=True)):
        problem_of(who.post(PATH, json={"title": "x", "text": "y"}), 404, "not-found")
        problem_of(who.patch(f"{PATH}/{made['id']}", json={"title": "x"}), 404, "not-found")
        problem_of(who.delete(f"{PATH}/{made['id']}"), 404, "not-found")
    other = f"/admin/competitions/second/announcements/{made['id']}"
    problem_of(installation.admin.patch(other, json={"title": "x"}), 404, "not-found")


@pytest.mark.parametrize(
    "body",
    [
        {"title": "", "text": "x"},
        {"title": "x", "text": ""},
        {"title": "a\nb", "text": "x"},
        {"title": "x" * 201, "text": "x"},
        {"title": "x", "text": "x" * 20_001},
        {"title": "x", "text": "\x1b[31m"},
        {"title": "x", "text": "x", "created_at": "2026-01-01T00:00:00Z"},
        {"title": "x"},
    ],
)
def test_what_does_not_print_or_never_ends_is_422(
    installation: Installation, body: dict[str, Any]
) -> None:
    installation.draft()
    assert installation.admin.post(PATH, json=body).status_code == 422


def test_the_service_itself_can_announce(installation: Installation) -> None:
    installation.launched()
    with installation.application.database.write() as session:
        competition = session.query(Competition).one()
        announce(session, competition=competition, title="Scores have changed", text="Why.")
    listed = installation.anonymous.get("/competitions/otto/announcements").json()["items"]
    assert listed[0]["title"] == "Scores have changed"
    entry = installation.admin.get("/admin/audit").json()["items"][0]
    assert (entry["action"], entry["actor"]["name"]) == ("announcement.create", "system")
