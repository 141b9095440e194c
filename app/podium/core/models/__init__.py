"""Tables, one file per aggregate. No rules here: each subject has its `rules`."""

from podium.core.models.accounts import (
    AccessLink,
    AccessToken,
    MailLink,
    PageSession,
    ProvidedIdentity,
    SignUpRequest,
    User,
)
from podium.core.models.base import Base
from podium.core.models.competitions import (
    Announcement,
    Competition,
    CompetitionSecret,
    DataFile,
    FormerOrganizer,
    GroundTruthVersion,
    OrganizerRole,
    PublishedIdList,
    RulesAcceptance,
    StoredItemFile,
    StoredSessionFile,
)
from podium.core.models.custom_metrics import MetricVersion
from podium.core.models.jobs import Job
from podium.core.models.judgings import (
    Judging,
    JudgingPause,
    PrivateScore,
    PublicScore,
    Rejudging,
    RejudgingChange,
    Run,
)
from podium.core.models.operations import AuditEntry, Worker
from podium.core.models.standings import Standing
from podium.core.models.submissions import (
    Fingerprint,
    IdempotencyKey,
    QuotaSlot,
    SigningKey,
    Submission,
    Upload,
    UploadPiece,
)
from podium.core.models.teams import JoinRequest, Membership, MergeRequest, Team

__all__ = [
    "AccessLink",
    "AccessToken",
    "Announcement",
    "AuditEntry",
    "Base",
    "Competition",
    "CompetitionSecret",
    "DataFile",
    "Fingerprint",
    "FormerOrganizer",
    "GroundTruthVersion",
    "IdempotencyKey",
    "Job",
    "JoinRequest",
    "Judging",
    "JudgingPause",
    "MailLink",
    "Membership",
    "MergeRequest",
    "MetricVersion",
    "OrganizerRole",
    "PageSession",
    "PrivateScore",
    "ProvidedIdentity",
    "PublicScore",
    "PublishedIdList",
    "QuotaSlot",
    "Rejudging",
    "RejudgingChange",
    "RulesAcceptance",
    "Run",
    "SignUpRequest",
    "SigningKey",
    "Standing",
    "StoredItemFile",
    "StoredSessionFile",
    "Submission",
    "Team",
    "Upload",
    "UploadPiece",
    "User",
    "Worker",
]
