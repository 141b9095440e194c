"""The compiled reader against the obvious one: what it accepts, it accepts rightly."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.lists import read_lists
from podium.scoring.kernel.text import NotPlain, Pieces, WholeLines
from podium.scoring.lists.lines import normalise
from podium.scoring.lists.plan import ReadingPlan
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import OTTO, Objective
from tests.builders.scoring import obvious_reader
from tests.builders.scoring.mutations import DEPTH, Answers, Case, answers_of, cases, labels_of
from tests.builders.scoring.submissions import blocks

SEEDS = 12
FILES_PER_SEED = 2800


@pytest.fixture(autouse=True, params=[97, 4096, 70_000])
def block_bytes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Lines that are longer than a block are left to the strict reader."""
    for name in ("BLOCK_BYTES", "KEPT_BYTES"):
        monkeypatch.setattr(f"podium.scoring.kernel.lists.{name}", request.param)
    return int(request.param)


def kernel_verdict(case: Case, labels: pl.DataFrame | None = None) -> tuple[Any, ...] | None:
    """The compiled reader's answer about a file; None where the strict reader has to decide."""
    functions = kernel()
    assert functions is not None
    every = pl.repeat(1, case.published.count, dtype=pl.UInt8, eager=True)
    pieces = iter([case.text[at : at + 50] for at in range(0, len(case.text), 50)])
    try:
        read = read_lists(
            WholeLines(Pieces(pieces)),
            functions,
            task=case.task,
            published=case.published,
            plan=ReadingPlan(DEPTH, labels, every, lambda block: block),
            threads=1,
        )
    except NotPlain:
        return None
    counts = {"rows": read.rows, "missing": read.missing, "empty": read.empty}
    ranks = () if read.ranks is None else (read.ranks.to_list(),)
    return ("accepted", answers_of(read.parts), counts, *ranks)


def obvious_ranks(labels: pl.DataFrame, answers: Answers) -> list[int]:
    """The 1-based rank of each label in its list, 0 where it is not there."""
    found = []
    for query, item in labels.iter_rows():
        listed = answers.get(query, [])[:DEPTH]
        found.append(listed.index(item) + 1 if item in listed else 0)
    return found


@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_the_kernel_accepts_the_obvious_reader_reads_in_the_same_way(
    seed: int, block_bytes: int
) -> None:
    good = sure = 0
    for case in cases(2_000_000 + 1000 * block_bytes + seed, FILES_PER_SEED):
        obvious = obvious_reader.read(case.text, task=case.task, sessions=case.sessions)
        answers = obvious[1] if obvious[0] == "accepted" else {}
        labels = labels_of(case, answers)
        verdict = kernel_verdict(case, labels)
        if verdict is not None:
            assert obvious[0] == "accepted", (case.seed, case.text)
            listed = {query: items[:DEPTH] for query, items in answers.items()}
            expected = ("accepted", listed, obvious[2], obvious_ranks(labels, answers))
            assert verdict == expected, (case.seed, case.text)
        good += obvious[0] == "accepted"
        sure += verdict is not None
    # A reader that always gives up would be right and useless.
    assert sure > good / (4 if block_bytes < 100 else 1.5)


@pytest.mark.parametrize("seed", range(2))
def test_the_strict_readers_canonical_text_is_never_doubted(seed: int, block_bytes: int) -> None:
    accepted = 0
    for case in cases(3_000_000 + seed, 500, damaged=0.3):
        sink = io.BytesIO()
        try:
            counts = normalise(
                blocks(case.text, 1 << 20), task=case.task, published=case.published, sink=sink
            )
        except FileRejected:
            continue
        accepted += 1
        if max(map(len, sink.getvalue().splitlines())) >= block_bytes:
            continue
        canonical = dataclasses.replace(case, text=sink.getvalue())
        verdict = kernel_verdict(canonical)
        obvious = obvious_reader.read(case.text, task=case.task, sessions=case.sessions)
        listed = {query: items[:DEPTH] for query, items in obvious[1].items()}
        assert verdict == ("accepted", listed, obvious[2]), (case.seed, case.text)
        assert obvious[2] == dataclasses.asdict(counts)
    assert accepted > 250


@pytest.mark.parametrize("blank", [1, 97, 5000, 200_000])
def test_blank_lines_at_the_end_are_as_good_as_none(blank: int) -> None:
    for case in cases(blank, 20, damaged=0):
        text = case.text.rstrip(b"\r\n") + b"\n"
        verdict = kernel_verdict(dataclasses.replace(case, text=text))
        for end in (b"\n" * blank, b"\r\n" * blank):
            assert kernel_verdict(dataclasses.replace(case, text=text + end)) == verdict
            # A row behind them is one that the strict reader has to name.
            damaged = dataclasses.replace(case, text=text + end + b"1_clicks,5\n")
            assert kernel_verdict(damaged) is None


def test_an_objective_whose_name_begins_like_another_is_not_taken_for_it() -> None:
    names = ("b", "b-b", "b2")
    task = dataclasses.replace(OTTO, objectives=tuple(Objective(n, Decimal(1)) for n in names))
    rows = [f"{session}_{name},{session}" for session in (3, 4) for name in names]
    case = Case("names", "\n".join(["session_type,labels", *rows]).encode(), task, [3, 4])
    answers = {0: [3], 1: [3], 2: [3], 3: [4], 4: [4], 5: [4]}
    counts = {"rows": 6, "missing": 0, "empty": 0}
    assert kernel_verdict(case) == ("accepted", answers, counts)


@pytest.mark.parametrize("name", ["a_b", "a,b", 'a"b', "ä", "a b", "a\n"])
def test_names_that_would_make_ids_ambiguous_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name"):
        dataclasses.replace(OTTO, objectives=(Objective(name, Decimal(1)),))


def test_more_objectives_than_a_byte_can_number_are_refused() -> None:
    names = [f"o{number}" for number in range(101)]
    with pytest.raises(ValueError, match="1 to 100 objectives"):
        dataclasses.replace(OTTO, objectives=tuple(Objective(n, Decimal(1)) for n in names))


@pytest.mark.parametrize("length", [1, 60, 200])
def test_the_last_of_a_hundred_objectives_is_read(length: int) -> None:
    names = [f"o{number}".ljust(length, "x") for number in range(100)]
    task = dataclasses.replace(OTTO, objectives=tuple(Objective(n, Decimal(1)) for n in names))
    text = "".join(f"7_{name},{number}\n" for number, name in enumerate(names))
    case = Case("many", f"session_type,labels\n{text}".encode(), task, [7])
    answers = {number: [number] for number in range(100)}
    counts = {"rows": 100, "missing": 0, "empty": 0}
    assert kernel_verdict(case) in (None, ("accepted", answers, counts))


@pytest.mark.parametrize("item_ids", ["integer", "string"])
@pytest.mark.parametrize("session", ["1e3", "+1000", " 1000", "1000 ", "01000", "1000.0", "0x3e8"])
def test_a_session_in_another_spelling_is_doubted(session: str, item_ids: Any) -> None:
    task = dataclasses.replace(OTTO, item_ids=item_ids, missing_rows="zero")
    text = f"session_type,labels\n{session}_clicks,5\n".encode()
    assert kernel_verdict(Case("spelling", text, task, [1000])) is None


@pytest.mark.parametrize(
    "item",
    [
        "00000000000",
        "10000000000",
        "4294967297",
        "18446744073709551621",
        "2147483648",
        "+1",
        "-0",
        "1.0",
        "1e3",
        "1\x002",
        "\x80",
        "\xff",
    ],
)
def test_a_number_out_of_range_is_doubted(item: str) -> None:
    text = f"session_type,labels\n1_clicks,5 {item} 6\n".encode("latin-1")
    task = dataclasses.replace(OTTO, missing_rows="zero")
    assert kernel_verdict(Case("range", text, task, [1])) is None


@pytest.mark.parametrize("missing_rows", ["reject", "zero"])
def test_reading_stops_soon_after_more_rows_than_there_are_ids(missing_rows: Any) -> None:
    published = PublishedIds(pl.Series([1], dtype=pl.Int32), OTTO.names)
    functions = kernel()
    assert functions is not None
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        yield b"session_type,labels\n"
        while taken < 3_000_000:
            taken += 1
            yield b"1_clicks,5\n"

    task = dataclasses.replace(OTTO, missing_rows=missing_rows)
    with pytest.raises(NotPlain):
        read_lists(
            WholeLines(Pieces(endless())),
            functions,
            task=task,
            published=published,
            plan=ReadingPlan[None](20),
        )
    assert taken < 1_000_000
