"""What an archive holds of the database: every table and column is either named here with its
part, or left out with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from podium.core import models
from podium.core.models.base import Base
from podium.storage import Area

FORMAT_VERSION = 1
"""Grows when a reader of the old version would misunderstand the new one; new columns and tables
do not need that."""

CREDENTIALS = "credentials never leave an installation"
ENGINE = "belongs to the installation that judges"
PERSONAL = "where somebody was is nobody's business elsewhere"
MADE = "is made from the name"
RIGHTS = "rights over an installation are given there"


@dataclass(frozen=True, eq=False)
class Table:
    """A table of the archive: its columns in their order, and those that stay behind, with why.

    `references` says which columns hold ids of which tables (of our rows, foreign keys or not),
    `files` which hold hashes of stored files, `within` through which column a row belongs to the
    competition, and `free_ids` which JSON columns have ids within.
    """

    model: type[Base]
    columns: tuple[str, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Area] = field(default_factory=dict)
    within: str = "competition_id"
    free_ids: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The table's name, in the database as in the archive."""
        return str(self.model.__tablename__)

    def files_of(self, row: Mapping[str, Any]) -> Iterator[tuple[Area, str]]:
        """Area and hash of every stored file that belongs to a row."""
        if row.get("file_removed_at") is None:
            for column, area in self.files.items():
                if row.get(column) is not None:
                    yield area, row[column]

    @property
    def has_ids(self) -> bool:
        """Whether rows have an `id` of their own."""
        return "id" in self.columns


def _columns(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_SCORES = _columns("judging_id score objectives standard_error diagnostics diagnostic_errors")

USERS = Table(
    models.User,
    _columns("id name name_key is_administrator disabled_at deleted_at created_at"),
    left_out={"is_organizer": RIGHTS, "password_hash": CREDENTIALS, "look": MADE},
    within="id",
)

COMPETITIONS = Table(
    models.Competition,
    _columns(
        "id slug title description settings visibility starts_at ends_at launched_at frozen_at"
        " closed_at revealed_at version board_version board_updated_at active_ground_truth"
        " created_at created_by"
    ),
    references={"created_by": "users"},
    within="id",
)

SUBMISSIONS = Table(
    models.Submission,
    _columns(
        "sequence id competition_id team_id user_id filename note bytes sha256 submitted_at"
        " judging_id is_selected is_late disqualified_at disqualified_because identical_to"
        " is_held_back file_removed_at"
    ),
    references={
        "team_id": "teams",
        "user_id": "users",
        "judging_id": "judgings",
        "identical_to": "submissions",
    },
    files={"sha256": Area.SUBMISSIONS},
)

REJUDGINGS = Table(
    models.Rejudging,
    _columns(
        "id competition_id ground_truth_version reason state settings times is_partial fed_until"
        " created_at created_by finished_at"
    ),
    references={"created_by": "users"},
)

JUDGINGS = Table(
    models.Judging,
    _columns(
        "id submission_id competition_id ground_truth_version rejudging_id repeat state priority"
        " created_at started_at judged_at cancel_requested child_deaths worker_deaths own_failures"
        " scorer_version counts problem failure hits_sha256"
    ),
    left_out=dict.fromkeys(
        ("offers", "worker_id", "lease_until", "fence", "progress", "request_id", "traceparent"),
        ENGINE,
    ),
    references={"submission_id": "submissions", "rejudging_id": "rejudgings"},
    files={"hits_sha256": Area.HITS},
)

STANDINGS = Table(
    models.Standing,
    _columns(
        "competition_id board team_id is_ranked shown decimals position submission_id submitted_at"
        " sequence submissions last_submitted_at standard_error is_tied"
    ),
    references={"team_id": "teams", "submission_id": "submissions"},
)

TEAMS = Table(
    models.Team,
    _columns(
        "id competition_id name name_key invite_code tags created_at disqualified_at"
        " disqualified_because merged_into_id merged_at"
    ),
    left_out={"look": MADE},
    references={"merged_into_id": "teams"},
)

TABLES: tuple[Table, ...] = (
    USERS,
    COMPETITIONS,
    Table(models.CompetitionSecret, _columns("competition_id split_key")),
    Table(
        models.Organizer,
        _columns("competition_id user_id added_at"),
        references={"user_id": "users"},
    ),
    Table(
        models.FormerOrganizer,
        _columns("competition_id user_id removed_at"),
        references={"user_id": "users"},
    ),
    Table(
        models.PublishedIdList,
        _columns("competition_id sha256 sessions source created_at"),
        files={"sha256": Area.FILES},
    ),
    Table(
        models.GroundTruthVersion,
        _columns(
            "id competition_id version status upload_sha256 upload_bytes preparation sha256 summary"
            " problem created_at created_by"
        ),
        references={"created_by": "users"},
        files={"upload_sha256": Area.GROUND_TRUTH, "sha256": Area.GROUND_TRUTH},
    ),
    Table(
        models.StoredItemFile,
        _columns("competition_id sha256 upload_sha256 upload_bytes summary created_at created_by"),
        references={"created_by": "users"},
        files={"upload_sha256": Area.GROUND_TRUTH, "sha256": Area.GROUND_TRUTH},
    ),
    Table(
        models.StoredSessionFile,
        _columns(
            "competition_id sha256 upload_sha256 upload_bytes columns sessions created_at"
            " created_by"
        ),
        references={"created_by": "users"},
        files={"upload_sha256": Area.GROUND_TRUTH, "sha256": Area.GROUND_TRUTH},
    ),
    Table(
        models.DataFile,
        _columns("id competition_id name bytes sha256 created_at"),
        files={"sha256": Area.FILES},
    ),
    TEAMS,
    Table(
        models.Membership,
        _columns("competition_id user_id team_id joined_at"),
        references={"user_id": "users", "team_id": "teams"},
    ),
    Table(
        models.MergeRequest,
        _columns("id from_team_id to_team_id status created_at created_by decided_at decided_by"),
        references={
            "from_team_id": "teams",
            "to_team_id": "teams",
            "created_by": "users",
            "decided_by": "users",
        },
        within="from_team_id",
    ),
    SUBMISSIONS,
    Table(
        models.QuotaSlot,
        _columns("id team_id user_id day number reserved_at submission_id is_late"),
        left_out={"lapses_at": ENGINE},
        references={"team_id": "teams", "user_id": "users", "submission_id": "submissions"},
        within="team_id",
    ),
    REJUDGINGS,
    Table(
        models.RejudgingChange,
        _columns("rejudging_id place change"),
        references={"rejudging_id": "rejudgings"},
        within="rejudging_id",
        free_ids=("change",),
    ),
    JUDGINGS,
    Table(models.PublicScore, _SCORES, references={"judging_id": "judgings"}, within="judging_id"),
    Table(models.PrivateScore, _SCORES, references={"judging_id": "judgings"}, within="judging_id"),
    STANDINGS,
    Table(
        models.Announcement,
        _columns("id competition_id title text created_at created_by updated_at"),
        references={"created_by": "users"},
    ),
    Table(
        models.RulesAcceptance,
        _columns("competition_id user_id sha256 accepted_at"),
        left_out={"address": PERSONAL},
        references={"user_id": "users"},
    ),
)
"""In an order in which each refers only to those before it, or is no foreign key."""

LEFT_OUT: Mapping[type[Base], str] = {
    models.AccessToken: CREDENTIALS,
    models.AuditEntry: "tells what happened on one installation; the import is an entry of its own",
    models.IdempotencyKey: "names a request to one installation",
    models.JudgingPause: ENGINE,
    models.Fingerprint: "is made from the file again when it is judged again",
    models.OneTimeLink: CREDENTIALS,
    models.PageSession: CREDENTIALS,
    models.ProvidedIdentity: CREDENTIALS,
    models.SigningKey: CREDENTIALS,
    models.Upload: "is no submission yet",
    models.UploadPiece: "is no submission yet",
    models.Worker: ENGINE,
}
"""Tables that stay behind."""

BY_NAME = {table.name: table for table in TABLES}
