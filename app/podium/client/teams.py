"""Calls about one's own team: enter, join, invite, leave, merge."""

from __future__ import annotations

from collections.abc import Iterator

from podium.client.calls import Calls, Document, given
from podium.client.connection import segment
from podium.client.durations import in_words, seconds_until
from podium.errors import NotAllowed, QuotaExhausted, WrongState
from podium.errors.codes import ErrorCode

DAY_SECONDS = 24 * 3600


class TeamCalls(Calls):
    """Calls of members about their team."""

    def create_team(
        self, slug: str, name: str, *, accept_rules: bool = False, code: str | None = None
    ) -> Document:
        """Enters a competition with a new team; the answer has its `invite_code`.

        `accept_rules` accepts the competition's current rules; `code` is required if its
        `registration` is `code`.
        """
        body = {"name": name, "accept_rules": accept_rules, **given(code=code)}
        return self._post(f"/competitions/{segment(slug)}/teams", body)

    def request_to_join(self, slug: str, note: str = "") -> Document:
        """Asks the organizers to join a competition whose `registration` is `approval`; `state` is
        the state of the request. Asking again returns the same request."""
        return self._post(f"/competitions/{segment(slug)}/join-request", {"note": note})

    def join_team(self, slug: str, invite_code: str, *, accept_rules: bool = False) -> Document:
        """Joins a team by its invite code."""
        body = {"invite_code": invite_code, "accept_rules": accept_rules}
        return self._post(f"/competitions/{segment(slug)}/teams/join", body)

    def team(self, slug: str) -> Document:
        """Returns my team, with `submissions_left_today`, `resets_at` and `limited_by`.

        Raises `NotFound` with the code `no-team` for a user who has not entered.
        """
        return self._get(_route(slug))

    def why_nothing_is_taken(
        self, slug: str, *, team: Document | None = None
    ) -> WrongState | QuotaExhausted | NotAllowed | None:
        """Returns the refusal that a submission of my team would meet today and tomorrow; None if
        some are left, or will be. `team` is the answer of the call `team`, if known."""
        team = self.team(slug) if team is None else team
        if team.get("submissions_left_today") != 0:
            return None
        limited_by = team.get("limited_by")
        if limited_by == "phase":
            return _why_not_open(slug, self._get(f"/competitions/{segment(slug)}"))
        if limited_by == "accept_uploads":
            return WrongState(
                "The organizers take no uploads for the moment. What was accepted stays.",
                code=ErrorCode.UPLOADS_PAUSED,
            )
        if limited_by == "total_limit":
            detail = "Your team has used all of its submissions of this competition."
            return QuotaExhausted(detail, retry_after=DAY_SECONDS)
        revealed, limit = ((team.get("leak") or {}).get(name, 0) for name in ("told", "limit"))
        if limited_by == "leak_limit" and revealed >= limit:
            return NotAllowed(
                f"Public scores have told your team {revealed:,} bits of the public split, and the"
                f" limit of this competition is {limit:,}.",
                code=ErrorCode.LEAK_LIMIT,
            )
        return None

    def _why_over(self, slug: str) -> WrongState | None:
        """Returns the refusal of anything that would change a competition's ranking after its end;
        None before."""
        competition = self._get(f"/competitions/{segment(slug)}")
        is_over = competition["phase"] in ("closed", "revealed")
        return _why_not_open(slug, competition) if is_over else None

    def rename_team(self, slug: str, name: str, **others: str) -> Document:
        """Renames my team, until the close; `others` are further members of the request, by their
        names in the API."""
        return self._call("PATCH", _route(slug), json={"name": name, **others})

    def renew_invite_code(self, slug: str) -> Document:
        """Creates a new invite code; the former one stops working."""
        return self._post(f"{_route(slug)}/invite-code")

    def leave_team(self, slug: str) -> None:
        """Leaves my team, which is possible before its first submission."""
        self._post(f"{_route(slug)}/leave")

    def merge_requests(self, slug: str) -> Iterator[Document]:
        """Yields my team's merge requests, and those of others to it, newest first."""
        return self._items(f"{_route(slug)}/merge-requests")

    def request_merge(self, slug: str, team_name: str) -> Document:
        """Asks another team to merge mine into it."""
        return self._post(f"{_route(slug)}/merge-requests", {"team": team_name})

    def accept_merge(self, slug: str, request_id: str) -> Document:
        """Merges the requesting team into mine, with its people and its submissions."""
        return self._decide(slug, request_id, "accept")

    def decline_merge(self, slug: str, request_id: str) -> Document:
        """Declines a merge request."""
        return self._decide(slug, request_id, "decline")

    def withdraw_merge(self, slug: str, request_id: str) -> Document:
        """Withdraws my own team's request."""
        return self._decide(slug, request_id, "withdraw")

    def _decide(self, slug: str, request_id: str, act: str) -> Document:
        return self._post(f"{_route(slug)}/merge-requests/{segment(request_id)}/{act}")


def _why_not_open(slug: str, competition: Document) -> WrongState:
    phase = competition["phase"]
    code = ErrorCode.COMPETITION_CLOSED
    if phase == "revealed":
        detail = "The competition is over, and its final ranking is published."
    elif phase == "closed":
        detail = "The competition is over. Its final ranking is not published yet."
    else:
        begins, code = competition.get("starts_at"), ErrorCode.COMPETITION_NOT_OPEN
        when = f" It opens at {begins}, in {in_words(seconds_until(begins))}." if begins else ""
        detail = f"The competition is not open yet.{when}"
    return WrongState(detail, code=code, phase=phase, slug=slug)


def _route(slug: str) -> str:
    return f"/competitions/{segment(slug)}/team"
