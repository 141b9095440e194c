"""Reports amounts per user: each metric of each group, and its difference from the control.

It documents every adjustment: the caps, the variance that CUPED removed, and the number of tests in
Holm's correction.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from podium.experiments.amounts import AmountMetric, Amounts
from podium.experiments.balance import balance_document
from podium.experiments.means import Estimated, cuped, difference_of, mean_of, ratio_of
from podium.experiments.plan import Plan
from podium.experiments.winsorizing import Cap, winsorized
from podium.scoring.uncertainty import holm

Document = dict[str, Any]


def report_of_amounts(
    amounts: Amounts, *, control: str, plan: Plan, winsorize: float | None = None
) -> Document:
    """Builds the report, JSON-ready. `differences` of each metric are the other groups minus
    `control`; with CUPED they are those of the adjusted means, while `groups` has the raw
    measurements. `plan` has the groups in any order."""
    caps: tuple[Cap, ...] = ()
    if winsorize is not None:
        amounts, caps = winsorized(amounts, winsorize)
    metrics = [_metric(metric, amounts, control) for metric in amounts.metrics]
    tested = [each for metric in metrics for each in metric["differences"]]
    for each, corrected in zip(tested, holm([one["p"] for one in tested]), strict=True):
        each["p_holm"] = corrected
    users = dict(zip(amounts.groups, amounts.users, strict=True))
    return {
        "unit": "user",
        "control": control,
        "groups": [{"group": name, "users": count} for name, count in users.items()],
        "balance": balance_document(users, plan),
        "winsorized": None
        if winsorize is None
        else {"quantile": winsorize, "caps": [asdict(cap) for cap in caps]},
        "tests": len(tested),
        "metrics": metrics,
    }


def _metric(metric: AmountMetric, amounts: Amounts, control: str) -> Document:
    groups = amounts.columns[metric.above]
    if metric.below is None:
        found = [mean_of(each) for each in groups]
    else:
        pairs = zip(groups, amounts.columns[metric.below], strict=True)
        found = [ratio_of(*each) for each in pairs]
    adjustment, compared = None, found
    if metric.before is not None:
        adjusted = cuped(groups, amounts.columns[metric.before])
        compared = [mean_of(each) for each in adjusted.adjusted]
        adjustment = {
            "column": metric.before,
            "theta": adjusted.theta,
            "variance_reduction": adjusted.reduction,
            "means": dict(zip(amounts.groups, (each.value for each in compared), strict=True)),
        }
    by_group = dict(zip(amounts.groups, compared, strict=True))
    return {
        "metric": metric.name,
        "method": "welch" if metric.below is None else "delta",
        "groups": [
            {"group": name, "value": each.value, "interval": each.interval and list(each.interval)}
            for name, each in zip(amounts.groups, found, strict=True)
        ],
        "cuped": adjustment,
        "differences": [
            _difference(name, by_group[control], by_group[name])
            for name in amounts.groups
            if name != control
        ],
    }


def _difference(name: str, control: Estimated, other: Estimated) -> Document:
    found = difference_of(control, other)
    assert found.variance is not None, "every group has two users"
    return {
        "group": name,
        "value": found.value,
        "relative": found.value / abs(control.value) if control.value else None,
        "standard_error": found.variance**0.5,
        "interval": found.interval and list(found.interval),
        "statistic": found.statistic,
        "degrees": found.degrees,
        "p": found.p,
    }
