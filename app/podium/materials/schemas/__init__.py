"""Documents about ground truths, item files, session files and data files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from podium.http import examples
from podium.http.members import CreatedAt, FileHash, FileSize, Id
from podium.http.schemas import Output, ProblemOut


class FileOut(Output):
    """A data file for participants."""

    name: Annotated[str, Field(examples=["train.parquet"])]
    """The file's name, as in its address."""
    bytes: FileSize
    sha256: FileHash
    created_at: CreatedAt
    url: Annotated[str, Field(examples=["/api/v1/competitions/otto/files/train.parquet"])]
    """The path from which it is downloaded."""


class VersionOut(Output):
    """A version of the ground truth in numbers; never a label."""

    id: Annotated[Id, Field(examples=[examples.GROUND_TRUTH])]
    version: int | None
    """Its number, from 1. Null until `status` is `stored`."""
    status: Annotated[
        Literal["checking", "stored", "rejected", "outdated"], Field(examples=["stored"])
    ]
    """`checking` while it is read; then `stored` or `rejected`. `outdated`: stored before a draft's
    settings changed."""
    active: Annotated[bool, Field(examples=[True])]
    """True for the version that judges use."""
    bytes: Annotated[FileSize, Field(examples=[71_240_188])]
    sha256: FileHash
    canonical_sha256: str | None
    """SHA-256 of the canonical form, with which files are scored, in hex. Null until it is read."""
    counts: dict[str, int] | None
    """Rows, sessions and labels that were read. Null until it is read."""
    objectives: dict[str, Any] | None
    """Counts per objective and split. Null until it is read."""
    preparation: Annotated[dict[str, Any] | None, Field(examples=[None])]
    """The preparation of raw sessions or interactions, in numbers. Null for a ground truth that was
    uploaded as such."""
    changes: Annotated[dict[str, Any] | None, Field(examples=[None])]
    """Counts of what differs from the version that was in force when this one was read: ids with
    labels, lists and labels; and the first ten ids of each kind. Null: there was none."""
    warnings: Annotated[
        list[str], Field(examples=[["The public score may be off by a standard error of 0.0007."]])
    ]
    """Sentences about what looks odd, but does no harm."""
    problem: Annotated[ProblemOut | None, Field(examples=[None])]
    """The reason for a rejection. Null: it was not rejected."""
    created_at: CreatedAt


class ItemFileOut(Output):
    """The item file in numbers."""

    items: Annotated[int, Field(examples=[1855603])]
    """Items that the file lists."""
    item_ids: Literal["integer", "string"]
    """The kind of ids: numbers or text."""
    training_users: Annotated[int | None, Field(examples=[12899779])]
    """Users of the training data. Null: not told."""
    without_users: Annotated[int | None, Field(examples=[1204])]
    """Items that no user had. Null: the file has no column of users."""
    features: Annotated[list[str], Field(examples=[["price", "is_new"]])]
    """The columns that describe items."""
    without_features: Annotated[int, Field(examples=[0])]
    """Items whose features are all empty."""
    tells: list[Literal["items", "users", "features"]]
    """The parts that it has; they decide which metrics can be computed."""
    bytes: Annotated[FileSize, Field(examples=[48_213_907])]
    sha256: FileHash
    canonical_sha256: str
    """SHA-256 of the canonical form, which metrics are computed against, in hex."""
    created_at: CreatedAt


class SessionFileOut(Output):
    """What is known about sessions, in numbers."""

    columns: Annotated[list[str], Field(examples=[["length"]])]
    """The columns by which scores can be taken apart."""
    sessions: int
    """Sessions that the file lists."""
    bytes: Annotated[FileSize, Field(examples=[19_004_112])]
    sha256: FileHash
    created_at: CreatedAt
