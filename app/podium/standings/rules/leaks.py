"""The leak budget: bits of the public split in the scores that a team is shown.

An answer that is one of n possible ones reveals at most log2 n bits, whatever was sent before it,
and all answers together at most the sum (Blum & Hardt 2015; Dwork et al. 2015, "Generalization in
Adaptive Data Analysis and Holdout Reuse"). Answers of different length, numbers without a bound and
texts, count as many bits as a prefix code needs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import definition_of, is_scored_by_custom_metric
from podium.scoring.metrics import Metric, metric_of
from podium.scoring.metrics.ranked import CountMetric
from podium.scoring.problems import LONGEST_TEXT

LADDER_BITS = 1
"""Bits of a ladder's decision: it shows a score, or withholds it."""

SCORED_BITS, UNSCORED_BITS = 1, 2
"""Bits of the end of a run of a custom metric: scored, or else refused or failed."""

MAX_WHOLE_DIGITS = 6
"""Maximum number of digits before the point that are counted for an unknown number without a
bound."""

LONGEST_CHARACTER = 4
"""Bytes of a character in UTF-8 at most."""


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The bounds of a shown number; an end is None where it is unbounded."""

    least: Fraction | None
    most: Fraction | None

    @classmethod
    def of_metric(cls, metric: Metric) -> NumberRange:
        """Builds the range of a metric's values."""
        bounds = (metric.lower_bound, metric.upper_bound)
        return cls(*(None if bound is None else Fraction(bound) for bound in bounds))

    @classmethod
    def of_score(cls, settings: CompetitionSettings) -> NumberRange:
        """Computes the range of a competition's scores; errors count negative."""
        whole = cls(Fraction(0), Fraction(0))
        for name, weight in settings.objectives.items():
            metric = definition_of(settings.metric_of(name), settings.task)
            factor = Fraction(weight) * (1 if metric.higher_is_better else -1)
            whole = whole.plus(cls.of_metric(metric).times(factor))
        return whole

    def times(self, factor: Fraction) -> NumberRange:
        """Scales the range by a factor."""
        ends = [None if end is None else end * factor for end in (self.least, self.most)]
        return NumberRange(*(ends if factor > 0 else reversed(ends)))

    def plus(self, other: NumberRange) -> NumberRange:
        """Adds the bounds of two ranges; a sum with an open bound is open there."""
        pairs = ((self.least, other.least), (self.most, other.most))
        return NumberRange(
            *(None if one is None or two is None else one + two for one, two in pairs)
        )

    def bits(self, units: int, decimals: int) -> float:
        """Computes the upper bound of the bits in a number that is shown as so many units of its
        last digit: log2 of the number of possible values, or where it has no bound the digits,
        their number before the point (Elias gamma) and the sign.

        >>> [round(NumberRange(Fraction(0), Fraction(1)).bits(7, d), 2) for d in (0, 3, 5)]
        [1.0, 9.97, 16.61]
        >>> round(NumberRange(Fraction(0), None).bits(91250, 5), 2)
        20.93
        """
        if self.least is not None and self.most is not None:
            return math.log2(math.ceil((self.most - self.least) * 10**decimals) + 1)
        whole = max(len(str(abs(units))) - decimals, 1)
        is_below = self.least is None or self.least < 0
        is_above = self.most is None or self.most > 0
        of_count = 2 * whole.bit_length() - 1
        return (whole + decimals) * math.log2(10) + of_count + (is_below and is_above)

    def most_bits(self, decimals: int) -> float:
        """Computes the upper bound of the bits in a number that is not known yet."""
        return self.bits(10 ** (MAX_WHOLE_DIGITS + decimals) - 1, decimals)


def objective_ranges(settings: CompetitionSettings) -> dict[str, NumberRange]:
    """Maps objectives to the ranges of their scores; empty where the only objective is the score
    itself."""
    if len(settings.objectives) == 1 and set(settings.objectives.values()) == {1}:
        return {}
    return {
        name: NumberRange.of_metric(definition_of(settings.metric_of(name), settings.task))
        for name in settings.objectives
    }


def diagnostic_ranges(
    settings: CompetitionSettings, *, with_objectives: bool
) -> dict[str, NumberRange]:
    """Maps the diagnostics that teams see, by their ids, to their ranges: all `with_objectives`,
    else those of the board. They are weighted as the score."""
    weight = sum(map(Fraction, settings.objectives.values()), start=Fraction(0))
    return {
        name: NumberRange.of_metric(metric_of(name, settings.task)).times(weight)
        for name in (settings.diagnostics if with_objectives else settings.board_diagnostics)
    }


def counted_bits(settings: CompetitionSettings, summary: Mapping[str, Any] | None) -> float:
    """Computes the upper bound of the bits in score and objectives together, where each is a count
    of hits divided by a number that the ground truth gives; infinite where one is not, or that
    number is unknown."""
    objectives = (summary or {}).get("objectives", {})
    bits = 0.0
    for name in settings.objectives:
        metric = definition_of(settings.metric_of(name), settings.task)
        denominator = objectives.get(name, {}).get("public", {}).get("denominator")
        is_count = isinstance(metric, CountMetric) and metric.average == "micro"
        if not is_count or denominator is None:
            return math.inf
        bits += math.log2(denominator + 1)
    return bits


def text_bits(text: str) -> int:
    """Computes the upper bound of the bits in a metric's text: 8 for each byte, and its end.

    >>> text_bits(""), text_bits("ü")
    (8, 24)
    """
    return 8 * (len(text.encode(errors="replace")) + 1)


def most_bits(settings: CompetitionSettings, summary: Mapping[str, Any] | None = None) -> float:
    """Computes the upper bound of the bits that the next verdict of a competition reveals to a
    team; `summary` has the counts of its ground truth."""
    numbers: list[NumberRange] = [NumberRange.of_score(settings)]
    sees_all = settings.objective_scores == "always"
    if sees_all:
        numbers += objective_ranges(settings).values()
    further = diagnostic_ranges(settings, with_objectives=sees_all).values()
    most = math.fsum(one.most_bits(settings.decimals) for one in numbers)
    bits = min(most, counted_bits(settings, summary))
    bits += math.fsum(one.most_bits(settings.decimals) for one in further)
    bits += LADDER_BITS if settings.board == "ladder" else 0
    if not is_scored_by_custom_metric(settings):
        return bits
    longest = 8 * (LONGEST_TEXT * LONGEST_CHARACTER + 1)
    return max(SCORED_BITS + bits, UNSCORED_BITS + longest)


@dataclass(slots=True)
class RevealedBits:
    """The bits that one judging has revealed to its team so far; None where it was not counted
    yet."""

    judging_id: str
    outcome: object
    """The number or text that was, or would be, shown: two judgings of a file with the same one
    reveal it once."""
    before: float | None
    now: float
    """Bits that its present visibility reveals to a team without prior knowledge; 0 where it is
    hidden."""


def grown(judgings: Sequence[RevealedBits]) -> dict[str, float]:
    """Adds up, by judging, the bits that each has revealed by now, for judgings of one file of one
    team in their order. An outcome that was revealed before does not count again, and no sum
    decreases.

    >>> first, again = RevealedBits("1", "0.5", None, 16.5), RevealedBits("2", "0.5", None, 16.5)
    >>> grown([first, again]), grown([RevealedBits("1", "0.50", 10.0, 16.5)])
    ({'1': 16.5, '2': 0.0}, {'1': 16.5})
    """
    known: dict[object, float] = {}
    for one in judgings:
        known[one.outcome] = max(known.get(one.outcome, 0.0), one.before or 0.0)
    after = {}
    for one in judgings:
        more = max(0.0, one.now - known[one.outcome])
        known[one.outcome] += more
        after[one.judging_id] = (one.before or 0.0) + more
    return after


def total(bits: Iterable[float]) -> int:
    """Adds bits up and rounds the sum up to a whole number, as it is shown."""
    return math.ceil(round(sum(bits), 6))
