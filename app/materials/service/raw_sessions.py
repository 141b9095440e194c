"""Raw sessions as an organizer's upload: the sandbox makes of them hidden labels and what
participants get. Here is what may be asked, by which key sessions are cut, and where files go."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from podium.competitions.service.competitions import outdate_ground_truth
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import Competition, CompetitionSecret, PublishedIdList
from podium.errors import InvalidInput, WrongState
from podium.errors.codes import ErrorCode
from podium.materials.service import data_files
from podium.otto.clickstreams import ID_KINDS, TIME_UNITS, Columns, columns_in
from podium.sandbox.definitions.materials import Cutting
from podium.storage import Stored

MOST_DAYS = 3650


@dataclass(frozen=True, slots=True)
class Preparation:
    """The rules by which raw sessions are prepared: the `days` of the test set, and the columns of
    a clickstream; None for sessions in OTTO's form."""

    days: float
    columns: Columns | None

    def stored(self) -> dict[str, Any]:
        """The rules as a version keeps them: the columns as a list, in their order."""
        columns = None if self.columns is None else list(astuple(self.columns))
        return {"days": self.days, "columns": columns}

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> Preparation:
        """Inverse of `stored`."""
        columns = stored["columns"]
        return cls(stored["days"], None if columns is None else Columns(*columns))


def preparation_of(*, days: float, columns: str | None, time_unit: str, ids: str) -> Preparation:
    """The rules of preparation that a request names.

    `columns` names those of a clickstream: user, item, time and perhaps type; `ids` says what users
    and items are. Raises `InvalidInput` (`bad-preparation`).
    """
    if not 0 < days <= MOST_DAYS:
        raise _bad(f"days is above 0 and at most {MOST_DAYS}.")
    if columns is None:
        return Preparation(days, None)
    if (named := columns_in(columns)) is None:
        raise _bad("columns names three or four columns, such as user,item,timestamp,type.")
    for name, value, known in (("time_unit", time_unit, TIME_UNITS), ("ids", ids, ID_KINDS)):
        if value not in known:
            raise _bad(f"{name} is {' or '.join(known)}.")
    return Preparation(days, Columns(*named, time_unit, text_ids=ids == "text"))


def require_draft(competition: Competition) -> None:
    """Raises `WrongState` after the launch: sessions that participants have seen would be cut
    elsewhere if they had become longer, and so show what was hidden."""
    if competition.launched_at is not None:
        raise WrongState(
            "Raw sessions can only be given before the launch.", code=ErrorCode.FIXED_AT_LAUNCH
        )


def cutting_of(
    competition: Competition, secret: CompetitionSecret, preparation: Preparation | None
) -> Cutting | None:
    """The sandbox's rules for cutting sessions; None after the launch. The key of the cuts comes
    from the competition's own secret, so that an organizer who may restore it may also repeat the
    cuts."""
    if competition.launched_at is not None:
        return None
    split_key = bytes.fromhex(secret.split_key)
    key = hmac.digest(split_key, b"podium cuts of sessions", hashlib.sha256)
    if preparation is None:
        return Cutting(key=key.hex(), days=None, columns=None)
    return Cutting(key=key.hex(), days=preparation.days, columns=preparation.columns)


def publish(
    session: WriteSession,
    *,
    actor: Actor | None,
    competition: Competition,
    given: Mapping[str, Stored],
    published_sha256: str,
    replaces_ids: bool,
) -> None:
    """Gives participants the prepared files. With `replaces_ids`, ids that are other ones than the
    prepared ones go, and ground truth that is numbered by them."""
    row = session.get(PublishedIdList, competition.id)
    if replaces_ids and row is not None and row.sha256 != published_sha256:
        outdate_ground_truth(session, competition=competition)
        session.flush()
        if (left := session.get(PublishedIdList, competition.id)) is not None:
            session.delete(left)
        session.flush()
    for name, stored in given.items():
        data_files.put_known(
            session, actor=actor, competition=competition, name=name, stored=stored
        )


def _bad(detail: str) -> InvalidInput:
    return InvalidInput(detail, code=ErrorCode.BAD_PREPARATION)
