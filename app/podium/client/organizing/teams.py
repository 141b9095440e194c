"""Calls of organizers about teams and their submissions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from podium.client.calls import PREFIX, Calls, Document, given
from podium.client.connection import ANSWER_SECONDS, segment


class OrganizedTeamCalls(Calls):
    """Calls of organizers about all teams and submissions."""

    def make_team(self, slug: str, name: str, members: Sequence[str] = ()) -> Document:
        """Creates a team for others, by the ids of its members."""
        return self._post(f"{_route(slug)}/teams", {"name": name, "members": list(members)})

    def make_baseline(self, slug: str, name: str) -> Document:
        """Creates a baseline: a tagged row of the board without a rank. Submit to it with its
        id."""
        return self._post(f"{_route(slug)}/baselines", {"name": name})

    def teams(self, slug: str) -> Iterator[Document]:
        """Yields all teams, with `told_bits`: how many bits of the public split its scores may have
        revealed to each, at most."""
        return self._items(f"{_route(slug)}/teams")

    def people_csv(self, slug: str, to: Path) -> None:
        """Writes ranks and scores by person to `to`, for grading a course."""
        self.connection.download(f"{PREFIX}{_route(slug)}/people.csv", to)

    def one_team(self, team_id: str) -> Document:
        """Returns any team."""
        return self._get(f"/admin/teams/{segment(team_id)}")

    def change_team(
        self, team_id: str, *, name: str | None = None, tags: Sequence[str] | None = None
    ) -> Document:
        """Renames a team, or changes its tags."""
        changes = given(name=name, tags=None if tags is None else list(tags))
        return self._call("PATCH", f"/admin/teams/{segment(team_id)}", json=changes)

    def disqualify_team(self, team_id: str, reason: str) -> Document:
        """Disqualifies a team, which then has no rank."""
        return self._team_act(team_id, "disqualify", reason=reason)

    def reinstate_team(self, team_id: str, reason: str) -> Document:
        """Ends a team's disqualification."""
        return self._team_act(team_id, "reinstate", reason=reason)

    def put_member(self, team_id: str, user_id: str, reason: str) -> Document:
        """Adds a user to a team."""
        return self._team_act(team_id, "put-member", user_id=user_id, reason=reason)

    def remove_member(self, team_id: str, user_id: str, reason: str) -> Document:
        """Removes a user from a team."""
        return self._team_act(team_id, "remove-member", user_id=user_id, reason=reason)

    def merge_teams(self, team_id: str, other_team_id: str, reason: str) -> Document:
        """Merges another team into this one."""
        return self._team_act(team_id, "merge", team_id=other_team_id, reason=reason)

    def all_submissions(
        self,
        slug: str,
        *,
        state: str | None = None,
        team: str | None = None,
        text: str | None = None,
    ) -> Iterator[Document]:
        """Yields the submissions of all teams, newest first; with `state`, `team` (an id) or `text`
        only those of one state, of one team, or with the text in their names or notes."""
        found = given(state=state, team=team, text=text)
        return self._items(f"{_route(slug)}/submissions", **found)

    def disqualify_submission(self, submission_id: str, reason: str) -> Document:
        """Disqualifies a submission, which then counts for no board."""
        return self._post(f"{_submission(submission_id)}/disqualify", {"reason": reason})

    def reinstate_submission(self, submission_id: str, reason: str = "") -> Document:
        """Ends a submission's disqualification."""
        return self._post(f"{_submission(submission_id)}/reinstate", {"reason": reason})

    def cancel_submission(self, submission_id: str) -> Document:
        """Cancels a judging that has no verdict yet."""
        return self._post(f"{_submission(submission_id)}/cancel")

    def return_slot(self, submission_id: str, reason: str = "") -> Document:
        """Returns the slot of a submission that was judged without a score to its team."""
        return self._post(f"{_submission(submission_id)}/return-slot", {"reason": reason})

    def similarity(self, slug: str) -> Iterator[Document]:
        """Yields pairs of similar files of different teams, the most alike first."""
        return self._items(f"{_route(slug)}/similarity")

    def alerts(self, slug: str) -> list[Document]:
        """Returns alerts about possible probing of the leaderboard, with the reasons."""
        return self._list(f"{_route(slug)}/alerts")

    def look_at_alert(
        self,
        slug: str,
        code: str,
        team_ids: Sequence[str],
        submissions: int,
        note: str = "",
        reopen: bool = False,
    ) -> None:
        """Sets an alert aside, with a note, until more submissions belong to it; or reopens it."""
        body = {
            "code": code,
            "team_ids": list(team_ids),
            "submissions": submissions,
            "note": note,
            "reopen": reopen,
        }
        self._post(f"{_route(slug)}/alerts/looks", body)

    def compare(self, slug: str, *submission_ids: str) -> Document:
        """Compares 2 to 10 submissions: intervals, and every difference with its p-value."""
        first, second, *more = submission_ids
        query = {"a": first, "b": second, "submission": more}
        return self._get(f"{_route(slug)}/comparison", params=query, timeout=ANSWER_SECONDS)

    def segments_of(self, submission_id: str) -> Document:
        """Returns any submission's score by groups of sessions, labels and ranks, at any time."""
        return self._get(f"{_submission(submission_id)}/segments", timeout=ANSWER_SECONDS)

    def _team_act(self, subject: str, act: str, /, **body: str) -> Document:
        return self._post(f"/admin/teams/{segment(subject)}/{act}", body)


def _route(slug: str) -> str:
    return f"/admin/competitions/{segment(slug)}"


def _submission(submission_id: str) -> str:
    return f"/admin/submissions/{segment(submission_id)}"
