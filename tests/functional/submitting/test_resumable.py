"""Resumable uploads: a file in pieces, cut anywhere, and the submission that is made of it."""

from __future__ import annotations

import base64
import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from app.db.models import Competition, Submission, Upload, UploadPiece
from app.db.types import new_id
from app.services.uploads_removal import remove_ended
from app.settings import Settings
from app.storage import Area
from tests.functional.submitting.conftest import Stage
from tests.functional.submitting.server import eventually, read_answer

FILE = bytes(range(256)) * 40
HALF = len(FILE) // 2


def start(stage: Stage, body: bytes = b"", **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return stage.server.request("POST", "/uploads", stage.token, content=body, headers=named)


def append(stage: Stage, upload: str, offset: int, body: bytes, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return stage.server.request(
        "PATCH",
        f"/uploads/{upload}",
        stage.token,
        content=body,
        headers={"Upload-Offset": str(offset), **named},
    )


def begun(stage: Stage, body: bytes = b"", length: int = len(FILE)) -> str:
    answer = start(stage, body, Upload_Length=str(length))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def submit(stage: Stage, upload: str, token: str | None = None, **given: Any) -> Any:
    headers = given.pop("headers", {})
    return stage.server.request(
        "POST",
        "/competitions/otto/submissions",
        token or stage.token,
        json={"upload_id": upload, **given},
        headers=headers,
    )


def how_far(stage: Stage, upload: str) -> tuple[str, str, str | None]:
    answer = stage.server.request("HEAD", f"/uploads/{upload}", stage.token)
    assert answer.status_code == 200, answer.status_code
    headers = answer.headers
    return headers["upload-offset"], headers["upload-complete"], headers.get("upload-length")


def stored_pieces(stage: Stage) -> int:
    root = stage.server.application.settings.data_dir / "storage" / Area.UPLOADS
    return sum(path.is_file() for path in root.rglob("*"))


def sent_bytes(stage: Stage, submission: str) -> bytes:
    answer = stage.server.request("GET", f"/submissions/{submission}/file", stage.token)
    return bytes(answer.content)


def test_a_file_in_three_pieces_becomes_one_submission(stage: Stage) -> None:
    started = start(stage, FILE[:10], Upload_Length=str(len(FILE)))
    upload = started.json()["id"]
    assert started.headers["location"] == f"/api/v1/uploads/{upload}"
    assert started.headers["upload-offset"] == "10"
    assert how_far(stage, upload) == ("10", "?0", str(len(FILE)))
    second = append(stage, upload, 10, FILE[10:HALF])
    assert (second.status_code, second.headers["upload-offset"]) == (204, str(HALF))
    third = append(stage, upload, HALF, FILE[HALF:])
    assert third.headers["upload-complete"] == "?1"
    answer = submit(stage, upload, filename="sub.csv", note="in pieces")
    document = answer.json()
    assert answer.status_code == 202
    assert answer.headers["location"] == f"/api/v1/submissions/{document['id']}"
    assert document["sha256"] == hashlib.sha256(FILE).hexdigest()
    assert (document["filename"], document["note"]) == ("sub.csv", "in pieces")
    assert sent_bytes(stage, document["id"]) == FILE
    assert stored_pieces(stage) == 0
    assert stage.server.slots() == 1


def test_the_length_may_stay_open_until_the_last_piece(stage: Stage) -> None:
    upload = start(stage, FILE[:HALF], Upload_Complete="?0").json()["id"]
    assert how_far(stage, upload) == (str(HALF), "?0", None)
    assert submit(stage, upload).json()["code"] == "upload-incomplete"
    last = append(stage, upload, HALF, FILE[HALF:], Upload_Complete="?1")
    assert last.headers["upload-complete"] == "?1"
    assert sent_bytes(stage, submit(stage, upload).json()["id"]) == FILE


def test_a_chunked_last_piece_ends_the_file_too(stage: Stage) -> None:
    upload = start(stage, FILE[:HALF]).json()["id"]
    last = append(stage, upload, HALF, iter([FILE[HALF:-1], FILE[-1:]]), Upload_Complete="?1")  # type: ignore[arg-type]
    assert last.status_code == 204
    assert how_far(stage, upload) == (str(len(FILE)), "?1", str(len(FILE)))


def test_a_whole_file_at_once_is_complete(stage: Stage) -> None:
    started = start(stage, FILE, Upload_Complete="?1")
    assert started.json() | {"expires_at": None} == {
        "id": started.json()["id"],
        "offset": len(FILE),
        "length": len(FILE),
        "complete": True,
        "busy": False,
        "expires_at": None,
        "submission_id": None,
    }


def test_an_empty_file_can_be_submitted(stage: Stage) -> None:
    upload = start(stage, Upload_Complete="?1").json()["id"]
    assert submit(stage, upload).json()["bytes"] == 0


def test_a_wrong_offset_is_told_the_right_one(stage: Stage) -> None:
    upload = begun(stage, FILE[:100])
    for wrong in (0, 99, 101):
        answer = append(stage, upload, wrong, FILE[wrong:])
        assert (answer.status_code, answer.json()["code"]) == (409, "upload-offset-mismatch")
        assert answer.headers["upload-offset"] == "100"
        assert answer.json()["expected_offset"] == 100
    assert how_far(stage, upload)[0] == "100"


def test_a_broken_connection_keeps_what_arrived(stage: Stage) -> None:
    large = FILE * 300
    upload = begun(stage, length=len(large))
    with stage.server.connect() as connection:
        connection.sendall(_patch_head(stage, upload, len(large)) + large[:-1000])
    # What the HTTP server had not handed on yet is gone with the connection: much less than this.
    least = len(large) - (1 << 20)
    assert eventually(lambda: int(how_far(stage, upload)[0]) > least, seconds=60)

    def goes_on() -> bool:
        offset = int(how_far(stage, upload)[0])
        return bool(append(stage, upload, offset, large[offset:]).status_code == 204)

    assert eventually(goes_on, seconds=60)
    assert sent_bytes(stage, submit(stage, upload).json()["id"]) == large


def test_a_silent_connection_gives_way_to_a_new_one_and_changes_nothing_more(
    stage: Stage,
) -> None:
    upload = begun(stage)
    with stage.server.connect() as connection:
        connection.sendall(_patch_head(stage, upload, len(FILE)) + FILE[:HALF])
        assert eventually(lambda: how_far(stage, upload)[0] == str(HALF), seconds=60)
        new = append(stage, upload, HALF, FILE[HALF : HALF + 5])
        assert (new.status_code, new.headers["upload-offset"]) == (204, str(HALF + 5))
        connection.sendall(b"x" * (len(FILE) - HALF))
        late = read_answer(connection)
    assert (late.status, late.json()["code"]) == (409, "upload-offset-mismatch")
    assert append(stage, upload, HALF + 5, FILE[HALF + 5 :]).status_code == 204
    assert sent_bytes(stage, submit(stage, upload).json()["id"]) == FILE


def test_of_many_requests_for_the_same_place_exactly_one_wins(stage: Stage) -> None:
    upload = begun(stage)
    ready = threading.Barrier(8)

    def send(_: int) -> tuple[int, str | None]:
        with httpx2.Client(base_url=str(stage.server.client.base_url), timeout=60) as client:
            ready.wait()
            answer = client.patch(
                f"/api/v1/uploads/{upload}",
                content=FILE,
                headers={"Upload-Offset": "0", "Authorization": f"Bearer {stage.token}"},
            )
        code = answer.json()["code"] if answer.status_code == 409 else None
        return answer.status_code, code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(8)))
    assert sorted(status for status, _ in answers) == [204] + [409] * 7
    assert {code for _, code in answers if code} <= {
        "upload-busy",
        "upload-offset-mismatch",
        "upload-complete",
    }
    assert stored_pieces(stage) == 1
    assert sent_bytes(stage, submit(stage, upload).json()["id"]) == FILE


def test_a_hold_of_the_dead_ends_by_itself(stage: Stage) -> None:
    upload = begun(stage)
    database = stage.server.application.database
    with database.write() as session:
        row = session.get_one(Upload, upload)
        row.holder, row.held_until = new_id(), row.created_at + timedelta(hours=1)
    answer = append(stage, upload, 0, FILE)
    assert (answer.status_code, answer.json()["code"]) == (409, "upload-busy")
    assert answer.headers["retry-after"] == "1"
    assert stage.server.request("GET", f"/uploads/{upload}", stage.token).json()["busy"] is True
    with database.write() as session:
        row = session.get_one(Upload, upload)
        row.held_until = row.created_at
    assert append(stage, upload, 0, FILE).status_code == 204


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
    _set(stage, daily_limit=1)
    assert stage.server.submit(stage.token, b"a").status_code == 202
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    answer = submit(stage, upload)
    assert (answer.status_code, answer.json()["code"]) == (429, "quota-exhausted")
    _set(stage, daily_limit=2)
    assert submit(stage, upload).status_code == 202


def test_a_wrong_hash_of_the_whole_file_costs_no_slot(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    answer = submit(stage, upload, sha256="0" * 64)
    assert (answer.status_code, answer.json()["code"]) == (422, "digest-mismatch")
    assert stage.server.slots() == 0
    assert submit(stage, upload, sha256=hashlib.sha256(FILE).hexdigest()).status_code == 202


def test_bytes_that_are_not_those_of_their_digest_are_forgotten(stage: Stage) -> None:
    upload = begun(stage, FILE[:10])
    wrong = append(stage, upload, 10, FILE[10:], Content_Digest=_digest(b"other"))
    assert (wrong.status_code, wrong.json()["code"]) == (422, "digest-mismatch")
    assert how_far(stage, upload)[0] == "10"
    assert stored_pieces(stage) == 1
    right = append(stage, upload, 10, FILE[10:], Content_Digest=_digest(FILE[10:]))
    assert right.status_code == 204
    assert sent_bytes(stage, submit(stage, upload).json()["id"]) == FILE


def test_the_digest_of_the_reference_is_that_of_the_json(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    wrong = submit(stage, upload, headers={"Content-Digest": _digest(FILE)})
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


def test_nobody_else_finds_an_upload(stage: Stage) -> None:
    upload = begun(stage, FILE[:10])
    for token in (stage.stranger_token, stage.admin_token):
        for method in ("GET", "PATCH", "DELETE"):
            answer = stage.server.request(
                method, f"/uploads/{upload}", token, headers={"Upload-Offset": "10"}
            )
            assert answer.status_code == 404
        assert submit(stage, upload, token).status_code == 404
        assert stage.server.request("GET", "/uploads", token).json()["items"] == []
    assert stage.server.request("GET", f"/uploads/{upload}").status_code == 401
    assert stage.server.request("POST", "/uploads").status_code == 401
    assert how_far(stage, upload)[0] == "10"


def test_whoever_can_send_nothing_anywhere_starts_no_upload(stage: Stage) -> None:
    answer = stage.server.request("POST", "/uploads", stage.stranger_token, content=FILE)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-joined")


def test_a_discarded_upload_leaves_nothing(stage: Stage) -> None:
    upload = begun(stage, FILE[:10])
    gone = stage.server.request("DELETE", f"/uploads/{upload}", stage.token)
    assert (gone.status_code, stored_pieces(stage)) == (204, 0)
    assert stage.server.request("HEAD", f"/uploads/{upload}", stage.token).status_code == 404
    with stage.server.application.database.read() as session:
        assert session.query(Upload).count() == session.query(UploadPiece).count() == 0


def test_a_fourth_unfinished_upload_is_refused_until_one_is_gone(stage: Stage) -> None:
    first, *_ = [begun(stage, b"a", 1000) for _ in range(3)]
    answer = start(stage, Upload_Length="1000")
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-uploads")
    stage.server.request("DELETE", f"/uploads/{first}", stage.token)
    assert start(stage, Upload_Length="1000").status_code == 201


def test_an_empty_upload_makes_room_for_a_new_one(stage: Stage) -> None:
    empty, *_ = [begun(stage, body, 1000) for body in (b"", b"a", b"b")]
    assert start(stage, Upload_Length="1000").status_code == 201
    assert stage.server.request("HEAD", f"/uploads/{empty}", stage.token).status_code == 404


def test_unfinished_uploads_together_have_at_most_twice_the_largest_file(stage: Stage) -> None:
    for _ in range(2):
        begun(stage, b"a", 4 << 20)
    answer = start(stage, Upload_Length="1")
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-uploads")


def test_more_bytes_than_allowed_or_announced_are_refused(stage: Stage) -> None:
    large = start(stage, Upload_Length=str((4 << 20) + 1))
    assert (large.status_code, large.json()["code"]) == (413, "too-large")
    upload = begun(stage, FILE[:10], 20)
    more = append(stage, upload, 10, FILE[10:21])
    assert (more.status_code, more.json()["code"]) == (400, "upload-too-long")
    endless = start(stage).json()["id"]
    answer = append(stage, endless, 0, iter([b"x" * (1 << 20)] * 5))  # type: ignore[arg-type]
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Upload-Offset": "-1"}, "bad-upload-offset"),
        ({"Upload-Offset": "1e3"}, "bad-upload-offset"),
        ({"Upload-Offset": "9" * 16}, "bad-upload-offset"),
        ({}, "bad-upload-offset"),
        ({"Upload-Offset": "0", "Upload-Complete": "yes"}, "bad-upload-complete"),
        ({"Upload-Offset": "0", "Upload-Length": "many"}, "bad-upload-length"),
        ({"Upload-Offset": "0", "Upload-Length": "7"}, "bad-upload-length"),
        ({"Upload-Offset": "0", "Upload-Complete": "?1"}, "bad-upload-length"),
        ({"Upload-Offset": "0", "Content-Digest": "md5=:aa:"}, "bad-digest"),
    ],
)
def test_heads_that_make_no_sense_are_refused(
    stage: Stage, headers: dict[str, str], code: str
) -> None:
    upload = begun(stage)
    answer = stage.server.request(
        "PATCH", f"/uploads/{upload}", stage.token, content=b"abc", headers=headers
    )
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert how_far(stage, upload)[0] == "0"


def test_an_upload_that_expired_is_not_found_and_is_removed(stage: Stage) -> None:
    upload = begun(stage, FILE[:10])
    application = stage.server.application
    with application.database.write() as session:
        row = session.get_one(Upload, upload)
        row.expires_at = row.created_at
    assert stage.server.request("HEAD", f"/uploads/{upload}", stage.token).status_code == 404
    assert append(stage, upload, 10, FILE[10:]).status_code == 404
    assert submit(stage, upload).status_code == 404
    assert stored_pieces(stage) == 1
    assert remove_ended(application.database, application.storage) == 1
    assert stored_pieces(stage) == 0
    with application.database.read() as session:
        assert session.query(Upload).count() == 0
    assert remove_ended(application.database, application.storage) == 0


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
    ],
)
def test_references_of_another_shape_are_refused(stage: Stage, body: bytes, status: int) -> None:
    kind = {"Content-Type": "application/json"}
    answer = stage.server.submit(stage.token, body, headers=kind)
    assert (answer.status_code, stage.server.slots()) == (status, 0), answer.text


@pytest.mark.parametrize(
    "file", [b"\n session_type,labels", b"", b"{}", b"{", b'{"upload_id": "' + b"x" * (65 << 10)]
)
def test_a_raw_file_may_still_call_itself_json(stage: Stage, file: bytes) -> None:
    kind = {"Content-Type": "application/json"}
    answer = stage.server.submit(stage.token, file, headers=kind)
    assert answer.status_code == 202
    assert sent_bytes(stage, answer.json()["id"]) == file


class TestALittleDisk:
    """An installation whose disk is nearly full."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"min_free_bytes": 1 << 60})

    def test_without_room_nothing_is_started(self, stage: Stage) -> None:
        answer = start(stage, Upload_Length="1000")
        assert (answer.status_code, answer.json()["code"]) == (503, "storage-full")
        with stage.server.application.database.read() as session:
            assert session.query(Upload).count() == 0


def test_what_came_from_an_upload_is_told_apart_by_nothing(stage: Stage) -> None:
    upload = start(stage, FILE, Upload_Complete="?1").json()["id"]
    submit(stage, upload, filename="a.csv")
    stage.server.submit(stage.token, FILE, "?filename=a.csv")
    with stage.server.application.database.read() as session:
        one, other = session.query(Submission).order_by(Submission.sequence).all()
    assert (one.sha256, one.bytes, one.filename) == (other.sha256, other.bytes, other.filename)
    assert other.identical_to == one.id


def _digest(content: bytes) -> str:
    return f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"


def _patch_head(stage: Stage, upload: str, length: int) -> bytes:
    lines = ("Upload-Offset: 0", f"Content-Length: {length}")
    head = stage.server.head(stage.token, *lines, path=f"/api/v1/uploads/{upload}")
    return head.replace(b"POST", b"PATCH", 1)


def _set(stage: Stage, **settings: Any) -> None:
    with stage.server.application.database.write() as session:
        row = session.get_one(Competition, stage.competition.id)
        row.settings = row.settings | settings
