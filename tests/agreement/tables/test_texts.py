"""Texts and masks beside slow references, and sacrebleu."""

from __future__ import annotations

import random

import pytest
import sacrebleu

from podium.scoring.metrics.rows.masks import DiceOfRuns, JaccardOfRuns
from podium.scoring.metrics.rows.texts import edit_distance
from tests.builders.tables.target_rows import value_of


def _distance(one: str, other: str) -> int:
    """The table of all distances, row by row."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@pytest.mark.parametrize("seed", range(4))
def test_the_edit_distance_is_that_of_the_whole_table(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(500):
        longest = dice.choice([3, 10, 90])
        one, other = (
            "".join(dice.choice("abé🙂 ") for _ in range(dice.randint(0, longest)))
            for _ in range(2)
        )
        assert edit_distance(one, other) == _distance(one, other)


def _mask(dice: random.Random) -> str:
    runs = [(dice.randint(1, 30), dice.randint(1, 6)) for _ in range(dice.randint(0, 5))]
    return " ".join(f"{start} {length}" for start, length in runs)


def _pixels(mask: str) -> set[int]:
    numbers = [int(n) for n in mask.split()]
    runs = zip(numbers[::2], numbers[1::2], strict=True)
    return {pixel for start, length in runs for pixel in range(start, start + length)}


def test_overlap_of_masks_is_that_of_sets_of_pixels() -> None:
    dice = random.Random(0)
    for _ in range(3000):
        one, other = _mask(dice), _mask(dice)
        a, b = _pixels(one), _pixels(other)
        jaccard = len(a & b) / len(a | b) if a or b else 1.0
        dice_ = 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0
        assert JaccardOfRuns().of_one(one, other) == jaccard
        assert DiceOfRuns().of_one(one, other) == dice_


def test_sacrebleu_agrees() -> None:
    dice = random.Random(1)
    words = ["the", "cat", "sat", "on", "a", "mat,", "Mat.", "it's", "1,000", "–"]
    for _ in range(300):
        count = dice.randint(1, 8)
        true = [" ".join(dice.choices(words, k=dice.randint(1, 12))) for _ in range(count)]
        given = [
            " ".join(word if dice.random() < 0.8 else dice.choice(words) for word in text.split())
            if dice.random() < 0.9
            else ""
            for text in true
        ]
        expected = sacrebleu.corpus_bleu(given, [true]).score
        assert value_of("bleu", true, given) == pytest.approx(expected, abs=1e-12)
