"""A roster becomes accounts, teams and credentials, or nothing."""

from __future__ import annotations

import html
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.builders.installation import Installation, Person, problem_of

GOOD = "correct horse battery"

CLASS = "name,team\nAda,Engines\nCharles,Engines\nGrace,\n"


def preview(person: Person, text: str, **body: Any) -> Any:
    answer = person.post("/admin/roster/preview", json={"text": text, **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


def enter(person: Person, text: str, **body: Any) -> Any:
    return person.post("/admin/roster", json={"text": text, **body})


def names(installation: Installation) -> set[str]:
    return {each["name"] for each in installation.admin.get("/admin/users").json()["items"]}


def members(installation: Installation) -> dict[str, list[str]]:
    listed = installation.admin.get("/admin/competitions/otto/teams").json()["items"]
    return {team["name"]: [each["name"] for each in team["members"]] for team in listed}


def test_a_class_gets_accounts_teams_and_links_that_each_work_once(
    installation_on_both: Installation,
) -> None:
    installation_on_both.launched(visibility="private", registration="invite")
    planned = preview(installation_on_both.admin, CLASS, competition="otto")
    assert planned["problems"] == []
    assert names(installation_on_both) == {"administrator"}
    entered = enter(installation_on_both.admin, CLASS, competition="otto")
    assert entered.status_code == 201, entered.text
    people = entered.json()["people"]
    assert [(one["line"], one["name"], one["team"]) for one in people] == [
        (2, "Ada", "Engines"),
        (3, "Charles", "Engines"),
        (4, "Grace", "Grace"),
    ]
    assert [(one["name"], one["is_new"]) for one in entered.json()["teams"]] == [
        ("Engines", True),
        ("Grace", True),
    ]
    assert members(installation_on_both) == {"Engines": ["Ada", "Charles"], "Grace": ["Grace"]}
    address = people[0]["address"]
    looked = installation_on_both.anonymous.get(address).json()
    assert (looked["kind"], looked["account"], looked["competition"]) == ("first", "Ada", "otto")
    used = installation_on_both.anonymous.post(address, json={"password": GOOD})
    assert (used.status_code, used.json()["account"]["name"]) == (200, "Ada")
    ada = Person(installation_on_both.client, used.json()["token"])
    assert ada.get("/competitions/otto/team").json()["name"] == "Engines"
    problem_of(installation_on_both.anonymous.post(address, json={}), 404, "unknown-link")


def test_all_problems_are_told_by_line_and_nothing_is_made(installation: Installation) -> None:
    installation.launched(team_size=2)
    installation.person("Ada")
    other = installation.person("other")
    other.post("/competitions/otto/teams", json={"name": "Taken"})
    text = (
        "Name;Team;Mail\n"
        "ada;A;a@x\n"
        "Bob;A;b@x\n"
        "Bоb;A;\n"
        "\u202eEve;A;\n"
        "\n"
        "Carl;Taken;\n"
        "Dan;B;\n"
        "Dora;B;\n"
        "Emil;b;\n"
    )
    planned = preview(installation.admin, text, competition="otto")
    assert [(each["line"], each["code"]) for each in planned["problems"]] == [
        (2, "name-taken"),
        (4, "duplicate-name"),
        (4, "too-many-members"),
        (5, "bad-name"),
        (7, "name-taken"),
        (10, "too-many-members"),
    ]
    assert planned["ignored_columns"] == ["Mail"]
    before = names(installation)
    refused = problem_of(enter(installation.admin, text, competition="otto"), 422, "bad-roster")
    assert refused["error_count"] == 6
    assert refused["errors"][0]["line"] == 2
    assert names(installation) == before


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("", None, "empty"),
        ("name,team\n", None, "empty"),
        ("Ada,Engines,more\n", 1, "too-many-cells"),
        ('Ada\n"Bob\nCarl\n', 2, "bad-line"),
        ("\n".join(f"person {n}x" for n in range(501)), None, "too-many-people"),
    ],
)
def test_a_text_that_is_no_roster_is_told_why(
    installation: Installation, text: str, line: int | None, code: str
) -> None:
    answer = installation.admin.post("/admin/roster/preview", json={"text": text})
    (problem,) = answer.json()["problems"]
    assert (problem["line"], problem["code"]) == (line, code)


def test_a_text_that_is_far_too_long_is_not_looked_at(installation: Installation) -> None:
    answer = installation.admin.post("/admin/roster/preview", json={"text": "x" * 200_001})
    problem_of(answer, 422, "invalid")


def test_people_and_teams_that_there_are_can_be_used_again(installation: Installation) -> None:
    installation.launched()
    enter(installation.admin, CLASS, competition="otto")
    longer = CLASS + "Hedy,Engines\n"
    kept = enter(installation.admin, longer, competition="otto", uses_existing=True)
    assert kept.status_code == 201, kept.text
    assert [one["address"] is None for one in kept.json()["people"]] == [True, True, True, False]
    assert members(installation)["Engines"] == ["Ada", "Charles", "Hedy"]
    moved = preview(installation.admin, "Ada,Grace\n", competition="otto", uses_existing=True)
    assert [each["code"] for each in moved["problems"]] == ["already-in-team"]


def test_two_rosters_at_once_make_each_name_once(installation_on_both: Installation) -> None:
    installation_on_both.launched()
    texts = [CLASS, "Grace\nCharles,Engines\nAda,Engines\n"]
    with ThreadPoolExecutor(2) as pool:
        answers = list(
            pool.map(
                lambda text: enter(installation_on_both.admin, text, competition="otto"), texts
            )
        )
    codes = sorted(answer.status_code for answer in answers)
    assert codes[0] == 201
    assert codes[1] in (409, 422)
    assert names(installation_on_both) == {"administrator", "Ada", "Charles", "Grace"}


def test_a_link_of_a_roster_gives_way_to_credentials_that_came_otherwise(
    installation: Installation,
) -> None:
    grace = installation.person("grace", organizer=True)
    (ada,) = enter(grace, "Ada\n").json()["people"]
    reset = installation.admin.post(f"/admin/users/{ada['id']}/reset-link", json={}).json()
    used = installation.anonymous.post(f"/links/{reset['code']}", json={"password": GOOD})
    assert used.status_code == 200
    late = installation.anonymous.post(ada["address"], json={"password": "another good one"})
    problem_of(late, 404, "unknown-link")
    signed = installation.anonymous.post("/sign-in", json={"name": "ada", "password": GOOD})
    assert signed.status_code == 200


def test_a_roster_without_a_competition_makes_accounts_only(installation: Installation) -> None:
    (problem,) = preview(installation.admin, "Ada,Engines\n")["problems"]
    assert (problem["line"], problem["code"]) == (1, "no-competition")
    assert enter(installation.admin, "Ada\nBob\n").status_code == 201
    assert names(installation) == {"administrator", "Ada", "Bob"}


def test_only_organizers_enter_rosters_and_only_of_their_own(installation: Installation) -> None:
    installation.launched()
    oscar = installation.person("oscar", organizer=True)
    ada = installation.person("ada")
    for path in ("/admin/roster", "/admin/roster/preview"):
        body = {"text": "Zoe\n"}
        problem_of(installation.anonymous.post(path, json=body), 401, "not-authenticated")
        problem_of(ada.post(path, json=body), 403, "not-allowed")
        problem_of(oscar.post(path, json={**body, "competition": "otto"}), 404, "not-found")


def mail_merge(page: str) -> list[tuple[str, str, str]]:
    """Names, teams and links that the page has as CSV."""
    told = re.search(r"<textarea readonly[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    assert told is not None
    head, *lines = told[1].strip().splitlines()
    assert head == "name,team,link"
    rows = [line.split(",") for line in lines]
    assert all("/links/" in link for _, _, link in rows)
    return [(name, team, link) for name, team, link in rows]


def test_names_that_may_be_meant_otherwise_are_asked_about(installation: Installation) -> None:
    installation.launched()
    mails = preview(installation.admin, "Ada <ada@uni.example>\nBob\n", competition="otto")
    assert (mails["problems"], len(mails["warnings"])) == ([], 1)
    assert "1 has an @" in mails["warnings"][0]
    turned = preview(installation.admin, "Müller, Anna\nWeiß, Ben\n", competition="otto")
    assert "“surname, first name”" in turned["warnings"][0]
    for meant in ("name,team\nAda,A\nBob,B\n", "Ada,A\nBob,A\nCarl,B\n", "Ada;A\nBob;B\n"):
        assert preview(installation.admin, meant, competition="otto")["warnings"] == []
    headers = {"Authorization": f"Bearer {installation.admin.token}"}
    sent = {"text": "Müller, Anna\nWeiß, Ben\n", "act": "preview"}
    page = installation.client.post("/organize/otto/people/roster", data=sent, headers=headers)
    assert "Is it meant so?" in page.text


def test_pages_show_the_preview_and_then_a_card_for_each_person(
    installation: Installation,
) -> None:
    installation.launched()
    headers = {"Authorization": f"Bearer {installation.admin.token}"}
    address = "/organize/otto/people/roster"
    shown = installation.client.get(address, headers=headers)
    assert shown.status_code == 200
    sent = {"text": CLASS, "act": "preview"}
    previewed = installation.client.post(address, data=sent, headers=headers)
    assert "3 new accounts, 2 new teams" in previewed.text
    assert "Create and show credentials" in previewed.text
    assert names(installation) == {"administrator"}
    bad = {"text": "administrator", "act": "create"}
    refused = installation.client.post(address, data=bad, headers=headers)
    assert refused.status_code == 422
    assert "There is an account" in html.unescape(refused.text)
    made = installation.client.post(address, data={**sent, "act": "create"}, headers=headers)
    assert made.status_code == 200
    assert made.headers["cache-control"] == "no-store"
    cards = re.findall(r'<li class="slip">.*?</li>', made.text, re.DOTALL)
    assert len(cards) == 3
    assert len(mail_merge(made.text)) == 3
    assert "3 accounts and 2 teams created" in made.text
    link = re.search(r"http://testserver(/links/[\w-]{43})", cards[0])
    assert link is not None
    assert '<svg viewBox="0 0' in cards[0]
    assert "Team <bdi>Engines</bdi>" in cards[0]
    page = installation.client.get(link[1])
    assert "Your account is" in page.text
    done = installation.client.post(link[1], data={"password": GOOD})
    assert "and signed in" in done.text
    other = installation.client.get("/organizers/roster", headers=headers)
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("PK\x03\x04\x14\x00\x06", "The file is a spreadsheet. Export the table as CSV"),
        ("PK\x03\x04\x14", "The file is a spreadsheet. Export the table as CSV"),
        ("A\x00d\x00a\x00", "The file is not text. Save the list as CSV in UTF-8"),
    ],
)
@pytest.mark.parametrize("act", ["preview", "create"])
def test_a_pasted_binary_file_is_told_as_one_and_not_shown_again(
    installation: Installation, pasted: str, words: str, act: str
) -> None:
    headers = {"Authorization": f"Bearer {installation.admin.token}"}
    sent = {"text": pasted, "act": act}
    refused = installation.client.post("/organizers/roster", data=sent, headers=headers)
    assert refused.status_code == 422
    assert re.search(rf'id="f-text-problem">{re.escape(words)}', refused.text)
    assert "JSON" not in refused.text
    assert pasted not in refused.text
