"""The proxy that requests to an address go through, as the environment or the system says."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(url: str) -> str | None:
    """The address of the proxy for a server, without a name or a password in it; None where
    requests go straight there."""
    parts = urlsplit(url)
    proxies = getproxies()
    given = proxies.get(parts.scheme) or proxies.get("all")
    if not given or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxy = urlsplit(given if "://" in given else f"http://{given}")
    return f"{proxy.scheme}://{proxy.netloc.rpartition('@')[2]}"
