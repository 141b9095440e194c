"""Organizers' files that come as resumable uploads."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest

from podium.core.database.engine import database_now
from podium.core.models import Upload, UploadPiece
from podium.materials.service import (
    data_files,
    ground_truth,
    item_files,
    published_ids,
    session_files,
)
from podium.storage import Area
from podium.submissions.service.retention import remove_ended, tidy
from podium.submissions.service.uploads import ORGANIZERS_BYTES
from tests.builders.installation import TRUTH, Installation, Person, problem_of

ROUTE = "/admin/competitions/otto"
SHA256 = hashlib.sha256(TRUTH).hexdigest()


@pytest.fixture
def drafted(installation: Installation) -> Installation:
    installation.draft(split={"public_fraction": 0.5})
    return installation


def uploaded(person: Person, content: bytes) -> str:
    """The id of a finished upload that came in two pieces."""
    half = len(content) // 2
    started = person.post(
        "/uploads", content=content[:half], headers={"Upload-Length": str(len(content))}
    )
    assert started.status_code == 201, started.text
    upload = str(started.json()["id"])
    rest = person.patch(
        f"/uploads/{upload}", content=content[half:], headers={"Upload-Offset": str(half)}
    )
    assert rest.status_code == 204, rest.text
    return upload


def areas(installation: Installation, sha256: str) -> list[Area]:
    storage = installation.application.storage
    return [area for area in Area if storage.size(area, sha256) is not None]


def test_a_ground_truth_may_come_in_pieces(drafted: Installation) -> None:
    upload = uploaded(drafted.admin, TRUTH)
    answer = drafted.admin.post(f"{ROUTE}/ground-truth", json={"upload_id": upload})
    assert answer.status_code == 201, answer.text
    version = answer.json()
    assert (version["version"], version["sha256"], version["bytes"]) == (1, SHA256, len(TRUTH))
    assert version["counts"]["sessions"] == 60
    # Its bytes lie where no route reaches, and nowhere else.
    assert areas(drafted, SHA256) == [Area.GROUND_TRUTH]


def test_pieces_of_an_organizer_lie_among_the_secrets_until_the_file_is_made(
    drafted: Installation,
) -> None:
    upload = uploaded(drafted.admin, TRUTH)
    with drafted.application.database.read() as session:
        pieces = [each.sha256 for each in session.query(UploadPiece)]
    assert [areas(drafted, piece) for piece in pieces] == [[Area.SECRET_UPLOADS]] * 2
    assert drafted.admin.post(f"{ROUTE}/ground-truth", json={"upload_id": upload}).is_success
    assert [areas(drafted, piece) for piece in pieces] == [[], []]


def test_a_repeated_request_gets_the_same_answer(drafted: Installation) -> None:
    body = {"upload_id": uploaded(drafted.admin, TRUTH), "sha256": SHA256}
    first = drafted.admin.post(f"{ROUTE}/ground-truth", json=body)
    again = drafted.admin.post(f"{ROUTE}/ground-truth", json=body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    shown = drafted.admin.get(f"/uploads/{body['upload_id']}").json()
    assert (shown["file_sha256"], shown["submission_id"]) == (SHA256, None)
    assert drafted.admin.get("/uploads").json()["items"] == []


@pytest.mark.parametrize(
    ("method", "route", "content", "status"),
    [
        ("PUT", f"{ROUTE}/files/train.csv", b"session,item\n1,2\n", 201),
        ("PUT", f"{ROUTE}/published-ids", b"".join(b"%d\n" % n for n in range(100)), 200),
        ("PUT", f"{ROUTE}/items", b"item\n1\n2\n", 201),
    ],
)
def test_every_kind_of_file_may_come_in_pieces(
    drafted: Installation, method: str, route: str, content: bytes, status: int
) -> None:
    upload = uploaded(drafted.admin, content)
    answer = drafted.admin.send(method, route, json={"upload_id": upload})
    assert answer.status_code == status, answer.text
    again = drafted.admin.send(method, route, json={"upload_id": upload})
    assert again.is_success
    assert again.json() | {"created_at": None} == answer.json() | {"created_at": None}


def test_participants_download_a_file_that_came_in_pieces(drafted: Installation) -> None:
    content = b"session,item\n" + b"1,2\n" * 1000
    upload = uploaded(drafted.admin, content)
    assert drafted.admin.put(f"{ROUTE}/files/a.csv", json={"upload_id": upload}).is_success
    assert drafted.admin.get("/competitions/otto/files/a.csv").content == content


def test_an_upload_belongs_to_its_maker(drafted: Installation) -> None:
    olga = drafted.person("olga")
    user = olga.get("/me").json()["id"]
    assert drafted.admin.post(f"{ROUTE}/organizers", json={"user_id": user}).is_success
    upload = uploaded(olga, TRUTH)
    refused = drafted.admin.post(f"{ROUTE}/ground-truth", json={"upload_id": upload})
    problem_of(refused, 404, "not-found")
    assert olga.post(f"{ROUTE}/ground-truth", json={"upload_id": upload}).status_code == 201


def test_an_upload_gives_no_right(drafted: Installation) -> None:
    drafted.launched("played")
    ada = drafted.person("ada")
    assert ada.post("/competitions/played/teams", json={"name": "Team Ada"}).is_success
    upload = uploaded(ada, TRUTH)
    for method, route in (
        ("POST", "ground-truth"),
        ("POST", "raw-sessions"),
        ("POST", "interactions"),
        ("PUT", "published-ids"),
        ("PUT", "files/a.csv"),
        ("PUT", "items"),
        ("PUT", "sessions"),
    ):
        address = f"/admin/competitions/played/{route}"
        raw = ada.send(method, address, content=TRUTH)
        named = ada.send(method, address, json={"upload_id": upload})
        assert (raw.status_code, raw.json()["code"]) == (404, "not-found"), route
        assert (named.status_code, named.json()["code"]) == (404, "not-found"), route
    refused = ada.post("/admin/competitions/import", json={"upload_id": upload})
    problem_of(refused, 403, "not-allowed")
    assert ada.get(f"/uploads/{upload}").json()["file_sha256"] is None


def test_an_unfinished_upload_makes_no_file(drafted: Installation) -> None:
    started = drafted.admin.post("/uploads", content=b"abc", headers={"Upload-Length": "9"})
    body = {"upload_id": started.json()["id"]}
    problem = problem_of(drafted.admin.put(f"{ROUTE}/files/a", json=body), 409, "upload-incomplete")
    assert problem["expected_offset"] == 3
    assert drafted.admin.get("/competitions/otto/files").json()["items"] == []


def test_bytes_of_another_hash_make_no_file_and_the_upload_stays(drafted: Installation) -> None:
    body = {"upload_id": uploaded(drafted.admin, TRUTH), "sha256": "0" * 64}
    problem_of(drafted.admin.put(f"{ROUTE}/files/a", json=body), 422, "digest-mismatch")
    assert drafted.admin.get("/competitions/otto/files").json()["items"] == []
    body["sha256"] = SHA256
    assert drafted.admin.put(f"{ROUTE}/files/a", json=body).status_code == 201


def test_an_upload_is_not_carried_from_secrets_to_what_is_downloaded(
    drafted: Installation,
) -> None:
    body = {"upload_id": uploaded(drafted.admin, TRUTH)}
    assert drafted.admin.post(f"{ROUTE}/ground-truth", json=body).is_success
    problem_of(drafted.admin.put(f"{ROUTE}/files/a.csv", json=body), 409, "upload-used")
    assert areas(drafted, SHA256) == [Area.GROUND_TRUTH]


def test_an_upload_becomes_a_file_or_a_submission_and_not_both(drafted: Installation) -> None:
    drafted.launched("played")
    way = "/competitions/played/submissions"
    organizer = drafted.admin
    team = organizer.post("/admin/competitions/played/baselines", json={"name": "popular"}).json()
    body = {"upload_id": uploaded(organizer, TRUTH)}
    sent = organizer.post(way, params={"team": team["id"]}, json=body)
    assert sent.status_code == 202, sent.text
    problem_of(organizer.put(f"{ROUTE}/files/a.csv", json=body), 409, "upload-used")
    other = {"upload_id": uploaded(organizer, TRUTH)}
    assert organizer.put(f"{ROUTE}/files/a.csv", json=other).is_success
    refused = organizer.post(way, params={"team": team["id"]}, json=other)
    problem_of(refused, 409, "upload-used")


def test_a_file_may_be_no_larger_for_coming_in_pieces(drafted: Installation) -> None:
    body = {"upload_id": uploaded(drafted.admin, b"item\n1\n")}
    with drafted.application.database.write() as session:
        upload = session.get_one(Upload, body["upload_id"])
        upload.length = upload.received = item_files.MAX_UPLOAD_BYTES + 1
    problem = problem_of(drafted.admin.put(f"{ROUTE}/items", json=body), 413, "too-large")
    assert problem["max_bytes"] == item_files.MAX_UPLOAD_BYTES


def test_organizers_may_upload_whatever_a_route_takes() -> None:
    assert (
        max(
            data_files.MAX_FILE_BYTES,
            ground_truth.MAX_UPLOAD_BYTES,
            item_files.MAX_UPLOAD_BYTES,
            published_ids.MAX_UPLOAD_BYTES,
            session_files.MAX_UPLOAD_BYTES,
        )
        == ORGANIZERS_BYTES
    )


def test_a_short_json_file_without_the_member_is_a_file(drafted: Installation) -> None:
    content = b'{"columns": ["session", "item"]}'
    answer = drafted.admin.put(
        f"{ROUTE}/files/a.json", content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 201
    assert drafted.admin.get("/competitions/otto/files/a.json").content == content


def test_the_file_of_an_upload_is_kept_until_the_upload_expires(drafted: Installation) -> None:
    upload = uploaded(drafted.admin, b"item\n1\n")
    database, storage = drafted.application.database, drafted.application.storage
    assert drafted.admin.put(f"{ROUTE}/files/a", json={"upload_id": upload}).is_success
    assert drafted.admin.put(f"{ROUTE}/files/a", content=b"other bytes").is_success
    sha256 = hashlib.sha256(b"item\n1\n").hexdigest()
    tidy(database, storage, unnamed_seconds=0, aside_seconds=0)
    tidy(database, storage, unnamed_seconds=0, aside_seconds=0)
    assert areas(drafted, sha256) == [Area.FILES]
    with database.write() as session:
        session.get_one(Upload, upload).expires_at = database_now(session) - timedelta(seconds=1)
    remove_ended(database, storage)
    tidy(database, storage, unnamed_seconds=0, aside_seconds=0)
    tidy(database, storage, unnamed_seconds=0, aside_seconds=0)
    assert areas(drafted, sha256) == []
