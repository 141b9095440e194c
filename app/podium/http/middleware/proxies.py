"""The client's address, host and scheme behind a proxy: only configured addresses are trusted.
Forwarding headers of all others are removed unread."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence

from starlette.types import Scope

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

FORWARDING = frozenset(
    {b"forwarded", b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-real-ip"}
)

HINTS = frozenset({b"forwarded", b"x-real-ip", b"via", b"cdn-loop"})
"""Headers beside `X-Forwarded-…` that only proxies add."""

MAX_HOPS = 20
"""Maximum number of addresses of one `X-Forwarded-For` that are read, from the nearest one on."""

HOST = re.compile(r"^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?$")


def believed(scope: Scope, trusted: Sequence[Network]) -> Scope:
    """Applies the trusted proxy's headers to the request: client, scheme and host.

    `X-Forwarded-For` is read from its end, where the nearest proxy writes; the first address that
    is not a trusted proxy is the client, and `X-Forwarded-Proto` is read as far. Requests from
    other addresses lose these headers.
    """
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    if not any(name in FORWARDING for name, _ in headers):
        return scope
    changed = {**scope, "headers": [pair for pair in headers if pair[0] not in FORWARDING]}
    if not is_trusted(peer_of(scope), trusted):
        return changed
    client, hops = _client(_values(headers, b"x-forwarded-for"), trusted)
    if client is not None:
        changed["client"] = (client, 0)
    schemes = _schemes(headers)
    # Of several, the one that was written by the hop that saw the client; any to the left of it
    # may be the client's own.
    scheme = schemes[-hops] if len(schemes) >= hops else "".join(schemes[-1:])
    if scheme in ("http", "https"):
        changed["scheme"] = scheme
    host = _values(headers, b"x-forwarded-host")[-1:]
    if host and HOST.match(host[0].lower()):
        kept = [pair for pair in changed["headers"] if pair[0] != b"host"]
        changed["headers"] = [(b"host", host[0].encode("latin-1")), *kept]
    return changed


def is_surely_plain(scope: Scope, trusted: Sequence[Network]) -> bool:
    """True if a request was certainly not HTTPS on its way from the client: nothing hints at a
    proxy, or trusted ones report `http` for every hop."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    if scope["scheme"] == "https":
        return False
    if not is_trusted(peer_of(scope), trusted):
        return not any(name in HINTS or name.startswith(b"x-forwarded-") for name, _ in headers)
    _, hops = _client(_values(headers, b"x-forwarded-for"), trusted)
    schemes = _schemes(headers)
    return len(schemes) >= hops and set(schemes) == {"http"}


def parsed_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parses an address, of IPv4 also where it is mapped into IPv6; None for other text."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    mapped = getattr(parsed, "ipv4_mapped", None)
    return mapped or parsed


def is_disbelieved(scope: Scope, trusted: Sequence[Network]) -> bool:
    """True if a request has headers of a proxy, and came from an address that is not trusted."""
    if not any(name in FORWARDING for name, _ in scope["headers"]):
        return False
    return not is_trusted(peer_of(scope), trusted)


def peer_of(scope: Scope) -> str:
    """Reads the address of the connection; empty without one, as for calls from this process."""
    return scope["client"][0] if scope.get("client") else ""


def is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    """True if an address belongs to a proxy that the operator trusts."""
    parsed = parsed_address(address)
    return parsed is not None and any(parsed in network for network in trusted)


def network_of(address: str) -> str:
    """Computes the key by which clients are counted: the address, or for IPv6 its network, since
    one client has 2⁶⁴ addresses there."""
    parsed = parsed_address(address)
    if parsed is None or parsed.version == 4:
        return address if parsed is None else str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def is_own_host(host: str, own: str) -> bool:
    """True if a `Host` header may name this installation, which knows its own name.

    Pages of other sites can point a name of theirs at any address, but not a bare address, and not
    a name without a dot: those stay usable in the local network and for probes.
    """
    found = HOST.match(host.lower())
    if found is None:
        return False
    name = found[1].rstrip(".")
    return (
        host.lower() == own.lower()
        or name == own.lower().partition(":")[0]
        or "." not in name
        or parsed_address(name.strip("[]")) is not None
    )


def _client(hops: Sequence[str], trusted: Sequence[Network]) -> tuple[str | None, int]:
    """Finds the client, and its distance in hops: one if no header names any."""
    client, away = None, 1
    for number, hop in enumerate(list(reversed(hops))[:MAX_HOPS], start=1):
        parsed = parsed_address(_without_port(hop))
        if parsed is None:
            break
        client, away = str(parsed), number
        if not is_trusted(client, trusted):
            break
    return client, away


def _schemes(headers: Sequence[tuple[bytes, bytes]]) -> list[str]:
    return [each.lower() for each in _values(headers, b"x-forwarded-proto")]


def _values(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> list[str]:
    text = ",".join(value.decode("latin-1") for key, value in headers if key == name)
    return [part.strip() for part in text.split(",") if part.strip()]


def _without_port(hop: str) -> str:
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
