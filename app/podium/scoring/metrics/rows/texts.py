"""Computes metrics of texts: edit distance, and BLEU. A missing text is an empty one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from typing import Any, ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.metrics.rows.base import OfSplit, RowMetric, SplitMetric, TruthForm
from podium.scoring.metrics.rows.forms import TEXTS, texts_of
from podium.scoring.metrics.rows.means import mean_of
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.repeating import repeat

WITHOUT_SACREBLEU = "bleu needs the extra of this name: pip install 'podium-scorer[bleu]'"

_ORDERS = 4


@dataclass(frozen=True)
class TextMetric(SplitMetric):
    """A metric of a column of text."""

    truth_form: ClassVar[TruthForm] = "text"
    types_of_one: ClassVar[tuple[ColumnType, ...]] = TEXTS
    takes_missing: ClassVar[bool] = True


def edit_distance(one: str, other: str) -> int:
    """Computes the edit distance: the least number of characters to insert, delete or replace that
    turns one text into the other.

    A column of the table of distances is represented by two large numbers, of the rows where it
    steps up and down: Myers 1999, in the form of Hyyrö 2003.

    >>> edit_distance("kitten", "sitting"), edit_distance("", "abc"), edit_distance("ab", "ba")
    (3, 3, 2)
    """
    if not one or not other:
        return len(one) + len(other)
    places: dict[str, int] = {}
    for place, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << place
    last, mask = 1 << (len(one) - 1), (1 << len(one)) - 1
    up, down, distance = mask, 0, len(one)
    for character in other:
        equal = places.get(character, 0)
        diagonal = (((equal & up) + up) ^ up) | equal | down
        right_up, right_down = down | (mask & ~(diagonal | up)), diagonal & up
        distance += bool(right_up & last) - bool(right_down & last)
        right_up, right_down = (right_up << 1) | 1, right_down << 1
        up = mask & (right_down | ~(diagonal | right_up))
        down = diagonal & right_up & mask
    return distance


class EditDistance(TextMetric):
    """Mean over rows of the edit distance: the least number of characters to insert, delete or
    replace.

    Characters are Unicode code points; nothing is folded or stripped. Source: Levenshtein 1966.

    kitten and sitting: k → s, e → i, and a g more: 3.

    >>> edit_distance("kitten", "sitting")
    3
    """

    key: ClassVar[str] = "levenshtein"
    formula: ClassVar[str] = "mean over rows of the characters to insert, delete or replace"
    source: ClassVar[str] = "Levenshtein 1966"
    higher_is_better: ClassVar[bool] = False

    def of_one(self, truth: str, answer: str) -> float:
        """Computes the distance of one row."""
        return edit_distance(truth, answer)

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Averages over rows; a row moves it by w (distance − mean) / Σ w."""
        found = [self.of_one(*both) for both in zip(*texts_of(rows), strict=True)]
        return mean_of(pl.Series(found, dtype=pl.Float64), rows).measure()


class NormalizedEditDistance(EditDistance):
    """Mean over rows of the edit distance / length of the longer text; 0 where both are empty.

    Source: Levenshtein 1966; the form of ICDAR's competitions on reading text.

    kitten and sitting: 3 of 7 characters.

    >>> round(NormalizedEditDistance().of_one("kitten", "sitting"), 3)
    0.429
    """

    key: ClassVar[str] = "levenshtein_normalized"
    formula: ClassVar[str] = "mean over rows of edit distance / length of the longer text"
    source: ClassVar[str] = "Levenshtein 1966; ICDAR"
    upper_bound: ClassVar[int | None] = 1

    def of_one(self, truth: str, answer: str) -> float:
        """Computes the normalized distance of one row."""
        return edit_distance(truth, answer) / max(1, len(truth), len(answer))


class Bleu(TextMetric):
    """BLEU of all rows together, 0 to 100, as sacrebleu computes it: the geometric mean of the
    precisions of 1 to 4 words in a row, times a penalty for what is too short.

    One reference for each row; tokens `13a`, case counts, exponential smoothing: the defaults of
    sacrebleu 2. With fewer than 4 matching words in a row somewhere there is smoothing, and no
    standard error. Source: Papineni et al. 2002; Post 2018.

    The same text of at least four words has 100.
    """

    key: ClassVar[str] = "bleu"
    formula: ClassVar[str] = (
        "100 · brevity penalty · geometric mean of the precisions of 1 to 4 words in a row, over"
        " all rows together"
    )
    source: ClassVar[str] = "Papineni et al. 2002; Post 2018; sacrebleu corpus_bleu"
    upper_bound: ClassVar[int | None] = 100
    takes_weights: ClassVar[bool] = False

    def lack(self, rows: TargetRows) -> str | None:
        """Explains that the library is not installed, or that the truths have no words."""
        if find_spec("sacrebleu") is None:
            return WITHOUT_SACREBLEU
        truth, _ = texts_of(rows)
        return None if any(text.strip() for text in truth) else "all truths are empty"

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value. Where each order has a match, ln BLEU is a sum of logarithms of sums
        over rows, whose derivatives give the influence of a row."""
        from sacrebleu.metrics.bleu import BLEU  # An extra, and slow to load.

        bleu = BLEU()
        parts = [
            bleu.corpus_score([answer], [[truth]])
            for truth, answer in zip(*texts_of(rows), strict=True)
        ]
        table = pl.DataFrame([_counts(part) for part in parts])
        sums = {name: int(table[name].sum()) for name in table.columns}
        matches, totals = ([sums[f"{of}{n}"] for n in range(_ORDERS)] for of in ("m", "t"))
        whole = BLEU.compute_bleu(
            matches, totals, sums["answer"], sums["truth"], smooth_method=bleu.smooth_method
        )
        value = Fraction(min(100.0, whole.score))
        return OfSplit(value, _moves_of_bleu(table, sums, float(value)))


def _counts(part: Any) -> dict[str, int]:  # noqa: ANN401 - sacrebleu has no types
    """Extracts matches and totals of each order, and both lengths."""
    counts = {f"m{n}": int(part.counts[n]) for n in range(_ORDERS)}
    totals = {f"t{n}": int(part.totals[n]) for n in range(_ORDERS)}
    return {**counts, **totals, "answer": part.sys_len, "truth": part.ref_len}


def _moves_of_bleu(table: pl.DataFrame, sums: dict[str, int], value: float) -> pl.Series | None:
    if not all(sums[f"m{n}"] for n in range(_ORDERS)):
        return None
    moves = repeat(0, table.height, pl.Float64)
    for n in range(_ORDERS):
        m, t = f"m{n}", f"t{n}"
        moves += (table[m] / sums[m] - table[t] / sums[t]) / float(_ORDERS)
    if sums["answer"] < sums["truth"]:
        ratio = sums["truth"] / sums["answer"]
        moves += ratio * (table["answer"] / sums["answer"] - table["truth"] / sums["truth"])
    return value * moves


TEXT_METRICS: tuple[type[RowMetric], ...] = (EditDistance, NormalizedEditDistance, Bleu)
"""The metrics of this family."""
