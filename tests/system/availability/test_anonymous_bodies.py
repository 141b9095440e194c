"""Anonymous bodies are never taken in without a bound: all addresses, all methods, over real
connections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from podium.application import Application
from podium.main import create_app
from tests.builders.access.operations import undescribed
from tests.builders.processes.process import MEBIBYTE, Process, Sent

pytestmark = [pytest.mark.xdist_group("availability"), pytest.mark.timeout(600)]

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "SEARCH")

ENDLESS = 64 * MEBIBYTE
"""More than the kernel keeps for both sides: a client that could send all of it was read to the
end."""

GROWTH = 96 * MEBIBYTE
"""Bytes that the process may grow by while hundreds of bodies come, none of which it may keep."""


def _addresses(process: Process, application: Application) -> Iterator[str]:
    described = set(process.client.get("/openapi.json").json()["paths"])
    pages = {name.partition(" ")[2] for name in undescribed(create_app(application))}
    for path in sorted(described | pages):
        yield re.sub(r"\{slug\}", "otto", re.sub(r"\{(?!slug)[^}]+\}", "x", path))


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """Routes are the same on every database."""
    return sqlite_url


def test_no_address_takes_a_strangers_body_without_a_bound(
    process: Process, application: Application
) -> None:
    asked = [
        (method, address) for address in _addresses(process, application) for method in METHODS
    ]
    assert len(asked) > 1000
    before = process.resident_bytes()
    process.forget_peak()

    def send(one: tuple[str, str]) -> Sent:
        return process.stream(*one, most_bytes=ENDLESS)

    with ThreadPoolExecutor(4) as pool:
        sent = dict(zip(asked, pool.map(send, asked), strict=True))
    assert {one for one, end in sent.items() if end.taken >= ENDLESS} == set()
    assert {one for one, end in sent.items() if end.status >= 500} == set()
    assert process.peak_bytes() - before < GROWTH


def test_a_wrong_token_opens_no_raw_address(process: Process) -> None:
    for method, path in (
        ("POST", "/competitions/otto/submissions"),
        ("POST", "/uploads"),
        ("PATCH", "/uploads/x"),
        ("PATCH", "/admin/competitions/import"),
        ("POST", "/admin/competitions/import"),
        ("PUT", "/admin/competitions/otto/files/a"),
    ):
        sent = process.stream(
            method,
            f"/api/v1{path}",
            most_bytes=ENDLESS,
            lines="Authorization: Bearer wrong\r\n",
        )
        assert sent.taken < ENDLESS, (method, path)
        assert sent.status in (0, 401), (method, path)


def test_who_waits_for_the_answer_hears_it(process: Process) -> None:
    answer = process.anonymous.patch("/admin/competitions/import", json={"title": "x"})
    assert answer.status_code == 401


@pytest.mark.parametrize("path", ["/admin/competitions", "/admin/competitions/import?slug=import"])
def test_no_competition_can_be_called_like_an_address_of_ours(
    process: Process, path: str, tmp_path: Path
) -> None:
    archive = b""
    if "?" in path:
        process.draft("moving")
        exported = process.admin.get("/admin/competitions/moving/export?full=true")
        assert exported.status_code == 200
        archive = exported.content
        answer = process.admin.post(path, content=archive)
    else:
        answer = process.admin.post(path, json={"slug": "import", "title": "x", "preset": "otto"})
    assert answer.status_code == 422, answer.text


def test_fixed_words_in_the_place_of_a_slug_are_reserved(process: Process) -> None:
    """A word of ours that stands where slugs stand would hide a competition of that name."""
    paths = process.client.get("/openapi.json").json()["paths"]
    words = set()
    for path in paths:
        before, found, _ = path.partition("{slug}")
        if found:
            others = (other.removeprefix(before) for other in paths if other.startswith(before))
            words |= {rest.partition("/")[0] for rest in others} - {"{slug}"}
    assert "import" in words
    for word in words:
        answer = process.admin.post(
            "/admin/competitions", json={"slug": word, "title": "x", "preset": "otto"}
        )
        assert answer.status_code == 422, word
