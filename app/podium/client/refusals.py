"""Converts refusals of a server, and broken connections to one, to errors."""

from __future__ import annotations

from typing import Any

import httpx2

from podium import errors
from podium.client.proxies import proxy_for
from podium.errors.codes import ErrorCode, ForeignCode

UNTRUSTED = (
    "its certificate is not one that this computer trusts (SSL_CERT_FILE may name a file of more"
    " authorities)"
)

CAUSES = (
    ("Connection refused", "no program listens there"),
    ("Name or service not known", "this name is not known"),
    ("nodename nor servname", "this name is not known"),
    ("No address associated", "this name is not known"),
    ("Temporary failure in name", "names cannot be looked up right now"),
    ("Network is unreachable", "there is no network"),
    ("WRONG_VERSION_NUMBER", "it does not speak HTTPS. The address may begin with http://"),
    ("CERTIFICATE_VERIFY_FAILED", UNTRUSTED),
    ("Server disconnected", "the connection broke"),
    ("Connection reset", "the connection broke"),
    ("Broken pipe", "the connection broke"),
)
"""Parts of the system's messages about a failure, with plain words for them."""

KINDS: dict[int, type[errors.PodiumError]] = {
    status: kind
    for kind in (
        errors.BadRequest,
        errors.NotAuthenticated,
        errors.NotAllowed,
        errors.NotFound,
        errors.Gone,
        errors.WrongState,
        errors.PreconditionFailed,
        errors.TooLarge,
        errors.UnsupportedContainer,
        errors.InvalidInput,
    )
    for status in kind.CODE.statuses
}
"""The error for each status; 429 and all from 500 on also have a time to wait."""


def unreachable(url: str, failure: Exception) -> errors.Unavailable:
    """Returns the error for a server that did not answer at all, through a proxy or without."""
    proxy = proxy_for(url)
    way = f" by way of the proxy {proxy}" if proxy else ""
    return errors.Unavailable(
        f"{url} does not answer{way}: {_cause(failure)}.",
        code=ErrorCode.UNREACHABLE,
        retry_after=1,
        **({"proxy": proxy} if proxy else {}),
    )


def _cause(failure: Exception) -> str:
    """Returns the cause of a broken connection; in plain words if it is a common one."""
    text = str(failure)
    if isinstance(failure, httpx2.TimeoutException):
        return "no answer came in time"
    return next((words for part, words in CAUSES if part in text), text or "the connection broke")


def not_podium(url: str) -> errors.NotConfigured:
    """Returns the error for an address where some other program answers."""
    return errors.NotConfigured(
        f"{url} is not the address of a Podium server. Give the one that its pages begin with."
    )


def unless_rejected(version: dict[str, Any]) -> dict[str, Any]:
    """Returns the document of an organizer's file that was checked. Raises `InvalidInput` if it was
    rejected."""
    if version["status"] == "rejected":
        problem = version["problem"]
        raise errors.InvalidInput(
            problem["detail"],
            code=ForeignCode(problem["code"]),
            problems=problem["errors"],
            problem_count=problem["error_count"],
        )
    return version


def error_of(response: httpx2.Response) -> errors.PodiumError:
    """Returns the error that a problem document, or any other refusal, stands for."""
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    status = response.status_code
    if not isinstance(problem, dict) or "code" not in problem:
        return _foreign_refusal(response)
    code, detail = (
        ForeignCode(problem["code"]),
        problem.get("detail") or f"It is {problem['code']}.",
    )
    facts = {
        "request_id": problem.get("request_id"),
        "problem": problem,
        "path": response.request.url.path,
    }
    if status == 429:
        waiting = _retry_after(response)
        return errors.QuotaExhausted(detail, code=code, retry_after=waiting, **facts)
    kind = KINDS.get(status, errors.Unavailable)
    if issubclass(kind, errors.InvalidInput):
        return kind(
            detail,
            code=code,
            problems=problem.get("errors", ()),
            problem_count=problem.get("error_count"),
            **facts,
        )
    if kind is errors.Unavailable:
        return errors.Unavailable(detail, code=code, retry_after=_retry_after(response), **facts)
    return kind(detail, code=code, **facts)


def _foreign_refusal(response: httpx2.Response) -> errors.PodiumError:
    """Returns the error for an answer that comes from no Podium server, but from a proxy before it,
    or another program."""
    url = str(response.request.url.copy_with(raw_path=b"/")).rstrip("/")
    status = response.status_code
    if response.has_redirect_location:
        target = response.request.url.join(response.headers["location"])
        there = str(target.copy_with(raw_path=b"/")).rstrip("/")
        return errors.NotConfigured(f"{url} sends us on to {there}. Use that address.")
    if status == 413:
        return errors.TooLarge(
            f"{url} takes no file of this size: a proxy before the server sets the limit."
            " Compress the file, or tell the organizers."
        )
    if status == 429 or status >= 500:
        return errors.Unavailable(
            f"{url} cannot answer right now. Try again in a minute.",
            retry_after=_retry_after(response),
            code=ForeignCode(f"http-{status}"),
            status=status,
        )
    return not_podium(url)


def _retry_after(response: httpx2.Response) -> int:
    waiting = response.headers.get("retry-after", "")
    return int(waiting) if waiting.isdigit() else 30
