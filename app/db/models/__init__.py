"""Tables, one file per aggregate. No rules here: those are in `domain`."""

from podium.db.models.accounts import AccessToken, OneTimeLink, PageSession, ProvidedIdentity, User
from podium.db.models.announcements import Announcement, RulesAcceptance
from podium.db.models.base import Base
from podium.db.models.competitions import (
    Competition,
    CompetitionSecret,
    DataFile,
    FormerOrganizer,
    GroundTruthVersion,
    Organizer,
    PublishedIdList,
    StoredItemFile,
)
from podium.db.models.integrity import Fingerprint, SigningKey
from podium.db.models.judgings import (
    Judging,
    JudgingPause,
    PrivateScore,
    PublicScore,
    Rejudging,
    RejudgingChange,
)
from podium.db.models.operations import AuditEntry, Worker
from podium.db.models.session_files import StoredSessionFile
from podium.db.models.standings import Standing
from podium.db.models.submissions import IdempotencyKey, QuotaSlot, Submission
from podium.db.models.teams import Membership, MergeRequest, Team
from podium.db.models.uploads import Upload, UploadPiece

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
