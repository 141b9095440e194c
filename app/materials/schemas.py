"""Documents about ground truths, item files, session files and data files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from podium.http.schemas import Output, ProblemOut, ShownTime


class FileOut(Output):
    """A file and where to get it; `bytes` is its size."""

    name: str
    bytes: int
    sha256: str
    created_at: ShownTime
    url: str


class VersionOut(Output):
    """A version of the ground truth in numbers; never a label.

    `sha256` is that of the uploaded bytes, `canonical_sha256` that of what is scored with.
    `objectives` holds counts per objective and split. `version` is empty until `status` is
    `stored`; an `outdated` version was stored before a draft's settings changed. `preparation`
    counts what was made of whole sessions. `changes` counts what differs from the version that was
    in force when this one was read: ids with labels, lists and labels.
    """

    id: str
    version: int | None
    status: Literal["checking", "stored", "rejected", "outdated"]
    active: bool
    bytes: int
    sha256: str
    canonical_sha256: str | None
    counts: dict[str, int] | None
    objectives: dict[str, Any] | None
    preparation: dict[str, Any] | None
    changes: dict[str, Any] | None
    warnings: list[str]
    problem: ProblemOut | None
    created_at: ShownTime


class ItemFileOut(Output):
    """The item file in numbers.

    `sha256` is that of the uploaded bytes, `canonical_sha256` that of what metrics are computed
    against. `without_users` counts items that nobody had, `without_features` those whose features
    are empty. `tells` says which metrics can be computed.
    """

    items: Annotated[int, Field(examples=[1855603])]
    item_ids: Literal["integer", "string"]
    training_users: Annotated[int | None, Field(examples=[12899779])]
    without_users: int | None
    features: Annotated[list[str], Field(examples=[["price", "is_new"]])]
    without_features: int
    tells: list[Literal["items", "users", "features"]]
    bytes: int
    sha256: str
    canonical_sha256: str
    created_at: ShownTime


class SessionFileOut(Output):
    """What is known about sessions, in numbers. `sha256` is that of the uploaded bytes."""

    columns: Annotated[list[str], Field(examples=[["length"]])]
    sessions: int
    bytes: int
    sha256: str
    created_at: ShownTime
