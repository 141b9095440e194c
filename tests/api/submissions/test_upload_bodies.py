"""Bodies that are cut, slow, wrong, or wrapped in a form."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Iterator

import httpx2
import pytest

from podium.settings import Settings
from podium.submissions.service.quota import release_lapsed
from tests.builders.uploads.server import eventually, read_answer
from tests.builders.uploads.stage import Stage

BODY = b"session_type,labels\n1_clicks,1 2 3\n" * 3000


def digest_of(body: bytes) -> str:
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


def test_an_accepted_file_is_answered_with_its_submission(stage: Stage) -> None:
    answer = stage.server.submit(stage.token, BODY, "?filename=a/best.csv&note=v3")
    assert answer.status_code == 202
    document = answer.json()
    assert answer.headers["location"] == f"/api/v1/submissions/{document['id']}"
    assert int(answer.headers["retry-after"]) >= 1
    assert document | {"id": "", "submitted_at": ""} == {
        "id": "",
        "competition": "otto",
        "team": {"id": stage.team.id, "name": "Team Ada"},
        "submitted_by": {"id": stage.member.user_id, "name": stage.member.name},
        "status": "queued",
        "filename": "best.csv",
        "note": "v3",
        "bytes": len(BODY),
        "sha256": hashlib.sha256(BODY).hexdigest(),
        "submitted_at": "",
        "judged_at": None,
        "public_score": None,
        "private_score": None,
        "objectives": None,
        "queue_position": None,
        "charged": True,
        "waits": False,
        "metric_version": None,
        "metric_notes": None,
        "private_run": None,
        "progress": 0.0,
        "problem": None,
        "counts": None,
        "lists": None,
        "scorer_version": None,
        "ground_truth_version": 1,
        "selected": False,
        "identical_to": None,
        "late": False,
        "disqualified": None,
        "failure": None,
        "hits": None,
        "shown": None,
        "notice": None,
        "notes": None,
        "diagnostics": None,
        "diagnostic_errors": None,
        "standard_error": None,
    }


def test_the_bytes_come_back_as_they_were_sent(stage: Stage) -> None:
    sent = stage.server.submit(stage.token, BODY, "?filename=bö st.csv").json()
    answer = stage.server.request("GET", f"/submissions/{sent['id']}/file", stage.token)
    assert answer.content == BODY
    assert answer.headers["content-type"] == "application/octet-stream"
    disposition = "attachment; filename*=UTF-8''b%C3%B6%20st.csv"
    assert answer.headers["content-disposition"] == disposition
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.99, 1])
def test_a_cut_upload_leaves_no_submission_no_file_and_no_slot(
    stage: Stage, share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    sent = min(int(len(BODY) * share), len(BODY) - 1)
    with stage.server.connect() as connection:
        connection.sendall(stage.server.head(stage.token, f"Content-Length: {len(BODY)}"))
        connection.sendall(BODY[:sent])
        assert eventually(lambda: stage.server.slots() == 1)
    assert eventually(lambda: stage.server.slots() == 0)
    assert stage.server.submissions() == 0
    assert stage.server.unfinished_files() == []
    assert "Traceback" not in "".join(capfd.readouterr())


def test_a_chunked_upload_without_its_last_chunk_is_not_taken(stage: Stage) -> None:
    with stage.server.connect() as connection:
        connection.sendall(stage.server.head(stage.token, "Transfer-Encoding: chunked"))
        connection.sendall(b"5\r\nhello\r\n")
        assert eventually(lambda: stage.server.slots() == 1)
    assert eventually(lambda: stage.server.slots() == 0)
    assert stage.server.submissions() == 0


def test_a_promised_digest_is_checked(stage: Stage) -> None:
    good = stage.server.submit(stage.token, BODY, headers={"Content-Digest": digest_of(BODY)})
    assert good.status_code == 202
    bad = stage.server.submit(stage.token, BODY, headers={"Content-Digest": digest_of(b"other")})
    assert (bad.status_code, bad.json()["code"]) == (422, "digest-mismatch")
    assert stage.server.submissions() == 1
    assert stage.server.slots() == 1


@pytest.mark.parametrize(
    "header",
    [
        "sha-256=abc",
        "sha-256=:YWJj:",
        "sha-256=:not base64:",
        "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:",
        "sha-256",
        "",
    ],
)
def test_a_malformed_or_unknown_digest_is_refused(stage: Stage, header: str) -> None:
    answer = stage.server.submit(stage.token, BODY, headers={"Content-Digest": header})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-digest")
    assert stage.server.slots() == 0


def test_an_unknown_digest_beside_a_known_one_is_ignored(stage: Stage) -> None:
    both = f"md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, {digest_of(BODY)}"
    answer = stage.server.submit(stage.token, BODY, headers={"Content-Digest": both})
    assert answer.status_code == 202


def test_a_form_holds_a_file_and_a_note(stage: Stage) -> None:
    answer = stage.server.request(
        "POST",
        "/competitions/otto/submissions",
        stage.token,
        files={"file": ("dir/mine.csv", BODY, "image/png")},
        data={"note": "from a form"},
    )
    assert answer.status_code == 202
    document = answer.json()
    assert document["filename"] == "mine.csv"
    assert document["note"] == "from a form"
    assert document["sha256"] == hashlib.sha256(BODY).hexdigest()


def part(name: str, content: str = "x", extra: str = "") -> str:
    return (
        f'--frontier\r\nContent-Disposition: form-data; name="{name}"{extra}\r\n\r\n{content}\r\n'
    )


FILE = part("file", extra='; filename="a.csv"')
END = "--frontier--\r\n"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (part("note") + END, 422, "file-missing"),
        (FILE + FILE + END, 422, "unexpected-field"),
        (FILE + part("score", "1") + END, 422, "unexpected-field"),
        ("".join(part(f"f{n}") for n in range(10_000)) + END, 422, "unexpected-field"),
        (FILE + part("note", "n" * 5000) + END, 422, "bad-note"),
        (FILE + part("note", "n" * 501) + END, 422, "bad-note"),
        (FILE, 400, "bad-form"),
        (FILE[:-10], 400, "bad-form"),
        ("no form at all", 400, "bad-form"),
        ("", 400, "bad-form"),
        (part("file", extra="; x=" + "h" * 5000) + END, 400, "bad-form"),
        ("--frontier\r\n" + "A: b\r\n" * 100 + "\r\nx\r\n" + END, 400, "bad-form"),
    ],
)
def test_other_forms_are_refused(stage: Stage, body: str, status: int, code: str) -> None:
    answer = stage.server.submit(
        stage.token,
        body.encode(),
        headers={"Content-Type": "multipart/form-data; boundary=frontier"},
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert stage.server.slots() == 0
    assert stage.server.unfinished_files() == []


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=é"])
def test_a_form_without_a_usable_boundary_is_refused(stage: Stage, kind: str) -> None:
    with stage.server.connect() as connection:
        lines = ("Content-Length: 1", f"Content-Type: {kind}")
        connection.sendall(stage.server.head(stage.token, *lines) + b"x")
        answer = read_answer(connection)
    assert (answer.status, answer.json()["code"]) == (400, "bad-form")


def test_a_form_with_too_large_a_file_is_refused(stage: Stage) -> None:
    answer = stage.server.request(
        "POST",
        "/competitions/otto/submissions",
        stage.token,
        files={"file": ("a.csv", b"x" * ((4 << 20) + 1))},
    )
    assert (answer.status_code, answer.json()["max_bytes"]) == (413, 4 << 20)
    assert stage.server.slots() == 0


class TestSlowBodies:
    """With a deadline of one second instead of one hour."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"upload_seconds": 1.0, "upload_lease_seconds": 0.4})

    def test_a_body_that_takes_too_long_is_cut_and_costs_nothing(self, stage: Stage) -> None:
        with stage.server.connect() as connection:
            connection.sendall(stage.server.head(stage.token, "Content-Length: 100") + b"slow")
            answer = read_answer(connection)
        assert (answer.status, answer.json()["code"]) == (408, "upload-too-slow")
        assert stage.server.slots() == 0
        assert stage.server.unfinished_files() == []


class TestLongBodies:
    """With a lease of two seconds instead of twenty."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"upload_lease_seconds": 2.0})

    def test_a_slow_body_keeps_its_slot_while_it_lives(self, stage: Stage) -> None:
        def slowly() -> Iterator[bytes]:
            for _ in range(6):
                time.sleep(0.5)
                with stage.server.application.database.write() as session:
                    assert release_lapsed(session) == 0
                yield b"x"

        assert stage.server.submit(stage.token, slowly()).status_code == 202


def test_an_empty_body_is_accepted_and_left_to_the_judge(stage: Stage) -> None:
    assert stage.server.submit(stage.token, b"").json()["bytes"] == 0


def test_the_same_bytes_again_are_a_new_submission_that_names_its_twin(stage: Stage) -> None:
    first = stage.server.submit(stage.token, BODY).json()
    second = stage.server.submit(stage.token, BODY).json()
    third = stage.server.submit(stage.token, BODY).json()
    assert len({first["id"], second["id"], third["id"]}) == 3
    assert second["identical_to"] == third["identical_to"] == first["id"]


def test_a_client_of_another_make_is_understood(stage: Stage) -> None:
    with httpx2.Client() as client:
        answer = client.post(
            f"http://127.0.0.1:{stage.server.port}/api/v1/competitions/otto/submissions",
            headers={"Authorization": f"bearer {stage.token}"},
            content=iter([b"a", b"b"]),
        )
    assert answer.json()["bytes"] == 2
