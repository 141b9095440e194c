"""Verdicts after the last byte are held against the floor of their round."""

from __future__ import annotations

from benchmarks.uploads.last_byte import NEW, STORED, Found, aims


def test_each_verdict_is_held_against_the_floor_of_its_own_round() -> None:
    found = Found(floor=[0.5, 0.1, 1.0], stored=[3.0, 1.0, 2.0], launched=[9.0, 5.5, 1.0])
    # Allowed are 1.3, 0.5 and 2.3 seconds.
    found.steps[NEW] = [[0.1, 0.2, 1.3], [0.1, 0.2, 1.0], [0.1, 0.2, 1.15]]
    found.steps[STORED] = [[0.1, 0.2, 2.6], [0.1, 0.2, 0.5], [0.1, 0.2, 4.6]]
    reached = {
        aim.text.partition(":")[0]: (round(aim.reached, 9), aim.is_held) for aim in aims(found)
    }
    assert reached == {
        NEW: (1.0, True),
        STORED: (2.0, False),
        "seconds until the ground truth is stored": (2.0, True),
        "seconds of its launch": (5.5, False),
    }
