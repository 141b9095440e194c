"""Runs as one Markdown table, and the aims with what was reached. Text only; measures nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.contest import Run, paired_ratio

Results = dict[str, list[Run]]

FLOOR, OURS, OURS_TENTH = "floor", "ours", "ours, a tenth of the sessions"
OURS_EIGHT = "ours, eight metrics more"
PYTHON = "plain Python"


@dataclass(frozen=True, slots=True)
class Aim:
    """Something to reach, the figure measured and the most (or least) it may be."""

    text: str
    reached: float
    bound: float
    at_least: bool = False

    @property
    def is_held(self) -> bool:
        """True if it was reached."""
        return self.reached >= self.bound if self.at_least else self.reached <= self.bound

    def line(self) -> str:
        """A row of the table of aims."""
        sign = "≥" if self.at_least else "≤"
        bound = f"{sign} {self.bound:.4g}"
        return f"| {self.text} | {self.reached:.4g} | {bound} | {'yes' if self.is_held else 'no'} |"


def table(results: Results) -> list[str]:
    """One row per contestant: medians with the least and the most, ratios to the floor."""
    head = ["contestant", "wall s", "CPU s", "peak MiB", "s after imports", "wall / floor", "runs"]
    lines = [_row(head), _row(["---"] + ["---:"] * (len(head) - 1))]
    for name, runs in results.items():
        cells = [
            name,
            _spread([run.wall for run in runs], 2),
            _spread([run.cpu for run in runs], 2),
            _spread([run.peak for run in runs], 0),
            f"{median(run.inner for run in runs):.2f}",
            f"{ratio(results, name, FLOOR):.2f}",
            str(len(runs)),
        ]
        lines.append(_row(cells))
    return lines


def aims(results: Results) -> list[str]:
    """The aims as a table."""
    ours = wall(results, OURS)
    found = [
        Aim("ours / floor, wall", ratio(results, OURS, FLOOR), 4),
        Aim("ours, peak MiB", median(run.peak for run in results[OURS]), 1024),
        Aim("eight metrics more / ours, wall", ratio(results, OURS_EIGHT, OURS), 1.6),
        Aim("a tenth of the sessions: share of the time after imports", _tenth(results), 0.14),
    ]
    for kind in ("gzip", "zstd"):
        bound = wall(results, f"{FLOOR}, {kind}") + 1.5 * ours
        text = f"ours, {kind}: wall s (scan of it + 1.5 × ours)"
        found.append(Aim(text, wall(results, f"{OURS}, {kind}"), bound))
    if PYTHON in results:
        found.append(Aim(f"{PYTHON} / ours, wall", wall(results, PYTHON) / ours, 30, True))
    head = [_row(["aim", "reached", "bound", "held"]), _row(["---", "---:", "---:", "---"])]
    return head + [aim.line() for aim in found]


def disagreements(results: Results, like: dict[str, str]) -> list[str]:
    """Contestants whose hits differ from those of the first one that answered the same question.

    `like` names for each contestant the question it answers; those without hits are passed over.
    """
    first: dict[str, tuple[str, dict[str, int]]] = {}
    wrong = []
    for name, runs in results.items():
        for run in runs:
            if run.hits is None:
                continue
            other, hits = first.setdefault(like[name], (name, run.hits))
            if run.hits != hits:
                wrong.append(f"{name} counts {run.hits}, {other} counts {hits}")
    return wrong


def wall(results: Results, name: str) -> float:
    """The median wall time of a contestant."""
    return median(run.wall for run in results[name])


def ratio(results: Results, name: str, other: str) -> float:
    """Wall times in relation; paired by rounds where both took part in all of them."""
    if len(results[name]) == len(results[other]):
        return paired_ratio(results[name], results[other])
    return wall(results, name) / wall(results, other)


def _tenth(results: Results) -> float:
    pairs = zip(results[OURS_TENTH], results[OURS], strict=True)
    return median(small.inner / whole.inner for small, whole in pairs)


def _spread(figures: Sequence[float], digits: int) -> str:
    low, middle, high = min(figures), median(figures), max(figures)
    return f"{middle:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
