"""Reports on the file of an A/B test: clicks, or amounts per user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from podium.errors import NotConfigured
from podium.experiments.amount_report import report_of_amounts
from podium.experiments.amounts import read_amounts
from podium.experiments.click_report import report_of_clicks
from podium.experiments.clicks import has_clicks, read_clicks
from podium.experiments.plan import Plan
from podium.experiments.reading import opened


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Options of a report: metrics (default: all amounts), the control group (default: the first of
    the file), planned shares (default: equal), the quantile of winsorizing, and for CUPED the
    column with the amounts before the test, by metric."""

    metrics: Sequence[str] = ()
    control: str | None = None
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    winsorize: float | None = None
    before: Mapping[str, str] = field(default_factory=dict)

    @property
    def are_for_amounts(self) -> bool:
        """True if any option applies to amounts only."""
        return bool(self.metrics or self.before or self.winsorize is not None)


def report_on(path: Path, options: ReportOptions) -> dict[str, Any]:
    """Computes the report, JSON-ready. Raises FileRejected, and NotConfigured for groups that the
    file does not have."""
    with opened(path) as table:
        if has_clicks(table) and not options.are_for_amounts:
            a, b = read_clicks(table)
            plan, control = _compared((a.name, b.name), options)
            groups = (a, b) if control == a.name else (b, a)
            return report_of_clicks(*groups, plan=plan)
        amounts = read_amounts(table, options.metrics, options.before)
        plan, control = _compared(amounts.groups, options)
        return report_of_amounts(amounts, control=control, plan=plan, winsorize=options.winsorize)


def _compared(groups: Sequence[str], options: ReportOptions) -> tuple[Plan, str]:
    """Checks the options against the groups of the file, and returns the plan and the control
    group."""
    there = ", ".join(groups)
    if options.control not in (None, *groups):
        raise NotConfigured(f"There is no group {options.control}. The file has: {there}.")
    if options.weights and set(options.weights) != set(groups):
        named = ", ".join(options.weights)
        raise NotConfigured(f"--share names {named}, and the file has these groups: {there}.")
    plan = Plan.of(options.weights) if options.weights else Plan.equal(groups)
    return plan, options.control or groups[0]
