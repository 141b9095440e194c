"""Submissions that are made of resumable uploads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import httpx2
import pytest

from podium.core.database.types import new_id
from podium.core.models import Competition, Submission, Upload
from podium.storage import Area
from podium.storage.local import LocalStorage
from podium.submissions.service.retention import remove_ended
from tests.builders.uploads.pieces import (
    FILE,
    begun,
    change,
    digest_of,
    sent_bytes,
    start,
    stored_pieces,
    submit,
)
from tests.builders.uploads.stage import Stage


def test_an_empty_file_can_be_submitted(stage: Stage) -> None:
    upload = start(stage, Upload_Complete="?1").json()["id"]
    assert submit(stage, upload).json()["bytes"] == 0


def test_submitting_twice_makes_one_submission(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    first = submit(stage, upload)
    again = submit(stage, upload, note="another note")
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == first.json()
    assert (stage.server.submissions(), stage.server.slots()) == (1, 1)
    listed = stage.server.request("GET", "/uploads", stage.token).json()["items"]
    assert listed == []
    shown = stage.server.request("GET", f"/uploads/{upload}", stage.token).json()
    assert shown["submission_id"] == first.json()["id"]


def test_submitting_at_once_makes_one_submission(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]

    def send(_: int) -> int:
        with httpx2.Client(base_url=str(stage.server.client.base_url), timeout=60) as client:
            return client.post(
                "/api/v1/competitions/otto/submissions",
                json={"upload_id": upload},
                headers={"Authorization": f"Bearer {stage.token}"},
            ).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = set(pool.map(send, range(8)))
    assert statuses <= {202, 409}
    assert (stage.server.submissions(), stage.server.slots()) == (1, 1)


def test_a_key_stands_for_a_submission_of_an_upload_as_for_one_of_a_raw_file(stage: Stage) -> None:
    key = {"Idempotency-Key": "one"}
    first = stage.server.submit(stage.token, FILE, headers=key)
    same = start(stage, FILE, Upload_Complete="?1").json()["id"]
    again = submit(stage, same, headers=key)
    assert (again.status_code, again.json()["id"]) == (202, first.json()["id"])
    other = start(stage, FILE[1:], Upload_Complete="?1").json()["id"]
    answer = submit(stage, other, headers=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency-mismatch")
    assert (stage.server.submissions(), stage.server.slots()) == (1, 1)


def test_a_slot_is_needed_only_to_submit_and_the_upload_outlives_a_refusal(stage: Stage) -> None:
    change(stage, daily_limit=1)
    assert stage.server.submit(stage.token, b"a").status_code == 202
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    answer = submit(stage, upload)
    assert (answer.status_code, answer.json()["code"]) == (429, "quota-exhausted")
    change(stage, daily_limit=2)
    assert submit(stage, upload).status_code == 202


def test_a_wrong_hash_of_the_whole_file_costs_no_slot(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    answer = submit(stage, upload, sha256="0" * 64)
    assert (answer.status_code, answer.json()["code"]) == (422, "digest-mismatch")
    assert stage.server.slots() == 0
    assert submit(stage, upload, sha256=hashlib.sha256(FILE).hexdigest()).status_code == 202


def test_the_digest_of_the_reference_is_that_of_the_json(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    wrong = submit(stage, upload, headers={"Content-Digest": digest_of(FILE)})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "digest-mismatch")
    assert stage.server.slots() == 0


def test_a_piece_that_changed_in_the_store_is_noticed(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    root = stage.server.application.settings.data_dir / "storage" / Area.UPLOADS
    (piece,) = (path for path in root.rglob("*") if path.is_file())
    piece.write_bytes(piece.read_bytes()[:-1] + b"!")
    answer = submit(stage, upload)
    assert (answer.status_code, answer.json()["code"]) == (503, "stored-file-corrupt")
    assert (stage.server.submissions(), stage.server.slots()) == (0, 0)


def test_an_upload_that_is_given_up_while_it_is_submitted_becomes_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    read, reads, is_given_up = LocalStorage.read, Event(), Event()

    def read_later(*given: Any) -> Iterator[bytes]:
        reads.set()
        assert is_given_up.wait(60)
        return read(*given)

    monkeypatch.setattr(LocalStorage, "read", read_later)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(submit, stage, upload)
        assert reads.wait(60)
        gone = stage.server.request("DELETE", f"/uploads/{upload}", stage.token)
        is_given_up.set()
        refused = answer.result(timeout=60)
    assert gone.status_code == 204
    assert (refused.status_code, refused.json()["code"]) == (409, "upload-taken-over")
    assert (stage.server.submissions(), stage.server.slots()) == (0, 0)


def test_pieces_of_a_submitted_upload_are_removed_also_after_a_death(stage: Stage) -> None:
    upload = begun(stage, FILE[:10])
    application = stage.server.application
    with application.database.write() as session:
        session.get_one(Upload, upload).submission_id = new_id()
    remove_ended(application.database, application.storage)
    assert stored_pieces(stage) == 0
    with application.database.read() as session:
        assert session.query(Upload).count() == 1


def test_equal_pieces_are_removed_one_by_one(stage: Stage) -> None:
    first, second = begun(stage, FILE), begun(stage, FILE)
    assert stored_pieces(stage) == 2
    stage.server.request("DELETE", f"/uploads/{first}", stage.token)
    assert sent_bytes(stage, submit(stage, second).json()["id"]) == FILE


def test_an_upload_goes_to_one_competition(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    submit(stage, upload)
    with stage.server.application.database.write() as session:
        session.get_one(Competition, stage.competition.id).slug = "renamed"
    answer = stage.server.request(
        "POST", "/competitions/otto/submissions", stage.token, json={"upload_id": upload}
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "upload-used")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"upload_id": "x"}', 404),
        (b'{"upload_id": 1}', 422),
        (b'{"upload_id": "x", "other": 1}', 422),
        (b'{"upload_id": "x", "upload_id": "y"}', 400),
        (b'{"upload_id"', 400),
        (b'{"a":', 400),
        (b"{", 400),
        (b"{}", 422),
        (b'{"upload-id": "x"}', 422),
    ],
)
def test_references_of_another_shape_are_refused(stage: Stage, body: bytes, status: int) -> None:
    kind = {"Content-Type": "application/json"}
    answer = stage.server.submit(stage.token, body, headers=kind)
    assert (answer.status_code, stage.server.slots()) == (status, 0), answer.text
    assert status != 400 or answer.json()["code"] == "bad-json"


@pytest.mark.parametrize(
    "file", [b"\n session_type,labels", b"", b"[]", b'{"upload_id": "' + b"x" * (65 << 10)]
)
def test_a_raw_file_may_still_call_itself_json(stage: Stage, file: bytes) -> None:
    kind = {"Content-Type": "application/json"}
    answer = stage.server.submit(stage.token, file, headers=kind)
    assert answer.status_code == 202
    assert sent_bytes(stage, answer.json()["id"]) == file


def test_what_came_from_an_upload_is_told_apart_by_nothing(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    submit(stage, upload, filename="a.csv")
    stage.server.submit(stage.token, FILE, "?filename=a.csv")
    with stage.server.application.database.read() as session:
        one, other = session.query(Submission).order_by(Submission.sequence).all()
    assert (one.sha256, one.bytes, one.filename) == (other.sha256, other.bytes, other.filename)
    assert other.identical_to == one.id


@pytest.mark.parametrize(
    ("given", "column", "detail", "hints"),
    [
        (
            {"uploadid": "x"},
            "body.upload_id",
            "This is required.",
            [None, "Did you mean upload_id?"],
        ),
        ({}, "body.upload_id", "This is required.", [None]),
        ({"upload_id": 5}, "body.upload_id", "Input should be a valid string.", [None]),
        (
            {"upload_id": "x", "foo": 1},
            "body.foo",
            "There is no such member.",
            ["There are: upload_id, sha256, filename, note."],
        ),
    ],
)
def test_a_wrong_member_of_the_json_is_named_as_on_other_routes(
    stage: Stage, given: dict[str, Any], column: str, detail: str, hints: list[str | None]
) -> None:
    answer = stage.server.request("POST", "/competitions/otto/submissions", stage.token, json=given)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "invalid")
    assert problem["detail"] == f"{column}: {detail}"
    assert [each["hint"] for each in problem["errors"]] == hints
    assert problem["errors"][0]["column"] == column


KEY = {"Idempotency-Key": "once"}


def test_uploads_of_a_replayed_submission_are_finished(stage: Stage) -> None:
    first = submit(stage, begun(stage, FILE), headers=KEY).json()["id"]
    again = begun(stage, FILE)
    replayed = submit(stage, again, headers=KEY)
    assert replayed.headers["idempotency-replayed"] == "true"
    assert replayed.json()["id"] == first
    assert stage.server.request("GET", "/uploads", stage.token).json()["items"] == []
    assert submit(stage, again).json()["id"] == first
    assert stored_pieces(stage) == 0
