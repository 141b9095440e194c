"""No reader loses a row: rows that are read, and rows that are refused, are all that are there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders.preparation.titled import TitledFile, titled_file
from tests.builders.processes.typed import typed

FILES = [titled_file(seed) for seed in range(30)]


def rows_of_stats(file: Path) -> int | str:
    """The interactions of a file, or what is said instead."""
    ended = typed("stats", file, "--json")
    return ended.document["interactions"] if not ended.code else ended.err


def rows_of_prepare(file: Path) -> int | str:
    ended = typed("prepare", file, "--to", file.parent / "o", "--seed", 1, "--force", "--json")
    return int(ended.document["interactions"]) if not ended.code else ended.err


def rows_of_a_clickstream(file: Path) -> int | str:
    told = (
        "--columns",
        "userId,movieId,timestamp",
        "--time-unit",
        "s",
        "--json",
        "--days",
        "0.03",
    )
    ended = typed("otto", "prepare", file, "--to", file.parent / "o", "--seed", 1, "--force", *told)
    if ended.code:
        return ended.err
    return int(json.loads((file.parent / "o" / "report.json").read_text())["raw"]["events"])


@pytest.mark.parametrize("rows_of", [rows_of_stats, rows_of_prepare])
def test_all_rows_are_read_or_a_line_is_named(
    rows_of: Callable[[Path], int | str], tmp_path: Path
) -> None:
    check(FILES, rows_of, tmp_path)


def test_all_rows_of_a_clickstream_are_read_or_a_line_is_named(tmp_path: Path) -> None:
    files = [titled_file(seed, multiline=False) for seed in range(30)]
    # There a line is a row: a line end between quotes is refused.
    spread = [any("\n" in row[-1] for row in each.rows or []) for each in files]
    files = [replace(f, rows=None) if s else f for f, s in zip(files, spread, strict=True)]
    check(files, rows_of_a_clickstream, tmp_path)


def check(files: list[TitledFile], rows_of: Callable[[Path], int | str], folder: Path) -> None:
    file = folder / "r.csv"
    for number, each in enumerate(files):
        file.write_bytes(each.text.encode())
        found = rows_of(file)
        if each.rows is None:
            assert isinstance(found, str), (number, each.text)
            assert re.search(r"r\.csv:[0-9]+: |line [0-9]+", found), (number, found)
        else:
            assert found == len(each.rows), (number, found)
    assert 2 < sum(each.rows is None for each in files) < 20


def test_a_baseline_learns_from_all_rows(tmp_path: Path) -> None:
    file, published, out = (tmp_path / name for name in ("r.csv", "p.csv", "b.csv"))
    published.write_text("user\n" + "".join(f"{user}\n" for user in range(6)))
    named = ("--user", "userId", "--item", "movieId")
    for number, each in enumerate(FILES[:12]):
        file.write_bytes(each.text.encode())
        ended = typed(
            "baseline", "popular", "--train", file, "--published", published, *named, "-o", out,
            "--force",
        )  # fmt: skip
        if each.rows is None:
            assert ended.code == 2, number
            continue
        assert ended.code == 0, ended.err
        lists = dict(line.split(",") for line in out.read_text().splitlines()[1:])
        seen = {(row[0], row[1]) for row in each.rows}
        items = {item for _, item in seen}
        unseen = {str(user): items - {i for u, i in seen if u == str(user)} for user in range(6)}
        assert {user: set(of.split()) for user, of in lists.items()} == unseen, number
