"""Predictions for public rows change nothing of a private score, however wild they are."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

import polars as pl
import pytest

from podium.scoring.kernel.terms import spreads
from podium.scoring.metrics.rows import ROW_METRICS, RowMetric, pair_metric_of, table_metric_of
from podium.scoring.metrics.rows.base import RowMeasure
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.splits import PRIVATE, PUBLIC

ROWS = 60
WILD = [1e100, -1e100, 1e-300, 5e-324, -1.0, 0.0, 1.0, 3.5]


def metric_named(kind: str, key: str) -> RowMetric:
    of = table_metric_of if kind == "table" else pair_metric_of
    try:
        return of(key)
    except ValueError:
        return of(f"{key}@5")


NUMBERS = [
    (kind, key)
    for kind, metrics in ROW_METRICS.items()
    for key, each in metrics.items()
    if "number" in each.types_of_one and each.truth_form != "text" and not key.startswith("own")
]
"""Every metric that looks at one column of numbers."""


def answers_of(metric: RowMetric, rng: random.Random) -> list[float]:
    if metric.needs_probabilities:
        return [rng.random() for _ in range(ROWS)]
    return [rng.uniform(0.0, 5.0) for _ in range(ROWS)]


def wild(metric: RowMetric, rng: random.Random) -> float:
    if metric.needs_probabilities:
        return rng.choice([0.0, 1.0, 1e-300, 5e-324, 1.0 - 2**-53])
    found = rng.choice(WILD)
    return found if metric.least_answer is None else max(found, metric.least_answer)


def interleaved(truth: list[float], answers: list[float], beside: Sequence[str]) -> TargetRows:
    """Pairs of ten users, whose sides take turns."""
    assert not beside
    slots = pl.Series([row % 10 for row in range(ROWS)], dtype=pl.UInt32)
    sides = pl.Series([PUBLIC, PRIVATE] * 5, dtype=pl.UInt8)
    units = pl.DataFrame({"split": sides, "pairs": pl.Series([ROWS // 10] * 10, dtype=pl.UInt32)})
    frames = (pl.DataFrame({"y": each}) for each in (truth, answers))
    true, given = frames
    side = sides.gather(slots)
    return TargetRows(true, given, side, slots, units, splits=(PUBLIC, PRIVATE))


def apart(truth: list[float], answers: list[float], beside: Sequence[str]) -> TargetRows:
    """The rows of a table, the public half before the private one; columns beside the truth have
    0 in its first half, then 1."""
    order = [row for side in (0, 1) for row in range(side, ROWS, 2)]
    frames = (pl.DataFrame({"y": [each[row] for row in order]}) for each in (truth, answers))
    true, given = frames
    true = true.with_columns(pl.Series(name, [row * 2 // ROWS for row in order]) for name in beside)
    return TargetRows.of(true, given, {PUBLIC: ROWS // 2, PRIVATE: ROWS // 2})


def error_of(measure: RowMeasure, rows: TargetRows) -> float | None:
    """The private standard error, where there is one."""
    if measure.moves is None:
        return None
    return spreads(measure.moves, rows.units["split"])[PRIVATE].standard_error()


@pytest.mark.parametrize("is_compiled", [True, False])
@pytest.mark.parametrize(("kind", "key"), NUMBERS)
def test_wild_public_numbers_leave_a_private_score_and_its_error_alone(
    kind: str, key: str, is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric, rng = metric_named(kind, key), random.Random(key)
    truth = [float((row // 10) % 2) for row in range(ROWS)]
    calm = answers_of(metric, rng)
    if not is_compiled:
        for module in ("metrics.sums", "kernel.terms"):
            monkeypatch.setattr(f"podium.scoring.{module}.kernel", lambda: None)
    form = partial(apart if kind == "table" else interleaved, beside=metric.companions)
    expected = metric.measure(form(truth, calm))
    for _ in range(3):
        changed = [wild(metric, rng) if row % 2 == 0 else calm[row] for row in range(ROWS)]
        found = metric.measure(form(truth, changed))
        assert found.values[PRIVATE] == expected.values[PRIVATE]
        errors = [error_of(each, form(truth, calm)) for each in (found, expected)]
        if None not in errors:
            assert errors[0] == errors[1]
