"""Every error that Podium raises on purpose, with a code of the one list in `codes`.

PodiumError
├── NotFound                 it does not exist, or you may not know that it does
├── Gone                     it existed, and was removed for good
├── NotAuthenticated         no token, or one that is unknown, expired or revoked
├── NotAllowed               known, but not allowed to do this
├── WrongState               the thing exists but is not in a state that allows this
├── PreconditionFailed       `If-Match` names an older version
├── InvalidInput             the request is understood and wrong; `problems` may name lines
│   └── BadRequest           the request itself is malformed (headers, JSON syntax)
├── UnsupportedContainer     the bytes are of a kind that is not read here
├── TooLarge                 more bytes than the competition or the installation takes
├── TooSlow                  a body that comes too slowly to be waited for
├── QuotaExhausted           a limit in time: carries `retry_after` in seconds
├── Unavailable              a promise cannot be kept right now: carries `retry_after`
├── StoredFileCorrupt        bytes in the store are missing or not those that were written
└── NotConfigured            the installation's settings do not fit together
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from podium.errors.codes import ErrorCode, ForeignCode


class PodiumError(Exception):
    """Base of all: a stable `code` for programs and a `detail` for people."""

    code: ErrorCode | ForeignCode
    """The code of the error; that of the class, where none is given."""

    def __init__(
        self, detail: str, *, code: ErrorCode | ForeignCode | None = None, **facts: Any
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        if code is not None:
            self.code = code
        self.facts = facts


class NotFound(PodiumError):
    """The thing does not exist, or the caller may not know that it does."""

    code = ErrorCode.NOT_FOUND


class Gone(PodiumError):
    """The thing existed and was removed for good; `code` says what."""

    code = ErrorCode.GONE


class NotAuthenticated(PodiumError):
    """No credentials, or credentials that are unknown, expired or revoked."""

    code = ErrorCode.NOT_AUTHENTICATED


class NotAllowed(PodiumError):
    """The caller is known and may not do this."""

    code = ErrorCode.NOT_ALLOWED


class WrongState(PodiumError):
    """The thing is not in a state that allows the act; `code` names that state.

    `retry_after` is in whole seconds where the state ends by itself.
    """

    code = ErrorCode.WRONG_STATE

    def __init__(
        self,
        detail: str,
        *,
        code: ErrorCode | ForeignCode | None = None,
        retry_after: int | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(detail, code=code, **facts)
        self.retry_after = retry_after


class PreconditionFailed(PodiumError):
    """The caller's `If-Match` names a version that is no longer the current one."""

    code = ErrorCode.PRECONDITION_FAILED


class ProblemEntry(TypedDict, total=False):
    """One thing that is wrong, as it stands in `errors` of a problem document."""

    code: str
    line: int | None
    row: int | None
    id: str | None
    column: str | None
    detail: str
    hint: str | None


class InvalidInput(PodiumError):
    """The input is understood and wrong. `problem_count` may exceed the number of `problems`."""

    code = ErrorCode.INVALID

    def __init__(
        self,
        detail: str,
        *,
        code: ErrorCode | ForeignCode | None = None,
        problems: Sequence[ProblemEntry] = (),
        problem_count: int | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(detail, code=code, **facts)
        self.problems = list(problems)
        self.problem_count = len(self.problems) if problem_count is None else problem_count


class BadRequest(InvalidInput):
    """The request is malformed before its meaning is looked at."""

    code = ErrorCode.BAD_REQUEST


class UnsupportedContainer(PodiumError):
    """The bytes are of a kind that is not read here."""

    code = ErrorCode.UNSUPPORTED_MEDIA_TYPE


class TooLarge(PodiumError):
    """More bytes than the competition or the installation takes."""

    code = ErrorCode.TOO_LARGE


class TooSlow(PodiumError):
    """A body came too slowly, or not at all, for longer than the installation waits."""

    code = ErrorCode.TOO_SLOW


class QuotaExhausted(PodiumError):
    """A limit in time is used up; `retry_after` is in whole seconds."""

    code = ErrorCode.QUOTA_EXHAUSTED

    def __init__(
        self,
        detail: str,
        *,
        retry_after: int,
        code: ErrorCode | ForeignCode | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(detail, code=code, **facts)
        self.retry_after = retry_after


class Unavailable(PodiumError):
    """A promise cannot be kept right now; `retry_after` is in whole seconds."""

    code = ErrorCode.UNAVAILABLE

    def __init__(
        self,
        detail: str,
        *,
        retry_after: int = 30,
        code: ErrorCode | ForeignCode | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(detail, code=code, **facts)
        self.retry_after = retry_after


class StoredFileCorrupt(PodiumError):
    """Bytes in the store are missing, or are not those whose hash the database names."""

    code = ErrorCode.STORED_FILE_CORRUPT


class NotConfigured(PodiumError):
    """The installation's settings do not fit together."""

    code = ErrorCode.NOT_CONFIGURED
