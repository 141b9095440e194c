"""Addresses that people send to each other."""

from __future__ import annotations

from fastapi import Request


def full_address(request: Request, address: str) -> str:
    """The address as it can be sent to other people: an installation that does not know its own
    name is taken to have the one that it was asked by."""
    if address.startswith("/"):
        return f"{request.url.scheme}://{request.url.netloc}{address}"
    return address
