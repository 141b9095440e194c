"""Participant data and the sample submission: downloads with ranges, never shown by a browser."""

from __future__ import annotations

import hashlib
import time

import pytest

from tests.functional.api.installation import Installation, problem_of

CONTENT = bytes(range(256)) * 40
SHA256 = hashlib.sha256(CONTENT).hexdigest()
ROUTE = "/competitions/otto/files/train.csv.gz"


@pytest.fixture
def with_file(installation: Installation) -> Installation:
    """A launched competition with one file."""
    installation.launched()
    answer = installation.admin.put(f"/admin{ROUTE}", content=CONTENT)
    assert answer.status_code == 201, answer.text
    return installation


def test_a_file_is_listed_with_its_size_and_hash(with_file: Installation) -> None:
    [item] = with_file.nobody.get("/competitions/otto/files").json()["items"]
    assert (item["name"], item["bytes"], item["sha256"]) == ("train.csv.gz", 10_240, SHA256)
    assert item["url"] == f"/api/v1{ROUTE}"


def test_a_file_comes_back_byte_for_byte_as_a_download(with_file: Installation) -> None:
    answer = with_file.nobody.get(ROUTE)
    assert answer.status_code == 200
    assert answer.content == CONTENT
    assert answer.headers["etag"] == f'"{SHA256}"'
    assert answer.headers["content-length"] == "10240"
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == 'attachment; filename="train.csv.gz"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["accept-ranges"] == "bytes"


@pytest.mark.parametrize(
    ("wanted", "start", "stop"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=10-19", 10, 20),
        ("bytes=10239-", 10_239, 10_240),
        ("bytes=0-99999999", 0, 10_240),
        ("bytes=-5", 10_235, 10_240),
        ("bytes=-99999", 0, 10_240),
    ],
)
def test_one_range_is_206(with_file: Installation, wanted: str, start: int, stop: int) -> None:
    answer = with_file.nobody.get(ROUTE, headers={"Range": wanted})
    assert answer.status_code == 206
    assert answer.content == CONTENT[start:stop]
    assert answer.headers["content-range"] == f"bytes {start}-{stop - 1}/10240"
    assert answer.headers["content-length"] == str(stop - start)


@pytest.mark.parametrize("wanted", ["bytes=10240-", "bytes=99999-100000", "bytes=-0"])
def test_a_range_outside_is_416(with_file: Installation, wanted: str) -> None:
    answer = with_file.nobody.get(ROUTE, headers={"Range": wanted})
    assert answer.status_code == 416
    assert answer.headers["content-range"] == "bytes */10240"
    assert answer.content == b""


@pytest.mark.parametrize(
    "wanted",
    ["bytes=5-1", "bytes=-", "lines=1-2", "bytes=a-b", "bytes=0-1,5-6", "bytes=" + "9" * 500 + "-"],
)
def test_other_ranges_get_the_whole_file(with_file: Installation, wanted: str) -> None:
    answer = with_file.nobody.get(ROUTE, headers={"Range": wanted})
    assert answer.status_code == 200
    assert answer.content == CONTENT


def test_a_flood_of_ranges_costs_nothing(with_file: Installation) -> None:
    flood = "bytes=" + "0-," * 10_000
    started = time.perf_counter()
    answer = with_file.nobody.get(ROUTE, headers={"Range": flood})
    assert answer.status_code == 200
    assert answer.content == CONTENT
    assert time.perf_counter() - started < 0.5


def test_what_is_known_already_is_304(with_file: Installation) -> None:
    answer = with_file.nobody.get(ROUTE, headers={"If-None-Match": f'"x", W/"{SHA256}"'})
    assert answer.status_code == 304
    assert answer.content == b""


def test_a_range_of_a_file_that_changed_is_the_whole_new_file(with_file: Installation) -> None:
    headers = {"Range": "bytes=0-9", "If-Range": '"other"'}
    assert with_file.nobody.get(ROUTE, headers=headers).status_code == 200
    headers["If-Range"] = f'"{SHA256}"'
    assert with_file.nobody.get(ROUTE, headers=headers).status_code == 206


def test_new_bytes_under_an_old_name_replace_it(with_file: Installation) -> None:
    answer = with_file.admin.put(f"/admin{ROUTE}", content=b"new")
    assert answer.status_code == 200
    assert with_file.nobody.get(ROUTE).content == b"new"
    assert len(with_file.nobody.get("/competitions/otto/files").json()["items"]) == 1


def test_an_empty_file_is_a_file(with_file: Installation) -> None:
    assert with_file.admin.put("/admin/competitions/otto/files/empty", content=b"").is_success
    assert with_file.nobody.get("/competitions/otto/files/empty").content == b""


@pytest.mark.parametrize(
    "name", [".hidden", "a%20b", "a%22b", "a%0ab", "%2e%2e", "x" * 129, "a%5cb", "%C3%A4", "-a"]
)
def test_a_name_that_some_system_takes_ill_is_refused(
    installation: Installation, name: str
) -> None:
    installation.draft()
    answer = installation.admin.put(f"/admin/competitions/otto/files/{name}", content=b"x")
    assert answer.status_code in (404, 405, 422)
    assert installation.admin.get("/competitions/otto/files").json()["items"] == []


@pytest.mark.parametrize(
    "name", ["nothing", "..%2ftrain.csv.gz", "train.csv.gz%00", "TRAIN.CSV.GZ"]
)
def test_an_unknown_file_is_404(with_file: Installation, name: str) -> None:
    assert with_file.nobody.get(f"/competitions/otto/files/{name}").status_code == 404


def test_files_of_a_draft_are_for_organizers_only(installation: Installation) -> None:
    installation.draft()
    installation.admin.put(f"/admin{ROUTE}", content=CONTENT)
    assert installation.admin.get(ROUTE).status_code == 200
    for path in (ROUTE, "/competitions/otto/files"):
        problem_of(installation.nobody.get(path), 404, "not-found")


def test_a_lost_file_is_our_fault(with_file: Installation) -> None:
    folder = with_file.application.settings.data_dir
    [stored] = [path for path in folder.rglob(f"*{SHA256}*") if path.is_file()]
    stored.unlink()
    problem_of(with_file.nobody.get(ROUTE), 503, "stored-file-corrupt")


def test_the_sample_submission_names_every_published_id(with_file: Installation) -> None:
    answer = with_file.nobody.get("/competitions/otto/sample-submission")
    lines = answer.text.splitlines()
    assert lines[:4] == ["session_type,labels", "100_clicks,", "100_carts,", "100_orders,"]
    assert len(lines) == 181
    assert answer.headers["content-disposition"].startswith("attachment")
    again = with_file.nobody.get(
        "/competitions/otto/sample-submission",
        headers={"If-None-Match": answer.headers["etag"]},
    )
    assert again.status_code == 304
