"""The headers of uploads: those of tus 1.0, and those of the IETF's draft."""

from __future__ import annotations

import base64
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from tests.builders.uploads.pieces import FILE, HALF, append, begun, how_far, start, submit
from tests.builders.uploads.stage import Stage

TYPES = "https://iana.org/assignments/http-problem-types#"


def options(stage: Stage, token: str | None = None) -> Any:
    return stage.server.request("OPTIONS", "/uploads", token)


def test_a_client_finds_out_what_the_server_can_do(stage: Stage) -> None:
    found = options(stage, stage.token)
    assert (found.status_code, found.content) == (204, b"")
    assert found.headers["tus-version"] == found.headers["tus-resumable"] == "1.0.0"
    assert found.headers["tus-extension"].split(",") == [
        "creation",
        "creation-defer-length",
        "creation-with-upload",
        "expiration",
        "termination",
    ]
    assert found.headers["tus-max-size"] == str(4 << 20)
    assert found.headers["upload-limit"] == f"max-size={4 << 20}"


def test_the_largest_size_depends_on_who_asks(stage: Stage) -> None:
    for token in (None, stage.stranger_token):
        unknown = options(stage, token)
        assert (unknown.status_code, unknown.headers["upload-limit"]) == (204, "min-size=0")
        assert "tus-max-size" not in unknown.headers
    assert options(stage, stage.admin_token).headers["tus-max-size"] == str(64 << 30)
    assert options(stage, "wrong").status_code == 401


def test_every_answer_names_the_version_of_tus(stage: Stage) -> None:
    upload = begun(stage, FILE[:HALF])
    answers = (
        stage.server.request("HEAD", f"/uploads/{upload}", stage.token),
        append(stage, upload, 1, b"x"),
        stage.server.request("GET", "/uploads/none", stage.token),
        stage.server.request("POST", "/uploads"),
        append(stage, upload, HALF, FILE[HALF:]),
        stage.server.request("DELETE", f"/uploads/{upload}", stage.token),
    )
    assert [answer.status_code for answer in answers] == [200, 409, 404, 401, 204, 204]
    assert {answer.headers.get("tus-resumable") for answer in answers} == {"1.0.0"}


def test_another_version_of_tus_is_refused_and_nothing_is_done(stage: Stage) -> None:
    upload = begun(stage)
    answer = append(stage, upload, 0, FILE, Tus_Resumable="0.2.2")
    assert (answer.status_code, answer.json()["code"]) == (412, "tus-version")
    assert answer.headers["tus-version"] == "1.0.0"
    assert how_far(stage, upload)[0] == "0"


def test_an_upload_says_until_when_it_is_kept(stage: Stage) -> None:
    started = start(stage, Upload_Length="100")
    expires = parsedate_to_datetime(started.headers["upload-expires"])
    assert expires.strftime("%Y-%m-%dT%H:%M:%SZ") == started.json()["expires_at"]
    size, age = started.headers["upload-limit"].split(", ")
    assert size == f"max-size={4 << 20}"
    kept = stage.server.application.settings.upload_keep_seconds
    assert kept - 60 < int(age.removeprefix("max-age=")) <= kept


def test_a_length_may_be_told_later(stage: Stage) -> None:
    started = start(stage, Upload_Defer_Length="1")
    assert started.headers["upload-defer-length"] == "1"
    assert "upload-length" not in started.headers
    sent = append(stage, started.json()["id"], 0, FILE, Upload_Length=str(len(FILE)))
    assert sent.headers["upload-length"] == str(len(FILE))
    assert sent.headers["upload-complete"] == "?1"
    assert "upload-defer-length" not in sent.headers


def test_metadata_come_back_as_they_were_given(stage: Stage) -> None:
    given = "filename c3ViLmNzdg==,is_large"
    upload = start(stage, Upload_Length="1", Upload_Metadata=given).json()["id"]
    shown = stage.server.request("HEAD", f"/uploads/{upload}", stage.token)
    assert shown.headers["upload-metadata"] == given
    without = begun(stage)
    bare = stage.server.request("HEAD", f"/uploads/{without}", stage.token)
    assert "upload-metadata" not in bare.headers


@pytest.mark.parametrize(
    ("metadata", "given", "shown"),
    [
        ("filename Li4vc3ViLmNzdg==", {}, "sub.csv"),
        ("filename c3ViLmNzdg==", {"filename": "mine.csv"}, "mine.csv"),
        ("filename /w==", {}, "submission"),
        ("filename", {}, "submission"),
        ("filetype dGV4dC9jc3Y=", {}, "submission"),
    ],
)
def test_metadata_name_the_file_where_nothing_else_does(
    stage: Stage, metadata: str, given: dict[str, str], shown: str
) -> None:
    upload = start(stage, FILE, Upload_Complete="?1", Upload_Metadata=metadata).json()["id"]
    sent = submit(stage, upload, **given)
    assert (sent.status_code, sent.json()["filename"]) == (202, shown)


def test_a_name_in_metadata_that_is_too_long_is_refused_and_the_upload_stays(
    stage: Stage,
) -> None:
    metadata = f"filename {base64.b64encode(b'x' * 256).decode()}"
    upload = start(stage, FILE, Upload_Complete="?1", Upload_Metadata=metadata).json()["id"]
    refused = submit(stage, upload)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-filename")
    assert stage.server.slots() == 0
    assert submit(stage, upload, filename="short.csv").status_code == 202


@pytest.mark.parametrize("wrong", ["a b c", "a %%", "ä YQ==", "a YQ==,,b", "a " + "Y" * 5000])
def test_metadata_of_no_form_are_refused(stage: Stage, wrong: str) -> None:
    answer = stage.server.request(
        "POST", "/uploads", stage.token, headers={"Upload-Metadata": wrong.encode()}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-upload-metadata")


def test_a_checksum_that_is_not_compared_is_refused(stage: Stage) -> None:
    upload = begun(stage)
    answer = append(stage, upload, 0, FILE, Upload_Checksum="sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-digest")
    assert how_far(stage, upload)[0] == "0"


def test_a_wrong_offset_is_a_problem_of_the_registry(stage: Stage) -> None:
    answer = append(stage, begun(stage, FILE[:100]), 7, FILE[7:])
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (409, "upload-offset-mismatch")
    assert problem["type"] == f"{TYPES}mismatching-upload-offset"
    assert (problem["expected-offset"], problem["provided-offset"]) == (100, 7)
    assert (answer.headers["upload-offset"], answer.headers["upload-complete"]) == ("100", "?0")


def test_lengths_that_contradict_each_other_are_a_problem_of_the_registry(stage: Stage) -> None:
    at_once = start(stage, FILE, Upload_Complete="?1", Upload_Length="7")
    later = append(stage, begun(stage, length=100), 0, b"x", Upload_Length="101")
    for answer in (at_once, later):
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-upload-length")
        assert answer.json()["type"] == f"{TYPES}inconsistent-upload-length"
    malformed = start(stage, Upload_Length="many")
    assert malformed.json()["type"] == "/problems/bad-upload-length"


def test_a_file_that_is_too_large_is_told_the_limit(stage: Stage) -> None:
    answer = start(stage, Upload_Length=str((4 << 20) + 1))
    assert (answer.status_code, answer.headers["upload-limit"]) == (413, f"max-size={4 << 20}")
    upload = start(stage).json()["id"]
    later = append(stage, upload, 0, b"x", Upload_Length=str((4 << 20) + 1))
    assert (later.status_code, later.headers["upload-limit"]) == (413, f"max-size={4 << 20}")


def test_an_upload_may_be_ended_by_a_request_of_its_own_and_again(stage: Stage) -> None:
    upload = start(stage).json()["id"]
    assert append(stage, upload, 0, FILE).headers["upload-complete"] == "?0"
    for _ in range(2):
        ended = append(stage, upload, len(FILE), b"", Upload_Complete="?1")
        assert (ended.status_code, ended.headers["upload-complete"]) == (204, "?1")
    more = append(stage, upload, len(FILE), b"x", Upload_Complete="?1")
    assert (more.status_code, more.json()["code"]) == (409, "upload-complete")
