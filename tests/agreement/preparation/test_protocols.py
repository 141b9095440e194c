"""Hundreds of random files, prepared and compared with loops that follow the definitions."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from podium.errors import InvalidInput
from podium.preparation.options import Options
from tests.builders.preparation.interactions import (
    KEY,
    Reference,
    Row,
    core,
    drawn,
    labels_of,
    prepared,
    random_rows,
    rated,
    train_of,
)

DRAW = drawn(KEY)


def _pairs(rows: list[Row]) -> set[tuple[int, int]]:
    return {row[:2] for row in rows}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("pick", ["last", "random"])
@pytest.mark.parametrize("protocol", ["leave-one-out", "leave-k-out", "share"])
def test_hides_what_the_definition_says(
    tmp_path: Path, protocol: str, pick: str, seed: int
) -> None:
    chance = random.Random(f"{seed} {protocol} {pick}")
    for case in range(10):
        rows = random_rows(chance, times=chance.choice((1, 3, 50)))
        told = {
            "protocol": protocol,
            "pick": pick,
            "count": chance.randint(1, 4) if protocol == "leave-k-out" else 1,
            "share": chance.choice((0.1, 0.2, 0.29, 0.5)),
            "rounding": chance.choice(("down", "up")),
            "min_train": chance.randint(1, 3),
        }
        hidden = Reference(rows, DRAW).hidden(Options(**told))  # type: ignore[arg-type]
        file, out = rated(tmp_path / "rows.csv", rows), tmp_path / str(case)
        if not hidden:
            with pytest.raises(InvalidInput):
                prepared(file, out, **told)
            continue
        made = prepared(file, out, **told)
        assert labels_of(made.datasets[0]) == sorted(hidden)
        assert train_of(made) == sorted(_pairs(rows) - hidden)
        counts = {user: sum(pair[0] == user for pair in _pairs(rows)) for user, _ in hidden}
        assert min(counts.values()) > 1


@pytest.mark.parametrize("seed", range(6))
def test_splits_by_time_as_the_definition_says(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for case in range(10):
        rows = random_rows(chance, times=40)
        moment = chance.choice(rows)[3]
        train, hidden = Reference(rows, DRAW).after(moment, 2)
        file, out = rated(tmp_path / "rows.csv", rows), tmp_path / str(case)
        told = {"protocol": "time", "at": str(moment + 1), "min_train": 2}
        if not train or not hidden:
            with pytest.raises(InvalidInput):
                prepared(file, out, **told)
            continue
        made = prepared(file, out, **told)
        assert labels_of(made.datasets[0]) == sorted(hidden)
        assert train_of(made) == sorted(train)


@pytest.mark.parametrize("seed", range(10))
def test_folds_hold_each_interaction_once(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folds = chance.randint(2, 4)
    rows = random_rows(chance)
    rows += [(99, item, 3.0, 10**9) for item in range(1, 9)]
    made = prepared(rated(tmp_path / "rows.csv", rows), tmp_path, protocol="k-fold", folds=folds)
    hidden = [labels_of(dataset) for dataset in made.datasets]
    several = [row[:2] for row in rows if sum(other[0] == row[0] for other in rows) > 1]
    assert sorted(pair for fold in hidden for pair in fold) == sorted(several)
    for place, fold in enumerate(hidden):
        assert train_of(made, place) == sorted(_pairs(rows) - set(fold))
        sizes = [sum(pair[0] == 99 for pair in each) for each in hidden]
        assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("seed", range(10))
def test_keeps_the_core(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for case in range(10):
        rows = random_rows(chance)
        least = chance.randint(1, 4), chance.randint(1, 4)
        kept = core(rows, *least)
        file, out = rated(tmp_path / "rows.csv", rows), tmp_path / str(case)
        told = {"min_user": least[0], "min_item": least[1], "pick": "random"}
        if not Reference(kept, DRAW).hidden(Options(**told)):  # type: ignore[arg-type]
            with pytest.raises(InvalidInput):
                prepared(file, out, **told)
            continue
        made = prepared(file, out, **told)
        assert sorted(train_of(made) + labels_of(made.datasets[0])) == sorted(_pairs(kept))
        assert made.report["dropped"]["too_few"] == len(rows) - len(kept)
