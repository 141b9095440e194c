"""Tables, one file per aggregate. No rules here: those are in `domain`."""

from app.db.models.accounts import AccessToken, User
from app.db.models.base import Base
from app.db.models.competitions import (
    Competition,
    CompetitionSecret,
    DataFile,
    GroundTruthVersion,
    Organizer,
    PublishedIdList,
)
from app.db.models.judgings import Judging, PrivateScore, PublicScore, Rejudging
from app.db.models.operations import AuditEntry, Worker
from app.db.models.standings import Standing
from app.db.models.submissions import IdempotencyKey, QuotaSlot, Submission
from app.db.models.teams import Membership, Team

__all__ = [
    "AccessToken",
    "AuditEntry",
    "Base",
    "Competition",
    "CompetitionSecret",
    "DataFile",
    "GroundTruthVersion",
    "IdempotencyKey",
    "Judging",
    "Membership",
    "Organizer",
    "PrivateScore",
    "PublicScore",
    "PublishedIdList",
    "QuotaSlot",
    "Rejudging",
    "Standing",
    "Submission",
    "Team",
    "User",
    "Worker",
]
