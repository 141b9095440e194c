"""Addresses of the installation, as they are shown, copied and sent to other people."""

from __future__ import annotations

from ipaddress import ip_address

from fastapi import Request

from podium.http.transactions import get_application


def installation_address(request: Request) -> str:
    """The installation's own address, without a slash at its end: an installation that does not
    know its name is taken to have the one that it was asked by."""
    known = get_application(request).settings.base_url
    return known or f"{request.url.scheme}://{request.url.netloc}"


def full_address(request: Request, address: str) -> str:
    """The address as it can be sent to other people."""
    return f"{installation_address(request)}{address}" if address.startswith("/") else address


def unreachable_address(request: Request) -> str:
    """The installation's address if it leads every reader to their own machine and was not set;
    else nothing."""
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
