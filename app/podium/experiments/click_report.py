"""Reports clicks, with the unit, small counts and uncertainty stated."""

from __future__ import annotations

from typing import Any

from podium.experiments.balance import balance_document
from podium.experiments.clicks import ClickGroup
from podium.experiments.means import Estimated, difference_of, mean_of, ratio_of
from podium.experiments.plan import Plan
from podium.experiments.rates import (
    fisher_p,
    newcombe,
    normal_p,
    pooled_z,
    smallest_expected,
    wilson,
)

SMALL_EXPECTED = 5
"""With fewer expected clicks, or unclicked views, in a group, Fisher's exact test decides."""

Document = dict[str, Any]


def report_of_clicks(a: ClickGroup, b: ClickGroup, *, plan: Plan) -> Document:
    """Builds the report, JSON-ready: `groups`, and `difference` (the second minus the first).

    The difference's `method` names the test whose p is `p`: `delta` where users were assigned, else
    `fisher` for small counts, else `z`. The results of all tests are included; null where one could
    not be computed.
    """
    by_users = bool(a.by_user)
    counts = {each.name: len(each.by_user) if by_users else each.views for each in (a, b)}
    return {
        "unit": "user" if by_users else "page view",
        "groups": [_group(a), _group(b)],
        "balance": balance_document(counts, plan),
        "difference": _difference(a, b, by_users=by_users),
        "views_per_user": _views_per_user(a, b) if by_users else None,
    }


def _group(group: ClickGroup) -> Document:
    interval = _over_users(group).interval if group.by_user else wilson(group.rate)
    return {
        "group": group.name,
        "users": len(group.by_user) if group.by_user else None,
        "pv": group.views,
        "clicks": group.clicks,
        "ctr": group.rate.value,
        # A single user, who is the unit, says nothing about the variance between users.
        "interval": interval and list(interval),
    }


def _over_users(group: ClickGroup) -> Estimated:
    views, clicks = group.user_columns
    return ratio_of(clicks, views)


def _difference(a: ClickGroup, b: ClickGroup, *, by_users: bool) -> Document:
    rate_a, rate_b = a.rate, b.rate
    z = -pooled_z(rate_a, rate_b)
    delta = _delta(a, b) if by_users else None
    found = {
        "value": rate_b.value - rate_a.value,
        "relative": rate_b.value / rate_a.value - 1 if a.clicks else None,
        "z": z,
        "z_p": normal_p(z),
        "newcombe": list(newcombe(rate_a, rate_b)),
        "fisher_p": fisher_p(rate_a, rate_b),
        "delta": delta,
    }
    if by_users:
        # Page views of one user are not independent: tests that count them overstate significance.
        method, p = "delta", delta["p"] if delta else None
        interval = delta["interval"] if delta else None
    elif smallest_expected(rate_a, rate_b) < SMALL_EXPECTED:
        method, p, interval = "fisher", found["fisher_p"], found["newcombe"]
    else:
        method, p, interval = "z", found["z_p"], found["newcombe"]
    return {"method": method, "p": p, "interval": interval, **found}


def _delta(a: ClickGroup, b: ClickGroup) -> Document | None:
    found = difference_of(_over_users(a), _over_users(b))
    if found.variance is None:
        return None
    return {
        "standard_error": found.variance**0.5,
        "z": found.statistic,
        "p": found.p,
        "interval": found.interval and list(found.interval),
    }


def _views_per_user(a: ClickGroup, b: ClickGroup) -> Document | None:
    """Tests the difference of mean page views per user with Welch's test."""
    means = [mean_of(each.user_columns[0]) for each in (a, b)]
    found = difference_of(*means)
    if found.variance is None:
        return None
    varies = found.variance > 0
    return {
        "means": [mean.value for mean in means],
        "difference": found.value,
        "t": found.statistic if varies else None,
        "degrees": found.degrees,
        "p": found.p,
    }
