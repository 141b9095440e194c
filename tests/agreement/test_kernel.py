"""The compiled reader against the obvious one: what it accepts, it accepts rightly."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator
from decimal import Decimal
from itertools import cycle
from typing import Any

import polars as pl
import pytest

from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.text import NotPlain, Pieces, WholeLines
from podium.scoring.lists.compiled import read_lists
from podium.scoring.lists.joined import are_usual, may_join
from podium.scoring.lists.lines import normalize
from podium.scoring.lists.plan import ReadingPlan
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.repeating import repeat
from podium.scoring.task import MAX_ITEM, OTTO, Objective
from tests.builders.scoring import obvious_reader
from tests.builders.scoring.mutations import DEPTH, Answers, Case, answers_of, cases, labels_of
from tests.builders.scoring.submissions import blocks

SEEDS = 4
FILES_PER_SEED = 2800


@pytest.fixture(autouse=True, params=[97, 4096, 70_000])
def block_bytes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Lines that are longer than a block are left to the strict reader."""
    for name in ("BLOCK_BYTES", "KEPT_BYTES"):
        monkeypatch.setattr(f"podium.scoring.lists.compiled.{name}", request.param)
    return int(request.param)


def kernel_verdict(
    case: Case,
    labels: pl.DataFrame | None = None,
    *,
    depth: int = DEPTH,
    keeps: bool = True,
    is_canonical: bool = False,
) -> tuple[Any, ...] | None:
    """The compiled reader's answer about a file; None where the strict reader has to decide. Where
    it keeps no lists, it looks for labels without reading the items that are none. Of canonical
    text the strict reader has seen how items are separated."""
    functions = kernel()
    assert functions is not None
    every = repeat(1, case.published.count, pl.UInt8)
    kept = (every, lambda block: block) if keeps else ()
    pieces = iter([case.text[at : at + 50] for at in range(0, len(case.text), 50)])
    try:
        read = read_lists(
            WholeLines(Pieces(pieces)),
            functions,
            task=case.task,
            published=case.published,
            plan=ReadingPlan(depth, labels, *kept),
            threads=1,
        )
    except NotPlain:
        return None
    filled = read.rows - read.empty
    if not is_canonical and may_join(case.task) and are_usual(read.joined, lists=filled):
        return None
    counts = {"rows": read.rows, "missing": read.missing, "empty": read.empty}
    ranks = () if read.ranks is None else (read.ranks.to_list(),)
    return ("accepted", answers_of(read.parts), counts, *ranks)


def obvious_ranks(labels: pl.DataFrame, answers: Answers, depth: int = DEPTH) -> list[int]:
    """The 1-based rank of each label in its list, 0 where it is not there."""
    found = []
    for query, item in labels.iter_rows():
        listed = answers.get(query, [])[:depth]
        found.append(listed.index(item) + 1 if item in listed else 0)
    return found


ONE_SIZE = pytest.mark.parametrize("block_bytes", [4096], indirect=True)
"""For lines that have to fit into a block."""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_the_kernel_accepts_the_obvious_reader_reads_in_the_same_way(
    seed: int, block_bytes: int
) -> None:
    good = sure = 0
    for depth, case in zip(
        cycle((1, 2, 3, DEPTH)), cases(2_000_000 + 1000 * block_bytes + seed, FILES_PER_SEED)
    ):
        obvious = obvious_reader.read(case.text, task=case.task, sessions=case.sessions)
        answers = obvious[1] if obvious[0] == "accepted" else {}
        labels = labels_of(case, answers)
        verdict = kernel_verdict(case, labels)
        if verdict is not None:
            assert obvious[0] == "accepted", (case.seed, case.text)
            listed = {query: items[:DEPTH] for query, items in answers.items()}
            expected: tuple[Any, ...] = ("accepted", listed, obvious[2])
            expected += (obvious_ranks(labels, answers),)
            assert verdict == expected, (case.seed, case.text)
            expected = ("accepted", {}, obvious[2], obvious_ranks(labels, answers, depth))
            assert kernel_verdict(case, labels, depth=depth, keeps=False) == expected, case.seed
        else:
            assert kernel_verdict(case, labels, depth=depth, keeps=False) is None, case.seed
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
            counts = normalize(
                blocks(case.text, 1 << 20), task=case.task, published=case.published, sink=sink
            )
        except FileRejected:
            continue
        accepted += 1
        if max(map(len, sink.getvalue().splitlines())) >= block_bytes:
            continue
        canonical = dataclasses.replace(case, text=sink.getvalue())
        verdict = kernel_verdict(canonical, is_canonical=True)
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


@ONE_SIZE
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
def test_a_number_out_of_range_is_doubted_wherever_it_stands(item: str) -> None:
    task = dataclasses.replace(OTTO, missing_rows="zero")
    for keeps in (True, False):
        for before in range(140):
            text = f"session_type,labels\n1_clicks,{'5' * (before % 3)}{' ' * before}{item} 6\n"
            case = Case("range", text.encode("latin-1"), task, [1])
            assert kernel_verdict(case, keeps=keeps) is None, before


@ONE_SIZE
@pytest.mark.parametrize("item", ["7", "007", "00000007", "000000007", "0000000007"])
@pytest.mark.parametrize("other", [8, 70, 77_777_777, 99_999_999, 100_000_007, MAX_ITEM])
def test_a_label_is_found_by_its_number_however_it_is_spelled(item: str, other: int) -> None:
    task = dataclasses.replace(OTTO, missing_rows="zero")
    schema = {"query": pl.UInt32, "item": pl.Int32}
    labels = pl.DataFrame([(0, 7), (0, other), (0, 600)], schema=schema, orient="row").sort("item")
    for before in range(0, 140, 3):
        text = f"session_type,labels\n1_clicks,{'5 ' * before}{item} {other} 7\n"
        case = Case("spelled", text.encode(), task, [1])
        places = {7: before + 1, other: before + 2}
        for depth in (max(before, 1), before + 1, before + 2):
            ranks = [places.get(label, depth + 1) for label in labels["item"]]
            expected = [rank if rank <= depth else 0 for rank in ranks]
            for keeps in (True, False):
                verdict = kernel_verdict(case, labels, depth=depth, keeps=keeps)
                assert verdict is not None
                assert verdict[3] == expected, (before, depth, keeps)


MIXED = (5, 6, 7), (7, 5, 6), (5, 50), (5, 9_000_000)


@pytest.mark.parametrize("sessions", MIXED)
def test_rows_are_of_their_sessions_whether_these_follow_each_other_or_not(
    sessions: tuple[int, ...],
) -> None:
    task = dataclasses.replace(OTTO, objectives=OTTO.objectives[:1], missing_rows="zero")
    rows = [f"{session}_clicks,{session}\n" for session in reversed(sessions)]
    case = Case("mixed", f"session_type,labels\n{''.join(rows)}".encode(), task, list(sessions))
    verdict = kernel_verdict(case)
    assert verdict is not None
    assert verdict[1] == {place: [session] for place, session in enumerate(sessions)}
    for stranger in {4, 8, 49, 51} - set(sessions):
        text = case.text + f"{stranger}_clicks,1\n".encode()
        assert kernel_verdict(dataclasses.replace(case, text=text)) is None


@pytest.mark.parametrize("sessions", [(5, 5, 7), (5, 6, 6), (5, 5), (9, 5, 9_000_000, 9)])
def test_an_id_that_is_published_twice_is_refused(sessions: tuple[int, ...]) -> None:
    case = Case("twice", b"session_type,labels\n", OTTO, list(sessions))
    with pytest.raises(ValueError, match="published twice"):
        kernel_verdict(case)


@pytest.mark.parametrize("damage", [b"1_clicks", b"4_clicks,1", b"2_clicks,2147483648"])
def test_the_first_row_that_is_not_plain_ends_the_reading(damage: bytes) -> None:
    functions = kernel()
    assert functions is not None
    task = dataclasses.replace(OTTO, missing_rows="zero")
    published = PublishedIds(pl.Series([1, 2, 3], dtype=pl.Int32), OTTO.names)
    good = [b"%d_%s,5" % (n, name.encode()) for n in (1, 2, 3) for name in OTTO.names]
    for at in range(len(good) + 1):
        # A later row that is not plain either is not the one to be named.
        rows = [b"session_type,labels", *good[:at], damage, *good[at:], b"5_clicks,1"]
        with pytest.raises(NotPlain) as raised:
            read_lists(
                WholeLines(Pieces(iter([b"\n".join(rows) + b"\n"]))),
                functions,
                task=task,
                published=published,
                plan=ReadingPlan[None](20),
                threads=1,
            )
        assert repr(damage)[:-1] in str(raised.value)


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
