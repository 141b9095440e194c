"""Resumable uploads: a file in pieces, cut anywhere."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from podium.core.database.types import new_id
from podium.core.models import Upload
from tests.builders.uploads.pieces import (
    FILE,
    HALF,
    append,
    begun,
    digest_of,
    how_far,
    patch_head,
    sent_bytes,
    start,
    stored_pieces,
    submit,
)
from tests.builders.uploads.server import eventually, read_answer
from tests.builders.uploads.stage import Stage


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
        "filename": None,
        "id": started.json()["id"],
        "offset": len(FILE),
        "length": len(FILE),
        "complete": True,
        "busy": False,
        "expires_at": None,
        "submission_id": None,
        "file_sha256": None,
    }


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
        connection.sendall(patch_head(stage, upload, len(large)) + large[:-1000])
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
        connection.sendall(patch_head(stage, upload, len(FILE)) + FILE[:HALF])
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
        with stage.server.another_client() as client:
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


def test_bytes_that_are_not_those_of_their_digest_are_forgotten(stage: Stage) -> None:
    upload = begun(stage, FILE[:10])
    wrong = append(stage, upload, 10, FILE[10:], Content_Digest=digest_of(b"other"))
    assert (wrong.status_code, wrong.json()["code"]) == (422, "digest-mismatch")
    assert how_far(stage, upload)[0] == "10"
    assert stored_pieces(stage) == 1
    right = append(stage, upload, 10, FILE[10:], Content_Digest=digest_of(FILE[10:]))
    assert right.status_code == 204
    assert sent_bytes(stage, submit(stage, upload).json()["id"]) == FILE
