"""The tables of an archive: columns and references are those of the models; whatever is left out is
listed here with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.sql.elements import KeyedColumnElement

from podium.archives import queries
from podium.core import models
from podium.core.models.base import Base
from podium.storage import Area

FORMAT_VERSION = 3
"""Raised when readers of the old version would misunderstand the new one; new columns and tables do
not need that. In version 1 open registration did not admit accounts to private competitions; until
version 2 a judging and its runs were one row (`former`)."""

CREDENTIALS = "credentials never leave an installation"
ENGINE = "belongs to the installation that judges"
PERSONAL = "where somebody was is nobody's business elsewhere"
MADE = "is made from the name"
RIGHTS = "rights over an installation are given there"


@dataclass(frozen=True, eq=False)
class Table:
    """A table of the archive: all columns of the model except those that are left out, with
    reasons.

    `also_references` maps columns with ids of other tables that are not foreign keys to these
    tables, `files` maps columns with hashes of stored files to their areas, and `free_ids` are JSON
    columns with ids inside. `former` columns exist only in archives of earlier versions.
    """

    model: type[Base]
    left_out: Mapping[str, str] = field(default_factory=dict)
    also_references: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Area] = field(default_factory=dict)
    free_ids: tuple[str, ...] = ()
    former: tuple[KeyedColumnElement[Any], ...] = ()

    @cached_property
    def stored(self) -> Mapping[str, KeyedColumnElement[Any]]:
        """The database columns that the archive holds, by name."""
        columns = (*inspect(self.model).local_table.columns, *self.former)
        return {each.name: each for each in columns if each.name not in self.left_out}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the archive's columns, in order."""
        return tuple(self.stored)

    @cached_property
    def references(self) -> Mapping[str, str]:
        """The columns with ids of other tables, mapped to these tables, except `competition_id`."""
        keys = {
            name: key.column.table.name
            for name, column in self.stored.items()
            for key in column.foreign_keys
            if name != "competition_id"
        }
        return {**keys, **self.also_references}

    @property
    def within(self) -> str:
        """The column that leads from a row to its competition."""
        if "competition_id" in self.columns:
            return "competition_id"
        return next((name for name in self.columns if name in queries.OWNERS), "id")

    @property
    def name(self) -> str:
        """The table's name, in the database as in the archive."""
        return str(self.model.__tablename__)

    def files_of(self, row: Mapping[str, Any]) -> Iterator[tuple[Area, str]]:
        """Yields area and hash of every stored file that belongs to a row."""
        if row.get("file_removed_at") is None:
            for column, area in self.files.items():
                named = row.get(column)
                for sha256 in named.values() if isinstance(named, dict) else (named,):
                    if sha256 is not None:
                        yield area, sha256

    @property
    def has_ids(self) -> bool:
        """True if rows have an `id`."""
        return "id" in self.columns


USERS = Table(
    models.User,
    left_out={
        "is_organizer": RIGHTS,
        "password_hash": CREDENTIALS,
        "look": MADE,
        **dict.fromkeys(("mail", "mail_key"), PERSONAL),
    },
)

COMPETITIONS = Table(models.Competition)

SUBMISSIONS = Table(
    models.Submission,
    also_references={"judging_id": "judgings", "identical_to": "submissions"},
    files={"sha256": Area.SUBMISSIONS},
)

REJUDGINGS = Table(models.Rejudging)

JUDGINGS = Table(models.Judging, files={"hits_sha256": Area.HITS})

RUNS = Table(
    models.Run,
    files={"hits_sha256": Area.HITS},
    left_out=dict.fromkeys(
        (
            "dispatches",
            "worker_id",
            "lease_until",
            "fence",
            "progress",
            "request_id",
            "traceparent",
        ),
        ENGINE,
    ),
)

STANDINGS = Table(models.Standing, also_references={"submission_id": "submissions"})

TEAMS = Table(models.Team, left_out={"look": MADE})

METRICS = Table(models.MetricVersion, files={"sha256": Area.METRICS})

TABLES: tuple[Table, ...] = (
    USERS,
    COMPETITIONS,
    Table(models.CompetitionSecret),
    Table(models.OrganizerRole),
    Table(models.FormerOrganizer),
    Table(models.PublishedIdList, files={"sha256": Area.FILES}),
    Table(
        models.GroundTruthVersion,
        files=dict.fromkeys(("upload_sha256", "sha256", "parts"), Area.GROUND_TRUTH),
    ),
    METRICS,
    Table(
        models.StoredItemFile,
        files={"upload_sha256": Area.GROUND_TRUTH, "sha256": Area.GROUND_TRUTH},
    ),
    Table(
        models.StoredSessionFile,
        files={"upload_sha256": Area.GROUND_TRUTH, "sha256": Area.GROUND_TRUTH},
    ),
    Table(models.DataFile, files={"sha256": Area.FILES}),
    TEAMS,
    Table(models.Membership),
    Table(models.MergeRequest),
    SUBMISSIONS,
    Table(
        models.QuotaSlot,
        left_out={"lapses_at": ENGINE},
        also_references={"submission_id": "submissions"},
    ),
    REJUDGINGS,
    Table(models.RejudgingChange, free_ids=("change",)),
    JUDGINGS,
    RUNS,
    Table(models.PublicScore),
    Table(models.PrivateScore),
    STANDINGS,
    Table(models.Announcement),
    Table(models.RulesAcceptance, left_out={"address": PERSONAL}),
)
"""Sorted so that foreign keys refer only to tables before."""

LEFT_OUT: Mapping[type[Base], str] = {
    models.AccessLink: CREDENTIALS,
    models.AccessToken: CREDENTIALS,
    models.AuditEntry: "tells what happened on one installation; the import is an entry of its own",
    models.IdempotencyKey: "names a request to one installation",
    models.Job: ENGINE,
    models.JudgingPause: ENGINE,
    models.Fingerprint: "is made from the file again when it is judged again",
    models.JoinRequest: "asks organizers of one installation; those who were let in have teams",
    models.MailLink: CREDENTIALS,
    models.PageSession: CREDENTIALS,
    models.ProvidedIdentity: CREDENTIALS,
    models.SignUpRequest: CREDENTIALS,
    models.SigningKey: CREDENTIALS,
    models.Upload: "is not a submission yet",
    models.UploadPiece: "is not a submission yet",
    models.Worker: ENGINE,
}
"""Tables that are not exported, with reasons."""

BY_NAME = {table.name: table for table in TABLES}
