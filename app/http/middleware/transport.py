"""The transport of requests to an installation whose address begins with `https://`.

Browsers are told to come by HTTPS and no other way. A token that came over plain HTTP from another
network may have been read on the way: it is refused, and its owner told what to do. Where a proxy
may have taken part that does not say how it was asked, only the log tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from time import monotonic
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from podium.errors.codes import ErrorCode
from podium.http.middleware.proxies import Network, is_surely_plain, network_of
from podium.logs import get_logger

YEAR_SECONDS = 31_536_000

STRICT = b"max-age=%d" % YEAR_SECONDS
"""Without `includeSubDomains`: what else is served below this name is not ours to close."""

LEAKED = (
    "This token came over plain HTTP, where others can read it. Consider it leaked: revoke it,"
    " and use https:// from now on."
)

HINT = (
    "set PODIUM_TRUSTED_PROXIES to the address of the proxy, and have it send X-Forwarded-For and"
    " X-Forwarded-Proto"
)

TOLD_EVERY_SECONDS = 60.0


class Transport:
    """The rules of transport that follow from an installation's own address."""

    def __init__(self, base_url: str, trusted_proxies: Sequence[Network]) -> None:
        self._trusted_proxies = trusted_proxies
        self._log = get_logger("http")
        self._quiet_until = 0.0
        self._is_https = urlsplit(base_url).scheme == "https"

    def policy(self, scope: Scope) -> bytes | None:
        """The value of `Strict-Transport-Security` for the answer; None where it means nothing."""
        return STRICT if self._is_https and scope["scheme"] == "https" else None

    def refused_token(self, scope: Scope, *, arrived: Scope) -> tuple[int, ErrorCode, str] | None:
        """Status, code and detail for a token that was sent in the clear, or None. `arrived` is the
        request before a proxy was believed.

        Loopback and private networks are let be: there stands the proxy that speaks HTTPS for us,
        and the operator who asks the service directly. The same goes for a client that may well
        have used HTTPS as far as a proxy that is not named or does not say so: the log tells.
        """
        if not self._is_https or scope["scheme"] == "https" or not _is_from_outside(scope):
            return None
        if not Headers(scope=scope).get("authorization", "").lower().startswith("bearer"):
            return None
        if not is_surely_plain(arrived, self._trusted_proxies):
            self._tell(scope["client"][0])
            return None
        self._log.warning("token.sent-in-clear", address=scope["client"][0], refused=True)
        return 403, ErrorCode.TOKEN_OVER_HTTP, LEAKED

    def _tell(self, address: str) -> None:
        """Says now and then what the operator can do about a proxy."""
        now = monotonic()
        if now < self._quiet_until:
            return
        self._quiet_until = now + TOLD_EVERY_SECONDS
        self._log.warning("token.sent-in-clear", address=address, refused=False, hint=HINT)


def _is_from_outside(scope: Scope) -> bool:
    address = scope["client"][0] if scope.get("client") else ""
    try:
        if not ip_address(address).is_global:
            return False
    except ValueError:
        return False
    # With IPv6 the machines of one's own network have public addresses.
    own = scope["server"][0] if scope.get("server") else ""
    return ":" not in address or network_of(address) != network_of(own)
