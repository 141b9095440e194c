"""Files that organizers send with plain forms reach the API as they are, however large."""

from __future__ import annotations

import hashlib
import html
import re
from typing import Any

import pytest

from tests.builders.installation import TRUTH
from tests.builders.organizer import Organizer
from tests.builders.page import HERE, compact, fields_of


def send(olga: Organizer, address: str, file: tuple[str, bytes] | None, **texts: str) -> Any:
    """A form with a file, as browsers send it: texts first."""
    parts: list[tuple[str, Any]] = [(name, (None, text)) for name, text in texts.items()]
    parts += [("file", file)] if file is not None else [("other", (None, "x"))]
    return olga.browser.client.post(address, files=parts, headers={"Origin": HERE})


def test_a_ground_truth_is_read_and_counted_on_the_page(olga: Organizer) -> None:
    slug = olga.draft(split={"public_fraction": 0.5})
    base = f"/organize/{slug}"
    answer = send(olga, f"{base}/uploads/ground-truth", ("truth.jsonl", TRUTH))
    assert answer.headers["location"] == f"{base}/ground-truth?done=truth-uploaded", answer.text
    stored = olga.person.get(f"/admin/competitions/{slug}/ground-truth/1").json()
    assert stored["sha256"] == hashlib.sha256(TRUTH).hexdigest()
    page = olga.browser.get(answer.headers["location"])
    assert "The ground truth is checked and stored." in page.text
    public = stored["objectives"]["clicks"]["public"]["queries"]
    count = rf'<td class="number" data-label="Lists with labels">{public}</td>'
    row = rf'clicks</th>\s*<td data-label="Split">public</td>\s*{count}'
    assert re.search(row, compact(page.text))
    assert "1 warning" in page.text
    one = olga.browser.get(f"{base}/ground-truth/1")
    assert stored["canonical_sha256"] in one.text


def test_a_corrected_ground_truth_says_what_differs_from_the_one_in_use(olga: Organizer) -> None:
    slug = olga.launched()
    base = f"/organize/{slug}"
    fewer = b"".join(TRUTH.splitlines(keepends=True)[19:])
    fewer = fewer.replace(b'"clicks": 159', b'"clicks": 158')
    answer = send(olga, f"{base}/uploads/ground-truth", ("truth.jsonl", fewer))
    for address in (answer.headers["location"], f"{base}/ground-truth/2"):
        page = compact(olga.browser.get(address).text)
        assert "Version 2 compared with version 1" in page
        row = ("60", "41", "19", "0", "1")
        cells = r"\s*".join(rf'<td class="number" data-label="[^"]+">{count}</td>' for count in row)
        assert re.search(rf"sessions with labels</th>\s*{cells}", page, re.IGNORECASE)
    assert "19 ids have labels in version 1 and none in this one, for example 100, 101" in page
    named = "Sessions with labels in version 1 only, the first 10 of 19: <code>100</code>"
    assert named in re.sub(r"\s+", " ", page)
    assert "Sessions with other labels: <code>159</code></p>" in re.sub(r"\s+", " ", page)
    assert "compared with" not in olga.browser.get(f"{base}/ground-truth/1").text


def test_settings_that_outdate_the_ground_truth_say_so_and_a_button_reads_it_again(
    olga: Organizer,
) -> None:
    slug = olga.draft(split={"public_fraction": 0.5})
    base = f"/organize/{slug}"
    send(olga, f"{base}/uploads/ground-truth", ("truth.jsonl", TRUTH))
    page = olga.browser.get(f"{base}/settings").text
    assert "has to be read again" in page
    button = f'action="{base}/ground-truth/read-again"'
    assert button not in page
    fields = fields_of(page)
    saved = olga.browser.send(f"{base}/settings", **fields | {"decimals": "4"})
    assert saved.headers["location"].endswith("?done=settings-saved")
    fields = fields_of(olga.browser.get(f"{base}/settings").text)
    saved = olga.browser.send(f"{base}/settings", **fields | {"split": "0.4"})
    assert saved.headers["location"] == f"{base}/settings?done=settings-saved-outdated"
    for address in (saved.headers["location"], f"{base}/ground-truth"):
        assert button in olga.browser.get(address).text
    assert "Next step: read the ground truth again" in olga.browser.get(base).text
    again = olga.browser.send(f"{base}/ground-truth/read-again")
    assert again.headers["location"] == f"{base}/ground-truth?done=truth-uploaded"
    assert olga.look(slug)["ground_truth"]["active_version"] == 2
    assert button not in olga.browser.get(f"{base}/settings").text


def test_a_ground_truth_that_is_bad_is_told_with_its_lines(olga: Organizer) -> None:
    slug = olga.draft()
    address = f"/organize/{slug}/uploads/ground-truth"
    bad = b'{"session": 1, "labels": {"clicks": 1}}\n{"session": 2, "labels": {"teas": 1}}\n'
    answer = send(olga, address, ("truth.jsonl", bad))
    assert answer.status_code == 422
    assert "teas" in html.unescape(answer.text)
    assert 'role="alert"' in answer.text
    assert olga.look(slug)["ground_truth"] == {
        "active_version": None,
        "latest_version": None,
        "published_ids": None,
    }


def test_a_data_file_is_called_as_it_is_or_as_the_organizer_says(olga: Organizer) -> None:
    slug = olga.draft()
    address = f"/organize/{slug}/uploads/files"
    large = bytes(range(256)) * (3 << 12)
    assert send(olga, address, ("train set.csv", large)).status_code == 422
    put = send(olga, address, ("train.csv", large))
    assert put.headers["location"] == f"/organize/{slug}/files?done=file-put-draft"
    assert "from the launch on" in olga.browser.get(put.headers["location"]).text
    assert send(olga, address, ("x", b"other"), name="test.csv").status_code == 303
    listed = olga.person.get(f"/competitions/{slug}/files").json()["items"]
    assert [(each["name"], each["bytes"]) for each in listed] == [
        ("test.csv", 5),
        ("train.csv", len(large)),
    ]
    content = olga.person.get(f"/competitions/{slug}/files/train.csv").content
    assert content == large
    assert "train.csv" in olga.browser.get(f"/organize/{slug}/files").text


def test_what_is_known_about_items_and_sessions_comes_and_goes(olga: Organizer) -> None:
    slug = olga.draft()
    base = f"/organize/{slug}"
    send(olga, f"{base}/uploads/ground-truth", ("truth.jsonl", TRUTH))
    items = b"item,users\n1,3\n7,20\n"
    refused = send(olga, f"{base}/uploads/items", ("items.csv", items), training_users="")
    assert refused.status_code == 422
    given = send(olga, f"{base}/uploads/items", ("items.csv", items), training_users="30")
    assert given.headers["location"] == f"{base}/ground-truth?done=items-told#items"
    sessions = b"session,shop\n" + b"".join(b"%d,de\n" % each for each in range(100, 160))
    assert send(olga, f"{base}/uploads/sessions", ("s.csv", sessions)).status_code == 303
    page = compact(olga.browser.get(f"{base}/ground-truth").text)
    assert re.search(r"Training users</dt><dd>30</dd>", page)
    assert re.search(r"Columns</dt><dd>shop</dd>", page)
    for kind in ("items", "sessions"):
        assert olga.browser.send(f"{base}/ground-truth/forget/{kind}").status_code == 303
        assert olga.person.get(f"/admin/competitions/{slug}/{kind}").status_code == 404


def test_pages_speak_of_users_where_ids_are_users(olga: Organizer) -> None:
    objectives = {"items": 1}
    slug = olga.draft(id_column="user", objectives=objectives, metric="recall@5")
    base = f"/organize/{slug}"
    truth = b"user,item\n" + b"".join(b"%d,%d\n" % (n, n % 7) for n in range(60))
    send(olga, f"{base}/uploads/ground-truth", ("truth.csv", truth))
    for address in (f"{base}/ground-truth", f"{base}/ground-truth/1"):
        page = olga.browser.get(address).text
        text = re.sub(r'<section class="card" id="raw".*?</section>|<[^>]*>', " ", page, flags=re.S)
        assert "Users" in text
        assert not re.search(r"[Ss]essions|[Qq]ueries|[Dd]enominator", text)


def test_published_ids_are_given_by_a_form(olga: Organizer) -> None:
    slug = olga.draft()
    ids = b"\n".join(b"%d" % each for each in range(90, 170))
    answer = send(olga, f"/organize/{slug}/uploads/published-ids", ("ids.csv", ids))
    assert answer.status_code == 303, answer.text
    assert olga.look(slug)["counts"]["sessions"] == 80


def test_a_baseline_submits_from_its_page(olga: Organizer) -> None:
    slug = olga.launched()
    made = olga.browser.send(f"/organize/{slug}/teams/new/baseline", name="Popular")
    assert made.status_code == 303, made.text
    team = olga.person.get(f"/admin/competitions/{slug}/teams").json()["items"][0]
    assert 'name="team"' in olga.browser.get(f"/organize/{slug}/teams/{team['id']}").text
    address = f"/organize/{slug}/uploads/baseline"
    answer = send(olga, address, ("popular.csv", b"not yet judged"), team=team["id"])
    assert answer.headers["location"].endswith("/submissions?done=baseline-submitted")
    found = olga.person.get(f"/admin/competitions/{slug}/submissions").json()["items"][0]
    assert (found["team"]["name"], found["filename"]) == ("Popular", "popular.csv")
    assert (found["bytes"], found["sha256"]) == (
        14,
        hashlib.sha256(b"not yet judged").hexdigest(),
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
            "boundary",
        ),
        (b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n', "nothing else"),
        (b"--x--\r\n", "no field"),
        (b"nonsense", "malformed"),
    ],
)
def test_a_form_that_is_not_whole_stores_nothing(olga: Organizer, body: bytes, words: str) -> None:
    slug = olga.draft()
    answer = olga.browser.client.post(
        f"/organize/{slug}/uploads/files",
        content=body,
        headers={"Origin": HERE, "Content-Type": "multipart/form-data; boundary=x"},
    )
    assert answer.status_code in (400, 422), answer.text
    assert words in html.unescape(answer.text)
    assert olga.person.get(f"/competitions/{slug}/files").json()["items"] == []


@pytest.mark.parametrize("size", [1, 7, 64])
def test_a_form_may_come_in_pieces_of_any_size(olga: Organizer, size: int) -> None:
    slug = olga.draft()
    file = bytes(range(256)) * 3 + b"\r\n--x\r\n"
    form = (
        b'--x-y\r\nContent-Disposition: form-data; name="name"\r\n\r\nall.bin\r\n--x-y\r\n'
        b'Content-Disposition: form-data; name="file"; filename="f"\r\n\r\n' + file
    ) + b"\r\n--x-y--\r\n"
    pieces = (form[start : start + size] for start in range(0, len(form), size))
    answer = olga.browser.client.post(
        f"/organize/{slug}/uploads/files",
        content=pieces,
        headers={"Origin": HERE, "Content-Type": "multipart/form-data; boundary=x-y"},
    )
    assert answer.status_code == 303, answer.text
    assert olga.person.get(f"/competitions/{slug}/files/all.bin").content == file


def test_a_file_from_another_site_is_refused(olga: Organizer) -> None:
    slug = olga.draft()
    answer = olga.browser.client.post(
        f"/organize/{slug}/uploads/files",
        files={"file": ("a.csv", b"1")},
        headers={"Origin": "https://evil.example"},
    )
    assert answer.status_code == 403
    assert olga.person.get(f"/competitions/{slug}/files").json()["items"] == []


def test_others_upload_nothing(olga: Organizer) -> None:
    slug = olga.launched()
    stranger = olga.site.browser(olga.installation.person(f"s {slug}"))
    for kind in ("ground-truth", "files", "items", "sessions", "published-ids", "baseline"):
        answer = stranger.client.post(
            f"/organize/{slug}/uploads/{kind}",
            files={"file": ("a.csv", b"1")},
            headers={"Origin": HERE},
        )
        assert answer.status_code == 404, kind
    assert stranger.get(f"/organize/{slug}/uploads/files").status_code in (404, 405)


def test_a_ground_truth_with_semicolons_is_told_how_to_save_commas(olga: Organizer) -> None:
    slug = olga.draft(split={"public_fraction": 0.5}, forms=[])
    file = ("truth.csv", b"\xef\xbb\xbfsession_type;labels\r\n1_clicks;7\r\n")
    refused = send(olga, f"/organize/{slug}/uploads/ground-truth", file)
    assert refused.status_code == 422
    assert "the columns are separated by semicolons, not commas." in html.unescape(refused.text)
    assert "“CSV UTF-8 (Comma delimited)”" in refused.text
    assert "In Google Sheets, also on a phone, download or save it as CSV." in refused.text


def test_a_picture_is_no_data_for_participants(olga: Organizer) -> None:
    slug = olga.draft()
    base = f"/organize/{slug}"
    todo = r'class="(is-\w+)"><span>\w+</span><a href="[^"]*/files">Add the data'
    for name, state in (("Shop.PNG", "is-warning"), ("train.csv", "is-done")):
        send(olga, f"{base}/uploads/files", (name, b"content of " + name.encode()))
        found = re.search(todo, olga.browser.get(base).text)
        assert found is not None
        assert found[1] == state


def test_ids_without_a_right_item_are_asked_for_in_a_sentence_with_a_link(olga: Organizer) -> None:
    slug = olga.draft(split={"public_fraction": 0.5})
    rows = b"".join(
        b"%d,%b,%d\n" % (session, kind, session)
        for session in range(60)
        for kind in (b"clicks", b"carts", b"orders")
    )
    file = ("truth.csv", b"session,type,aid\n" + rows)
    send(olga, f"/organize/{slug}/uploads/ground-truth", file)
    page = olga.browser.get(f"/organize/{slug}?check=true").text
    sentence = "Only ids with a row are part of the test set: where participants must also answer"
    line = re.search(rf"{sentence}[^<]*<a href=\"([^\"]+)\">", page)
    assert line is not None
    assert line[1] == f"/organize/{slug}/ground-truth"


def test_a_rejected_ground_truth_is_listed_with_its_reason(olga: Organizer) -> None:
    slug = olga.draft(split={"public_fraction": 0.5})
    file = ("truth.csv", b"session_type,labels\n1_clicks,7\n1_clicks,x\n2_clicks,x\n")
    send(olga, f"/organize/{slug}/uploads/ground-truth", file)
    page = olga.browser.get(f"/organize/{slug}/ground-truth").text
    assert ">Rejected upload</a>" in page
    assert re.search(r"Line 3: “x” is not [^<]*\(and 1 other problem\)", page)


def test_a_new_version_leads_to_its_rejudging_and_rejected_uploads_are_folded(
    olga: Organizer,
) -> None:
    slug = olga.launched()
    address = f"/organize/{slug}/ground-truth"
    rejected = ("truth.csv", b"session_type,labels\n1_clicks,x\n")
    send(olga, f"/organize/{slug}/uploads/ground-truth", rejected)
    page = compact(olga.browser.get(address).text)
    assert '<details class="folded" open><summary>1 rejected upload' in page
    changed = ("truth.jsonl", TRUTH.replace(b'"clicks": 100,', b'"clicks": 9,'))
    send(olga, f"/organize/{slug}/uploads/ground-truth", changed)
    page = compact(olga.browser.get(address).text)
    assert '<details class="folded"><summary>1 rejected upload' in page
    button = f'href="/organize/{slug}/rejudgings?version=2#new">Rejudge with version 2</a>'
    assert page.count(button) == 1
    assert olga.browser.get(f"{address}/2").text.count(button) == 1
    assert button not in olga.browser.get(f"{address}/1").text
