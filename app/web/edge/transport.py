"""How requests come to an installation whose address begins with `https://`.

Browsers are told to come by HTTPS and no other way. A token that came over plain HTTP from another
network was read by whoever stood on the way: it is refused, and its owner told what to do.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from app.logs import get_logger

YEAR_SECONDS = 31_536_000

STRICT = f"max-age={YEAR_SECONDS}"
"""Without `includeSubDomains`: what else is served below this name is not ours to close."""

LEAKED = (
    "This token came over plain HTTP, where others can read it. Consider it leaked: revoke or"
    " replace it, and use https:// from now on."
)

_log = get_logger("edge")


class Transport:
    """What an installation's own address says about the way to it."""

    def __init__(self, base_url: str) -> None:
        self._is_https = urlsplit(base_url).scheme == "https"

    def policy(self, scope: Scope) -> str | None:
        """The value of `Strict-Transport-Security` for the answer; None where it means nothing."""
        return STRICT if self._is_https and scope["scheme"] == "https" else None

    def refused_token(self, scope: Scope) -> tuple[int, str, str] | None:
        """Status, code and detail for a token that was sent in the clear, or None.

        Loopback and private networks are let be: there stands the proxy that speaks HTTPS for us,
        and the operator who asks the service directly.
        """
        if not self._is_https or scope["scheme"] == "https" or not _is_from_outside(scope):
            return None
        if not Headers(scope=scope).get("authorization", "").lower().startswith("bearer"):
            return None
        _log.warning("token-over-http", address=scope["client"][0])
        return 403, "token-over-http", LEAKED


def _is_from_outside(scope: Scope) -> bool:
    try:
        return ip_address(scope["client"][0]).is_global
    except (TypeError, ValueError):
        return False
