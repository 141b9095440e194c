"""Interactions of tests, files of them, and a slow preparation to compare with."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import polars as pl

from podium.preparation.dataset import Dataset, Prepared
from podium.preparation.options import Options
from podium.preparation.preparing import prepare

Row = tuple[int, int, float, int]
"""User, item, rating, time."""

KEY = b"a key of tests"


def write(file: Path, rows: Iterable[Sequence[object]], header: str = "") -> Path:
    lines = [header] if header else []
    lines += [",".join(map(str, row)) for row in rows]
    file.write_text("".join(f"{line}\n" for line in lines))
    return file


def rated(file: Path, rows: Iterable[Sequence[object]]) -> Path:
    return write(file, rows, "user,item,rating,timestamp")


def prepared(file: Path, out: Path, **options: object) -> Prepared:
    return prepare([file], out, options=Options(**options), key=KEY)  # type: ignore[arg-type]


def triples(frame: pl.DataFrame) -> list[tuple[object, ...]]:
    return sorted(frame.select("user", "item").rows())


def train_of(made: Prepared, place: int = 0) -> list[tuple[object, ...]]:
    return triples(made.datasets[place].scan_train().collect())


def labels_of(dataset: Dataset) -> list[tuple[object, ...]]:
    return triples(pl.read_csv(dataset.folder / dataset.labels))


def random_rows(chance: random.Random, *, times: int = 6, twice: bool = False) -> list[Row]:
    """Interactions of a few users, many of them at the same time."""
    rows: list[Row] = []
    for user in chance.sample(range(1, 40), chance.randint(1, 12)):
        for item in chance.sample(range(1, 30), chance.randint(1, 12)):
            for _ in range(chance.choice((1, 1, 2)) if twice else 1):
                rating = chance.randint(1, 10) / 2
                rows.append((user, item, rating, 10**9 + chance.randrange(times)))
    chance.shuffle(rows)
    return rows


class Reference:
    """The protocols as their definitions say, in loops over lists. `draw` gives the number by which
    chance orders interactions of a user."""

    def __init__(self, rows: list[Row], draw: Callable[[int, int], int]) -> None:
        self.draw = draw
        self.users: dict[int, list[Row]] = defaultdict(list)
        for row in rows:
            self.users[row[0]].append(row)

    def hidden(self, options: Options) -> set[tuple[int, int]]:
        found: set[tuple[int, int]] = set()
        for rows in self.users.values():
            wanted = options.count
            if options.protocol == "share":
                exact = len(rows) * Fraction(str(options.share))
                wanted = max(1, ceil(exact) if options.rounding == "up" else floor(exact))
            if len(rows) - wanted < options.min_train:
                continue
            ordered = sorted(rows, key=self._key(options.pick))
            found |= {row[:2] for row in ordered[len(ordered) - wanted :]}
        return found

    def _key(self, pick: str) -> Callable[[Row], tuple[int, ...]]:
        def by_time(row: Row) -> tuple[int, ...]:
            return row[3], self.draw(row[0], row[1])

        def by_chance(row: Row) -> tuple[int, ...]:
            return (self.draw(row[0], row[1]),)

        return by_time if pick == "last" else by_chance

    def after(
        self, moment: int, min_train: int
    ) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        """Training and hidden interactions of a split by time."""
        train = {row[:2] for rows in self.users.values() for row in rows if row[3] <= moment}
        hidden: set[tuple[int, int]] = set()
        for rows in self.users.values():
            if sum(row[3] <= moment for row in rows) >= min_train:
                hidden |= {row[:2] for row in rows if row[3] > moment}
        return train, hidden


def core(rows: list[Row], min_user: int, min_item: int) -> list[Row]:
    while True:
        users: dict[int, int] = defaultdict(int)
        items: dict[int, int] = defaultdict(int)
        for user, item, *_ in rows:
            users[user] += 1
            items[item] += 1
        kept = [row for row in rows if users[row[0]] >= min_user and items[row[1]] >= min_item]
        if len(kept) == len(rows):
            return rows
        rows = kept


def drawn(key: bytes) -> Callable[[int, int], int]:
    """The draw of the product, written out: keyed BLAKE2b of both ids, and SplitMix64's end."""
    import hashlib

    inner = hashlib.sha256(key).digest()

    def word(text: str) -> int:
        digest = hashlib.blake2b(text.encode(), key=inner, digest_size=8).digest()
        return int.from_bytes(digest, "big")

    def draw(user: int, item: int) -> int:
        bits = word(f"user {user}") ^ word(f"item {item}")
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB % 2**64
        return bits ^ (bits >> 31)

    return draw
