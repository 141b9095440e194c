"""Addresses of the installation, as they are shown, copied and sent to other people."""

from __future__ import annotations

from ipaddress import ip_address

from fastapi import Request

from podium.http.transactions import get_application


def installation_address(request: Request) -> str:
    """Finds the installation's base URL, without a trailing slash: the configured one, else that of
    the request."""
    known = get_application(request).settings.base_url
    return known or f"{request.url.scheme}://{request.url.netloc}"


def full_address(request: Request, address: str) -> str:
    """Completes an address with the base URL, so that it can be sent to other people."""
    return f"{installation_address(request)}{address}" if address.startswith("/") else address


def unreachable_address(request: Request) -> str:
    """Returns the base URL if it is not configured and leads every reader to their own machine;
    else an empty text."""
    is_set = get_application(request).settings.base_url
    if is_set or not _is_own_machine(request.url.hostname or ""):
        return ""
    return installation_address(request)


def _is_own_machine(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
