"""Installations behind a proxy: whose word counts, and under which name they answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pydantic import ValidationError

from podium.bootstrap import build
from podium.settings import Settings
from tests.builders.installation import Installation, client_of, problem_of

Serve = Callable[..., Installation]


@pytest.fixture
def serve(sqlite_url: str, tmp_path: Path) -> Iterator[Serve]:
    """Serves an installation with settings of a test, to a client at an address."""
    with ExitStack() as stack:

        def start(address: str = "10.0.0.1", **settings: str) -> Installation:
            application = build(
                Settings(
                    data_dir=tmp_path / "data",
                    database_url=sqlite_url,
                    min_free_bytes=0,
                    **settings,  # type: ignore[arg-type]
                )
            )
            stack.callback(application.close)
            client = client_of(application, client=(address, 5000))
            return Installation(stack.enter_context(client), application)

        yield start


def address_in_the_log(installation: Installation, forwarded_for: str) -> str:
    headers = {"X-Forwarded-For": forwarded_for}
    body = {"slug": "otto", "title": "O", "preset": "otto"}
    answer = installation.admin.post("/admin/competitions", json=body, headers=headers)
    assert answer.status_code == 201, answer.text
    return str(installation.admin.get("/admin/audit").json()["items"][0]["address"])


def test_the_log_names_the_client_that_a_trusted_proxy_names(serve: Serve) -> None:
    installation = serve(trusted_proxies="10.0.0.0/8, 127.0.0.1")
    assert address_in_the_log(installation, "6.6.6.6, 203.0.113.9") == "203.0.113.9"


@pytest.mark.parametrize("trusted", ["", "10.0.0.2/32"])
def test_no_other_client_is_believed(serve: Serve, trusted: str) -> None:
    installation = serve(trusted_proxies=trusted)
    assert address_in_the_log(installation, "203.0.113.9") == "10.0.0.1"


@pytest.mark.parametrize(
    ("peer", "headers", "settings", "told"),
    [
        ("127.0.0.1", {"X-Forwarded-For": "8.8.8.8"}, {}, 1),
        ("10.0.0.1", {"X-Forwarded-Proto": "https"}, {}, 1),
        ("10.0.0.1", {"Forwarded": "for=8.8.8.8"}, {"trusted_proxies": "10.0.0.2"}, 1),
        ("9.9.9.9", {"X-Forwarded-For": "8.8.8.8"}, {"base_url": "https://podium.example"}, 1),
        ("9.9.9.9", {"X-Forwarded-For": "8.8.8.8"}, {}, 0),
        ("127.0.0.1", {"X-Forwarded-For": "8.8.8.8"}, {"trusted_proxies": "127.0.0.1"}, 0),
        ("127.0.0.1", {}, {"base_url": "https://podium.example"}, 0),
    ],
)
def test_the_log_tells_once_a_minute_of_a_proxy_that_is_not_named(
    serve: Serve,
    capsys: pytest.CaptureFixture[str],
    peer: str,
    headers: dict[str, str],
    settings: dict[str, str],
    told: int,
) -> None:
    installation = serve(peer, **settings)
    for _ in range(3):
        answer = installation.client.get("/healthz", headers={"Host": "localhost", **headers})
        assert answer.status_code == 200
    lines = [line for line in capsys.readouterr().err.splitlines() if "proxy.not-trusted" in line]
    assert len(lines) == told
    assert all(peer in line and "PODIUM_TRUSTED_PROXIES" in line for line in lines)


def test_guesses_are_counted_by_the_real_address(serve: Serve) -> None:
    installation = serve(trusted_proxies="10.0.0.0/8")
    body = {"name": "ada", "password": "wrong wrong"}

    def status(address: str) -> int:
        headers = {"X-Forwarded-For": address}
        return int(installation.anonymous.post("/sign-in", json=body, headers=headers).status_code)

    assert [status("203.0.113.9") for _ in range(11)] == [401] * 10 + [429]
    assert status("203.0.113.10") == 401


def test_an_untrusted_client_does_not_escape_its_count(serve: Serve) -> None:
    installation = serve()
    body = {"name": "ada", "password": "wrong wrong"}
    found = [
        installation.anonymous.post(
            "/sign-in", json=body, headers={"X-Forwarded-For": f"203.0.113.{number}"}
        ).status_code
        for number in range(11)
    ]
    assert found == [401] * 10 + [429]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("podium.example", 200),
        ("localhost:8000", 200),
        ("192.168.1.7:8000", 200),
        ("evil.example", 421),
        ("podium.example.evil.example", 421),
    ],
)
def test_with_a_base_url_other_names_are_refused(serve: Serve, host: str, status: int) -> None:
    installation = serve(base_url="https://podium.example")
    answer = installation.anonymous.get("/competitions", headers={"Host": host})
    assert answer.status_code == status
    if status == 421:
        problem_of(answer, 421, "wrong-host")
        probe = installation.client.get("/healthz", headers={"Host": host})
        assert probe.status_code == 200


def test_without_a_base_url_every_name_is_answered(serve: Serve) -> None:
    answer = serve().anonymous.get("/competitions", headers={"Host": "anything.example"})
    assert answer.status_code == 200


def test_a_trusted_proxy_says_under_which_name_it_was_asked(serve: Serve) -> None:
    installation = serve(base_url="https://podium.example", trusted_proxies="10.0.0.0/8")
    headers = {"Host": "inner.example", "X-Forwarded-Host": "podium.example"}
    assert installation.anonymous.get("/competitions", headers=headers).status_code == 200
    headers["X-Forwarded-Host"] = "evil.example"
    assert installation.anonymous.get("/competitions", headers=headers).status_code == 421


def test_links_and_feeds_name_the_base_url(serve: Serve) -> None:
    installation = serve(base_url="https://podium.example/")
    made = installation.admin.post("/admin/invites", json={}).json()
    assert made["address"] == f"https://podium.example/links/{made['code']}"
    installation.launched()
    feed = installation.client.get("/competitions/otto/announcements.atom").text
    assert 'href="https://podium.example/competitions/otto"' in feed


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "podium.example"},
        {"base_url": "ftp://podium.example"},
        {"base_url": "https://podium.example/podium"},
        {"base_url": "https://user@podium.example"},
        {"base_url": "https://podium.example?x"},
        {"trusted_proxies": "10.0.0.1/8"},
        {"trusted_proxies": "proxy.example"},
    ],
)
def test_settings_that_cannot_be_meant_are_refused_at_the_start(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Settings(**wrong)  # type: ignore[arg-type]
