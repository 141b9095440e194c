"""Addresses that people send to each other."""

from __future__ import annotations

from typing import Any

from fastapi import Request


def full_address(request: Request, link: dict[str, Any]) -> dict[str, Any]:
    """The link with an address that can be sent to other people: an installation that does not know
    its own name is taken to have the one that it was asked by."""
    address = link["address"]
    if address.startswith("/"):
        address = f"{request.url.scheme}://{request.url.netloc}{address}"
    return {**link, "address": address}
