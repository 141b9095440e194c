"""Prints results on standard output as JSON, CSV or a plain table; progress bars on terminals
only."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from shutil import get_terminal_size
from textwrap import wrap
from typing import Annotated, Any

import typer

from podium.cli.legible import legible
from podium.cli.outcome import complain, print_if_interrupted
from podium.cli.streams.encoding import json_text
from podium.core.spreadsheets import harmless
from podium.errors import NotConfigured
from podium.scoring.analysis.list_words import item_words, length_words, list_warning


def _one_form(context: typer.Context, param: typer.CallbackParam, value: bool) -> bool:
    """Refuses a second output format."""
    other = "as_csv" if param.name == "as_json" else "as_json"
    if value and context.params.get(other):
        raise NotConfigured("Give either --json or --csv.")
    return value


AsJson = Annotated[
    bool, typer.Option("--json", callback=_one_form, help="Print JSON, errors included.")
]
AsCsv = Annotated[bool, typer.Option("-v", "--csv", callback=_one_form, help="Print CSV.")]

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)

Timeout = Annotated[
    float | None,
    typer.Option(
        min=1,
        metavar="SECONDS",
        help="Wait at most this long for the server's work, which goes on then; exit code 7. Each"
        " answer gets 10 s at least.",
    ),
]

GAP = "  "
"""Between two columns, and before a line below a row."""

Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No progress on standard error.")]

Columns = Sequence[tuple[str, Callable[[dict[str, Any]], Any]]]
"""Titles of a table's columns, each with a function that extracts the cell from a document."""


def members(*names: str) -> Columns:
    """Returns columns that show members of a document under their own names."""
    return [(name, itemgetter(name)) for name in names]


def print_json(document: object) -> None:
    """Prints a document as JSON that people can read, too."""
    print(json_text(document))


def print_rows(
    rows: Iterable[dict[str, Any]],
    columns: Columns,
    *,
    as_json: bool,
    as_csv: bool = False,
    below: Sequence[str] = (),
) -> None:
    """Prints documents as a JSON list, as CSV, or as columns wide enough for their cells.

    In a terminal that is too narrow for them, the columns named in `below` are moved to a line of
    their own under each row.
    """
    if as_json:
        print_json(list(rows))
        return
    titles = [shown(title) for title, _ in columns]
    cells = [[shown(show(row)) for _, show in columns] for row in rows]
    if as_csv:
        csv.writer(sys.stdout).writerows([titles, *(map(_for_spreadsheets, row) for row in cells)])
        return
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    for line in table_lines([titles, *cells], below=below, width=width):
        print(line)


def table_lines(
    lines: Sequence[Sequence[str]], *, below: Sequence[str] = (), width: int | None = None
) -> Iterator[str]:
    """Yields cells as the lines of a table; the first ones are the titles.

    If the table is wider than `width`, the columns named in `below` go under their row, wrapped
    between words, so that ids and names stay whole.
    """
    widths = [max(map(columns_of, column)) for column in zip(*lines, strict=True)]
    width = width or sys.maxsize
    is_narrow = sum(widths) + len(GAP) * (len(widths) - 1) > width
    under = [is_narrow and title in below for title in lines[0]]
    for cells in lines:
        row = list(zip(cells, widths, under, strict=True))
        yield GAP.join(filled(cell, wide) for cell, wide, is_under in row if not is_under).rstrip()
        if is_narrow:
            under_row = " · ".join(c for c, _, is_under in row if is_under and c)
            yield from wrapped(under_row, width, indent=GAP)


def columns_of(text: str) -> int:
    """Returns the number of terminal columns of a text: Korean and Chinese characters take two,
    combining marks none."""
    # Only ASCII is as wide as it is long; most commands print nothing else, and start faster this
    # way.
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def filled(text: str, width: int) -> str:
    """Pads a text with spaces to this number of columns."""
    return text + " " * (width - columns_of(text))


def wrapped(text: str, width: int, *, indent: str = "") -> list[str]:
    """Returns the lines of a text, wrapped between words, so that ids and names stay whole."""
    return wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def with_decimals(row: Mapping[str, Any], decimals: int, *names: str) -> dict[str, Any]:
    """Returns a document whose scores have all the decimals that their competition shows; JSON has
    them as numbers, which lose trailing zeros."""
    scores = {name: row.get(name) for name in names}
    full = {name: f"{score:.{decimals}f}" for name, score in scores.items() if score is not None}
    return {**row, **full}


def _for_spreadsheets(cell: str) -> str:
    # Numbers stay numbers, negative ones too.
    return cell if NUMBER.fullmatch(cell) else harmless(cell)


def print_facts(facts: dict[str, Any]) -> None:
    """Prints names and values, one per line."""
    width = max(columns_of(shown(name)) for name in facts)
    for name, value in facts.items():
        print(f"{filled(shown(name), width)}  {shown(value)}".rstrip())


def print_outcome(document: object, facts: dict[str, Any], *, as_json: bool) -> None:
    """Prints a document as JSON, or else the facts about it that people read."""
    if as_json:
        print_json(document)
    else:
        print_facts(facts)


def number(value: float | None) -> str:
    """Formats a number with six digits; empty for none."""
    return "" if value is None else f"{value:.6g}"


def interval(ends: Sequence[float] | None) -> str:
    """Formats the ends of an interval; empty for none."""
    return "" if ends is None else f"{number(ends[0])} to {number(ends[1])}"


def facts_of_lists(document: Mapping[str, Any]) -> dict[str, str]:
    """Returns lengths and items of the lists of a scored file, if it has any. If hardly any item is
    in the catalogue, asks on standard error whether the ids are the right ones."""
    lists = document.get("lists")
    if lists is None:
        return {}
    if warning := list_warning(lists):
        complain(warning)
    return {"lists": length_words(lists), "items": item_words(lists)}


@contextmanager
def bar(title: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Shows a progress bar on standard error while the block runs; yields the function that moves
    it.

    Draws nothing if `quiet`, or without a terminal.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        row = progress.add_task(escape(legible(title)), total=None)
        yield lambda done, total: progress.update(row, completed=done, total=total)


@contextmanager
def waiting(*, quiet: bool, goes_on: str) -> Iterator[Callable[[str], None]]:
    """Shows a spinner on standard error while the block runs; yields the function that changes its
    text. Ctrl-C ends only the wait, and prints what `goes_on`.

    Draws nothing under the same conditions as `bar`.
    """
    with print_if_interrupted(f"Stopped waiting. {goes_on}"):
        if quiet or not sys.stderr.isatty():
            yield lambda text: None
            return
        from rich.console import Console
        from rich.markup import escape

        with Console(stderr=True).status("waiting") as status:
            yield lambda text: status.update(escape(legible(text)))


def shown(value: object) -> str:
    """Returns a value as text that is safe to print: nothing in it controls a terminal."""
    if value is None:
        return ""
    # Other people choose names, which must not control a terminal.
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))
