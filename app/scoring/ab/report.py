"""The report of an A/B test: its unit, its small counts and its uncertainty are stated."""

from __future__ import annotations

import math
from typing import Any

from podium.scoring.ab.rates import (
    SIGMAS,
    Rate,
    fisher_p,
    newcombe,
    normal_p,
    pooled_z,
    ratio_variance,
    smallest_expected,
    welch,
    wilson,
)
from podium.scoring.ab.reading import AbGroup

SMALL_EXPECTED = 5
"""With fewer clicks, or unclicked views, to be expected in a group, Fisher's exact test decides."""

MOST_FOR_FISHER = 1_000_000
"""With more possible tables than this, no count is small and the exact test takes long."""

Document = dict[str, Any]


def report_of(a: AbGroup, b: AbGroup) -> Document:
    """The report, JSON-ready: `groups`, and `difference` (the second minus the first).

    The difference's `method` says which p is `p`: `delta` where users were assigned, else `fisher`
    for small counts, else `z`. All that could be computed stands beside it, else null.
    """
    by_users = bool(a.by_user)
    return {
        "unit": "user" if by_users else "page view",
        "groups": [_group(a), _group(b)],
        "difference": _difference(a, b, by_users=by_users),
        "views_per_user": _views_per_user(a, b) if by_users else None,
    }


def _group(group: AbGroup) -> Document:
    return {
        "group": group.name,
        "users": len(group.by_user) if group.by_user else None,
        "pv": group.views,
        "clicks": group.clicks,
        "ctr": group.rate.value,
        "interval": _interval(group),
    }


def _interval(group: AbGroup) -> list[float] | None:
    """The confidence interval of the rate; None for a single user, who is the unit and says nothing
    of how others differ."""
    if not group.by_user:
        return list(wilson(group.rate))
    variance = _variance(group)
    if variance is None:
        return None
    reach = SIGMAS * math.sqrt(variance)
    return [group.rate.value - reach, group.rate.value + reach]


def _variance(group: AbGroup) -> float | None:
    """The variance of a group's rate over its users; None where it has too few, or none."""
    if len(group.by_user) < 2:
        return None
    views, clicks = zip(*group.by_user.values(), strict=True)
    return ratio_variance(clicks, views)


def _difference(a: AbGroup, b: AbGroup, *, by_users: bool) -> Document:
    rate_a, rate_b = a.rate, b.rate
    z = -pooled_z(rate_a, rate_b)
    delta = _delta(a, b) if by_users else None
    small = smallest_expected(rate_a, rate_b) < SMALL_EXPECTED
    exact = _fisher(rate_a, rate_b)
    found = {
        "value": rate_b.value - rate_a.value,
        "relative": rate_b.value / rate_a.value - 1 if a.clicks else None,
        "z": z,
        "z_p": normal_p(z),
        "newcombe": list(newcombe(rate_a, rate_b)),
        "fisher_p": exact,
        "delta": delta,
    }
    if by_users:
        # Page views of one user are not independent: tests that count them claim too much.
        method, p = "delta", delta["p"] if delta else None
        interval = delta["interval"] if delta else None
    elif small and exact is not None:
        method, p, interval = "fisher", exact, found["newcombe"]
    else:
        method, p, interval = "z", found["z_p"], found["newcombe"]
    return {"method": method, "p": p, "interval": interval, **found}


def _fisher(a: Rate, b: Rate) -> float | None:
    possible = min(a.clicks + b.clicks, a.views)
    return fisher_p(a, b) if possible <= MOST_FOR_FISHER else None


def _delta(a: AbGroup, b: AbGroup) -> Document | None:
    variances = _variance(a), _variance(b)
    if variances[0] is None or variances[1] is None:
        return None
    error = math.sqrt(variances[0] + variances[1])
    value = b.rate.value - a.rate.value
    z = value / error if error else 0.0
    reach = SIGMAS * error
    certain = error == 0 and value != 0
    return {
        "standard_error": error,
        "z": z,
        "p": 0.0 if certain else normal_p(z),
        "interval": [value - reach, value + reach],
    }


def _views_per_user(a: AbGroup, b: AbGroup) -> Document | None:
    """Page views of a user on average, and Welch's test of their difference."""
    views_a, views_b = ([views for views, _ in each.by_user.values()] for each in (a, b))
    if min(len(views_a), len(views_b)) < 2:
        return None
    tested = welch(views_b, views_a)
    means = [sum(views) / len(views) for views in (views_a, views_b)]
    return {
        "means": means,
        "difference": means[1] - means[0],
        "t": tested.t if tested else None,
        "degrees": tested.degrees if tested else None,
        "p": tested.p if tested else (1.0 if means[0] == means[1] else 0.0),
    }
