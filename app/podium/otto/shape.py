"""Defines the shape of OTTO's data: ids, lengths, shares. Constants and their lookup tables, no
frames.

The session lengths were read off the plots of the OTTO Recommender Systems Dataset (Normann,
Baumeister, Wilm 2023, doi 10.34740/KAGGLE/DSV/4991874, github.com/otto-de/recsys-dataset),
licensed CC BY 4.0: the share of sessions with n events, n = 2 … 39.
"""

from __future__ import annotations

import math

TYPES = ("clicks", "carts", "orders")
"""The three kinds of events, which are also the three objectives, in the order of a submission."""

MAX_TYPES = 16
"""The most types of events in data of other shops, as many as a competition has objectives."""

LIST_LENGTH = 20
"""Items in a full row of a submission; further ones are ignored."""

FIRST_TEST_SESSION = 12_899_779
"""Test sessions are numbered from here without gaps; training sessions from 0 up to here."""

FULL_SESSIONS = 1_671_803
FULL_ITEMS = 1_855_603

TRAIN_START_MS = 1_659_304_800_000
TEST_START_MS = TRAIN_START_MS + 28 * 86_400_000
"""Four weeks of training events, then one week of test events, in milliseconds since 1970."""

SHORTEST, LONGEST = 2, 495
"""Events of the shortest and of the longest session."""

TRAIN_LENGTHS = (
    0.214420, 0.138769, 0.100325, 0.075032, 0.059296, 0.047754, 0.039567, 0.033620, 0.028690,
    0.024962, 0.021934, 0.019415, 0.017430, 0.015685, 0.014151, 0.012853, 0.011736, 0.010760,
    0.009941, 0.009165, 0.008520, 0.007906, 0.007423, 0.006840, 0.006473, 0.006052, 0.005674,
    0.005304, 0.005034, 0.004806, 0.004527, 0.004296, 0.004081, 0.003866, 0.003686, 0.003480,
    0.003355, 0.003173,
)  # fmt: skip
TEST_LENGTHS = (
    0.279269, 0.164593, 0.110806, 0.078033, 0.058718, 0.045410, 0.036035, 0.029386, 0.024265,
    0.020428, 0.017581, 0.015089, 0.012929, 0.011439, 0.010088, 0.008817, 0.007888, 0.006992,
    0.006372, 0.005720, 0.005246, 0.004732, 0.004290, 0.003939, 0.003581, 0.003326, 0.003101,
    0.002815, 0.002552, 0.002371, 0.002194, 0.002106, 0.001931, 0.001830, 0.001702, 0.001576,
    0.001454, 0.001395,
)  # fmt: skip

TRAIN_TAIL, TEST_TAIL = 0.12, 0.023
"""The share of sessions with more than 39 events. The plots end there, at the 90th percentile of
the training set; the test set's share is the one that gives its mean of 8.3 events."""

TABLE_SIZE = 1 << 16
"""Entries of a lookup table: sixteen random bits choose one, so no logarithm is ever taken and the
result is the same on every machine."""


def length_table(lengths: tuple[float, ...], tail: float) -> list[int]:
    """Builds a table of session lengths such that a random entry has the given distribution; the
    tail's count of sessions longer than n falls with the square of n."""
    weights = [share / sum(lengths) * (1 - tail) for share in lengths]
    table: list[int] = []
    reached = 0.0
    for value, weight in zip(range(SHORTEST, SHORTEST + len(weights)), weights, strict=True):
        reached += weight
        table += [value] * (round(reached * TABLE_SIZE) - len(table))
    longer, first = TABLE_SIZE - len(table), SHORTEST + len(weights)
    table += [min(LONGEST, int(first * math.sqrt(longer / (longer - i)))) for i in range(longer)]
    return table


def block_table() -> list[int]:
    """Builds a table of the number of items ordered together: mostly one or two, sometimes more
    than twenty."""
    return [min(60, round((TABLE_SIZE / (i + 1)) ** 0.8 + 0.25)) for i in range(TABLE_SIZE)]
