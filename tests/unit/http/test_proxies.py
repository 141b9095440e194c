"""Forwarding headers are believed from named proxies, and from no other client."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest

from podium.http.middleware.proxies import believed, is_own_host

TRUSTED = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))


def scope_of(client: str | None, **headers: str) -> dict[str, Any]:
    return {
        "type": "http",
        "scheme": "http",
        "client": (client, 1234) if client else None,
        "headers": [
            (b"host", b"inner:8000"),
            *((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()),
        ],
    }


@pytest.mark.parametrize(
    ("client", "forwarded_for", "expected"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.7", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
        ("10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, nonsense", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.9, 10.0.0.8", "10.0.0.9"),
        ("203.0.113.5", "127.0.0.1", "203.0.113.5"),
        ("127.0.0.1", "203.0.113.9", "127.0.0.1"),
    ],
)
def test_the_client_is_the_first_address_from_the_end_that_is_no_proxy(
    client: str, forwarded_for: str, expected: str
) -> None:
    found = believed(scope_of(client, x_forwarded_for=forwarded_for), TRUSTED)
    assert found["client"][0] == expected


def test_a_trusted_proxy_names_scheme_and_host() -> None:
    scope = scope_of("fd00::1", x_forwarded_proto="https", x_forwarded_host="podium.example")
    found = believed(scope, TRUSTED)
    assert found["scheme"] == "https"
    assert found["headers"] == [(b"host", b"podium.example")]
    assert scope["headers"][0] == (b"host", b"inner:8000")


@pytest.mark.parametrize(
    ("proto", "host"), [("javascript", "a b"), ("", ""), ("HTTPSX", "x\ny"), ("ws", "a/b")]
)
def test_what_is_no_scheme_or_host_is_left_alone(proto: str, host: str) -> None:
    scope = scope_of("10.0.0.1", x_forwarded_proto=proto, x_forwarded_host=host)
    found = believed(scope, TRUSTED)
    assert (found["scheme"], found["headers"]) == ("http", [(b"host", b"inner:8000")])


def test_from_everybody_else_the_headers_are_taken_away() -> None:
    scope = scope_of(
        "203.0.113.5",
        x_forwarded_for="127.0.0.1",
        x_forwarded_host="evil.example",
        x_forwarded_proto="https",
        forwarded="for=127.0.0.1",
        x_real_ip="127.0.0.1",
    )
    for trusted in (TRUSTED, ()):
        found = believed(scope, trusted)
        assert found["headers"] == [(b"host", b"inner:8000")]
        assert (found["client"][0], found["scheme"]) == ("203.0.113.5", "http")
    assert believed(scope_of(None, x_forwarded_for="1.2.3.4"), TRUSTED)["client"] is None


def test_a_request_without_such_headers_is_the_same_object() -> None:
    scope = scope_of("10.0.0.1")
    assert believed(scope, TRUSTED) is scope


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("podium.example", True),
        ("PODIUM.example:443", True),
        ("podium.example.:443", True),
        ("localhost:8000", True),
        ("podium:8000", True),
        ("192.168.1.7:8000", True),
        ("[fd00::1]:8000", True),
        ("evil.example", False),
        ("podium.example.evil.example", False),
        ("xpodium.example", False),
        ("", False),
        ("podium.example@evil.example", False),
        ("a/b", False),
    ],
)
def test_an_installation_with_a_name_answers_to_it_and_to_what_no_site_can_claim(
    host: str, expected: bool
) -> None:
    assert is_own_host(host, "podium.example") is expected
