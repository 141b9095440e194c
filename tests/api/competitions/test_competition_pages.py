"""Pages about a competition and about taking part, without JavaScript."""

from __future__ import annotations

import re
from typing import Any

import pytest

from podium import DOCUMENTATION
from tests.builders.installation import Person
from tests.builders.page import Page
from tests.builders.site import Site

RULES = "# Fair play\n\nOne account a person."


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    """An open competition with everything that pages show."""
    site.installation.launched(
        "otto",
        title="OTTO <i>",
        description="## The *task*\n\n[more](https://example.org/)",
        rules=RULES,
        ends_at="2199-01-31T12:00:00Z",
    )
    admin = site.installation.admin
    admin.put("/admin/competitions/otto/files/train.csv", content=b"a,b\n1,2\n")
    admin.post("/admin/competitions/otto/announcements", json={"title": "News", "text": "**New**"})
    return "otto"


@pytest.fixture
def ada(site: Site, request: pytest.FixtureRequest) -> Person:
    """A new user for every test, called as the test is."""
    return site.installation.person(request.node.name[-60:])


def team_of(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = person.get("/competitions/otto/team").json()
    return found


def words(html: str) -> str:
    """The text between the tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", html.split("<main")[1]).split())


def test_the_list_says_what_there_is_and_until_when(site: Site, slug: str) -> None:
    page = site.browser().get("/").text
    assert '<a href="/competitions/otto">OTTO &lt;i&gt;</a>' in page
    assert "Recall@20 of clicks, carts, orders" in words(page)
    assert "closes 31 Jan 2199, 12:00" in words(page)
    assert "My rank" not in page


def test_what_is_over_stands_below_what_one_can_take_part_in(site: Site, slug: str) -> None:
    site.installation.launched("finished", title="The finished one")
    closed = site.installation.admin.post("/admin/competitions/finished/close")
    assert closed.status_code == 200
    page = site.browser().get("/").text
    assert page.index("OTTO &lt;i&gt;") < page.index("The finished one")


def test_the_leaderboard_calls_the_metric_as_people_do(site: Site, slug: str) -> None:
    page = site.browser().get(f"/competitions/{slug}/leaderboard").text
    assert ">Recall@20, micro</a>. The public board" in page
    assert "recall_capped" not in words(page)


def test_the_address_that_people_guess_leads_to_the_list(site: Site, slug: str) -> None:
    led = site.browser().get("/competitions?q=otto")
    assert (led.status_code, led.headers["location"]) == (308, "/?q=otto")


def test_a_slash_at_the_end_leads_to_the_page_and_nowhere_else(site: Site, slug: str) -> None:
    browser = site.browser()
    led = browser.get("/competitions/otto/")
    assert (led.status_code, led.headers["location"]) == (308, "/competitions/otto")
    for foreign in ("/%5Cevil.example/", "//evil.example/", "/.evil.example/", "/%2Fevil.example/"):
        assert browser.get(f"http://testserver{foreign}").status_code == 404, foreign


def test_the_list_is_searched_by_title_and_slug(site: Site, slug: str) -> None:
    browser = site.browser()
    assert "OTTO" in browser.get("/?q=tT").text
    assert "No competition with this title" in browser.get("/?q=%25").text
    assert 'value="&lt;b&gt;"' in browser.get("/?q=<b>").text


def test_drafts_and_private_competitions_are_shown_to_their_people_only(
    site: Site, slug: str, ada: Person
) -> None:
    site.installation.draft("secret", visibility="private")
    organizer = site.browser(site.installation.admin)
    assert "SECRET" in organizer.get("/").text
    for browser in (site.browser(), site.browser(ada)):
        assert "SECRET" not in browser.get("/").text
        for end in ("", "/data", "/rules", "/announcements", "/leaderboard"):
            missing = browser.get(f"/competitions/secret{end}")
            assert missing.status_code == 404, end
            assert "SECRET" not in missing.text


def test_the_overview_tells_the_task_the_evaluation_dates_and_limits(site: Site, slug: str) -> None:
    page = site.browser().get("/competitions/otto").text
    assert "<h2>The <em>task</em></h2>" in page
    assert 'rel="nofollow noopener"' in page
    text = words(page)
    assert "Score = 0.1 · clicks + 0.3 · carts + 0.6 · orders. Higher is better." in text
    assert "clicks, carts, orders Recall@20 : hits among the first 20" in text
    assert "public board is made from about 50 % of the sessions" in text
    assert "the best of 2 submissions per team, which you select" in text
    assert "Submissions 5 per team and day; resets at 00:00 UTC" in text
    assert "Up to 2 GB, 4 GB uncompressed." in text
    assert "session_type,labels 1_clicks,17 4 92" in text
    assert "News" in text
    assert "<title>Overview · OTTO &lt;i&gt; · Podium</title>" in page


def test_files_stand_with_size_hash_and_lines_to_copy(site: Site, slug: str) -> None:
    page = site.browser().get("/competitions/otto/data").text
    sha256 = site.installation.anonymous.get("/competitions/otto/files").json()["items"][0][
        "sha256"
    ]
    text = words(page)
    assert "train.csv 8 bytes" in text
    assert f'title="{sha256}"' in page
    assert f"{sha256[:12]}…" in text
    assert "podium competitions download otto" in text
    assert "curl -O http://testserver/api/v1/competitions/otto/files/train.csv" in text
    sample = site.browser().get("/api/v1/competitions/otto/sample-submission")
    assert sample.headers["content-disposition"].startswith("attachment")


def test_rules_are_accepted_as_they_were_read(site: Site, slug: str, ada: Person) -> None:
    assert "I accept" not in site.browser().get("/competitions/otto/rules").text
    browser = site.browser(ada)
    page = browser.get("/competitions/otto/rules").text
    assert "<h2>Fair play</h2>" in page
    sha256 = next(attrs["value"] for tag, attrs in Page(page).tags if attrs.get("name") == "sha256")
    refused = browser.send("/competitions/otto/rules", sha256="0" * 64)
    assert refused.status_code == 409
    done = browser.send("/competitions/otto/rules", sha256=sha256)
    assert done.headers["location"] == "/competitions/otto/rules?done=rules-accepted"
    assert "You accepted this text" in browser.get("/competitions/otto/rules").text


def test_a_team_is_made_renamed_and_left(site: Site, slug: str, ada: Person) -> None:
    browser = site.browser(ada)
    page = "/competitions/otto/team"
    assert Page(browser.get(page).text).fields() == {"name", "accept_rules", "invite_code"}
    unread = browser.send(page, act="create", name="Engine")
    assert unread.status_code == 403
    wrong = [a["name"] for t, a in Page(unread.text).tags if a.get("aria-invalid") == "true"]
    assert wrong == ["accept_rules"]
    assert 'value="Engine"' in unread.text
    made = browser.send(page, act="create", name="Engine", accept_rules="yes")
    assert made.headers["location"] == f"{page}?done=team-made"
    assert team_of(ada)["name"] == "Engine"
    assert "My rank – no score yet" in words(browser.get("/").text)
    browser.send(page, act="rename", name="Difference Engine")
    assert team_of(ada)["name"] == "Difference Engine"
    assert browser.send(page, act="leave").status_code == 422
    assert team_of(ada)["name"] == "Difference Engine"
    left = browser.send(page, act="leave", sure="yes")
    assert left.headers["location"] == f"{page}?done=team-left"
    assert ada.get(page).status_code == 404


def test_a_taken_name_is_said_at_its_field(site: Site, slug: str, ada: Person) -> None:
    other = site.installation.person("first of the name")
    body = {"name": "Taken", "accept_rules": True}
    assert other.post("/competitions/otto/teams", json=body).status_code == 201
    browser = site.browser(ada)
    answer = browser.send("/competitions/otto/team", act="create", name="taken", accept_rules="yes")
    assert answer.status_code == 409
    wrong = [a["id"] for t, a in Page(answer.text).tags if a.get("aria-invalid") == "true"]
    assert wrong == ["make-name"]


def test_an_invite_address_leads_into_the_team_until_the_code_is_renewed(
    site: Site, slug: str, ada: Person
) -> None:
    bob, cy = (site.installation.person(f"{n} of the invite") for n in ("bob", "cy"))
    made = {"name": "Inviting", "accept_rules": True}
    code = ada.post("/competitions/otto/teams", json=made).json()["invite_code"]
    page = "/competitions/otto/team"
    assert f"http://testserver{page}?code={code}" in site.browser(ada).get(page).text
    stranger = site.browser().get(f"{page}?code={code}").text
    assert "Join the team <strong><bdi>Inviting</bdi></strong>" in stranger
    assert "/sign-in?next=%2Fcompetitions%2Fotto%2Fteam%3Fcode%3D" in stranger
    browser = site.browser(bob)
    assert f'value="{code}"' in browser.get(f"{page}?code={code}").text
    browser.send(page, act="join", invite_code=f" {code} ", accept_rules="yes")
    assert team_of(ada)["id"] == team_of(bob)["id"]
    site.browser(ada).send(page, act="renew-code")
    late = site.browser(cy).send(page, act="join", invite_code=code, accept_rules="yes")
    assert late.status_code == 404
    assert "invite_code" in late.text


def test_two_teams_become_one(site: Site, slug: str, ada: Person) -> None:
    bob = site.installation.person("bob who merges")
    for person, name in ((ada, "Taking"), (bob, "Asking")):
        body = {"name": name, "accept_rules": True}
        assert person.post("/competitions/otto/teams", json=body).status_code == 201
    page = "/competitions/otto/team"
    asking, taking = site.browser(bob), site.browser(ada)
    assert asking.send(page, act="ask", team="nobody at all").status_code == 404
    assert asking.send(page, act="ask", team="Taking").status_code == 303
    wish = ada.get("/competitions/otto/team/merge-requests").json()["items"][0]["id"]
    assert asking.send(page, act="accept", request_id=wish, sure="yes").status_code == 404
    unsure = taking.send(page, act="accept", request_id=wish)
    assert unsure.status_code == 422
    named = f'<a href="#merge-{wish}">Merge them into our team</a>: Tick the box to confirm.'
    assert named in unsure.text
    assert f'id="merge-{wish}"' in unsure.text
    done = taking.send(page, act="accept", request_id=wish, sure="yes")
    assert done.headers["location"] == f"{page}?done=merge-accepted"
    assert len(team_of(bob)["members"]) == 2
    assert "accepted" in words(taking.get(page).text)


@pytest.mark.parametrize("path", ["/nothing", "/competitions/none", "/competitions/none/team"])
def test_what_is_not_there_is_said_on_a_page(site: Site, ada: Person, path: str) -> None:
    answer = site.browser(ada).get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text.count("<h1") == 1
    assert words(answer.text).count("Not found") == 1
    assert "sign in" not in answer.text
    assert "You may have to sign in." in site.browser().get(path).text or path.endswith("/team")


def test_programs_get_problem_documents(site: Site) -> None:
    for path in ("/api/v1/nothing", "/api/v1/competitions/none"):
        answer = site.browser().get(path, headers={"Accept": "text/html"})
        assert answer.headers["content-type"] == "application/problem+json"


def test_every_page_has_its_landmarks_and_labels(site: Site, slug: str, ada: Person) -> None:
    browser = site.browser(ada)
    ends = ("", "/data", "/rules", "/announcements", "/team")
    for path in ["/", "/account", *(f"/competitions/otto{end}" for end in ends)]:
        html = browser.get(path).text
        tags = Page(html).tags
        names = [name for name, _ in tags]
        assert (names.count("h1"), names.count("main")) == (1, 1), path
        assert ("html", {"lang": "en"}) in tags
        labels = {attrs.get("for") for name, attrs in tags if name == "label"}
        for name, attrs in tags:
            is_field = name in ("input", "select", "textarea") and "hidden" not in attrs
            if is_field and attrs.get("type") not in ("hidden", "checkbox"):
                assert attrs.get("id") in labels, (path, attrs)
            assert not attrs.keys() & {"style", "onclick", "onload"}, path
        ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
        assert len(ids) == len(set(ids)), path
        own = [a for a in Page(html).addresses() if not a.startswith(("/", "#", "?"))]
        # Links of the description, and of every foot; nothing is loaded from there.
        assert set(own) <= {"https://example.org/", DOCUMENTATION}, path


def test_a_404_says_one_thing(site: Site) -> None:
    """A page that says what is missing gives no advice about its address."""
    site.installation.launched("unrevealed")
    browser = site.browser(site.installation.person("ada of the unrevealed"))
    about_addresses = "Check the address."
    unknown = browser.get("/competitions/there-is-none")
    assert (unknown.status_code, about_addresses in unknown.text) == (404, True)
    for address, detail in {
        "/organizers/new": "You need organizer rights for this page. Ask the administrator.",
        "/competitions/unrevealed/finale": "The final ranking is not published yet.",
    }.items():
        answer = browser.get(address)
        assert (answer.status_code, detail in answer.text) == (404, True)
        assert about_addresses not in answer.text


def test_a_link_that_was_used_leads_to_the_sign_in(site: Site) -> None:
    text = site.browser().get("/links/used-long-ago").text
    assert "you have an account: sign in instead" in text
    assert 'href="/sign-in"' in text


def test_a_comparison_says_that_the_reveal_brings_more(site: Site) -> None:
    site.installation.launched("compared")
    ada = site.installation.person("ada who compares")
    ada.post("/competitions/compared/teams", json={"name": "Ada"})
    sent = [
        ada.post("/competitions/compared/submissions", content=f"x{n}".encode()).json()["id"]
        for n in range(2)
    ]
    address = f"/competitions/compared/comparison?a={sent[0]}&b={sent[1]}"
    page = site.browser(ada).get(address).text
    assert "After the reveal, this page also shows" in page
    assert "<code>podium overlap FIRST SECOND</code> at home: no ground truth is needed." in page
