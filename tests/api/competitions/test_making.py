"""A competition is made, set up and changed on pages, without JavaScript."""

from __future__ import annotations

import html
import re

from podium.core.database.types import new_id
from tests.builders.installation import PNG
from tests.builders.organizer import Organizer
from tests.builders.page import Page, fields_of


def name() -> str:
    return f"c{new_id()[-12:]}"


def test_a_draft_is_made_from_a_preset(olga: Organizer) -> None:
    fields = fields_of(olga.browser.get("/organizers/new/form?preset=h-and-m").text)
    assert (fields["metric"], fields["id_column"]) == ("map_capped@12", "customer_id")
    slug = name()
    answer = olga.browser.send(
        "/organizers/new/form", **fields | {"slug": slug, "title": "Shoes", "daily_limit": "7"}
    )
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        f"/organize/{slug}?done=competition-made",
    )
    made = olga.look(slug)
    assert (made["title"], made["phase"], made["daily_limit"]) == ("Shoes", "draft", 7)
    assert made["query_ids"] == "string"
    page = olga.browser.get(answer.headers["location"])
    assert "Draft created." in page.text


def test_forms_of_submissions_are_boxes_to_tick(olga: Organizer) -> None:
    fields = fields_of(olga.browser.get("/organizers/new/form").text)
    plain = ["separators", "no-header", "containers", "utf-16"]
    assert fields["forms"] == ["", *plain]
    made, other = name(), name()
    answer = olga.browser.send("/organizers/new/form", **fields | {"slug": made, "title": "Plain"})
    assert answer.status_code == 303, answer.text
    assert olga.look(made)["settings"]["forms"] == plain
    chosen = {"slug": other, "title": "Other", "forms": ["", "json"]}
    olga.browser.send("/organizers/new/form", **fields | chosen)
    assert olga.look(other)["settings"]["forms"] == ["json"]

    fields = fields_of(olga.browser.get(f"/organize/{other}/settings").text)
    assert fields["forms"] == ["", "json"]
    both = {"forms": ["", "candidate-ranks"], "title": "Kept"}
    answer = olga.browser.send(f"/organize/{other}/settings", **fields | both)
    assert answer.status_code == 422
    assert 'id="f-forms-problem"' in answer.text
    assert fields_of(answer.text)["forms"] == ["", "candidate-ranks"]
    answer = olga.browser.send(f"/organize/{other}/settings", **fields | {"forms": [""]})
    assert answer.status_code == 303, answer.text
    assert olga.look(other)["settings"].get("forms", []) == []


def test_what_is_wrong_stands_at_its_field_and_what_was_typed_stays(olga: Organizer) -> None:
    fields = fields_of(olga.browser.get("/organizers/new/form").text)
    wrong = {"slug": "No Slug!", "title": "Kept", "daily_limit": "many", "metric": "ndgc@20"}
    answer = olga.browser.send("/organizers/new/form", **fields | wrong)
    assert answer.status_code == 422
    shown = {attrs["id"]: attrs for _, attrs in Page(answer.text).tags if attrs.get("id")}
    assert shown["f-slug"]["aria-invalid"] == shown["f-daily_limit"]["aria-invalid"] == "true"
    assert shown["f-title"]["value"] == "Kept"
    assert 'role="alert"' in answer.text


def test_presets_stand_with_the_columns_of_their_submissions(olga: Organizer) -> None:
    text = olga.browser.get("/organizers/metrics").text
    shown = re.findall(r'data-label="Columns">(.*?)</td>', text)
    assert {"session_type, labels", "customer_id, movie_id, rating"} <= set(shown)
    assert "user_id, tweet_id, reply, retweet, retweet-with-comment, like" in shown


WRONG = {
    "daily_limit": "many",
    "max_upload_bytes": "5 bananas",
    "registration": "code",
    "metric": "ndgc@10",
    "labels_column": "session_type",
    "starts_at": "2030-01-02T00:00",
    "ends_at": "2030-01-01T00:00",
}
"""A mistake of each kind: of a field, of fields together, of metrics, of dates."""

TOLD = {
    "daily_limit": "This takes a whole number, for example 5.",
    "max_upload_bytes": "This takes a size, for example 2 GB.",
    "registration_code": "Registration by code needs a class code of 6 or more characters.",
    "metric": "Unknown metric 'ndgc'. Did you mean ndcg@10?",
    "labels_column": "Two columns have the same name.",
    "ends_at": "The competition must close after it opens.",
}


def told(text: str) -> dict[str, str]:
    """The problems of a page at their fields."""
    found = re.findall(r'<p class="problem" id="f-(\w+)-problem">(.*?)</p>', text)
    return {field: html.unescape(words) for field, words in found}


def test_all_mistakes_of_a_new_competition_are_told_at_once(olga: Organizer) -> None:
    fields = fields_of(olga.browser.get("/organizers/new/form").text)
    answer = olga.browser.send("/organizers/new/form", **fields | WRONG | {"slug": "No Slug!"})
    assert answer.status_code == 422
    required = {"slug", "title"}
    found = told(answer.text)
    assert {name: found[name] for name in TOLD} == TOLD
    assert found.keys() == TOLD.keys() | required


def test_all_mistakes_of_changed_settings_are_told_at_once(olga: Organizer) -> None:
    slug = olga.draft()
    address = f"/organize/{slug}/settings"
    fields = fields_of(olga.browser.get(address).text)
    answer = olga.browser.send(address, **fields | WRONG)
    assert (answer.status_code, told(answer.text)) == (422, TOLD)
    # Without the mistakes that one field has by itself, the others are still told together.
    few = {"daily_limit": "5", "max_upload_bytes": "2 GB", "registration": "open"}
    answer = olga.browser.send(address, **fields | WRONG | few | {"labels_column": "labels"})
    assert told(answer.text) == {name: TOLD[name] for name in ("metric", "ends_at")}


def test_a_name_that_is_taken_is_told_at_its_field(olga: Organizer) -> None:
    slug = olga.draft()
    fields = fields_of(olga.browser.get("/organizers/new/form").text)
    answer = olga.browser.send("/organizers/new/form", **fields | {"slug": slug, "title": "Again"})
    assert answer.status_code == 409
    assert re.search(r'id="f-slug-problem">[^<]*already', answer.text)


def test_settings_that_are_not_sent_stay_as_they_are(olga: Organizer) -> None:
    slug = olga.draft(
        objectives={"clicks": 0.1, "carts": {"weight": 0.35, "metric": "ndcg@5"}},
        diagnostics=["mrr@20"],
        starts_at="2030-01-02T03:04:00Z",
        late_submissions=True,
        total_limit=40,
    )
    before = olga.look(slug)
    page = olga.browser.get(f"/organize/{slug}/settings")
    answer = olga.browser.send(f"/organize/{slug}/settings", **fields_of(page.text))
    assert answer.status_code == 303, answer.text
    after = olga.look(slug)
    assert after["settings"] == before["settings"]
    assert after["starts_at"] == before["starts_at"]


def test_the_slower_of_two_organizers_undoes_nothing(olga: Organizer) -> None:
    slug = olga.draft()
    fields = fields_of(olga.browser.get(f"/organize/{slug}/settings").text)
    olga.person.patch(f"/admin/competitions/{slug}", json={"title": "Faster"})
    answer = olga.browser.send(f"/organize/{slug}/settings", **fields)
    assert answer.status_code == 412
    assert olga.look(slug)["title"] == "Faster"


def test_after_the_launch_the_form_holds_only_what_may_change(olga: Organizer) -> None:
    slug = olga.launched()
    page = Page(olga.browser.get(f"/organize/{slug}/settings").text)
    assert "daily_limit" in page.fields()
    assert page.fields() & {"objectives", "metric", "id_column", "split", "task"} == set()
    fields = fields_of(olga.browser.get(f"/organize/{slug}/settings").text)
    answer = olga.browser.send(f"/organize/{slug}/settings", **fields | {"daily_limit": "9"})
    assert answer.status_code == 303, answer.text
    assert olga.look(slug)["daily_limit"] == 9


def test_a_settings_file_makes_the_same_competition_and_changes_another(olga: Organizer) -> None:
    slug = olga.draft(objectives={"clicks": 1}, metric="recall@20", description="# A\n\nb: c\n")
    text = olga.person.get(f"/admin/competitions/{slug}/settings.yaml").text
    other = name()
    made = olga.browser.send("/organizers/new/file", settings=text, slug=other, title="")
    assert made.status_code == 303, made.text
    assert olga.look(other)["settings"] == olga.look(slug)["settings"]
    assert olga.look(other)["description"] == "# A\n\nb: c\n"
    changed = olga.browser.send(f"/organize/{other}/settings/file", settings="title: Renamed\n")
    assert changed.status_code == 303, changed.text
    assert (olga.look(other)["title"], olga.look(other)["decimals"]) == ("Renamed", 5)


def test_a_file_that_cannot_be_read_names_its_line_and_stays(olga: Organizer) -> None:
    slug = olga.draft()
    text = "title: One\nrules: &a [x]\nmore: *a\n"
    answer = olga.browser.send(f"/organize/{slug}/settings/file", settings=text)
    assert answer.status_code == 422
    assert "Line 3: References (*name) are not read." in html.unescape(answer.text)
    assert text in html.unescape(answer.text)
    unknown = olga.browser.send(f"/organize/{slug}/settings/file", settings="color: red\n")
    assert unknown.status_code == 422
    assert "color" in unknown.text


def test_texts_are_seen_before_they_are_saved(olga: Organizer) -> None:
    slug = olga.draft(rules="Play fair.")
    fields = fields_of(olga.browser.get(f"/organize/{slug}/texts").text)
    typed = fields | {"description": "## Go\n\n<script>alert(1)</script> **now**"}
    seen = olga.browser.send(f"/organize/{slug}/texts", **typed | {"act": "preview"})
    assert seen.status_code == 200
    assert "<strong>now</strong>" in seen.text
    assert "<script>alert" not in seen.text
    assert "Not saved yet" in seen.text
    assert olga.look(slug)["description"] == ""
    saved = olga.browser.send(f"/organize/{slug}/texts", **typed)
    assert saved.status_code == 303, saved.text
    assert olga.look(slug)["description"] == typed["description"]
    assert olga.look(slug)["rules"] == "Play fair."


def test_the_preview_names_formulas_and_pictures_that_are_not_shown(olga: Organizer) -> None:
    slug = olga.draft()
    files = f"/api/v1/competitions/{slug}/files"
    olga.person.put(f"/admin/competitions/{slug}/files/there.png", content=PNG)
    fields = fields_of(olga.browser.get(f"/organize/{slug}/texts").text)
    good = f"$x^2$ and ![a]({files}/there.png)"
    bad = f"$\\frac{{1$, ![b]({files}/cover.png) and ![c](https://example.org/c.png)"
    for text, is_named in ((good, False), (f"{good} {bad}", True)):
        typed = fields | {"rules": text, "act": "preview"}
        seen = html.unescape(olga.browser.send(f"/organize/{slug}/texts", **typed).text)
        assert ("There is no data file cover.png." in seen) is is_named
        assert ("This formula cannot be read: \\frac{1" in seen) is is_named
        assert ("among the data files: https://example.org/c.png" in seen) is is_named
        assert "There is no data file there.png." not in seen


def test_an_announcement_is_seen_before_it_is_published(olga: Organizer) -> None:
    slug = olga.launched()
    base = f"/organize/{slug}/announcements"
    typed = {"title": "News", "text": "**Now** $\\frac{{1$", "act": "preview"}
    seen = olga.browser.send(base, **typed)
    assert seen.status_code == 200
    assert "<strong>Now</strong>" in seen.text
    assert "This formula cannot be read: \\frac{{1" in html.unescape(seen.text)
    assert 'value="News"' in seen.text
    listed = olga.person.get(f"/competitions/{slug}/announcements").json()
    assert listed["items"] == []


def test_an_announcement_is_made_changed_and_removed(olga: Organizer) -> None:
    slug = olga.launched()
    base = f"/organize/{slug}/announcements"

    def announcements() -> list[tuple[str, str]]:
        listed = olga.person.get(f"/competitions/{slug}/announcements").json()["items"]
        return [(each["title"], each["text"]) for each in listed]

    assert olga.browser.send(base, title="Hello", text="*there*").status_code == 303
    assert announcements() == [("Hello", "*there*")]
    assert "<em>there</em>" in olga.browser.get(base).text
    found = olga.person.get(f"/competitions/{slug}/announcements").json()["items"][0]["id"]
    olga.browser.send(f"{base}/{found}/change", title="Hello again", text="*there*")
    assert announcements() == [("Hello again", "*there*")]
    wrong = olga.browser.send(f"{base}/{found}/change", title="", text="x")
    assert wrong.status_code == 422
    olga.browser.send(f"{base}/{found}/remove")
    assert announcements() == []


def test_example_rows_have_the_competition_s_own_columns_and_kinds_of_ids(olga: Organizer) -> None:
    texts = {"query_ids": "string", "item_ids": "string", "id_column": "user_id"}
    slug = olga.draft(objectives={"items": 1}, metric="recall@5", **texts)
    page = olga.browser.get(f"/competitions/{slug}").text
    assert "user_id,labels\nuser-1,item-17 item-4 item-92\nuser-2,item-8 item-31\nuser-3," in page
    rated = olga.draft(preset="rmse", item_column="film")
    page = olga.browser.get(f"/competitions/{rated}").text
    assert re.search(r",film,\w+\n1,7,3.5\n1,9,4\n2,7,1.25", page)
