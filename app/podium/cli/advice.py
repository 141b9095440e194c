"""Advice for people: a sentence for the error that ended a command, and the command that helps."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from podium.cli.configuration import (
    Configuration,
    client,
    configuration,
    is_address_default,
    sign_in_at,
)
from podium.errors import NotAllowed, NotConfigured, PodiumError, QuotaExhausted
from podium.errors.codes import ErrorCode, ForeignCode, OurCode
from podium.errors.spelling import did_you_mean

COMPETITION = re.compile(r"/api/v1/(?:admin/)?competitions/([^/]+)")
ORGANIZING = re.compile(r"/api/v1/admin/competitions/([^/]+)")
SUBMISSION = re.compile(r"/api/v1/submissions/([^/]+)")
"""The path of a request about one submission."""

A_MINUTE = 60
"""Seconds; a limit that ends sooner is not a daily one."""


def understood(error: PodiumError) -> PodiumError:
    """Returns the error as this person should see it: if an organizer's command does not find
    something in a competition that everyone sees, the person is not allowed."""
    path = str(error.facts.get("path", ""))
    named = ORGANIZING.match(path) if error.code == ErrorCode.NOT_FOUND else None
    if named is None:
        return error
    found = None
    with suppress(PodiumError):
        here = configuration()
        with client(here.url, here.token) as podium:
            found = podium.competition(named[1])
    return error if found is None else not_organized(found) or error


def not_organized(competition: dict[str, Any]) -> NotAllowed | None:
    """Returns the refusal if a competition's document has no part for organizers."""
    if "settings" in competition:
        return None
    return NotAllowed(f"You do not organize {competition['slug']}.")


def advised(error: PodiumError) -> str:
    """Returns a sentence for people; the error's own if there is no advice."""
    with suppress(NotConfigured):
        # `podium login` must run even if the environment is wrong.
        if (sentence := SENTENCES.get(error.code)) is not None:
            slug, detail = _slug(error, configuration()), error.detail.rstrip(".")
            return sentence.format(slug=slug, detail=detail)
        if (advise := ADVICE.get(error.code)) is not None:
            return advise(error, configuration())
    return error.detail


def _sign_in(error: PodiumError, here: Configuration) -> str:
    if "problem" not in error.facts:
        return error.detail
    if not here.token and is_address_default():
        return f"You are not signed in. {_only_default(here)}"
    if not here.token:
        return (
            f"You are not signed in at {here.url}. Run `{sign_in_at(here.url)}`, or"
            " set PODIUM_TOKEN."
        )
    remedy = f"Run `{sign_in_at(here.url)}` with a new one."
    if os.environ.get("PODIUM_TOKEN"):
        remedy = "Correct PODIUM_TOKEN."
    return (
        f"{here.url} does not accept your token: it is unknown, has expired or was revoked."
        f" {remedy}"
    )


def _not_found(error: PodiumError, here: Configuration) -> str:
    path = error.facts.get("path", "")
    if named := SUBMISSION.match(path):
        return (
            f"There is no submission {named[1]}, or you may not see it. `podium submissions SLUG`"
            " lists yours, with their whole ids."
        )
    if named := COMPETITION.match(path):
        return _no_competition(named[1], here) or error.detail
    return error.detail


def _no_competition(slug: str, here: Configuration) -> str | None:
    """Returns a sentence with the competition that may be meant; None if the slug exists."""
    there: list[str] = []
    with suppress(PodiumError), client(here.url, here.token) as podium:
        there = [each["slug"] for each in podium.competitions()]
    if slug in there:
        return None
    remedy = did_you_mean(slug, there) or "`podium competitions list` shows them all."
    return f"There is no competition {slug} at {here.url}, or you may not see it. {remedy}"


def _address(error: PodiumError, here: Configuration) -> str:
    if "proxy" in error.facts:
        return (
            f"{error.detail} Check the proxy, which http_proxy, https_proxy or your system's"
            " settings name; no_proxy lists servers to reach without one."
        )
    if is_address_default() and here.url in error.detail:
        return f"{error.detail} {_only_default(here)}"
    if os.environ.get("PODIUM_URL") and here.url in error.detail:
        return f"{error.detail} Check PODIUM_URL, and that the server runs."
    return (
        f"{error.detail} Check that the server runs, or name another one with"
        f" `{sign_in_at('ADDRESS')}`."
    )


def _only_default(here: Configuration) -> str:
    return (
        f"{here.url} is only the default: run `{sign_in_at('ADDRESS')}` with the address of"
        " your server, or set PODIUM_URL and PODIUM_TOKEN."
    )


def _over(error: PodiumError, here: Configuration) -> str:
    if error.facts.get("phase") == "revealed":
        board = f"podium leaderboard {_slug(error, here)} --split private"
        return f"{error.detail.rstrip('.')}: `{board}`."
    path = str(error.facts.get("path", ""))
    if path.endswith("/submissions"):
        return "The competition is over: it takes no more submissions."
    if path.endswith(("/teams", "/teams/join", "/team/requests")):
        return "The competition is over: nobody can enter it any more."
    return error.detail


def _another_name(error: PodiumError, here: Configuration) -> str:
    return error.detail if "Choose" in error.detail else f"{error.detail} Choose another one."


def _tomorrow(error: PodiumError, here: Configuration) -> str:
    from podium.client.durations import in_words

    limited_by = error.facts.get("problem", {}).get("limited_by")
    if (
        isinstance(error, QuotaExhausted)
        and limited_by == "daily_limit"
        and error.retry_after > A_MINUTE
    ):
        return f"Daily limit reached. Next submission in {in_words(error.retry_after)}."
    return error.detail


def _unfinished(error: PodiumError, here: Configuration) -> str:
    number = error.facts.get("problem", {}).get("rejudging")
    command = f"podium rejudgings {_slug(error, here)}"
    return (
        f"{error.detail} `{command} --apply {number}` publishes it, and `{command} --cancel"
        f" {number}` gives it up."
    )


def _checklist(error: PodiumError, here: Configuration) -> str:
    problem = error.facts.get("problem", {})
    if "ground-truth" not in {each["code"] for each in problem.get("errors", ())}:
        return error.detail
    return f"{error.detail} `podium upload {_slug(error, here)} --truth FILE` does."


def _slug(error: PodiumError, here: Configuration) -> str:
    named = COMPETITION.match(error.facts.get("path", ""))
    return error.facts.get("slug") or (named[1] if named else here.competition or "SLUG")


_ENTER = (
    "You are in no team of {slug} yet. Enter with `podium team create NAME -c {slug}`, or with"
    " a team's invite code: `podium team join CODE -c {slug}`."
)

SENTENCES: dict[OurCode | ForeignCode, str] = {
    ErrorCode.NO_TEAM: _ENTER,
    ErrorCode.NOT_JOINED: _ENTER,
    ErrorCode.NOT_ALLOWED: "{detail}. `podium whoami` shows which account you use.",
    ErrorCode.UNKNOWN_CODE: "{detail}. A member of the team finds it with `podium team show`.",
    ErrorCode.WRONG_CODE: (
        "{slug} is entered with a class code from its organizers, and this is not it:"
        " `podium team create NAME --code CODE -c {slug}`."
    ),
    ErrorCode.APPROVAL_NEEDED: (
        "The organizers of {slug} approve who enters. Ask with `podium team request -c {slug}`;"
        " the same command tells what became of it."
    ),
    ErrorCode.RULES_NOT_ACCEPTED: (
        "Accept the rules of {slug} first. `podium competitions rules {slug}` shows them, and with"
        " --accept accepts them."
    ),
}
"""Advice that needs no more than the competition's slug, and the error's own sentence."""

ADVICE: dict[OurCode | ForeignCode, Callable[[PodiumError, Configuration], str]] = {
    ErrorCode.NOT_AUTHENTICATED: _sign_in,
    ErrorCode.NOT_FOUND: _not_found,
    ErrorCode.NAME_TAKEN: _another_name,
    ErrorCode.SLUG_TAKEN: _another_name,
    ErrorCode.UNREACHABLE: _address,
    ErrorCode.COMPETITION_CLOSED: _over,
    ErrorCode.QUOTA_EXHAUSTED: _tomorrow,
    ErrorCode.REJUDGING_UNFINISHED: _unfinished,
    ErrorCode.LAUNCH_CHECKLIST: _checklist,
}
