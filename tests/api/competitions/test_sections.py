"""Every section of the organizer's dashboard: access, use, and that texts stay texts."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from podium.competitions.pages.sections import OF_TABLES, SECTIONS
from tests.builders.organizer import Organizer
from tests.builders.page import Page, compact, fields_of
from tests.builders.site import Site

OF_ALL = [section for section in SECTIONS if section[0] not in OF_TABLES]

ENDS = [end for _, end, _ in OF_ALL]

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\" ' onfocus=alert(3)"


class Names(HTMLParser):
    """All elements, and whether each field has a label."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def unlabelled(self) -> list[dict[str, str | None]]:
        """Fields without a label."""
        labels = {attrs.get("for") for tag, attrs in self.elements if tag == "label"}
        return [
            attrs
            for tag, attrs in self.elements
            if tag in ("input", "select", "textarea")
            and attrs.get("type") != "hidden"
            and attrs.get("id") not in labels
            and "aria-label" not in attrs
        ]

    def repeated_ids(self) -> list[str]:
        """Ids that more than one element has."""
        ids = [str(attrs["id"]) for _, attrs in self.elements if "id" in attrs]
        return [each for each in ids if ids.count(each) > 1]


def test_a_section_is_for_organizers_of_its_competition(olga: Organizer, site: Site) -> None:
    slug = olga.launched()
    others = [site.browser(site.installation.person(f"stranger {slug}"))]
    others.append(site.browser(site.installation.person(f"foreign {slug}", organizer=True)))
    for end in ENDS:
        address = f"/organize/{slug}{end}"
        assert olga.browser.get(address).status_code == 200, end
        assert [each.get(address).status_code for each in others] == [404, 404], end
        led = site.browser().get(address)
        assert led.status_code == 303
        assert led.headers["location"].startswith("/sign-in?next=%2Forganize")


def test_sections_can_be_used_by_keyboard_and_screen_reader(olga: Organizer) -> None:
    for slug in (olga.draft(), olga.launched()):
        for end in ENDS:
            answer = olga.browser.get(f"/organize/{slug}{end}")
            names = Names(answer.text)
            tags = [tag for tag, _ in names.elements]
            assert (tags.count("h1"), tags.count("main")) == (1, 1), end
            assert names.unlabelled() == [], end
            assert names.repeated_ids() == [], end
            assert [attrs for _, attrs in names.elements if "style" in attrs] == [], end
            scripts = [attrs for tag, attrs in names.elements if tag == "script"]
            assert all((attrs.get("src") or "").startswith("/static/") for attrs in scripts), end
            assert answer.headers["cache-control"] == "no-store"


def test_a_section_stands_under_its_name_and_marks_where_one_is(olga: Organizer) -> None:
    slug = olga.draft()
    for _, end, words in OF_ALL:
        address = f"/organize/{slug}{end}"
        text = olga.browser.get(address).text
        assert f"<title>{words} · A competition · Podium</title>" in text
        here = [attrs["href"] for _, attrs in Page(text).tags if "aria-current" in attrs]
        assert here[-1] == address


def test_a_menu_without_room_unfolds_to_every_section_in_its_group(olga: Organizer) -> None:
    slug = olga.launched()
    text = compact(olga.browser.get(f"/organize/{slug}/log").text)
    folded = text[text.index("<details><summary>") : text.index("</details>")]
    assert "<strong>Log</strong>" in folded
    groups = [folded.index(f">{title}<") for title in ("Set up", "Run", "Finish")]
    assert groups == sorted(groups)
    links = [str(attrs["href"]) for tag, attrs in Page(folded).tags if tag == "a"]
    assert sorted(links) == sorted(f"/organize/{slug}{end}" for end in ENDS)


def test_what_people_type_is_text_on_every_page(olga: Organizer, site: Site) -> None:
    slug = olga.launched(rules=HOSTILE, description=HOSTILE)
    person = site.installation.person(f"<i>{slug}</i>")
    made: Any = person.post(
        f"/competitions/{slug}/teams", json={"name": f"<b>{slug}</b>", "accept_rules": True}
    ).json()
    sent: Any = person.post(
        f"/competitions/{slug}/submissions",
        content=b"a",
        params={"filename": "<b>.csv", "note": HOSTILE},
    ).json()
    reason = {"reason": HOSTILE}
    olga.person.patch(f"/admin/competitions/{slug}", json={"title": HOSTILE})
    olga.person.post(f"/admin/submissions/{sent['id']}/disqualify", json=reason)
    olga.person.post(f"/admin/teams/{made['id']}/disqualify", json=reason)
    olga.person.post(f"/admin/competitions/{slug}/close", json=reason)
    olga.person.post("/admin/invites", json={"competition": slug, "note": HOSTILE})
    hostile = {"title": HOSTILE, "text": HOSTILE}
    olga.person.post(f"/admin/competitions/{slug}/announcements", json=hostile)
    addresses = [f"/organize/{slug}{end}" for end in ENDS]
    addresses.append(f"/organize/{slug}/submissions/{sent['id']}")
    addresses.append(f"/organize/{slug}/teams/{made['id']}")
    addresses += ["/organize", "/organizers/accounts", "/organizers/links"]
    addresses.append(f"/organize/{slug}/submissions?text=%22%3E%3Cscript%3E")
    addresses.append(f"/organize/{slug}/log?who=%22%3E%3Cscript%3E")
    for address in addresses:
        text = olga.browser.get(address).text
        tags = Page(text).tags
        inline = [attrs for tag, attrs in tags if tag == "script" and "src" not in attrs]
        events = [attrs for _, attrs in tags if attrs.keys() & {"onerror", "onfocus"}]
        images = [attrs for tag, attrs in tags if tag == "img" and attrs.get("src") == "x"]
        assert (inline, events, images) == ([], [], []), address
        assert f"<b>{slug}" not in text, address
        assert f"<i>{slug}" not in text, address


def test_what_an_item_twice_means_is_said_of_ground_truth_and_submissions(olga: Organizer) -> None:
    page = olga.browser.get(f"/organize/{olga.draft()}/settings").text
    assert "The same item twice in the ground truth" in page
    assert "Reject the ground truth" in page
    assert "The same item twice in a submission" in page
    assert "Count it once" in page
    described = olga.browser.get("/openapi.json").json()["components"]["schemas"]
    told = [
        schema["properties"]["duplicates"].get("description", "")
        for schema in described.values()
        if "duplicates" in schema.get("properties", {})
    ]
    assert told
    assert all("ground truth" in text and "submission" in text for text in told)


def test_a_running_competition_is_not_closed_by_a_slip_of_its_date(olga: Organizer) -> None:
    slug = olga.launched()
    settings = f"/organize/{slug}/settings"
    fields = fields_of(olga.browser.get(settings).text)
    refused = olga.browser.send(settings, **fields | {"ends_at": "2001-01-01T00:00"})
    assert refused.status_code == 422
    assert "To close the competition now, use Close on the dashboard." in refused.text
    assert olga.look(slug)["phase"] == "open"
    # One that is over keeps its date while other settings change.
    past = {"ends_at": "2001-01-01T00:00:00Z"}
    assert olga.person.patch(f"/admin/competitions/{slug}", json=past).status_code == 200
    fields = fields_of(olga.browser.get(settings).text)
    assert olga.browser.send(settings, **fields | {"daily_limit": "7"}).status_code == 303


def test_an_open_competition_is_not_shut_by_a_later_start(olga: Organizer) -> None:
    slug = olga.launched()
    settings = f"/organize/{slug}/settings"
    fields = fields_of(olga.browser.get(settings).text)
    later = {"starts_at": "2101-01-01T00:00", "ends_at": ""}
    refused = olga.browser.send(settings, **fields | later)
    assert refused.status_code == 422
    assert "use Pause uploads on the dashboard." in refused.text
    assert olga.look(slug)["phase"] == "open"
    # One that has not begun yet may begin later still.
    soon = {"starts_at": "2100-01-01T00:00:00Z"}
    assert olga.person.patch(f"/admin/competitions/{slug}", json=soon).status_code == 200
    fields = fields_of(olga.browser.get(settings).text)
    assert olga.browser.send(settings, **fields | later).status_code == 303
    assert olga.look(slug)["phase"] == "upcoming"


def test_the_slug_of_a_draft_changes_in_its_settings_and_the_page_goes_along(
    olga: Organizer,
) -> None:
    slug, other = olga.draft(), olga.draft()
    settings = f"/organize/{slug}/settings"
    fields = fields_of(olga.browser.get(settings).text)
    taken = olga.browser.send(settings, **fields | {"slug": other})
    assert taken.status_code == 409
    assert f"There is a competition “{other}” already." in taken.text
    answer = olga.browser.send(settings, **fields | {"slug": f"{slug}-2"})
    assert answer.headers["location"] == f"/organize/{slug}-2/settings?done=settings-saved"
    page = olga.browser.get(f"/organize/{olga.launched()}/settings").text
    assert 'name="slug"' not in page
    assert "<dt>URL slug</dt>" in page
