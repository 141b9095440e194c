"""Participant data and the sample submission: downloads with ranges, never shown by a browser."""

from __future__ import annotations

import hashlib

import pytest

from tests.builders.installation import PNG, TRUTH, Installation, problem_of

CONTENT = bytes(range(256)) * 40
SHA256 = hashlib.sha256(CONTENT).hexdigest()
ROUTE = "/competitions/otto/files/train.csv.gz"

RANGES = [
    ("bytes=0-0", 0, 1),
    ("bytes=10-19", 10, 20),
    ("bytes=10239-", 10_239, 10_240),
    ("bytes=0-99999999", 0, 10_240),
    ("bytes=-5", 10_235, 10_240),
    ("bytes=-99999", 0, 10_240),
]


@pytest.fixture
def with_file(installation: Installation) -> Installation:
    """A draft with one file."""
    installation.draft()
    answer = installation.admin.put(f"/admin{ROUTE}", content=CONTENT)
    assert answer.status_code == 201, answer.text
    return installation


def test_a_file_is_listed_with_its_size_and_hash(with_file: Installation) -> None:
    [item] = with_file.admin.get("/competitions/otto/files").json()["items"]
    assert (item["name"], item["bytes"], item["sha256"]) == ("train.csv.gz", 10_240, SHA256)
    assert item["url"] == f"/api/v1{ROUTE}"


def test_a_file_comes_back_byte_for_byte_as_a_download(with_file: Installation) -> None:
    answer = with_file.admin.get(ROUTE)
    assert answer.status_code == 200
    assert answer.content == CONTENT
    assert answer.headers["etag"] == f'"{SHA256}"'
    assert answer.headers["content-length"] == "10240"
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == 'attachment; filename="train.csv.gz"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["accept-ranges"] == "bytes"


def test_one_range_is_206(with_file: Installation) -> None:
    for wanted, start, stop in RANGES:
        answer = with_file.admin.get(ROUTE, headers={"Range": wanted})
        assert answer.status_code == 206, wanted
        assert answer.content == CONTENT[start:stop]
        assert answer.headers["content-range"] == f"bytes {start}-{stop - 1}/10240"
        assert answer.headers["content-length"] == str(stop - start)


def test_a_range_outside_is_416(with_file: Installation) -> None:
    for wanted in ("bytes=10240-", "bytes=99999-100000", "bytes=-0"):
        answer = with_file.admin.get(ROUTE, headers={"Range": wanted})
        problem_of(answer, 416, "range-not-satisfiable")
        assert answer.headers["content-range"] == "bytes */10240"


def test_other_ranges_get_the_whole_file(with_file: Installation) -> None:
    odd = ("bytes=5-1", "bytes=-", "lines=1-2", "bytes=a-b", "bytes=0-1,5-6")
    for wanted in (*odd, "bytes=" + "9" * 500 + "-"):
        answer = with_file.admin.get(ROUTE, headers={"Range": wanted})
        assert answer.status_code == 200
        assert answer.content == CONTENT


def test_a_flood_of_ranges_gets_the_whole_file_once(with_file: Installation) -> None:
    flood = "bytes=" + "0-," * 10_000
    answer = with_file.admin.get(ROUTE, headers={"Range": flood})
    assert answer.status_code == 200
    assert answer.content == CONTENT


def test_what_is_known_already_is_304(with_file: Installation) -> None:
    answer = with_file.admin.get(ROUTE, headers={"If-None-Match": f'"x", W/"{SHA256}"'})
    assert answer.status_code == 304
    assert answer.content == b""


def test_a_range_of_a_file_that_changed_is_the_whole_new_file(with_file: Installation) -> None:
    headers = {"Range": "bytes=0-9", "If-Range": '"other"'}
    assert with_file.admin.get(ROUTE, headers=headers).status_code == 200
    headers["If-Range"] = f'"{SHA256}"'
    assert with_file.admin.get(ROUTE, headers=headers).status_code == 206


def test_new_bytes_under_an_old_name_replace_it(with_file: Installation) -> None:
    answer = with_file.admin.put(f"/admin{ROUTE}", content=b"new")
    assert answer.status_code == 200
    assert with_file.admin.get(ROUTE).content == b"new"
    assert len(with_file.admin.get("/competitions/otto/files").json()["items"]) == 1


def test_an_empty_file_is_a_file(with_file: Installation) -> None:
    assert with_file.admin.put("/admin/competitions/otto/files/empty", content=b"").is_success
    assert with_file.admin.get("/competitions/otto/files/empty").content == b""


def test_a_name_that_some_system_takes_ill_is_refused(installation: Installation) -> None:
    installation.draft()
    odd = (".hidden", "a%20b", "a%22b", "a%0ab", "%2e%2e", "a%5cb", "%C3%A4", "-a", "x" * 129)
    for name in odd:
        answer = installation.admin.put(f"/admin/competitions/otto/files/{name}", content=b"x")
        assert answer.status_code in (404, 405, 422), name
    assert installation.admin.get("/competitions/otto/files").json()["items"] == []


def test_an_unknown_file_is_404(with_file: Installation) -> None:
    for name in ("nothing", "..%2ftrain.csv.gz", "train.csv.gz%00", "TRAIN.CSV.GZ"):
        answer = with_file.admin.get(f"/competitions/otto/files/{name}")
        assert answer.status_code == 404


def test_files_of_a_draft_are_for_organizers_only(installation: Installation) -> None:
    installation.draft()
    installation.admin.put(f"/admin{ROUTE}", content=CONTENT)
    assert installation.admin.get(ROUTE).status_code == 200
    for path in (ROUTE, "/competitions/otto/files"):
        problem_of(installation.anonymous.get(path), 404, "not-found")


def test_a_lost_file_is_our_fault(with_file: Installation) -> None:
    folder = with_file.application.settings.data_dir
    [stored] = [path for path in folder.rglob(f"*{SHA256}*") if path.is_file()]
    stored.unlink()
    problem_of(with_file.admin.get(ROUTE), 503, "stored-file-corrupt")


def test_everybody_gets_the_files_and_the_sample_of_a_launched_competition(
    installation_on_both: Installation,
) -> None:
    installation_on_both.launched()
    installation_on_both.admin.put(f"/admin{ROUTE}", content=CONTENT)
    anonymous = installation_on_both.anonymous
    assert anonymous.get(ROUTE).content == CONTENT
    answer = anonymous.get("/competitions/otto/sample-submission")
    lines = answer.text.splitlines()
    assert lines[:4] == ["session_type,labels", "100_clicks,", "100_carts,", "100_orders,"]
    assert len(lines) == 181
    assert answer.headers["content-disposition"].startswith("attachment")
    known = {"If-None-Match": answer.headers["etag"]}
    assert anonymous.get("/competitions/otto/sample-submission", headers=known).status_code == 304


def test_the_ground_truth_is_no_data_file_before_the_reveal(installation: Installation) -> None:
    installation.launched()
    refused = installation.admin.put("/admin/competitions/otto/files/data.jsonl", content=TRUTH)
    problem_of(refused, 422, "file-is-ground-truth")
    assert installation.admin.get("/competitions/otto/files").json()["items"] == []
    for act in ("close", "reveal"):
        assert installation.admin.post(f"/admin/competitions/otto/{act}").status_code == 200
    told = installation.admin.put("/admin/competitions/otto/files/data.jsonl", content=TRUTH)
    assert told.status_code == 201


def test_a_data_file_that_was_sent_as_the_ground_truth_by_mistake_stands_in_no_ones_way(
    installation: Installation,
) -> None:
    installation.draft(split={"public_fraction": 0.5})
    data, admin = b'{"session": 1, "events": []}\n', installation.admin
    admin.put("/admin/competitions/otto/files/train.jsonl", content=data)
    refused = admin.post("/admin/competitions/otto/ground-truth", content=data)
    assert refused.status_code == 422
    installation.upload_truth()
    again = admin.put("/admin/competitions/otto/files/again.jsonl", content=data)
    assert again.status_code == 201
    assert admin.post("/admin/competitions/otto/launch").status_code == 200


def test_a_ground_truth_that_is_a_data_file_already_cannot_be_launched(
    installation: Installation,
) -> None:
    installation.draft(split={"public_fraction": 0.5})
    installation.admin.put("/admin/competitions/otto/files/data.jsonl", content=TRUTH)
    installation.upload_truth()
    problem = problem_of(
        installation.admin.post("/admin/competitions/otto/launch"), 409, "launch-checklist"
    )
    assert [each["code"] for each in problem["errors"]] == ["labels-hidden"]
    installation.admin.delete("/admin/competitions/otto/files/data.jsonl")
    assert installation.admin.post("/admin/competitions/otto/launch").status_code == 200


@pytest.mark.parametrize(
    "name", ["photo.png", "photo.JPG", "photo.jpeg", "photo.gif", "photo.webp"]
)
def test_a_file_with_the_name_of_a_picture_has_to_be_one(
    installation: Installation, name: str
) -> None:
    installation.draft()
    path = f"/admin/competitions/otto/files/{name}"
    for content in (b"", b"\x00\x00\x00\x18ftypheic" + bytes(100), b"RIFF\x24\x00\x00\x00WAVE"):
        problem = problem_of(installation.admin.put(path, content=content), 422, "bad-file-name")
        assert "Pictures are PNG, JPEG, GIF or WebP" in problem["detail"]
    assert installation.admin.get("/competitions/otto/files").json()["items"] == []
    for content in (PNG, b"\xff\xd8\xff\xe0", b"GIF89a", b"RIFF\x24\x00\x00\x00WEBPVP8 "):
        assert installation.admin.put(path, content=content).status_code in (200, 201)


def test_data_may_be_any_bytes(installation: Installation) -> None:
    installation.draft()
    path = "/admin/competitions/otto/files/photos.heic"
    assert installation.admin.put(path, content=b"\x00\x01").status_code == 201
