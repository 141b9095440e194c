"""The page of one's team has the forms that can do something now, and no others."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.builders.installation import Person
from tests.builders.page import Page
from tests.builders.site import Site


def entered(site: Site, slug: str, name: str) -> Person:
    person = site.installation.person(name)
    answer = person.post(f"/competitions/{slug}/teams", json={"name": f"Team {name}"})
    assert answer.status_code == 201, answer.text
    return person


def shown(site: Site, person: Person, slug: str) -> str:
    answer = site.browser(person).get(f"/competitions/{slug}/team")
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def acts(text: str) -> set[str | None]:
    """The buttons of the page's forms."""
    return {attrs.get("value") for tag, attrs in Page(text).tags if attrs.get("name") == "act"}


def test_leaving_is_possible_until_the_first_submission(site: Site) -> None:
    site.installation.launched("leaving")
    ada = entered(site, "leaving", "ada who leaves")
    assert acts(shown(site, ada, "leaving")) == {"renew-code", "rename", "ask", "leave"}
    sent = ada.post("/competitions/leaving/submissions", content=b"session_type,labels\n1_clicks,1")
    assert sent.status_code == 202, sent.text
    text = shown(site, ada, "leaving")
    assert "leave" not in acts(text)
    assert "only an organizer can take you out of it" in text


def test_a_full_team_has_no_invitation(site: Site) -> None:
    site.installation.launched("full", team_size=1)
    text = shown(site, entered(site, "full", "ada alone"), "full")
    assert "The team is full" in text
    assert "renew-code" not in acts(text)


def test_after_the_close_no_form_is_left(site: Site) -> None:
    site.installation.launched("past")
    ada = entered(site, "past", "ada of the past")
    code = ada.get("/competitions/past/team").json()["invite_code"]
    assert site.installation.admin.post("/admin/competitions/past/close").status_code == 200
    text = shown(site, ada, "past")
    assert acts(text) == set()
    assert "The competition is over: teams stay as they are." in text
    stranger = site.browser(site.installation.person("too late"))
    late = stranger.get(f"/competitions/past/team?{urlencode({'code': code})}").text
    assert "Nobody can join any more." in late
    assert acts(late) == set()


def test_a_request_to_merge_is_told_at_the_top(site: Site) -> None:
    site.installation.launched("merging")
    ada, bob = entered(site, "merging", "ada merges"), entered(site, "merging", "bob merges")
    asked = bob.post("/competitions/merging/team/merge-requests", json={"team": "Team ada merges"})
    assert asked.status_code == 201, asked.text
    text = shown(site, ada, "merging")
    assert text.index("“Team bob merges” asks to merge with you") < text.index('class="tiles"')
    assert "asks to merge" not in shown(site, bob, "merging")


def test_an_invitation_names_the_team_after_signing_in_too(site: Site) -> None:
    site.installation.launched("named")
    code = (
        entered(site, "named", "ada invites").get("/competitions/named/team").json()["invite_code"]
    )
    friend = site.browser(site.installation.person("a friend"))
    text = friend.get(f"/competitions/named/team?{urlencode({'code': code})}").text
    assert "You are invited to the team <strong><bdi>Team ada invites</bdi></strong>" in text
