"""Prints reports of A/B tests as tables for people."""

from __future__ import annotations

from typing import Any

from podium.cli.outcome import complain
from podium.cli.printing import Columns, interval, members, number, print_facts, print_rows

METHODS = {
    "z": "pooled two-proportion z",
    "fisher": "Fisher's exact test: the counts are small",
    "delta": "delta method: users are the unit",
}

CLICK_GROUPS: Columns = (
    *members("group", "users", "pv", "clicks"),
    ("ctr", lambda row: number(row["ctr"])),
    ("95 %", lambda row: interval(row["interval"])),
)
AMOUNT_GROUPS: Columns = (
    *members("group", "users", "metric"),
    ("value", lambda row: number(row["value"])),
    ("95 %", lambda row: interval(row["interval"])),
)
DIFFERENCES: Columns = (
    ("metric", lambda row: row["metric"]),
    ("difference", lambda row: row["pair"]),
    ("effect", lambda row: number(row["value"])),
    ("relative", lambda row: _relative(row["relative"])),
    ("95 %", lambda row: interval(row["interval"])),
    ("p", lambda row: _p(row["p"])),
)
CORRECTED: Columns = (*DIFFERENCES, ("p (Holm)", lambda row: _p(row["p_holm"])))


def print_report(report: dict[str, Any]) -> None:
    """Prints a report of clicks or of amounts, and warns on standard error if the groups do not
    have the planned sizes."""
    if "metrics" in report:
        _print_amounts(report)
    else:
        _print_clicks(report)
    if report["balance"]["is_mismatch"]:
        p = _p(report["balance"]["p"])
        if report["unit"] == "user":
            advice = "Do not trust this report until you know why."
        else:
            advice = "If users were assigned, not page views, add a column user."
        complain(
            "Sample ratio mismatch: the groups do not have the planned numbers of"
            f" {report['unit']}s (p {p}). {advice}"
            " If other shares were planned, give them with --share."
        )


def _print_clicks(report: dict[str, Any]) -> None:
    print_rows(report["groups"], CLICK_GROUPS, as_json=False)
    print()
    difference = report["difference"]
    relative = difference["relative"]
    facts = {
        "difference": number(difference["value"]),
        "relative": None if relative is None else _relative(relative),
        "95 %": interval(difference["interval"]),
        "p": None if difference["p"] is None else _p(difference["p"]),
        "method": METHODS[difference["method"]],
    }
    per_user = report["views_per_user"]
    if per_user is not None:
        first, second = map(number, per_user["means"])
        facts["pv per user"] = f"{first} and {second}, p {_p(per_user['p'])} (Welch)"
    print_facts({**facts, "sizes": _sizes(report)})


def _print_amounts(report: dict[str, Any]) -> None:
    users = {group["group"]: group["users"] for group in report["groups"]}
    groups = [
        {**group, "users": users[group["group"]], "metric": metric["metric"]}
        for metric in report["metrics"]
        for group in metric["groups"]
    ]
    differences = [
        {
            **difference,
            "metric": metric["metric"],
            "pair": f"{difference['group']} - {report['control']}",
        }
        for metric in report["metrics"]
        for difference in metric["differences"]
    ]
    print_rows(groups, AMOUNT_GROUPS, as_json=False)
    print()
    print_rows(differences, CORRECTED if report["tests"] > 1 else DIFFERENCES, as_json=False)
    print()
    print_facts(_facts(report))


def _facts(report: dict[str, Any]) -> dict[str, str]:
    """Returns the adjustments of the amounts, in words."""
    methods = {metric["method"] for metric in report["metrics"]}
    names = {"welch": "Welch's t-test of means per user", "delta": "delta method for ratios"}
    facts = {"method": "; ".join(names[each] for each in names if each in methods)}
    if report["winsorized"] is not None:
        caps = ", ".join(
            f"{cap['column']} {number(cap['value'])} (users above: {cap['users']:,})"
            for cap in report["winsorized"]["caps"]
        )
        facts["winsorized"] = f"at the quantile {report['winsorized']['quantile']:g}: {caps}"
    adjusted = "; ".join(
        f"{metric['metric']} by {metric['cuped']['column']}, theta"
        f" {number(metric['cuped']['theta'])}, variance"
        f" {-metric['cuped']['variance_reduction']:+.1%}"
        for metric in report["metrics"]
        if metric["cuped"]
    )
    if adjusted:
        facts["CUPED"] = f"effects are of adjusted means: {adjusted}"
    return {**facts, "sizes": _sizes(report)}


def _sizes(report: dict[str, Any]) -> str:
    balance = report["balance"]
    planned = " : ".join(f"{100 * share:.4g}" for share in balance["planned"].values())
    words = "not as planned" if balance["is_mismatch"] else "as planned"
    return f"{words} ({planned}), p {_p(balance['p'])} (chi-square)"


def _p(value: float) -> str:
    return f"{value:.4g}" if value else "< 1e-300"


def _relative(value: float | None) -> str:
    return "" if value is None else f"{value:+.2%}"
