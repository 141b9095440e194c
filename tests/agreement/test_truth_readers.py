"""The reader of usual spellings says what the collecting reader says, or nothing."""

from __future__ import annotations

import dataclasses
import gzip
import json
import random
import re
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import OTTO, Objective, Task
from podium.scoring.truth.labels import LabelsRead
from podium.scoring.truth.reading import collect_labels
from podium.scoring.truth.well_formed import read_well_formed
from tests.builders.scoring.competitions import WHOLE
from tests.builders.scoring.mutations import mutated

SINGLE = dataclasses.replace(OTTO, objectives=(Objective("", Decimal(1)),), id_column="user")
# Names that occur elsewhere in a line, or within one another.
CLASHING = dataclasses.replace(
    OTTO, objectives=tuple(Objective(name, Decimal(1)) for name in ("session", "labels", "s", "."))
)
TASKS = (OTTO, SINGLE, CLASHING)
SESSIONS = (0, 7, 42, 12_899_779, 2_147_483_647)
NUMBERS = ["0", "00", "-0", "-1", "1.0", "1e5", "2147483647", "2147483648", "99999999999"]
SPLICES = (
    *NUMBERS, *(f", {number}" for number in NUMBERS), *(f" {number}" for number in NUMBERS),
    *',:"[]{} ', "\n", "\r", "\r\n", ", ", '"1"', "true", "null", "NaN", "\\u0063", ",Usage",
    '"carts": 9', ', "clicks": [4]', '"": 1, ', '"session": 3, ', '"events": []', ",relevance",
    "\x00", "\ufeff", "é", "\u0665",
)  # fmt: skip


def well_formed(rng: random.Random, task: Task, kind: str) -> str:
    """A ground truth without a problem, in a spelling that must be read in blocks."""
    sessions = rng.sample(SESSIONS, rng.randint(1, len(SESSIONS)))
    found = {
        s: {n: sorted(_items(rng)) for n in task.names if rng.random() < 0.7} for s in sessions
    }
    comma = rng.choice((", ", ","))
    if kind == "jsonl":
        lines = [
            json.dumps({"session": s, "labels": _scalars(rng, of)}, separators=(comma, ": "))
            for s, of in found.items()
        ]
    elif kind == "submission":
        ids = [(s, name) for s in sessions for name in task.names]
        rng.shuffle(ids)
        lines = [f"{task.id_column},{task.labels_column}"]
        lines += [
            f"{s}_{n}".removesuffix("_") + "," + " ".join(map(str, found[s].get(n, ())))
            for s, n in ids
        ]
    else:
        lines = [
            "session,type,aid" if task.names != ("",) else rng.choice(("session,aid", "user,item"))
        ]
        rows = [(s, n, i) for s in sessions for n in task.names for i in found[s].get(n, [""])]
        rng.shuffle(rows)
        lines += [",".join(map(str, row)).replace(",,", ",", task.names == ("",)) for row in rows]
    end = rng.choice(("\n", "\r\n"))
    return end.join(lines) + end


def _items(rng: random.Random) -> set[int]:
    count = rng.choice((0, 1, 1, 2, 5))
    return {rng.choice((0, 1, rng.randint(0, 20), 2_147_483_647)) for _ in range(count)}


def _scalars(rng: random.Random, labels: dict[str, list[int]]) -> dict[str, list[int] | int]:
    return {n: i[0] if len(i) == 1 and rng.random() < 0.5 else i for n, i in labels.items()}


def spliced(rng: random.Random, text: str) -> str:
    """The text with a piece of it gone, doubled, moved, or replaced, cut where tokens meet."""
    edges = [0, *(found.end() for found in re.finditer(r"\w+|\W", text))]
    start, end = sorted(rng.choices(edges, k=2)) if rng.random() < 0.3 else _short(rng, edges)
    piece = rng.choice((rng.choice(SPLICES), text[start:end], "", text[start:end] * 2))
    if rng.random() < 0.3:
        end = start
    return text[:start] + piece + text[end:]


def _short(rng: random.Random, edges: list[int]) -> tuple[int, int]:
    at = rng.randrange(len(edges) - 1)
    return edges[at], edges[min(at + rng.choice((1, 1, 2, 3)), len(edges) - 1)]


def both(
    path: Path, task: Task, published: PublishedIds | None
) -> tuple[LabelsRead | None, LabelsRead | None]:
    """The answer of either reader; the collecting one raises where the other only falls back."""
    try:
        collected = collect_labels(path, task=task, published=published, split=WHOLE)
    except FileRejected:
        collected = None
    return read_well_formed(path, task=task, published=published), collected


def alike(one: LabelsRead, other: LabelsRead) -> bool:
    return (
        one.frame.equals(other.frame)
        and one.frame.schema == other.frame.schema
        and one.published.sessions.equals(other.published.sessions)
        and one.published.sessions.dtype == other.published.sessions.dtype
        and one.only_labelled == other.only_labelled
        and (one.sides, one.irrelevant, one.repeated) == (None, 0, 0)
        and (other.sides, other.irrelevant, other.repeated) == (None, 0, 0)
        and one.ignored == other.ignored
    )


@pytest.mark.parametrize("kind", ["jsonl", "submission", "long"])
@pytest.mark.parametrize("part", range(2))
def test_what_is_read_in_blocks_is_what_the_lines_say(tmp_path: Path, kind: str, part: int) -> None:
    path = tmp_path / "truth"
    read = rejected = 0
    for number in range(600):
        rng = random.Random(f"{kind}/{part}/{number}")
        task = rng.choice(TASKS)
        text = well_formed(rng, task, kind)
        for _ in range(rng.choice((1, 1, 2))):
            text = spliced(rng, text)
        data = text.encode()
        path.write_bytes(mutated(rng, data) if rng.random() < 0.2 else data)
        listed = pl.Series(rng.sample(SESSIONS, 4), dtype=pl.Int32)
        published = PublishedIds(listed, task.names) if rng.random() < 0.2 else None
        fast, collected = both(path, task, published)
        rejected += collected is None
        if fast is not None:
            read += 1
            assert collected is not None, f"{kind}/{part}/{number}: {path.read_bytes()!r}"
            assert alike(fast, collected), f"{kind}/{part}/{number}: {path.read_bytes()!r}"
    # Both outcomes are frequent, or the comparison would say little.
    assert read > 40
    assert rejected > 100


@pytest.mark.parametrize("kind", ["jsonl", "submission", "long"])
@pytest.mark.parametrize("task", TASKS, ids=["three", "single", "clashing"])
def test_usual_spellings_are_read_in_blocks(tmp_path: Path, kind: str, task: Task) -> None:
    path = tmp_path / "truth"
    for number in range(10):
        path.write_text(well_formed(random.Random(f"{kind}/{number}"), task, kind), newline="")
        fast, collected = both(path, task, None)
        assert fast is not None
        assert collected is not None
        assert alike(fast, collected)


@pytest.mark.parametrize(
    "labels",
    [
        '{"clicks": 1,}',
        '{"clicks": 1, }',
        '{, "clicks": 1}',
        '{"clicks": 1 "carts": 2}',
        '{"clicks": 1,, "carts": 2}',
        '{"clicks": 1, "clicks": 2}',
        '{"clicks": [1, ]}',
        '{"clicks": [1 2]}',
        '{"clicks": [1, 02]}',
        '{"clicks": [1, 2}',
        '{"clicks": 1, 2}',
        '{"clicks": +1}',
        '{"clicks": 2147483648}',
        '{"clicks": 99999999999}',
        '{"click": 1}',
        '{"clicks": 1}}',
        '{"clicks": 1',
        "1",
    ],
)
def test_what_only_looks_like_label_json_is_doubted(tmp_path: Path, labels: str) -> None:
    path = tmp_path / "truth"
    path.write_text(f'{{"session": 7, "labels": {labels}}}\n')
    assert both(path, OTTO, None) == (None, None)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("session,type,aid", "42,carts,1 9"),
        ("session,type,aid", "42,carts,01"),
        ("session,type,aid", "42_carts,1"),
        ("session_type,labels", "42_carts,1  9"),
        ("session_type,labels", "42_carts, 9"),
        ("session_type,labels", "42,carts,9"),
        ("session_type,labels", '"42_carts",9'),
        ("session_type,labels", "042_carts,9"),
        ("session_type,labels", "42_cart,9"),
        ("labels,session_type", "9,42_carts"),
    ],
)
def test_every_other_spelling_of_a_row_is_doubted(tmp_path: Path, header: str, row: str) -> None:
    path = tmp_path / "truth"
    path.write_text(f"{header}\n{row}\n")
    assert read_well_formed(path, task=OTTO, published=None) is None


def test_a_file_of_several_blocks_keeps_its_order(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    sessions = range(400_000, 0, -1)
    rows = "".join(f"{session},clicks,{session % 97}\n" for session in sessions)
    path.write_bytes(gzip.compress(f"session,type,aid\n{rows * 2}0,carts,\n".encode(), 1))
    assert read_well_formed(path, task=OTTO, published=None) is None  # every label is there twice
    path.write_bytes(gzip.compress(f"session,type,aid\n{rows}0,carts,\n".encode(), 1))
    labels = read_well_formed(path, task=OTTO, published=None)
    assert labels is not None
    assert labels.published.sessions.equals(pl.Series([*sessions, 0], dtype=pl.Int32))
    assert labels.frame["query"].equals(pl.Series(range(0, 1_200_000, 3), dtype=pl.UInt32))
    assert labels.frame["item"].to_list() == [session % 97 for session in sessions]
