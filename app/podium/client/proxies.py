"""Finds the proxy for requests to an address, from the environment or the system."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(url: str) -> str | None:
    """Returns the address of the proxy for a server, without a name or a password in it; None if
    requests go there directly."""
    parts = urlsplit(url)
    proxies = getproxies()
    given = proxies.get(parts.scheme) or proxies.get("all")
    if not given or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxy = urlsplit(given if "://" in given else f"http://{given}")
    return f"{proxy.scheme}://{proxy.netloc.rpartition('@')[2]}"
