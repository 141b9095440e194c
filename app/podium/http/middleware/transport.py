"""The transport of requests to an installation whose address begins with `https://`.

HSTS makes browsers use HTTPS only. A token that came over plain HTTP from another network may have
been read on the way: it is refused, with advice for its owner. Where a proxy may be involved that
does not forward the scheme, or the token came from a private network, it is only logged. So is a
proxy that is not configured as trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from podium.errors.codes import ErrorCode, OurCode
from podium.http.middleware.proxies import (
    Network,
    is_disbelieved,
    is_surely_plain,
    network_of,
    parsed_address,
    peer_of,
)
from podium.logs import get_logger

YEAR_SECONDS = 31_536_000

STRICT = b"max-age=%d" % YEAR_SECONDS
"""Without `includeSubDomains`: other services below this name are not ours to restrict."""

LEAKED = (
    "This token came over plain HTTP, where others can read it. Consider it leaked: revoke it,"
    " and use https:// from now on."
)

HINT = (
    "set PODIUM_TRUSTED_PROXIES to the address of the proxy, and have it send X-Forwarded-For and"
    " X-Forwarded-Proto"
)

PLAIN_HINT = "revoke the token unless nobody can read this network, and use https:// from now on"

SECONDS_BETWEEN_WARNINGS = 60.0


class Transport:
    """The rules of transport that follow from an installation's own address."""

    def __init__(self, base_url: str, trusted_proxies: Sequence[Network]) -> None:
        self._trusted_proxies = trusted_proxies
        self._log = get_logger("http")
        self._quiet_until: dict[str, float] = {}
        self._is_https = urlsplit(base_url).scheme == "https"

    def policy(self, scope: Scope) -> bytes | None:
        """Chooses the value of `Strict-Transport-Security` for the answer; None where it has no
        meaning."""
        return STRICT if self._is_https and scope["scheme"] == "https" else None

    def watch_for_proxy(self, arrived: Scope) -> None:
        """Logs a proxy that is not trusted, recognized by the headers that it adds.

        Every client can add those. Without HTTPS they count only from this machine and private
        networks, where proxies run: a server that is reached directly would otherwise log its
        clients' proxies.
        """
        address = peer_of(arrived)
        if not address or not is_disbelieved(arrived, self._trusted_proxies):
            return
        if self._is_https or not _is_from_outside(arrived):
            self._tell("proxy.not-trusted", address=address, hint=HINT)

    def refused_token(self, scope: Scope, *, arrived: Scope) -> tuple[int, OurCode, str] | None:
        """Chooses status, code and detail for a token that was sent in the clear; None if there was
        none. `arrived` is the request before the headers of proxies were applied.

        Loopback and private networks are allowed: a proxy that terminates HTTPS for us connects
        from there, and so does the operator. The same holds for a client that may have used HTTPS
        up to a proxy that is not trusted or does not forward the scheme. All but loopback is
        logged.
        """
        if not self._is_https or scope["scheme"] == "https" or _is_loopback(scope):
            return None
        if not Headers(scope=scope).get("authorization", "").lower().startswith("bearer"):
            return None
        address, is_plain = peer_of(scope), is_surely_plain(arrived, self._trusted_proxies)
        if is_plain and _is_from_outside(scope):
            self._log.warning("token.sent-in-clear", address=address, refused=True)
            return 403, ErrorCode.TOKEN_OVER_HTTP, LEAKED
        hint = PLAIN_HINT if is_plain else HINT
        self._tell("token.sent-in-clear", address=address, refused=False, hint=hint)
        return None

    def _tell(self, event: str, **facts: object) -> None:
        """Logs a warning, at most once in `SECONDS_BETWEEN_WARNINGS` for each event."""
        now = monotonic()
        if now >= self._quiet_until.get(event, now):
            self._quiet_until[event] = now + SECONDS_BETWEEN_WARNINGS
            self._log.warning(event, **facts)


def _is_loopback(scope: Scope) -> bool:
    """True also without an address, as for calls from this process itself."""
    address = parsed_address(peer_of(scope))
    return address is None or address.is_loopback


def _is_from_outside(scope: Scope) -> bool:
    client = peer_of(scope)
    address = parsed_address(client)
    if address is None or not address.is_global:
        return False
    # With IPv6 the machines of one's own network have public addresses.
    own = scope["server"][0] if scope.get("server") else ""
    return address.version == 4 or network_of(client) != network_of(own)
