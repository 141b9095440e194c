"""An installation whose address begins with `https://`, and what comes to it otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from podium.bootstrap import build
from podium.settings import Settings
from tests.builders.installation import ADMIN_TOKEN, API, client_of, problem_of

OUTSIDE, PROXY = "8.8.8.8", "10.0.0.1"

Asked = Callable[..., Any]


@pytest.fixture
def installation(sqlite_url: str, tmp_path: Path) -> Iterator[Callable[..., Asked]]:
    """Makes clients of an installation: at an address, by a scheme, with settings of its own."""
    with ExitStack() as stack:

        def client(address: str, origin: str, **settings: str) -> Asked:
            given = {"base_url": "https://podium.example", **settings}
            application = build(
                Settings(
                    data_dir=tmp_path / "data",
                    database_url=sqlite_url,
                    min_free_bytes=0,
                    **given,  # type: ignore[arg-type]
                )
            )
            stack.callback(application.close)
            web = client_of(
                application, base_url=origin, client=(address, 5000), follow_redirects=False
            )
            return stack.enter_context(web).request

        yield client


BEARER = {"Authorization": f"Bearer {ADMIN_TOKEN}"}


def test_browsers_are_told_to_come_by_https_only(installation: Callable[..., Asked]) -> None:
    ask = installation(OUTSIDE, "https://podium.example")
    for path in ("/", "/sign-in", f"{API}/me", "/healthz", "/nothing"):
        told = ask("GET", path).headers["strict-transport-security"]
        assert told == "max-age=31536000"


def test_so_they_are_behind_a_proxy_that_is_believed(installation: Callable[..., Asked]) -> None:
    ask = installation(PROXY, "http://podium.example", trusted_proxies=PROXY)
    by = {"X-Forwarded-For": OUTSIDE, "X-Forwarded-Proto": "https"}
    answer = ask("GET", f"{API}/me", headers={**by, **BEARER})
    assert answer.status_code == 200
    assert "strict-transport-security" in answer.headers
    plain = ask("GET", "/", headers={**by, "X-Forwarded-Proto": "http"})
    assert "strict-transport-security" not in plain.headers


@pytest.mark.parametrize("base_url", ["", "http://podium.example"])
def test_an_installation_without_https_promises_none(
    installation: Callable[..., Asked], base_url: str
) -> None:
    for origin in ("http://podium.example", "https://podium.example"):
        ask = installation(OUTSIDE, origin, base_url=base_url)
        answer = ask("GET", f"{API}/me", headers=BEARER)
        assert answer.status_code == 200
        assert "strict-transport-security" not in answer.headers


def test_a_token_that_came_in_the_clear_is_refused_as_leaked(
    installation: Callable[..., Asked], capsys: pytest.CaptureFixture[str]
) -> None:
    ask = installation(OUTSIDE, "http://podium.example")
    for token in (ADMIN_TOKEN, "unknown"):
        answer = ask("GET", f"{API}/me", headers={"Authorization": f"Bearer {token}"})
        problem = problem_of(answer, 403, "token-over-http")
        assert "leaked" in problem["detail"]
        assert "https://" in problem["detail"]
    log = capsys.readouterr().err
    assert "token.sent-in-clear" in log
    assert OUTSIDE in log
    assert ADMIN_TOKEN not in log
    assert ask("GET", f"{API}/competitions").status_code == 200


def test_so_is_one_of_which_a_trusted_proxy_says_that_it_did(
    installation: Callable[..., Asked],
) -> None:
    ask = installation(PROXY, "http://podium.example", trusted_proxies="10.0.0.0/8")
    for forwarded in (
        {"X-Forwarded-For": OUTSIDE, "X-Forwarded-Proto": "http"},
        {"X-Forwarded-For": OUTSIDE, "X-Forwarded-Proto": "HTTP"},
        {"X-Forwarded-For": f"{OUTSIDE}, 10.0.0.2", "X-Forwarded-Proto": "http, http"},
    ):
        answer = ask("GET", f"{API}/me", headers={**forwarded, **BEARER})
        problem_of(answer, 403, "token-over-http")


@pytest.mark.parametrize(
    ("peer", "forwarded", "is_known"),
    [
        (PROXY, {"X-Forwarded-For": OUTSIDE}, False),
        (PROXY, {"X-Forwarded-For": OUTSIDE, "X-Forwarded-Proto": "HTTPS"}, True),
        (
            PROXY,
            {"X-Forwarded-For": f"{OUTSIDE}, 10.0.0.2", "X-Forwarded-Proto": "https,http"},
            True,
        ),
        (PROXY, {"X-Forwarded-For": OUTSIDE, "X-Forwarded-Proto": "https,http"}, False),
        (PROXY, {"X-Forwarded-For": f"{OUTSIDE}, 10.0.0.2", "X-Forwarded-Proto": "http"}, False),
        ("9.9.9.9", {"X-Forwarded-For": OUTSIDE, "X-Forwarded-Proto": "https"}, False),
        ("9.9.9.9", {"Via": "1.1 balancer"}, False),
        ("2a00:1450::7", {"X-Forwarded-Proto": "https"}, False),
    ],
)
def test_a_client_that_may_have_used_https_is_let_in_and_the_operator_told(
    installation: Callable[..., Asked],
    capsys: pytest.CaptureFixture[str],
    peer: str,
    forwarded: dict[str, str],
    is_known: bool,
) -> None:
    ask = installation(peer, "http://podium.example", trusted_proxies="10.0.0.0/8")
    for _ in range(3):
        answer = ask("GET", f"{API}/me", headers={**forwarded, **BEARER})
        assert answer.status_code == 200, answer.text
        assert ("strict-transport-security" in answer.headers) is is_known
    told = [line for line in capsys.readouterr().err.splitlines() if "token.sent-in-clear" in line]
    assert len(told) == (0 if is_known else 1)
    assert all("PODIUM_TRUSTED_PROXIES" in line for line in told)
    assert ADMIN_TOKEN not in "".join(told)


@pytest.mark.parametrize(("address", "status"), [("2a00:1450::7", 403), ("2001:db8:1::7", 200)])
def test_a_neighbor_with_a_public_address_of_ipv6_is_near(
    installation: Callable[..., Asked], address: str, status: int
) -> None:
    ask = installation(address, "http://[2a00:1450:0:1::1]")
    assert ask("GET", f"{API}/me", headers=BEARER).status_code == status
    near = installation("2a00:1450:0:1::7", "http://[2a00:1450:0:1::1]")
    assert near("GET", f"{API}/me", headers=BEARER).status_code == 200


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("127.0.0.1", 0),
        ("::1", 0),
        ("::ffff:127.0.0.1", 0),
        ("10.1.2.3", 1),
        ("192.168.0.7", 1),
        ("fd00::1", 1),
    ],
)
def test_a_client_near_by_may_ask_without_https_and_the_operator_is_told_of_other_machines(
    installation: Callable[..., Asked],
    capsys: pytest.CaptureFixture[str],
    address: str,
    told: int,
) -> None:
    ask = installation(address, "http://podium.example")
    for _ in range(3):
        assert ask("GET", f"{API}/me", headers=BEARER).status_code == 200
    log = capsys.readouterr().err
    assert log.count("token.sent-in-clear") == told
    assert (address in log) is bool(told)
    assert ADMIN_TOKEN not in log


def test_no_token_is_none_in_the_clear(
    installation: Callable[..., Asked], capsys: pytest.CaptureFixture[str]
) -> None:
    ask = installation("10.1.2.3", "http://podium.example")
    assert ask("GET", f"{API}/competitions").status_code == 200
    assert "token.sent-in-clear" not in capsys.readouterr().err


def test_a_page_that_came_by_http_is_no_page_of_ours(installation: Callable[..., Asked]) -> None:
    ask = installation(OUTSIDE, "https://podium.example")

    def signs_in(origin: str) -> int:
        answer = ask("POST", "/sign-in", data={"token": ADMIN_TOKEN}, headers={"Origin": origin})
        return int(answer.status_code)

    assert signs_in("http://podium.example") == 403
    assert signs_in("https://podium.example") == 303
    for origin, status in (("http://podium.example", 403), ("https://podium.example", 201)):
        made = ask("POST", f"{API}/me/tokens", json={}, headers={"Origin": origin})
        assert made.status_code == status


def test_so_it_is_behind_a_proxy_that_is_not_named(installation: Callable[..., Asked]) -> None:
    ask = installation(PROXY, "http://podium.example")
    for origin, status in (("http://podium.example", 403), ("https://podium.example", 303)):
        answer = ask("POST", "/sign-in", data={"token": ADMIN_TOKEN}, headers={"Origin": origin})
        assert answer.status_code == status
