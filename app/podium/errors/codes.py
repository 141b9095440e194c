"""The one list of error codes. They stand in problem documents; `/problems/<code>` explains each.

The problems of files have a list of their own, in `scoring.problems`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from podium.errors.explanations.shape import Explanation

ForeignCode = NewType("ForeignCode", str)
"""A code that is not one of ours: of a server of another version, or of a problem of a file."""


class ErrorCode(StrEnum):
    """Names of everything that is refused, each with the HTTP statuses of its answers: several
    where one fact means different things to different requests, none where no server says it."""

    statuses: tuple[int, ...]

    def __new__(cls, code: str, *statuses: int) -> ErrorCode:
        """A member: a string that knows its statuses."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.statuses = statuses
        return member

    @property
    def explanation(self) -> Explanation:
        """The title, a sentence about why it happens, and what to do."""
        from podium.errors.explanations import EXPLANATIONS

        return EXPLANATIONS[self]

    # Requests, and what every part of the server may say.
    BAD_REQUEST = "bad-request", 400
    NOT_FOUND = "not-found", 404
    GONE = "gone", 410
    NOT_AUTHENTICATED = "not-authenticated", 401
    NOT_ALLOWED = "not-allowed", 403
    WRONG_STATE = "wrong-state", 409
    PRECONDITION_FAILED = "precondition-failed", 412
    INVALID = "invalid", 422
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type", 415
    TOO_LARGE = "too-large", 413
    TOO_SLOW = "too-slow", 408
    QUOTA_EXHAUSTED = "quota-exhausted", 429
    UNAVAILABLE = "unavailable", 503
    STORED_FILE_CORRUPT = "stored-file-corrupt", 503
    NOT_CONFIGURED = "not-configured", 500
    INTERNAL_ERROR = "internal-error", 500
    DATABASE_UNAVAILABLE = "database-unavailable", 503
    METHOD_NOT_ALLOWED = "method-not-allowed", 405
    RANGE_NOT_SATISFIABLE = "range-not-satisfiable", 416
    HEAD_TOO_LONG = "head-too-long", 431
    URI_TOO_LONG = "uri-too-long", 414
    WRONG_HOST = "wrong-host", 421
    CONTENT_ENCODING = "content-encoding", 415
    NOT_JSON = "not-json", 415
    BAD_JSON = "bad-json", 400
    BAD_YAML = "bad-yaml", 422
    BAD_FORM = "bad-form", 400
    FILE_MISSING = "file-missing", 422
    UNEXPECTED_FIELD = "unexpected-field", 422
    BAD_CURSOR = "bad-cursor", 422
    BAD_DATE = "bad-date", 422
    FOREIGN_ORIGIN = "foreign-origin", 403
    TOKEN_OVER_HTTP = "token-over-http", 403
    BUSY = "busy", 503
    NO_WORKER = "no-worker", 503
    STILL_RUNNING = "still-running", 503
    TOO_MANY_DOWNLOADS = "too-many-downloads", 429
    TOO_MANY_STREAMS = "too-many-streams", 429
    TOO_MANY_UPLOADS = "too-many-uploads", 429
    DIGEST_MISMATCH = "digest-mismatch", 422
    BAD_DIGEST = "bad-digest", 400
    UPLOAD_CUT = "upload-cut", 400
    UPLOAD_TOO_SLOW = "upload-too-slow", 408
    STORAGE_FULL = "storage-full", 503
    STORAGE_ERROR = "storage-error", 503
    SANDBOX_MISSING = "sandbox-missing", 503
    READING_FAILED = "reading-failed", 503
    UNREACHABLE = "unreachable"
    UPLOAD_INTERRUPTED = "upload-interrupted"
    FILE_EXISTS = "file-exists"
    WAIT_TIMED_OUT = "wait-timed-out"
    # Accounts, tokens and signing in.
    ACCOUNT_DELETED = "account-deleted", 409
    ACCOUNT_DISABLED = "account-disabled", 403, 409
    ACCOUNT_GIVEN = "account-given", 422
    ADMINISTRATOR = "administrator", 409
    BAD_LABEL = "bad-label", 422
    BAD_MAIL = "bad-mail", 422
    BAD_NAME = "bad-name", 422
    BAD_PASSWORD = "bad-password", 422
    IDENTITY_PROVIDER = "identity-provider", 503
    IDENTITY_TAKEN = "identity-taken", 409
    LAST_ADMINISTRATOR = "last-administrator", 409
    LAST_WAY_IN = "last-way-in", 409
    MAIL_FAILED = "mail-failed", 503
    MAIL_TAKEN = "mail-taken", 409
    NAME_MISSING = "name-missing", 422
    NAME_TAKEN = "name-taken", 409
    NO_ACCOUNT = "no-account", 403
    NO_MAIL = "no-mail", 403
    NOT_CONFIRMED = "not-confirmed", 422
    PASSWORD_CHANGED = "password-changed", 409
    PASSWORD_NEEDED = "password-needed", 403
    ALREADY_DECIDED = "already-decided", 409
    SIGN_UP_OFF = "sign-up-off", 403
    WRONG_CODE = "wrong-code", 403
    SIGN_IN_FAILED = "sign-in-failed", 403
    TOKEN_ENDS = "token-ends", 403
    TOO_MANY_ATTEMPTS = "too-many-attempts", 429
    TOO_MANY_TOKENS = "too-many-tokens", 409
    UNKNOWN_LINK = "unknown-link", 404
    UNKNOWN_USER = "unknown-user", 422
    WIDER_TOKEN = "wider-token", 403
    WRONG_CREDENTIALS = "wrong-credentials", 401
    LINK_USED = "link-used", 409
    TOO_MANY_LINKS = "too-many-links", 409
    # Teams.
    ALREADY_IN_TEAM = "already-in-team", 409
    APPROVAL_NEEDED = "approval-needed", 403
    ALREADY_REQUESTED = "already-requested", 409
    BAD_TAGS = "bad-tags", 422
    BAD_ROSTER = "bad-roster", 422
    BASELINE_HAS_NO_MEMBERS = "baseline-has-no-members", 409
    CANNOT_MERGE = "cannot-merge", 409
    MERGE_TOO_LARGE = "merge-too-large", 409
    MERGE_TOO_MANY_SUBMISSIONS = "merge-too-many-submissions", 409
    NO_TEAM = "no-team", 404
    NOT_JOINED = "not-joined", 403
    NOT_PENDING = "not-pending", 409
    REGISTRATION_CLOSED = "registration-closed", 403
    LAST_ORGANIZER = "last-organizer", 409
    SAME_TEAM = "same-team", 422
    TEAM_CHANGED = "team-changed", 409
    TEAM_FULL = "team-full", 409
    TEAM_GONE = "team-gone", 409
    TEAM_HAS_BEGUN = "team-has-begun", 409
    TEAM_DISQUALIFIED = "team-disqualified", 403
    LEAK_LIMIT = "leak-limit", 403
    ALREADY_DISQUALIFIED = "already-disqualified", 409
    NOT_DISQUALIFIED = "not-disqualified", 409
    TOO_MANY_MEMBERS = "too-many-members", 422
    TOO_MANY_REQUESTS = "too-many-requests", 409
    UNKNOWN_CODE = "unknown-code", 404
    UNKNOWN_TEAM = "unknown-team", 404, 422
    # Competitions, ground truths, boards, rejudgings and archives.
    ALREADY_LAUNCHED = "already-launched", 409
    ARCHIVE_CORRUPT = "archive-corrupt", 422
    ARCHIVE_INCONSISTENT = "archive-inconsistent", 422
    ARCHIVE_NOT_FULL = "archive-not-full", 422
    ARCHIVE_TOO_NEW = "archive-too-new", 422
    BAD_ARCHIVE_ROW = "bad-archive-row", 422
    FULL_OR_STATIC = "full-or-static", 422
    NAMES_TAKEN = "names-taken", 409
    BAD_FILE_NAME = "bad-file-name", 422
    BAD_METRIC_FILE = "bad-metric-file", 422
    FILE_IS_GROUND_TRUTH = "file-is-ground-truth", 422
    BAD_PREPARATION = "bad-preparation", 422
    BAD_SLUG = "bad-slug", 422
    BAD_TRAINING_USERS = "bad-training-users", 422
    BOARD_CHANGED = "board-changed", 409
    CHANGED_MEANWHILE = "changed-meanwhile", 409
    COMPETITION_DRAFT = "competition-draft", 409
    COMPETITION_UPCOMING = "competition-upcoming", 409
    COMPETITION_OPEN = "competition-open", 409
    COMPETITION_FROZEN = "competition-frozen", 409
    COMPETITION_CLOSED = "competition-closed", 409
    COMPETITION_REVEALED = "competition-revealed", 409
    COMPETITION_NOT_OPEN = "competition-not-open", 409
    FIXED_AT_LAUNCH = "fixed-at-launch", 409
    GROUND_TRUTH_CHECKING = "ground-truth-checking", 409
    IN_THE_FUTURE = "in-the-future", 422
    INTERRUPTED = "interrupted"
    ITEM_FILE_LACKS = "item-file-lacks", 422
    JUDGING_FAILED = "judging-failed", 503
    METRIC_FAILED = "metric-failed", 503
    NO_SLOT_TO_RETURN = "no-slot-to-return", 409
    JUDGING_BEGAN = "judging-began", 409
    ALREADY_JUDGED = "already-judged", 409
    LAUNCH_CHECKLIST = "launch-checklist", 409
    METRIC_ARGUMENTS = "metric-arguments", 422
    METRIC_CHECKING = "metric-checking", 409
    METRIC_TRUST = "metric-trust", 422
    METRICS_OFF = "metrics-off", 403
    NEEDS_REJUDGING = "needs-rejudging", 409
    NO_GROUND_TRUTH = "no-ground-truth", 503
    NO_PUBLISHED_IDS = "no-published-ids", 409
    NO_RULES = "no-rules", 404
    NOT_A_TABLE = "not-a-table", 409
    NOT_COMPUTED = "not-computed", 503
    NOT_DETERMINISTIC = "not-deterministic", 409
    NOT_FROZEN = "not-frozen", 409
    NOT_LAUNCHED = "not-launched", 404
    NOT_PAUSED = "not-paused", 409
    NOT_REJUDGEABLE = "not-rejudgeable", 422
    NOT_REVEALED = "not-revealed", 404, 409
    NOT_SCORED = "not-scored", 409
    NOT_SEGMENTED = "not-segmented", 409
    DIFFERENT_GROUND_TRUTH = "different-ground-truth", 409
    OBJECTIVES_FIXED = "objectives-fixed", 422
    REJUDGING_APPLIED = "rejudging-applied", 409
    REJUDGING_CANCELLED = "rejudging-cancelled", 409
    REJUDGING_FAILED = "rejudging-failed", 409
    REJUDGING_RUNNING = "rejudging-running", 409
    REJUDGING_UNFINISHED = "rejudging-unfinished", 409
    RULES_CHANGED = "rules-changed", 409
    RULES_NOT_ACCEPTED = "rules-not-accepted", 403
    SETTINGS_CHANGED = "settings-changed", 422
    SINCE_AFTER_AS_OF = "since-after-as-of", 422
    SLUG_TAKEN = "slug-taken", 409
    STILL_JUDGING = "still-judging", 409
    UNKNOWN_GROUND_TRUTH = "unknown-ground-truth", 422
    UNKNOWN_METRIC = "unknown-metric", 422
    UNKNOWN_METRIC_VERSION = "unknown-metric-version", 422
    UPLOADS_PAUSED = "uploads-paused", 409
    WOULD_MIX_VERSIONS = "would-mix-versions", 422
    # Submissions and their uploads.
    BAD_FILENAME = "bad-filename", 422
    BAD_IDEMPOTENCY_KEY = "bad-idempotency-key", 400
    BAD_NOTE = "bad-note", 422
    BAD_UPLOAD_COMPLETE = "bad-upload-complete", 400
    BAD_UPLOAD_LENGTH = "bad-upload-length", 400
    BAD_UPLOAD_METADATA = "bad-upload-metadata", 400
    BAD_UPLOAD_OFFSET = "bad-upload-offset", 400
    FILE_REMOVED = "file-removed", 410
    IDEMPOTENCY_MISMATCH = "idempotency-mismatch", 422
    IDEMPOTENCY_RUNNING = "idempotency-running", 409
    NOT_SELECTABLE = "not-selectable", 422
    TOO_MANY_PIECES = "too-many-pieces", 409
    TOO_MANY_REJECTIONS = "too-many-rejections", 429
    TOO_MANY_SELECTED = "too-many-selected", 422
    TUS_VERSION = "tus-version", 412
    UPLOAD_BUSY = "upload-busy", 409
    UPLOAD_COMPLETE = "upload-complete", 409
    UPLOAD_INCOMPLETE = "upload-incomplete", 409
    UPLOAD_LAPSED = "upload-lapsed", 503
    UPLOAD_OFFSET_MISMATCH = "upload-offset-mismatch", 409
    UPLOAD_TAKEN_OVER = "upload-taken-over", 409
    UPLOAD_TOO_LONG = "upload-too-long", 400
    UPLOAD_USED = "upload-used", 409
