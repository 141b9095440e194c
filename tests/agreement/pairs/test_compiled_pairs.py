"""Pairs with contexts, words and several numbers, read by the compiled reader."""

from __future__ import annotations

import random
from dataclasses import replace

import polars as pl
import pytest

from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.text import NotPlain, Pieces, WholeLines
from podium.scoring.rows.compiled import NUMBERS, Role, Roles, read_columns, read_numbers
from podium.scoring.rows.keys import KEYS
from tests.fuzz.row_files import PairFile, pair_files

FILES = 400


def lines_of(text: bytes) -> WholeLines:
    functions = kernel()
    assert functions is not None
    pieces = iter([text[at : at + 50] for at in range(0, len(text), 50)])
    return WholeLines(Pieces(pieces), functions.podium_count_lines)


def constant(roles: tuple[Role, ...]) -> Roles:
    """These roles, whatever the header is."""
    return lambda _: roles


def numbers(file: PairFile, text: bytes | None = None, threads: int = 1) -> list[pl.Series] | None:
    """The columns of numbers; None where the text is not proven good."""
    functions = kernel()
    assert functions is not None
    try:
        return read_numbers(
            lines_of(file.text if text is None else text),
            functions,
            task=file.task,
            published=file.frame,
            roles=constant(file.task.roles),
            spelled=file.task.spelled,
            threads=threads,
        )
    except NotPlain:
        return None


def expected(file: PairFile) -> list[list[str]]:
    """By column of numbers, those of all pairs in published order."""
    of = {file.pair_of(row): file.values_of(row) for row in file.rows}
    rows = [list(map(repr, of[pair])) for pair in file.pairs]
    return [list(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("block_bytes", [100, 1500, 1 << 20])
def test_numbers_come_in_published_order_whatever_the_order_of_rows_and_columns(
    block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.rows.compiled.BLOCK_BYTES", block_bytes)
    read = 0
    for number, file in enumerate(pair_files(block_bytes, FILES)):
        found = numbers(file, threads=1 + number % 3)
        if found is not None:
            assert [[repr(each) for each in column] for column in found] == expected(file), file
            read += 1
    # Some lines are longer than the smallest blocks.
    assert read > FILES / 4 if block_bytes == 100 else read == FILES


def test_a_file_with_other_pairs_is_never_proven_good() -> None:
    dice = random.Random("other pairs")
    for file in pair_files(7, FILES):
        place = dice.randrange(len(file.rows))
        row = file.rows[place]
        rest = [*file.rows[:place], *file.rows[place + 1 :]]
        at = file.task.roles.index(dice.choice(file.ids))
        # A published pair takes the place of another one, or a pair that is none.
        other = dice.choice(rest)[at] if rest else row[at]
        changed = tuple(other if place == at else cell for place, cell in enumerate(row))
        for rows in (rest, [*file.rows, row], [*rest, changed]):
            is_same = sorted(map(file.pair_of, rows), key=repr) == sorted(file.pairs, key=repr)
            assert (numbers(replace(file, rows=rows)) is not None) == is_same, (file, rows)
            shuffled = dice.sample(rows, len(rows))
            assert (numbers(replace(file, rows=shuffled)) is not None) == is_same, (file, shuffled)


def test_columns_have_the_names_of_their_roles() -> None:
    for file in pair_files(11, FILES, only_decimals=True):
        functions = kernel()
        assert functions is not None
        frame = read_columns(
            lines_of(file.text),
            functions,
            task=file.task,
            roles=constant(file.task.roles),
        )
        assert tuple(frame.columns) == file.task.roles
        for at, role in enumerate(file.task.roles):
            given = [row[at] for row in file.rows]
            found = frame[role].to_list()
            if role in NUMBERS:
                assert [repr(each) for each in found] == [repr(float(each)) for each in given]
            else:
                assert found == given
            if role in KEYS and role in file.frame.columns:
                kind = pl.Enum if file.frame[role].dtype == pl.String else pl.Int32
                assert frame[role].dtype == kind


def test_rows_with_other_ids_than_the_published_pairs_are_not_plain() -> None:
    for file in pair_files(13, 50):
        if "context" not in file.ids:
            continue
        functions = kernel()
        assert functions is not None
        with pytest.raises(NotPlain, match="other ids"):
            read_numbers(
                lines_of(file.text),
                functions,
                task=file.task,
                published=file.frame.drop("context"),
                roles=constant(file.task.roles),
            )


@pytest.mark.parametrize("threads", [1, 3])
def test_many_pairs_that_differ_by_their_context_only_are_told_apart(threads: int) -> None:
    count = 30_000
    dice = random.Random("contexts")
    file = next(f for f in pair_files(3, 999) if set(f.task.roles) == {*KEYS, *NUMBERS[:2]})
    task = replace(
        file.task, query_ids="integer", item_ids="integer", context_ids="integer", roles=(
            *KEYS, *NUMBERS[:2]
        )
    )  # fmt: skip
    pairs = [(7, 7, context) for context in dice.sample(range(10 * count), count)]
    rows = [(*pair, str(place), str(-place)) for place, pair in enumerate(pairs)]
    for given in (rows, dice.sample(rows, count)):
        found = numbers(replace(file, task=task, pairs=pairs, rows=given), threads=threads)
        assert found is not None
        assert found[0].to_list() == list(range(count))
        assert found[1].to_list() == [-place for place in range(count)]
