"""Assigns accounts when a competition is imported from another installation.

Accounts are imported without credentials and without rights over the installation. An account here
with the same name may be another person's, whom an import must not put into a stranger's team: so
the import is refused unless the administrator decides what such names mean.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from podium.archives import queries
from podium.archives.queries import Row
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import User
from podium.core.names import MAX_NAME_CHARACTERS, name_key
from podium.errors import WrongState
from podium.errors.codes import ErrorCode

SHOWN = 10
"""Names listed in a refusal."""


class People(StrEnum):
    """What a name means that somebody has here already."""

    REFUSE = "refuse"
    SAME = "same"
    SUFFIX = "suffix"


@dataclass
class Settled:
    """`ids` maps every account of the archive to its id here; `new` are the rows to insert."""

    ids: dict[str, str] = field(default_factory=dict)
    new: list[Row] = field(default_factory=list)


def settle(session: WriteSession, rows: Iterable[Row], *, actor: Actor, people: People) -> Settled:
    """Finds an account for each row, or prepares a new one. An account whose id exists here is the
    same one; administrators become the importing one. Raises `WrongState` (`names-taken`)."""
    settled, clashes = Settled(), list[str]()
    for row in rows:
        is_administrator = row.pop("is_administrator", False)
        # Computed here: the archive's could call two names different that look the same.
        row["name_key"] = name_key(row["name"])
        if row.get("deleted_at") is not None:
            row["name_key"] += f" {row['id']}"
        if session.get(User, row["id"]) is not None:
            settled.ids[row["id"]] = row["id"]
            continue
        if is_administrator:
            settled.ids[row["id"]] = actor.user_id
            continue
        namesake = queries.user_by_name_key(session, row["name_key"])
        if namesake is not None and people is People.SAME:
            settled.ids[row["id"]] = namesake.id
            continue
        if namesake is not None and people is People.SUFFIX:
            row["name"], row["name_key"] = _free_name(session, row["name"])
        elif namesake is not None:
            clashes.append(row["name"])
        settled.ids[row["id"]] = row["id"]
        settled.new.append(row)
    if clashes:
        raise _names_taken(clashes)
    return settled


def _free_name(session: WriteSession, name: str) -> tuple[str, str]:
    number = 2
    while True:
        end = f" {number}"
        tried = name[: MAX_NAME_CHARACTERS - len(end)].rstrip() + end
        key = name_key(tried)
        if queries.user_by_name_key(session, key) is None:
            return tried, key
        number += 1


def _names_taken(names: list[str]) -> WrongState:
    listed = ", ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
    return WrongState(
        f"{len(names)} accounts of the archive have names that are taken here: {listed}. Say"
        " whether those are the same people (`same`) or others, who get a number behind their name"
        " (`suffix`, at the command line --people suffix).",
        code=ErrorCode.NAMES_TAKEN,
    )
