"""Teams, people, links and accounts on organizers' pages, and what is shown only once."""

from __future__ import annotations

import csv
import html
import io
import re
from typing import Any

from podium.core.database.types import new_id
from tests.builders.installation import Person
from tests.builders.organizer import Organizer
from tests.builders.site import Site


def someone(site: Site, slug: str = "", team: str = "") -> tuple[str, Person]:
    """The name of a new account; in a team of this name."""
    name = f"p{new_id()[-12:]}"
    person = site.installation.person(name)
    if team:
        answer = person.post(f"/competitions/{slug}/teams", json={"name": team})
        assert answer.status_code == 201, answer.text
    return name, person


def teams(olga: Organizer, slug: str) -> dict[str, Any]:
    listed = olga.person.get(f"/admin/competitions/{slug}/teams").json()["items"]
    return {each["name"]: each for each in listed}


def test_a_team_is_made_of_names_renamed_and_hidden(olga: Organizer, site: Site) -> None:
    slug = olga.launched()
    first, second = someone(site)[0], someone(site)[0]
    base = f"/organize/{slug}/teams"
    wrong = olga.browser.send(f"{base}/new/team", name="Two", members=f"{first}\nnobody at all")
    assert wrong.status_code == 422
    assert "nobody at all" in wrong.text
    made = olga.browser.send(f"{base}/new/team", name="Two", members=f"{first.upper()}\n{second}")
    assert made.status_code == 303, made.text
    team = teams(olga, slug)["Two"]
    assert [each["name"] for each in team["members"]] == [first, second]
    address = f"{base}/{team['id']}/change"
    assert olga.browser.send(address, name="One", hidden="yes").status_code == 303
    assert teams(olga, slug)["One"]["tags"] == ["hidden"]
    assert olga.browser.send(address, name="One").status_code == 303
    assert teams(olga, slug)["One"]["tags"] == []
    assert "One" in olga.browser.get(f"{base}?text={first}").text
    assert "No matching team or person" in olga.browser.get(f"{base}?text=zzz").text


def test_people_are_moved_and_teams_merged_with_a_reason(olga: Organizer, site: Site) -> None:
    slug = olga.launched()
    ada, _ = someone(site, slug, "Ada's")
    bob, _ = someone(site, slug, "Bob's")
    carl, _ = someone(site)
    base = f"/organize/{slug}/teams"
    first = teams(olga, slug)["Ada's"]["id"]
    assert olga.browser.send(f"{base}/{first}/put-member", user_id=carl).status_code == 422
    put = olga.browser.send(f"{base}/{first}/put-member", user_id=carl, reason="asked for")
    assert put.status_code == 303, put.text
    merge = {"team_id": "bob's", "reason": "one company"}
    unsure = olga.browser.send(f"{base}/{first}/merge", **merge, confirm="Adas")
    assert unsure.status_code == 422
    assert "This is not “Ada&#39;s”." in unsure.text
    assert teams(olga, slug)["Bob's"]["merged_into"] is None
    merged = olga.browser.send(f"{base}/{first}/merge", **merge, confirm="Ada's")
    assert merged.status_code == 303, merged.text
    names = [each["name"] for each in teams(olga, slug)["Ada's"]["members"]]
    assert sorted(names) == sorted([ada, bob, carl])
    team = teams(olga, slug)["Ada's"]
    member = next(each["id"] for each in team["members"] if each["name"] == carl)
    olga.browser.send(f"{base}/{first}/remove-member", user_id=member, reason="left")
    assert len(teams(olga, slug)["Ada's"]["members"]) == 2


def test_a_team_is_disqualified_and_reinstated(olga: Organizer, site: Site) -> None:
    slug = olga.launched()
    someone(site, slug, "Cheats")
    team = teams(olga, slug)["Cheats"]["id"]
    address = f"/organize/{slug}/teams/{team}"
    assert olga.browser.send(f"{address}/disqualify", reason="").status_code == 422
    olga.browser.send(f"{address}/disqualify", reason="two accounts")
    assert teams(olga, slug)["Cheats"]["disqualified"]["reason"] == "two accounts"
    assert "two accounts" in olga.browser.get(address).text
    olga.browser.send(f"{address}/reinstate", reason="a mistake")
    assert teams(olga, slug)["Cheats"]["disqualified"] is None


def test_a_team_of_another_competition_is_not_found(olga: Organizer, site: Site) -> None:
    slug, other = olga.launched(), olga.draft()
    someone(site, slug, "Here")
    team = teams(olga, slug)["Here"]["id"]
    assert olga.browser.get(f"/organize/{other}/teams/{team}").status_code == 404


def test_a_co_organizer_is_added_by_name_and_taken_out(olga: Organizer, site: Site) -> None:
    slug = olga.draft()
    name, person = someone(site)
    base = f"/organize/{slug}/people"
    wrong = olga.browser.send(f"{base}/organizers", user_id="nobody at all")
    assert wrong.status_code == 422
    assert re.search(r'id="organizer-user_id-problem"', wrong.text)
    assert olga.browser.send(f"{base}/organizers", user_id=name).status_code == 303
    assert site.browser(person).get(f"/organize/{slug}").status_code == 200
    olga.browser.send(f"{base}/organizers/{person.id}/remove")
    assert site.browser(person).get(f"/organize/{slug}").status_code == 404


def test_the_address_of_a_link_is_shown_once_and_works(olga: Organizer, site: Site) -> None:
    slug = olga.launched()
    base = f"/organize/{slug}/people"
    fields = {"organizer": "no", "team_id": "", "note": "for Eve", "expires_at": ""}
    made = olga.browser.send(f"{base}/links", **fields)
    assert made.status_code == 200
    address = html.unescape(re.findall(r"data-copy>([^<]+)<", made.text)[0])
    assert re.fullmatch(r"http://testserver/links/[\w-]{43}", address)
    assert "A competition" in site.browser().get(address.removeprefix("http://testserver")).text
    again = olga.browser.get(base).text
    assert "for Eve" in again
    assert address not in again
    link = olga.person.get("/admin/invites").json()["items"][0]
    assert link["competition"] == slug
    own_page = olga.browser.get(f"/organizers/links/{link['id']}")
    assert "shown only when it is made" in own_page.text
    # From the page of a competition it leads back there.
    assert f'name="competition" value="{slug}"' in again
    revoked = olga.browser.send(f"/organizers/links/{link['id']}/revoke", competition=slug)
    assert revoked.headers["location"] == f"{base}?done=link-revoked"
    assert "was revoked" in olga.browser.get(f"/organizers/links/{link['id']}").text
    gone = site.browser().get(address.removeprefix("http://testserver"))
    assert gone.status_code == 404


def test_accounts_are_made_by_organizers_and_changed_by_the_administrator(
    olga: Organizer, site: Site
) -> None:
    name = f"new {new_id()[-12:]}"
    made = olga.browser.send("/organizers/accounts", name=name)
    token = re.findall(r"data-copy>([\w-]{43})<", made.text)[0]
    person = Person(site.installation.client, token)
    account = person.get("/me").json()["id"]
    assert token not in olga.browser.get(f"/organizers/accounts?text={name}").text
    address = f"/organizers/accounts/{account}"
    assert olga.browser.send(f"{address}/change", name="Mine").status_code == 403
    assert "Only the administrator" in olga.browser.get(address).text
    admin = site.browser(site.installation.admin)
    changed = admin.send(f"{address}/change", name=name, organizer="yes")
    assert changed.status_code == 303, changed.text
    assert person.get("/me").json()["organizer"] is True
    reset = admin.send(f"{address}/reset-link", expires_at="")
    assert "/links/" in re.findall(r"data-copy>([^<]+)<", reset.text)[0]
    assert admin.send(f"{address}/delete", confirm="another").status_code == 422
    assert person.get("/me").status_code == 200
    assert admin.send(f"{address}/delete", confirm=name).status_code == 303
    assert person.get("/me").status_code == 401


def test_the_log_is_filtered(olga: Organizer) -> None:
    slug = olga.draft()
    base = f"/organize/{slug}/log"
    assert "competition.create" in olga.browser.get(base).text
    assert "No matching entries" in olga.browser.get(f"{base}?action=submission").text
    assert "No matching entries" in olga.browser.get(f"{base}?until=2001-01-01").text
    wrong = olga.browser.get(f"{base}?since=yesterday")
    assert wrong.status_code == 422
    assert "since" in wrong.text


def test_an_organizer_who_is_in_a_team_is_asked_about_first(olga: Organizer, site: Site) -> None:
    slug = olga.launched()
    name, person = someone(site, slug, "The ranked")
    address = f"/organize/{slug}/people/organizers"
    asked = olga.browser.send(address, user_id=name)
    assert asked.status_code == 422
    assert (
        "This person is in the team “The ranked”, which loses its rank permanently." in asked.text
    )
    assert person.get(f"/competitions/{slug}/team").json()["tags"] == []
    assert olga.browser.send(address, user_id=name, sure="yes").status_code == 303
    assert person.get(f"/competitions/{slug}/team").json()["tags"] == ["organizer"]


def test_results_are_listed_by_person_for_a_course(olga: Organizer, site: Site) -> None:
    slug = olga.launched()
    name, person = someone(site, slug, "=Formulas")
    address = f"/admin/competitions/{slug}/people.csv"
    answer = olga.person.get(address)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    # Without the mark, spreadsheets read names in UTF-8 as something else.
    assert answer.content.startswith(b"\xef\xbb\xbfperson,team,")
    _, line = csv.reader(io.StringIO(answer.text))
    assert line == [name, "'=Formulas", "", "", "", "", "0", ""]
    team = person.get(f"/competitions/{slug}/team").json()["id"]
    body = {"reason": "a second account"}
    assert olga.person.post(f"/admin/teams/{team}/disqualify", json=body).status_code == 200
    assert olga.person.get(address).text.endswith(",0,disqualified\r\n")
    assert person.get(address).status_code == 404
    assert f'href="/api/v1{address}"' in olga.browser.get(f"/organize/{slug}/teams").text
