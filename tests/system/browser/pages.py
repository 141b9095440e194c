"""The pages to look at, and as whom: a line for every page and state of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.system.browser.fair import Fair


@dataclass(frozen=True)
class Visit:
    """A page as one role sees it. `route` is as the service has it; `query` may follow; `places`
    are what stands in place of the fair's usual objects."""

    role: str
    route: str
    query: str
    places: dict[str, str]
    status: int

    @property
    def name(self) -> str:
        """The name of the visit in test ids."""
        named = ", ".join(f"{name} {value}" for name, value in self.places.items())
        return f"{self.role}: {self.route}{self.query}{f' ({named})' if named else ''}"

    def address(self, fair: Fair) -> str:
        """The path with the fair's objects in it."""
        objects = fair.objects | {name: fair.objects.get(v, v) for name, v in self.places.items()}
        return re.sub(r"\{(\w+)\}", lambda match: objects[match[1]], self.route + self.query)


def visits() -> list[Visit]:
    """All lines of the table."""
    found = []
    for line in _TABLE.strip().splitlines():
        role, address, *rest = line.split()
        route, mark, query = address.partition("?")
        places = dict(each.split("=", 1) for each in rest)
        status = int(places.pop("status", 200))
        found.append(Visit(role, route, mark + query, places, status))
    return found


_TABLE = """
nobody /
nobody /sign-in
nobody /sign-up
nobody /sign-up/sent status=403
nobody /forgot-password
nobody /forgot-password/sent
nobody /mail-links/{code} code=mail_code
nobody /mail-links/{code} code=unknown status=404
nobody /sign-up/requests/{code} code=account_request
nobody /sign-up/requests/{code} code=unknown status=404
nobody /competitions/{slug}/team?code={invite_code}
nobody /links/{code}
nobody /links/{code} code=shared_code
nobody /links/{code} code=first_code
nobody /links/{code} code=unknown status=404
nobody /competitions/{slug}
nobody /competitions/{slug}/announcements
nobody /competitions/{slug}/charts
nobody /competitions/{slug}/charts slug=past
nobody /competitions/{slug}/charts slug=frozen
nobody /competitions/{slug}/data
nobody /competitions/{slug}/data slug=films
nobody /competitions/{slug}/data/statistics slug=films
nobody /competitions/{slug}/data/statistics status=404
nobody /competitions/{slug}/leaderboard
nobody /competitions/{slug}/leaderboard?q=nobody-is-called-like-this
nobody /competitions/{slug}/leaderboard?split=private slug=past
nobody /competitions/{slug}/leaderboard slug=frozen
nobody /competitions/{slug}/finale slug=past
nobody /competitions/{slug}/leaderboard slug=unknown status=404
nobody /competitions/{slug}/rules
nobody /help/metrics
nobody /help/metrics/{name} name=ndcg
nobody /help/metrics/{name} name=coverage
nobody /help/metrics/{name} name=rmse
nobody /help/metrics/{name} name=unknown status=404
nobody /problems
nobody /problems/{code} code=not-found
nobody /problems/{code} code=unknown status=404
participant /organizers/metrics
participant /
participant /account
participant /links/{code}
participant /competitions/{slug}
participant /competitions/{slug}/charts
participant /competitions/{slug}/leaderboard
participant /competitions/{slug}/finale slug=past
participant /competitions/{slug}/leaderboard?split=private slug=past
participant /competitions/{slug}/rules
participant /competitions/{slug}/submissions
participant /competitions/{slug}/submissions slug=frozen
participant /competitions/{slug}/submissions slug=past
participant /competitions/{slug}/submissions/{submission_id}
participant /competitions/{slug}/submissions/{submission_id} submission_id=rejected_id
participant /competitions/{slug}/submissions/{submission_id} slug=past submission_id=past_submission
participant /competitions/{slug}/submissions/{submission_id}/segments slug=past submission_id=past_submission
participant /competitions/{slug}/submit
participant /competitions/{slug}/submit slug=frozen
participant /competitions/{slug}/submit slug=past
participant /competitions/{slug}/team
participant /competitions/{slug}/team slug=frozen
participant /competitions/{slug}/team slug=past
participant /competitions/{slug}/team slug=chosen
participant /server status=403
administrator /
administrator /competitions/{slug}/comparison
administrator /competitions/{slug}/comparison?a={past_submission}&b={past_other} slug=past
administrator /organize
administrator /organize/{slug}
administrator /organize/{slug} slug=draft
administrator /organize/{slug} slug=past
administrator /organize/{slug} slug=frozen
administrator /organize/{slug}/announcements
administrator /organize/{slug}/archive
administrator /organize/{slug}/files
administrator /organize/{slug}/finale
administrator /organize/{slug}/ground-truth
administrator /organize/{slug}/ground-truth slug=draft
administrator /organize/{slug}/ground-truth/{version}
administrator /organize/{slug}/ground-truth/{version} slug=films
administrator /organize/{slug}/integrity
administrator /organize/{slug}/log
administrator /organize/{slug}/metric slug=prices
administrator /organize/{slug}/metric?use=2 slug=prices
administrator /organize/{slug}/metric/{version} slug=prices
administrator /organize/{slug}/metric/{version} slug=prices version=2
administrator /competitions/{slug}/metric slug=prices
administrator /organize/{slug}/people
administrator /organize/{slug}/people slug=chosen
administrator /organize/{slug}/people/roster
administrator /organize/{slug}/rejudgings
administrator /organize/{slug}/rejudgings/{rejudging_id}
administrator /organize/{slug}/settings
administrator /organize/{slug}/settings slug=draft
administrator /organize/{slug}/submissions
administrator /organize/{slug}/submissions/{submission_id}
administrator /organize/{slug}/submissions/{submission_id} submission_id=rejected_id
administrator /organize/{slug}/submissions/{submission_id}/segments slug=past submission_id=past_submission
administrator /organize/{slug}/teams
administrator /organize/{slug}/teams/{team_id}
administrator /organize/{slug}/texts
administrator /organizers/accounts
administrator /organizers/accounts/{user_id}
administrator /organizers/links
administrator /organizers/links/{link_id}
administrator /organizers/roster
administrator /organizers/sign-ups
administrator /organizers/new
administrator /organizers/new/form
administrator /server
administrator /server/import
administrator /server/log
"""  # noqa: E501 - an address a line
