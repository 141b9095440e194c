"""The version of what an organizer set, as `ETag` and `If-Match` carry it."""

from __future__ import annotations

from typing import Protocol

from fastapi import Request

from podium.competitions.service.competitions import CompetitionVersion
from podium.errors import BadRequest


class _Versioned(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def version(self) -> int: ...


def etag_of(competition: _Versioned) -> str:
    """The strong `ETag` of what an organizer set; none of another competition of the same slug."""
    return f'"{competition.id}.{competition.version}"'


def expected_versions(request: Request) -> frozenset[CompetitionVersion] | None:
    """The versions that `If-Match` names; None when any will do.

    A weak tag never matches, as RFC 9110 has it. Raises `BadRequest` for what is not a tag.
    """
    header = request.headers.get("if-match")
    if header is None or header.strip() == "*":
        return None
    versions = set()
    for part in header.split(","):
        tag = part.strip()
        is_tag = len(tag) >= 2 and tag.removeprefix("W/").startswith('"') and tag.endswith('"')
        if not is_tag:
            raise BadRequest("If-Match holds no ETag. Send the one of the last answer, quoted.")
        competition_id, _, version = tag[1:-1].rpartition(".")
        if version.isascii() and version.isdigit() and len(version) < 16:
            versions.add((competition_id, int(version)))
    return frozenset(versions)
