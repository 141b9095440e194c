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
from typing import Any, ClassVar, TypedDict

from podium.errors.codes import ErrorCode, ForeignCode, OurCode


class PodiumError(Exception):
    """Base of all: a stable `code` for programs and a `detail` for people."""

    CODE: ClassVar[OurCode]
    """The default code of this class; the status of a response is always that of the class."""

    def __init__(
        self, detail: str, *, code: OurCode | ForeignCode | None = None, **facts: Any
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = self.CODE if code is None else code
        self.facts = facts


class NotFound(PodiumError):
    """The thing does not exist, or the caller may not know that it does."""

    CODE = ErrorCode.NOT_FOUND


class Gone(PodiumError):
    """The thing existed and was removed for good; `code` is specific."""

    CODE = ErrorCode.GONE


class NotAuthenticated(PodiumError):
    """No credentials, or credentials that are unknown, expired or revoked."""

    CODE = ErrorCode.NOT_AUTHENTICATED


class NotAllowed(PodiumError):
    """The caller is known and may not do this."""

    CODE = ErrorCode.NOT_ALLOWED


class WrongState(PodiumError):
    """The thing is not in a state that allows the action; `code` names that state.

    `retry_after` is in whole seconds where the state ends by itself.
    """

    CODE = ErrorCode.WRONG_STATE

    def __init__(
        self,
        detail: str,
        *,
        code: OurCode | ForeignCode | None = None,
        retry_after: int | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(detail, code=code, **facts)
        self.retry_after = retry_after


class PreconditionFailed(PodiumError):
    """The caller's `If-Match` names a version that is no longer the current one."""

    CODE = ErrorCode.PRECONDITION_FAILED


class ProblemEntry(TypedDict, total=False):
    """One problem, as a member of `errors` of a problem document."""

    code: str
    line: int | None
    row: int | None
    id: str | None
    column: str | None
    detail: str
    hint: str | None


def problem_entry(
    code: str,
    detail: str,
    *,
    line: int | None = None,
    column: str | None = None,
    hint: str | None = None,
) -> ProblemEntry:
    """Builds a problem that concerns no row and no id."""
    return {
        "code": code,
        "line": line,
        "id": None,
        "column": column,
        "detail": detail,
        "hint": hint,
    }


def lone_problem(code: str, detail: str) -> dict[str, Any]:
    """Builds a problem document that is not about lines of a file."""
    return {"code": code, "detail": detail, "errors": [], "error_count": 0}


class InvalidInput(PodiumError):
    """The input is understood and wrong. `problem_count` may exceed the number of `problems`."""

    CODE = ErrorCode.INVALID

    def __init__(
        self,
        detail: str,
        *,
        code: OurCode | ForeignCode | None = None,
        problems: Sequence[ProblemEntry] = (),
        problem_count: int | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(detail, code=code, **facts)
        self.problems = list(problems)
        self.problem_count = len(self.problems) if problem_count is None else problem_count


class BadRequest(InvalidInput):
    """The request is malformed, so that its meaning cannot be checked."""

    CODE = ErrorCode.BAD_REQUEST


class UnsupportedContainer(PodiumError):
    """The bytes are of a kind that is not read here."""

    CODE = ErrorCode.UNSUPPORTED_MEDIA_TYPE


class TooLarge(PodiumError):
    """More bytes than the competition or the installation accepts."""

    CODE = ErrorCode.TOO_LARGE


class TooSlow(PodiumError):
    """A body arrived too slowly, or not at all, until the timeout of the installation."""

    CODE = ErrorCode.TOO_SLOW


class QuotaExhausted(PodiumError):
    """A limit in time is used up; `retry_after` is in whole seconds."""

    CODE = ErrorCode.QUOTA_EXHAUSTED

    def __init__(
        self,
        detail: str,
        *,
        retry_after: int,
        code: OurCode | ForeignCode | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(detail, code=code, **facts)
        self.retry_after = retry_after


class Unavailable(PodiumError):
    """A request cannot be fulfilled right now; `retry_after` is in whole seconds."""

    CODE = ErrorCode.UNAVAILABLE

    def __init__(
        self,
        detail: str,
        *,
        retry_after: int = 30,
        code: OurCode | ForeignCode | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(detail, code=code, **facts)
        self.retry_after = retry_after


class StoredFileCorrupt(PodiumError):
    """Bytes in the store are missing, or do not have the hash in the database."""

    CODE = ErrorCode.STORED_FILE_CORRUPT


class NotConfigured(PodiumError):
    """The installation's settings do not fit together."""

    CODE = ErrorCode.NOT_CONFIGURED


def refuse_large_file(size: int, *, max_bytes: int) -> None:
    """Raises `TooLarge` for a file of more than `max_bytes`."""
    if size > max_bytes:
        raise TooLarge(f"A file may have at most {max_bytes} bytes here.", max_bytes=max_bytes)
