"""Judging without the compiled reader: the same scores, lists and refusals."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.lists.reading import read_submission
from podium.scoring.pairs.reading import read_numbers
from podium.scoring.problems import FileRejected, Rejection
from podium.scoring.repeating import repeat
from podium.scoring.rows.keys import as_texts
from podium.scoring.solutions.pair_rows import read_rows
from podium.scoring.solutions.pairs import read_true_pairs
from podium.scoring.splits import SplitRule
from tests.builders.scoring import obvious_reader, rating_files
from tests.builders.scoring.competitions import WHOLE
from tests.builders.scoring.mutations import DEPTH, Answers, Case, answers_of, cases, labels_of

Counted = tuple[list[list[int]], int | None, list[int]]


def read(case: Case, labels: pl.DataFrame, folder: Path, depth: int) -> ListsRead[ListBlock] | None:
    """All that is found in a file; None where it is rejected."""
    file = folder / "submission.csv"
    file.write_bytes(case.text)
    every = repeat(1, case.published.count, pl.UInt8)
    plan = ReadingPlan(depth, labels, every, lambda block: block)
    try:
        return read_submission(
            file, task=case.task, published=case.published, plan=plan, scratch=folder
        )
    except FileRejected:
        return None


@pytest.mark.parametrize("depth", [1, 3, DEPTH])
def test_what_is_found_is_the_same(
    depth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = 0
    for case in cases(4_000_000 + depth, 500, damaged=0.5):
        verdict: tuple[Any, ...] = obvious_reader.read(
            case.text, task=case.task, sessions=case.sessions
        )
        labels = labels_of(case, verdict[1] if verdict[0] == "accepted" else {})
        compiled = read(case, labels, tmp_path, depth)
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.lists.reading.kernel", lambda: None)
            plain = read(case, labels, tmp_path, depth)
        if compiled is None or plain is None:
            assert compiled is plain
            continue
        accepted += 1
        counted = [(one.rows, one.missing, one.empty) for one in (compiled, plain)]
        assert counted[0] == counted[1]
        assert compiled.ranks is not None
        assert plain.ranks is not None
        assert compiled.ranks.to_list() == plain.ranks.to_list()
        assert answers_of(compiled.parts) == answers_of(plain.parts)
    assert accepted > 200


def counted(
    case: Case, folder: Path, plan: ReadingPlan[None], catalogues: Sequence[pl.Series]
) -> Counted | None:
    """Lengths by objective, the number of different items, and how many of each catalogue; None
    where the file is rejected."""
    file = folder / "submission.csv"
    file.write_bytes(case.text)
    try:
        read: ListsRead[None] = read_submission(
            file, task=case.task, published=case.published, plan=plan, scratch=folder
        )
    except FileRejected:
        return None
    assert read.distinct is not None
    among = [read.distinct.count_among(catalogue) for catalogue in catalogues]
    return read.lengths, read.distinct.count, among


def obvious(
    case: Case, answers: Answers, plan: ReadingPlan[None], catalogues: Sequence[pl.Series]
) -> Counted:
    """The same, one list after the other."""
    objectives = len(case.task.names)
    lengths = [[0] * (plan.depth + 1) for _ in range(objectives)]
    items: set[Any] = set()
    assert plan.limits is not None
    for query, listed in answers.items():
        session, objective = divmod(query, objectives)
        lengths[objective][min(len(listed), plan.depth)] += 1
        if session % plan.marked_every == 0:
            items |= set(listed[: plan.limits[objective]])
    return lengths, len(items), [len(items & set(each)) for each in catalogues]


def catalogues_of(rng: random.Random, case: Case, answers: Answers) -> list[pl.Series]:
    """Nothing, some of what lists have beside strangers, and all of it."""
    every = sorted({item for listed in answers.values() for item in listed})
    is_text = case.task.item_ids == "string"
    strangers = ["", "?x", "zz9"] if is_text else [0, 2_147_483_646, 2_147_483_647]
    some = set(strangers[1:]) | {item for item in every if rng.random() < 0.5}
    kind = pl.String if is_text else pl.Int32
    return [pl.Series(sorted(each), dtype=kind) for each in (set(), some, set(every))]


@pytest.mark.parametrize("marked_every", [1, 2, 4])
def test_both_readers_count_what_the_lists_have(
    marked_every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = 0
    for case in cases(7_000_000 + marked_every, 500, damaged=0.3):
        rng = random.Random(case.seed)
        verdict: tuple[Any, ...] = obvious_reader.read(
            case.text, task=case.task, sessions=case.sessions
        )
        depth = rng.choice((1, 3, 20))
        limits = tuple(rng.randint(1, depth) for _ in case.task.names)
        plan = ReadingPlan[None](depth, limits=limits, marked_every=marked_every)
        answers = verdict[1] if verdict[0] == "accepted" else {}
        catalogues = catalogues_of(rng, case, answers)
        compiled = counted(case, tmp_path, plan, catalogues)
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.lists.reading.kernel", lambda: None)
            plain = counted(case, tmp_path, plan, catalogues)
        expected = obvious(case, answers, plan, catalogues) if verdict[0] == "accepted" else None
        assert compiled == expected, (case.seed, case.text, plan)
        assert plain == expected, (case.seed, case.text, plan)
        accepted += expected is not None
    assert accepted > 250


def spelled(rng: random.Random, items: Sequence[int]) -> str:
    """Items with zeros before them and spaces around them."""
    words = [str(item).rjust(rng.choice((0, 0, 3, 10)), "0") for item in items]
    gaps = [" " * rng.choice((0, 1, 1, 40, 70)) for _ in range(2)]
    return gaps[0] + "".join(word + " " * rng.choice((1, 1, 1, 2, 9)) for word in words) + gaps[1]


def test_lists_of_any_length_and_spelling_are_counted_where_windows_meet(tmp_path: Path) -> None:
    case = next(
        case
        for case in cases(8_000_000, 500, damaged=0)
        if case.task.item_ids == "integer" and case.task.query_ids == "integer"
        if case.task.submission_duplicates == "count-once" and case.task.depth == 1000
    )
    rng = random.Random(8)
    for _ in range(300):
        answers: Answers = {}
        rows = []
        for query in range(case.published.count):
            most = rng.choice((9, 99, 10**6, 10**8, 10**9, 2**31 - 1))
            answers[query] = [rng.randint(0, most) for _ in range(rng.choice((0, 1, 7, 30, 90)))]
            rows.append(f"{case.published.id_of(query)},{spelled(rng, answers[query])}\n")
        header = f"{case.task.id_column},{case.task.labels_column}\n"
        text = "".join([header, *rows]).encode()
        each = Case("spelled", text, case.task, case.sessions)
        plan = ReadingPlan[None](60, limits=(50,) * len(case.task.names))
        catalogues = catalogues_of(rng, each, answers)
        found = counted(each, tmp_path, plan, catalogues)
        assert found == obvious(each, answers, plan, catalogues), text


def predictions(case: rating_files.Case, file: Path) -> list[str] | Rejection:
    """The predictions in a file as text, so that -0.0 and 0.0 differ, or all that is wrong."""
    try:
        [read] = read_numbers(file, task=case.task, published=case.published, probabilities=False)
    except FileRejected as rejected:
        return rejected.rejection
    return [repr(number) for number in read]


def true_rows(case: rating_files.Case, file: Path) -> tuple[pl.DataFrame, Any] | Rejection:
    """The rows of a ground truth and all that is wrong with the others."""
    try:
        found = read_rows(file, case.task, with_targets=True)
    except FileRejected as rejected:
        return rejected.rejection
    return as_texts(found.rows.select(sorted(found.rows.columns))), found.problems


def true_pairs(case: rating_files.Case, file: Path, seed: int) -> tuple[Any, ...] | Rejection:
    """Reads a truth from the file, with its own pairs published or those of the case."""
    published = case.published if seed % 3 == 0 else None
    split = SplitRule("usage") if seed % 2 else WHOLE
    try:
        truth, pairs = read_true_pairs(file, task=case.task, published=published, split=split)
    except FileRejected as rejected:
        return rejected.rejection
    columns = [*truth.frame.get_columns(), *pairs.frame.get_columns()]
    return truth.warnings, [(each.name, each.dtype, each.to_list()) for each in columns]


def with_usage(text: bytes, seed: int) -> bytes:
    """The text with a column `Usage` in most of its lines."""
    words = (b"Public", b"private", b"IGNORED", b'"Public"', b"public ", b"", b"PRIVATE")
    header, *lines = text.rstrip(b"\r\n").split(b"\n")
    width = len(words) if seed % 5 == 0 else 4
    rows = [
        b"%s,%s" % (line.rstrip(b"\r"), words[number * seed % width])
        for number, line in enumerate(lines)
    ]
    return b"\n".join([header.rstrip(b"\r") + b",Usage", *rows, b""])


def test_predictions_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted, file = 0, tmp_path / "ratings.csv"
    for case in rating_files.cases(4_000_000, 1500, damaged=0.5):
        file.write_bytes(case.text)
        compiled = predictions(case, file)
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.rows.plain.kernel", lambda: None)
            assert predictions(case, file) == compiled, case
        accepted += isinstance(compiled, list)
    assert accepted > 500


@pytest.mark.parametrize("block_bytes", [97, 4096])
def test_rows_of_true_ratings_are_the_same(
    block_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.rows.compiled.BLOCK_BYTES", block_bytes)
    good, file = 0, tmp_path / "truth.csv"
    for number, case in enumerate(rating_files.cases(5_000_000 + block_bytes, 1500, damaged=0.5)):
        file.write_bytes(with_usage(case.text, number) if number % 2 else case.text)
        compiled, truth = true_rows(case, file), true_pairs(case, file, number)
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.solutions.pair_rows.kernel", lambda: None)
            strict = true_rows(case, file)
            assert true_pairs(case, file, number) == truth, case
        if isinstance(compiled, Rejection) or isinstance(strict, Rejection):
            assert compiled == strict, case
            continue
        assert compiled[0].equals(strict[0]), case
        assert compiled[1] == strict[1], case
        good += not strict[1]
    assert good > 500


def test_progress_ends_at_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("podium.scoring.rows.plain.kernel", lambda: None)
    case, told = next(rating_files.cases(1, 1, damaged=0)), list[float]()
    file = tmp_path / "ratings.csv"
    file.write_bytes(case.text)
    read_numbers(
        file, task=case.task, published=case.published, probabilities=False, progress=told.append
    )
    assert told == [1.0]
