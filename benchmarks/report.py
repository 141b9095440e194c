"""The page of a benchmark in Markdown: what ran where, a table of runs, aims. Measures nothing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks import RESULTS_FOLDER, machine
from benchmarks.contest import Contestant, Run, paired_ratio

Results = dict[str, list[Run]]


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

    @property
    def verdict(self) -> str:
        """The cells of a table that say what was reached of what."""
        sign = "≥" if self.at_least else "≤"
        bound = f"{sign} {self.bound:.4g}"
        return f"{self.reached:.4g} | {bound} | {'yes' if self.is_held else 'no'} |"

    def line(self) -> str:
        """A row of the table of aims."""
        return f"| {self.text} | {self.verdict}"


def add_write(parser: argparse.ArgumentParser) -> None:
    """Adds the option by which a page is kept."""
    folder = RESULTS_FOLDER.name
    parser.add_argument("--write", action="store_true", help=f"also keep the page in {folder}/")


def head(title: str, began: machine.Moment | None = None) -> list[str]:
    """Returns the first lines of a page; `began` is the moment at which measuring began."""
    return [f"# {title}", "", *machine.described(began), ""]


def publish(name: str, lines: Sequence[str], *, is_kept: bool) -> None:
    """Prints a page, and keeps it as `results/NAME.md` if that was asked for."""
    text = "\n".join(lines)
    print(text)
    if is_kept:
        (RESULTS_FOLDER / f"{name}.md").write_text(f"{text}\n")


def table(results: Results, contestants: Sequence[Contestant], floor: str) -> list[str]:
    """One row per contestant: medians with the least and the most, ratios to the floor."""
    head = "contestant | checks | wall s | CPU s | peak MiB | s after imports | wall / floor | runs"
    lines = [f"| {head} |", "| --- | --- |" + " ---: |" * 6]
    floors = [run.wall for run in results[floor]]
    for contestant in contestants:
        runs = results[contestant.name]
        cells = [
            contestant.name,
            contestant.checks,
            _spread([run.wall for run in runs], 2),
            _spread([run.cpu for run in runs], 2),
            _spread([run.peak for run in runs], 0),
            "–" if runs[0].told.seconds is None else f"{median(run.inner for run in runs):.2f}",
            f"{paired_ratio([run.wall for run in runs], floors):.2f}",
            str(len(runs)),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def disagreements(results: Results, contestants: Sequence[Contestant]) -> list[str]:
    """Contestants whose hits differ from those of the first one that answered the same question;
    those that tell none are passed over."""
    first: dict[str, tuple[str, dict[str, int]]] = {}
    wrong = []
    for contestant in contestants:
        for hits in (run.told.hits for run in results[contestant.name]):
            if hits is None:
                continue
            other, expected = first.setdefault(contestant.question, (contestant.name, hits))
            if hits != expected:
                wrong.append(f"{contestant.name} counts {hits}, {other} counts {expected}")
    return wrong


def _spread(figures: Sequence[float], digits: int) -> str:
    low, middle, high = min(figures), median(figures), max(figures)
    return f"{middle:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"
