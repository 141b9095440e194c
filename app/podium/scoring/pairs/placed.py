"""The places of relevant pairs in the order of their query's scores, with all ties.

Everything that a metric of ranked candidates needs is here; one sort makes it for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True)
class Placed:
    """`relevant` has a row for each pair whose target is above 0, in the order of units and, in
    each, of places, the best first: `slot` (the row of its unit), `above` (how many candidates of
    the unit have a higher number), `tied` (how many have the same one, itself included), `run`
    (which pairs are tied with each other), all UInt32, and `target`. `candidates` and `positives`
    count for each unit its pairs and those that are relevant, UInt32.

    Tied pairs follow each other as they were published: nothing depends on a submission's rows.
    """

    relevant: pl.DataFrame
    candidates: pl.Series
    positives: pl.Series

    @classmethod
    def of(cls, numbers: pl.Series, targets: pl.Series, slots: pl.Series, *, units: int) -> Placed:
        """The places of pairs with these numbers, targets and units."""
        # Polars takes -0.0 and 0.0 for equal, in its order too.
        keys = pl.DataFrame({"slot": slots, "number": numbers})
        by_place = pl.arg_sort_by("slot", "number", descending=[False, True], maintain_order=True)
        order = keys.select(by_place).to_series()
        slots, numbers = keys["slot"].gather(order), keys["number"].gather(order)
        candidates = _counts(slots, units)
        begins = (slots != slots.shift(1)) | (numbers != numbers.shift(1))
        begins = begins.fill_null(value=True)
        first = begins.arg_true()
        targets = targets.gather(order)
        found = (targets > 0).arg_true()
        run = begins.cum_sum().gather(found).cast(pl.UInt32) - 1
        relevant = pl.DataFrame(
            {
                "slot": slots.gather(found),
                "above": first.gather(run),
                "tied": first.shift(-1, fill_value=len(slots)).gather(run),
                "run": run,
                "target": targets.gather(found),
            }
        )
        start = (candidates.cum_sum() - candidates).gather(relevant["slot"])
        relevant = relevant.with_columns(
            above=pl.col("above") - start, tied=pl.col("tied") - pl.col("above")
        )
        return cls(relevant, candidates, _counts(relevant["slot"], units))

    def with_runs(self) -> pl.DataFrame:
        """The first relevant pair of each run, with `relevant`, how many there are in the run, and
        `before`, how many of the unit there are above it, UInt32."""
        sizes = self.relevant["run"].rle().struct.field("len").cast(pl.UInt32)
        at = sizes.cum_sum() - sizes
        firsts = self.relevant[at]
        before = at - (self.positives.cum_sum() - self.positives).gather(firsts["slot"])
        return firsts.with_columns(relevant=sizes, before=before)


def _counts(slots: pl.Series, units: int) -> pl.Series:
    """The number of times that each unit occurs among sorted ones, UInt32."""
    runs = slots.rle().struct.unnest()
    nothing = pl.zeros(units, dtype=pl.UInt32, eager=True)
    return nothing.scatter(runs["value"], runs["len"].cast(pl.UInt32))
