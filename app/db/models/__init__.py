"""Tables, one file per aggregate. No rules here: those are in `domain`."""

from app.db.models.accounts import (
    AccessToken,
    OneTimeLink,
    PageSession,
    ProvidedIdentity,
    User,
)
from app.db.models.announcements import Announcement, RulesAcceptance
from app.db.models.base import Base
from app.db.models.competitions import (
    Competition,
    CompetitionSecret,
    DataFile,
    FormerOrganizer,
    GroundTruthVersion,
    Organizer,
    PublishedIdList,
    StoredItemFile,
)
from app.db.models.integrity import Fingerprint, SigningKey
from app.db.models.judgings import (
    Judging,
    JudgingPause,
    PrivateScore,
    PublicScore,
    Rejudging,
    RejudgingChange,
)
from app.db.models.operations import AuditEntry, Worker
from app.db.models.session_files import StoredSessionFile
from app.db.models.standings import Standing
from app.db.models.submissions import IdempotencyKey, QuotaSlot, Submission
from app.db.models.teams import Membership, MergeRequest, Team
from app.db.models.uploads import Upload, UploadPiece

__all__ = [
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
    "Judging",
    "JudgingPause",
    "Membership",
    "MergeRequest",
    "OneTimeLink",
    "Organizer",
    "PageSession",
    "PrivateScore",
    "ProvidedIdentity",
    "PublicScore",
    "PublishedIdList",
    "QuotaSlot",
    "Rejudging",
    "RejudgingChange",
    "RulesAcceptance",
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
