"""A competition is made of its ground truth, without JavaScript: file, title, metric, draft."""

from __future__ import annotations

import base64
import gzip
import html
import re
from typing import Any

import pytest

from podium.core.database.types import new_id
from tests.builders.organizer import Organizer
from tests.builders.page import HERE, compact, fields_of

LISTS = b"user,labels\n" + b"".join(b"%d,%d %d\n" % (n, n + 100, n + 200) for n in range(200))
RATINGS = b"user,item,stars\n" + b"".join(b"%d,7,%d\n" % (n, n % 5 + 1) for n in range(200))
PRICES = b"id,price,rooms,Usage\n" + b"".join(
    b"%d,%d.5,%d,%s\n" % (n, n + 90, n % 5, b"Private" if n % 3 else b"Public") for n in range(200)
)
PAIRS = b"user_id,movie_id\n" + b"".join(b"%d,m%d\n" % (n // 2, n) for n in range(400))


def sent(olga: Organizer, content: bytes) -> str:
    """The second step, after the file was sent."""
    files = {"file": ("truth.csv", content)}
    answer = olga.browser.client.post(
        "/organizers/new/upload", files=files, headers={"Origin": HERE}
    )
    assert answer.status_code == 303, answer.text
    address = str(answer.headers["location"])
    assert "&upload=" in address
    return address


def made(olga: Organizer, content: bytes, **typed: str) -> Any:
    """The competition that comes of a file, if little is typed."""
    fields = fields_of(olga.browser.get(sent(olga, content)).text)
    slug = f"c{new_id()[-12:]}"
    answer = olga.browser.send("/organizers/new", **fields | {"title": "T", "slug": slug} | typed)
    assert answer.headers["location"] == f"/organize/{slug}?done=competition-made", answer.text
    return olga.look(slug)


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_shows_its_rows_and_becomes_the_ground_truth(olga: Organizer, packed: bool) -> None:
    content = gzip.compress(LISTS) if packed else LISTS
    page = olga.browser.get(sent(olga, content)).text
    assert "One row per id, with a list of items." in page
    assert "<td>0</td><td>100 200</td>" in compact(page)
    assert "user,labels\n0,17 4 92" in page
    found = made(olga, content)
    assert (found["id_column"], found["metric"]["full_id"]) == ("user", "recall@20")
    assert found["ground_truth"]["active_version"] == 1
    assert found["counts"]["sessions"] == 200


def test_metric_and_length_of_lists_are_chosen(olga: Organizer) -> None:
    assert made(olga, LISTS, metric="ndcg", k="7")["metric"]["full_id"] == "ndcg@7"


def test_ratings_are_recognized(olga: Organizer) -> None:
    found = made(olga, RATINGS)
    assert (found["task"], found["metric"]["full_id"]) == ("rating", "rmse")
    assert (found["item_column"], found["labels_column"]) == ("item", "stars")
    assert found["ground_truth"]["active_version"] == 1


def test_numbers_for_each_id_are_a_table_also_by_a_custom_metric(olga: Organizer) -> None:
    page = olga.browser.get(sent(olga, PRICES)).text
    assert "A table: a row for each id" in page
    assert "id,price,rooms\n0,0,0\n1,0,0" in page
    competition = made(olga, PRICES, metric="own_error")
    settings = competition["settings"]
    assert (settings["task"], settings["split"]) == ("table", "usage")
    assert [each["name"] for each in settings["table_columns"]] == ["price", "rooms"]
    assert competition["objectives"] == {"price": 1, "rooms": 1}
    truth = olga.browser.get(f"/organize/{competition['slug']}/ground-truth").text
    assert "Public, Private, Both or Ignored" in truth
    assert "Item data" not in truth
    assert "write the metric" in olga.browser.get(f"/organize/{competition['slug']}").text


def test_whole_numbers_for_each_id_can_be_read_as_a_table(olga: Organizer) -> None:
    prices = b"id,price\n" + b"".join(b"%d,%d\n" % (n, 900 + n) for n in range(120))
    lists = sent(olga, prices)
    page = olga.browser.get(lists).text
    assert "One row per id, with a list of items." in page
    (link,) = re.findall(r'href="(/organizers/new[^"]*)">Read the file as a table', page)
    fields = fields_of(olga.browser.get(html.unescape(link)).text)
    untitled = olga.browser.send("/organizers/new", **fields)
    assert "A table: a row for each id" in untitled.text
    slug = f"c{new_id()[-12:]}"
    answer = olga.browser.send("/organizers/new", **fields | {"title": "T", "slug": slug})
    assert answer.status_code == 303, answer.text
    found: Any = olga.look(slug)
    assert (found["task"], found["metric"]["full_id"]) == ("table", "rmse")
    assert found["ground_truth"]["active_version"] == 1


def test_a_row_for_each_item_may_name_its_columns_as_it_likes(olga: Organizer) -> None:
    found = made(olga, PAIRS)
    assert (found["id_column"], found["item_ids"]) == ("user_id", "string")
    assert (found["ground_truth"]["active_version"], found["counts"]["sessions"]) == (1, 200)


def test_what_is_wrong_stands_at_its_field_and_the_file_is_kept(olga: Organizer) -> None:
    address = sent(olga, LISTS)
    fields = fields_of(olga.browser.get(address).text)
    refused = olga.browser.send("/organizers/new", **fields | {"title": "", "slug": "No Slug"})
    assert refused.status_code == 422
    assert "This takes lower-case letters, digits and hyphens, for example" in refused.text
    assert "This is required." in refused.text
    again = fields_of(refused.text)
    assert (again["upload"], again["slug"]) == (fields["upload"], "No Slug")


def test_a_file_that_is_no_ground_truth_is_told_with_its_lines(olga: Organizer) -> None:
    fields = fields_of(olga.browser.get(sent(olga, b"user,labels\n1,7\n2,8,9\n3,x\n")).text)
    answer = olga.browser.send("/organizers/new", **fields | {"title": f"T {new_id()}"})
    assert answer.status_code == 422
    assert re.search(r"Line 3: [^<]*instead of 2", answer.text)


@pytest.mark.parametrize("field", ["id_column", "labels_column"])
def test_a_column_that_the_file_lacks_is_marked_under_advanced(olga: Organizer, field: str) -> None:
    fields = fields_of(olga.browser.get(sent(olga, LISTS)).text)
    typed = fields | {"title": f"T {new_id()}", field: "film"}
    refused = olga.browser.send("/organizers/new", **typed)
    assert refused.status_code == 422
    assert "other columns than those under Advanced › Columns" in refused.text
    assert '<details class="folded" open>' in refused.text
    assert re.findall(r'id="f-(\w+)" name="\w+" aria-invalid="true"', refused.text) == [field]
    assert f'href="#f-{field}"' in refused.text


@pytest.mark.parametrize("column", ["bought", "items", "labels"])
def test_an_id_with_two_lists_is_told_as_that_with_both_lines(olga: Organizer, column: str) -> None:
    rows = LISTS.replace(b"user,labels", b"user,%b" % column.encode()).replace(b"\n", b"\nu")
    page = olga.browser.get(sent(olga, rows.removesuffix(b"u") + b"u0,100 200\n")).text
    assert "One row per id, with a list of items." in page
    assert "“u0” has two rows, on line 2 and on line 202." in page
    refused = olga.browser.send("/organizers/new", **fields_of(page) | {"title": f"T {new_id()}"})
    assert refused.status_code == 422
    assert re.findall(r"Line \d+: [^<]*", refused.text) == [
        "Line 202: “u0” occurs twice: on line 2 and on line 202. Join the two rows into one, or"
        " remove one of them."
    ]


def test_a_file_that_is_refused_leaves_no_draft_and_can_be_tried_again(olga: Organizer) -> None:
    slug, twice = f"c{new_id()[-12:]}", LISTS + b"900,7 7\n"
    fields = fields_of(olga.browser.get(sent(olga, twice)).text)
    typed = fields | {"title": "Kept", "slug": slug}
    refused = olga.browser.send("/organizers/new", **typed)
    assert refused.status_code == 422
    assert olga.person.get(f"/competitions/{slug}").status_code == 404
    assert '<details class="folded" open>' in refused.text
    again = fields_of(refused.text)
    assert (again["title"], again["slug"], again["upload"]) == ("Kept", slug, fields["upload"])
    made = olga.browser.send("/organizers/new", **again | {"duplicates": "drop"})
    assert made.headers["location"] == f"/organize/{slug}?done=competition-made", made.text
    assert olga.look(slug)["ground_truth"]["active_version"] == 1


@pytest.mark.parametrize("sign", [b";", b"\t", b"::"])
def test_a_file_with_other_separators_becomes_the_ground_truth(
    olga: Organizer, sign: bytes
) -> None:
    content = LISTS.replace(b",", sign)
    page = olga.browser.get(sent(olga, content)).text
    assert "<td>0</td><td>100 200</td>" in compact(page)
    found = made(olga, content)
    assert (found["ground_truth"]["active_version"], found["counts"]["sessions"]) == (1, 200)


def test_a_file_in_a_likely_encoding_is_read_and_its_form_taken(olga: Organizer) -> None:
    rows = "".join(f"{number},{number + 100}\n" for number in range(200))
    content = f"고객ID,추천상품\n{rows}".encode("cp949")
    page = olga.browser.get(sent(olga, content)).text
    assert "Text in CP949 (Korean) that is not UTF-8" in page
    found = made(olga, content)
    assert (found["id_column"], found["ground_truth"]["active_version"]) == ("고객ID", 1)
    plain = ["separators", "no-header", "containers", "utf-16"]
    assert found["settings"]["forms"] == [*plain, "cp949"]


def test_a_file_that_cannot_be_a_ground_truth_is_refused_at_once(olga: Organizer) -> None:
    files = {"file": ("truth.csv", b"user|labels\n1|7\n")}
    refused = olga.browser.client.post(
        "/organizers/new/upload", files=files, headers={"Origin": HERE}
    )
    assert refused.status_code == 422
    assert "The file has one column, “user|labels”" in refused.text
    assert unfinished(olga) == []
    # A script sends the file to the API itself, and then asks for the page.
    head = {"Upload-Complete": "?1", "Content-Type": "application/octet-stream"}
    started = olga.person.post("/uploads", content=b"user,labels\n", headers=head).json()
    page = olga.browser.get(f"/organizers/new?upload={started['id']}")
    assert page.status_code == 422
    assert "a header and no rows" in page.text
    assert 'action="/organizers/new/upload"' in page.text


@pytest.mark.parametrize("header", [b"user,item ", b",user,item"])
def test_a_header_that_no_settings_name_is_refused_at_once(olga: Organizer, header: bytes) -> None:
    files = {"file": ("truth.csv", header + b"\n" + b"0," * header.count(b",") + b"7\n")}
    refused = olga.browser.client.post(
        "/organizers/new/upload", files=files, headers={"Origin": HERE}
    )
    assert refused.status_code == 422
    assert re.search("rename “|an index column", refused.text)
    assert unfinished(olga) == []


def test_a_first_row_that_may_be_data_is_asked_about(olga: Organizer) -> None:
    content = b"".join(b"u%03d,B%03d\n" % (n, n) for n in range(200))
    page = olga.browser.get(sent(olga, content)).text
    assert "The first row looks like data: “u000,B000”." in page
    fields = fields_of(page)
    refused = olga.browser.send("/organizers/new", **fields | {"title": f"T {new_id()}"})
    assert refused.status_code == 422
    assert '<a href="#f-header">' in refused.text
    assert made(olga, content, header="yes")["id_column"] == "u000"


def test_the_slug_comes_from_the_title_where_none_is_typed(olga: Organizer) -> None:
    end = new_id()[-12:]
    fields = fields_of(olga.browser.get(sent(olga, LISTS)).text)
    answer = olga.browser.send("/organizers/new", **fields | {"title": f"Größe {end}!"})
    assert answer.headers["location"] == f"/organize/grosse-{end}?done=competition-made"


def test_the_file_of_another_organizer_is_not_found(olga: Organizer) -> None:
    address = sent(olga, LISTS)
    other = olga.site.installation.person(f"otto {new_id()[-12:]}", organizer=True)
    assert olga.site.browser(other).get(address).status_code == 404


def unfinished(olga: Organizer) -> list[str]:
    """The ids of the organizer's unfinished uploads."""
    return [each["id"] for each in olga.person.get("/uploads").json()["items"]]


def test_choosing_another_file_discards_the_one_before(olga: Organizer) -> None:
    page = olga.browser.get(sent(olga, LISTS)).text
    form = re.search(r'action="(/organizers/new/discard/[^"]+)"[^/]*?>\s*<button[^>]*>Choose', page)
    assert form is not None
    assert len(unfinished(olga)) == 1
    answer = olga.browser.send(form[1])
    assert answer.headers["location"] == "/organizers/new?done=upload-discarded"
    assert unfinished(olga) == []
    assert olga.browser.send(form[1]).status_code == 303


def test_too_many_files_are_listed_with_a_button_each(olga: Organizer) -> None:
    for _ in range(3):
        sent(olga, LISTS)
    files = {"file": ("truth.csv", LISTS)}
    refused = olga.browser.client.post(
        "/organizers/new/upload", files=files, headers={"Origin": HERE}
    )
    assert refused.status_code == 429
    assert "/api/v1/uploads" not in re.sub(r'data-upload="[^"]*"', "", refused.text)
    kept = unfinished(olga)
    for upload in kept:
        assert f'action="/organizers/new/discard/{upload}"' in refused.text
        assert f'href="/organizers/new?upload={upload}"' in refused.text
    # A script that is told the same goes there.
    assert "too many unfinished uploads" in olga.browser.get("/organizers/new?full=yes").text
    assert olga.browser.send(f"/organizers/new/discard/{kept[0]}").status_code == 303
    assert "&upload=" in sent(olga, LISTS)


def test_a_mistake_among_the_folded_settings_opens_them_and_has_its_label(olga: Organizer) -> None:
    fields = fields_of(olga.browser.get(sent(olga, LISTS)).text)
    wrong = {"title": "", "slug": "kept", "split": "much", "max_upload_bytes": "5 bananas"}
    refused = olga.browser.send("/organizers/new", **fields | wrong)
    assert refused.status_code == 422
    assert '<details class="folded" open>' in refused.text
    summary = re.findall(r'<li><a href="#([^"]+)">([^<]+)</a>', refused.text)
    assert set(summary) == {
        ("f-title", "Title"),
        ("f-split", "Public share"),
        ("f-max_upload_bytes", "Max. file size"),
    }
    closed = olga.browser.send(
        "/organizers/new", **fields | {"title": "", "slug": "kept", "k": "0"}
    )
    assert '<details class="folded">' in closed.text
    assert '<a href="#f-metric">Metric</a>' in closed.text


def test_an_end_in_the_past_is_refused_before_a_draft_is_made(olga: Organizer) -> None:
    fields = fields_of(olga.browser.get(sent(olga, LISTS)).text)
    typed = fields | {"title": f"Past {new_id()}", "ends_at": "2001-01-01T00:00"}
    refused = olga.browser.send("/organizers/new", **typed)
    assert refused.status_code == 422
    assert "This time has passed. Choose a later one." in refused.text


def test_a_slug_that_is_taken_is_told_at_its_field_with_all_other_mistakes(olga: Organizer) -> None:
    slug = olga.draft()
    fields = fields_of(olga.browser.get(sent(olga, LISTS)).text)
    words = f"There is a competition “{slug}” already. Choose another slug."
    for wrong in (
        {"title": ""},
        {"title": "T", "split": "much"},
        {"title": "T", "ends_at": "2001-01-01T00:00"},
        {"title": "T"},
    ):
        refused = olga.browser.send("/organizers/new", **fields | {"slug": slug} | wrong)
        assert refused.status_code in (409, 422)
        at_field = re.search(r'<p class="problem" id="f-slug-problem">(.*?)</p>', refused.text)
        assert at_field is not None
        assert at_field[1] == words
        assert refused.text.count("field-bad") == (1 if wrong == {"title": "T"} else 2)
    by_hand = fields_of(olga.browser.get("/organizers/new/form").text)
    typed = by_hand | {"slug": slug, "title": "", "ends_at": "2001-01-01T00:00"}
    refused = olga.browser.send("/organizers/new/form", **typed)
    assert refused.text.count("field-bad") == 3


def test_a_close_before_the_start_is_marked_as_other_dates_are(olga: Organizer) -> None:
    fields = fields_of(olga.browser.get(sent(olga, LISTS)).text)
    dates = {"starts_at": "2999-01-02T00:00", "ends_at": "2999-01-01T00:00"}
    refused = olga.browser.send("/organizers/new", **fields | {"title": "T"} | dates)
    assert refused.status_code == 422
    assert "Look at the marked fields." in refused.text
    assert '<a href="#f-ends_at">' in refused.text
    assert refused.text.count("The competition must close after it opens.") == 2


@pytest.mark.parametrize("share", ["40%", "40 %", "0.4"])
def test_a_public_share_may_be_in_percent(olga: Organizer, share: str) -> None:
    given = made(olga, LISTS, split=share)["settings"]["split"]["public_fraction"]
    assert float(given) == 0.4


def test_a_title_that_is_missing_is_one_mistake(olga: Organizer) -> None:
    fields = fields_of(olga.browser.get(sent(olga, LISTS)).text)
    refused = olga.browser.send("/organizers/new", **fields | {"title": "   ", "slug": ""})
    assert refused.status_code == 422
    assert refused.text.count("field-bad") == 1


def test_a_file_of_no_use_is_not_listed_as_unfinished(olga: Organizer) -> None:
    name = base64.b64encode("prüfung.csv".encode()).decode()
    heads = {"Upload-Complete": "?1", "Upload-Metadata": f"filename {name}"}
    useless = olga.person.post("/uploads", content=b"user|labels\n1|7\n", headers=heads).json()
    kept = olga.person.post("/uploads", content=LISTS, headers=heads).json()
    text = olga.browser.get(f"/organizers/new?upload={useless['id']}").text
    assert f'data-discard="/api/v1/uploads/{useless["id"]}"' in text
    assert f"/organizers/new/discard/{useless['id']}" not in text
    assert f"/organizers/new/discard/{kept['id']}" in text
    assert "<bdi>prüfung.csv</bdi>" in text
    for each in (useless, kept):
        assert olga.person.delete(f"/uploads/{each['id']}").status_code == 204
