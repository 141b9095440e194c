"""Submitting, waiting and paging, against a server that answers what the test wrote down."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from podium import errors
from podium.client import Podium
from tests.unit.client.scripted import Answer, scripted

ACCEPTED = Answer(202, {"id": "s1", "status": "queued"})
ABC_DIGEST = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"
"""The digest of the three bytes `abc` (FIPS 180-2, appendix B.1)."""


def team(left: int | None, **more: Any) -> Answer:
    return Answer(200, {"id": "t1", "submissions_left_today": left, **more})


@pytest.fixture
def abc(tmp_path: Path) -> Path:
    file = tmp_path / "my file.csv"
    file.write_bytes(b"abc")
    return file


def test_a_submission_is_sent_whole_with_its_digest_and_length(abc: Path) -> None:
    with scripted(team(5), ACCEPTED) as server, Podium(server.url, "t") as podium:
        assert podium.submit("otto", abc, note="v3 & more")["id"] == "s1"
    asked, sent = server.seen
    assert asked.path == "/api/v1/competitions/otto/team"
    assert (sent.method, sent.body) == ("POST", b"abc")
    assert sent.headers["content-length"] == "3"
    assert sent.headers["content-digest"] == ABC_DIGEST
    assert sent.path == (
        "/api/v1/competitions/otto/submissions?filename=my+file.csv&note=v3+%26+more"
    )


def test_no_byte_is_sent_without_quota(abc: Path) -> None:
    tomorrow = datetime.now(UTC) + timedelta(hours=2)
    answer = team(0, resets_at=tomorrow.isoformat(), limited_by="daily_limit")
    with scripted(answer) as server, Podium(server.url, "t") as podium:
        with pytest.raises(errors.QuotaExhausted, match="Next submission in 2 h") as caught:
            podium.submit("otto", abc)
        assert len(server.seen) == 1
    assert 7100 < caught.value.retry_after <= 7200


def test_a_team_without_a_limit_may_submit(abc: Path) -> None:
    with scripted(team(None), ACCEPTED) as server, Podium(server.url, "t") as podium:
        assert podium.submit("otto", abc)["id"] == "s1"


def test_a_cut_upload_is_tried_again_under_the_same_key(tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    large.write_bytes(b"x" * 3_000_000)
    Answer(409, {"code": "idempotency-running", "detail": "Still running."})
    answers = (
        team(5),
        Answer(503, {"code": "busy"}, {"Retry-After": "0"}),
        Answer(cut=9),
        ACCEPTED,
    )
    with scripted(*answers) as server, Podium(server.url, "t") as podium:
        assert podium.submit("otto", large)["id"] == "s1"
        uploads = server.seen[1:]
    assert len(uploads) == 2
    assert len({seen.headers["idempotency-key"] for seen in uploads}) == 1
    assert uploads[-1].body == large.read_bytes()


def test_two_submissions_have_different_keys(abc: Path) -> None:
    with scripted(ACCEPTED, ACCEPTED) as server, Podium(server.url, "t") as podium:
        podium.submit("otto", abc, ask_first=False)
        podium.submit("otto", abc, ask_first=False)
        keys = {seen.headers["idempotency-key"] for seen in server.seen}
    assert len(keys) == 2


def test_progress_counts_up_to_the_size_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "f.csv"
    file.write_bytes(b"x" * (2 * (1 << 20) + 5))
    seen: list[tuple[int, int]] = []
    with scripted(team(5), ACCEPTED) as server, Podium(server.url, "t") as podium:
        podium.submit("otto", file, on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1 << 20, 2097157), (2 << 20, 2097157), (2097157, 2097157)]


def test_a_closed_competition_is_told_at_once(abc: Path) -> None:
    closed = Answer(409, {"code": "competition-closed", "detail": "Closed."})
    with scripted(team(5), closed) as server, Podium(server.url, "t") as podium:
        with pytest.raises(errors.WrongState, match="Closed"):
            podium.submit("otto", abc)
        assert len(server.seen) == 2


def test_waiting_ends_with_the_verdict_and_tells_every_state() -> None:
    states = ("queued", "judging", "scored")
    answers = [Answer(200, {"id": "s1", "status": status}) for status in states]
    told: list[str] = []
    with scripted(*answers) as server, Podium(server.url, "t") as podium:
        final = podium.wait("s1", on_change=lambda seen: told.append(seen["status"]))
    assert final["status"] == "scored"
    assert tuple(told) == states


def test_waiting_is_given_up_after_the_timeout() -> None:
    answers = [Answer(200, {"id": "s1", "status": "queued"})] * 3
    with (
        scripted(*answers) as server,
        Podium(server.url, "t") as podium,
        pytest.raises(errors.Unavailable, match="still queued after"),
    ):
        podium.wait("s1", timeout=0.1)


def test_waiting_goes_on_while_the_server_is_away() -> None:
    away = Answer(503, {"code": "unavailable", "detail": "Away."}, {"Retry-After": "0"})
    scored = Answer(200, {"id": "s1", "status": "scored"})
    with scripted(*[away] * 4, scored) as server, Podium(server.url, "t") as podium:
        assert podium.wait("s1")["status"] == "scored"


def test_waiting_is_given_up_when_the_server_stays_away() -> None:
    away = Answer(503, {"code": "unavailable", "detail": "Away."}, {"Retry-After": "0"})
    with scripted(*[away] * 8) as server, Podium(server.url, "t") as podium:
        with pytest.raises(errors.Unavailable, match="Away"):
            podium.wait("s1", timeout=0.1)
        assert len(server.seen) == 4


def test_lists_are_read_to_their_last_page() -> None:
    first = Answer(200, {"items": [{"id": "a"}, {"id": "b"}], "next_cursor": "c=1"})
    last = Answer(200, {"items": [{"id": "c"}], "next_cursor": None})
    with scripted(first, last) as server, Podium(server.url, "t") as podium:
        assert [row["id"] for row in podium.submissions("otto")] == ["a", "b", "c"]
    assert server.seen[1].path == "/api/v1/competitions/otto/submissions?cursor=c%3D1"


def test_signing_in_sends_name_and_password_and_no_token() -> None:
    answer = Answer(200, {"token": "new", "expires_at": "2026-12-20T00:00:00Z"})
    with scripted(answer) as server, Podium(server.url) as podium:
        assert podium.sign_in("ada", "secret")["token"] == "new"
    (sent,) = server.seen
    assert (sent.method, sent.path) == ("POST", "/api/v1/sign-in")
    assert json.loads(sent.body) == {"name": "ada", "password": "secret"}
    assert "authorization" not in sent.headers


def test_rules_are_accepted_by_the_hash_of_what_was_read() -> None:
    rules = Answer(200, {"text": "Be fair.", "sha256": "ab", "accepted_at": None})
    with scripted(rules, rules) as server, Podium(server.url, "t") as podium:
        podium.accept_rules("a b", podium.rules("a b")["sha256"])
    asked, sent = server.seen
    assert asked.path == "/api/v1/competitions/a%20b/rules"
    assert (sent.path, json.loads(sent.body)) == (f"{asked.path}/acceptance", {"sha256": "ab"})


def test_announcements_come_from_all_pages() -> None:
    first = Answer(200, {"items": [{"title": "New"}], "next_cursor": "c"})
    last = Answer(200, {"items": [{"title": "Old"}], "next_cursor": None})
    with scripted(first, last) as server, Podium(server.url) as podium:
        assert [announcement["title"] for announcement in podium.announcements("otto")] == [
            "New",
            "Old",
        ]
