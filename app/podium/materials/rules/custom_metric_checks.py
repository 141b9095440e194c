"""The lines of the launch checklist about a metric that the organizers have written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from podium.custom_metrics.rules.outcomes import AGREEING, FILES, CustomProbed, ProbeRun
from podium.materials.rules.checks import Check

LARGEST_SHIFT = 1e-9
"""Share of a score by which it may differ where rows come in another order."""

NAMES = {
    "perfect": "The solution itself",
    "sample": "The sample submission",
    AGREEING: "A random file",
    "shuffled": "The solution with its rows shuffled",
}
"""Files of launch probes, as sentences of the checklist begin with them."""


def custom_metric_checks(
    probed: CustomProbed, *, is_of_errors: bool, is_reproducible: bool
) -> list[Check]:
    """The checks of all runs: less is better where the score `is_of_errors`; `is_reproducible`
    says what the organizers declare."""
    sample = Check(
        "sample-file",
        "The sample submission is accepted.",
        f"The sample submission is rejected. {probed.refusal}".strip(),
        not probed.refusal,
    )
    if probed.refusal:
        return [sample]
    return [
        sample,
        _runs(probed.runs),
        *_left_out(probed),
        *_numbers(probed.runs),
        *_refusals(probed.runs),
        _perfect(probed),
        *_direction(probed, is_of_errors),
        *_reproducible(probed.runs, is_declared=is_reproducible),
        *_order(probed.runs),
    ]


def _runs(runs: Sequence[ProbeRun]) -> Check:
    failed = next((each for each in runs if each.outcome.outcome == "failed"), None)
    scored = any(each.outcome.outcome == "measured" for each in runs)
    bad = "The metric gives no file a score: it refuses each."
    if failed is not None:
        last = failed.outcome.report.strip().rpartition("\n")[2]
        place = "" if failed.outcome.line is None else f" in line {failed.outcome.line}"
        file = NAMES[failed.planned.file]
        bad = f"The metric fails{place}: {last} ({file.lower()}, {failed.planned.split} split)."
    longest = max((each.outcome.seconds for each in runs), default=0.0)
    good = f"The metric was run {len(runs)} times; the longest run took {longest:.1f} s."
    return Check("own-metric-runs", good, bad, failed is None and scored)


def _left_out(probed: CustomProbed) -> Iterator[Check]:
    if probed.left_out:
        seconds = sum(each.outcome.seconds for each in probed.runs)
        words = (
            f"The metric is slow: {len(probed.runs)} runs took {seconds:.0f} s, and"
            f" {probed.left_out} more {'was' if probed.left_out == 1 else 'were'} left out. What"
            " is not listed below was not checked."
        )
        yield Check("own-metric-left-out", words, words, passed=False, is_must=False)


def _numbers(runs: Sequence[ProbeRun]) -> Iterator[Check]:
    for file in FILES:
        scores = [
            f"{each.outcome.value:.6g} ({each.planned.split}, {each.outcome.seconds:.1f} s)"
            for each in _first(runs, file)
            if each.outcome.value is not None
        ]
        if scores:
            words = f"{NAMES[file]} scores {' and '.join(scores)}."
            yield Check(f"own-metric-{file}", words, words, passed=True, is_must=False)


def _refusals(runs: Sequence[ProbeRun]) -> Iterator[Check]:
    for each in runs:
        if each.outcome.outcome == "refused" and each in _first(runs, each.planned.file):
            words = (
                f"{NAMES[each.planned.file]} is refused on the {each.planned.split} split:"
                f" “{each.outcome.text}”. A participant would read this, and be charged."
            )
            yield Check("own-metric-refuses", words, words, passed=False, is_must=False)


def _perfect(probed: CustomProbed) -> Check:
    names = ", ".join(probed.unmatched)
    return Check(
        "own-metric-solution",
        "Every column of a submission stands in the solution, too, so that a perfect file is"
        " known.",
        f"What a perfect file holds is not known for {names}: the solution has no such column, or"
        " other values. There the sample's values were used.",
        not probed.unmatched,
        is_must=False,
    )


def _direction(probed: CustomProbed, is_of_errors: bool) -> Iterator[Check]:
    if probed.unmatched:
        return
    by_split = {each.planned.split: each for each in _first(probed.runs, AGREEING)}
    way = "lower" if is_of_errors else "higher"
    for perfect in _first(probed.runs, "perfect"):
        chance = by_split.get(perfect.planned.split)
        if chance is None or perfect.outcome.value is None or chance.outcome.value is None:
            continue
        gain = perfect.outcome.value - chance.outcome.value
        split = perfect.planned.split
        yield Check(
            "own-metric-direction",
            f"On the {split} split, the solution itself is better than a random file, where"
            f" {way} is better.",
            f"On the {split} split, the solution itself is no better than a random file, where"
            f" {way} is better. Look at the metric, and whether it should be own or own_error.",
            gain < 0 if is_of_errors else gain > 0,
            is_must=False,
        )


def _reproducible(runs: Sequence[ProbeRun], *, is_declared: bool) -> Iterator[Check]:
    found: dict[str, list[tuple[object, ...]]] = {}
    for each in runs:
        if each.planned.file == AGREEING and not each.planned.is_reordered:
            outcome = each.outcome
            numbers = tuple(sorted((outcome.numbers or {}).items()))
            found.setdefault(each.planned.split, []).append(
                (outcome.outcome, outcome.score, numbers)
            )
    compared = [each for each in found.values() if len(each) > 1]
    if all(outcome == "failed" for each in compared for outcome, *_ in each):
        return
    agree = all(len(set(each)) == 1 for each in compared)
    count = "Three" if all(len(each) > 2 for each in compared) else "Two"
    bad = "The same file has different scores in different processes."
    if is_declared:
        bad += (
            " Give its random numbers a seed, and sort sets and the keys of mappings; or declare it"
            " as not reproducible in the settings, which every page then says."
        )
    else:
        bad += " It is declared as not reproducible, which every page says."
    yield Check(
        "own-metric-reproducible",
        f"{count} fresh processes have the same score to the last bit.",
        bad,
        agree,
        is_must=is_declared,
    )


def _order(runs: Sequence[ProbeRun]) -> Iterator[Check]:
    before = {each.planned.split: each.outcome.value for each in _first(runs, AGREEING)}
    shifts = [
        _shift(before[each.planned.split], each.outcome.value)
        for each in runs
        if each.planned.is_reordered and before.get(each.planned.split) is not None
    ]
    if shifts:
        yield Check(
            "own-metric-order",
            "The score does not depend on the order of rows.",
            "The score depends on the order of rows. They are always handed over in the solution's"
            " order, so that scores stay comparable; check that this is meant.",
            max(shifts) <= LARGEST_SHIFT,
            is_must=False,
        )


def _shift(before: float | None, after: float | None) -> float:
    if before is None or after is None:
        return math.inf
    scale = max(abs(before), abs(after))
    return 0.0 if scale == 0 else abs(after - before) / scale


def _first(runs: Sequence[ProbeRun], file: str) -> list[ProbeRun]:
    """The first run of a file on each split."""
    found: dict[str, ProbeRun] = {}
    for each in runs:
        if each.planned.file == file and not each.planned.is_reordered:
            found.setdefault(each.planned.split, each)
    return list(found.values())
