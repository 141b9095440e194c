"""Alarms by season: the attacks within twenty files, honest ones hardly ever."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from podium.integrity.rules import FileStep, alerts, shown_steps

LISTS = 5_000_000


def step(number: int, **members: float | bool) -> FileStep:
    """A file of an ordinary season, unless something else is said."""
    usual = FileStep(
        submission_id=f"file {number}",
        lists=LISTS,
        changed=0.4,
        heads=0.7,
        added=0.0,
        empty=0.0,
        score_units=200,
        is_other_file=True,
    )
    return replace(usual, **members)  # type: ignore[arg-type]


FIRST = step(0, changed=1.0, heads=0.0, is_other_file=False)


def codes(steps: list[FileStep]) -> list[str]:
    return [alert.code for alert in alerts(steps)]


def first_alarm(steps: list[FileStep]) -> int | None:
    """After how many files there is one."""
    return next((n for n in range(1, len(steps) + 1) if alerts(steps[:n])), None)


def test_single_lists_that_change_raise_an_alarm() -> None:
    season = [FIRST] + [step(n, changed=3 / LISTS, score_units=0) for n in range(1, 21)]
    assert first_alarm(season) == 7
    assert "few-lists" in codes(season)


def test_files_that_differ_outside_the_sample_are_no_copies() -> None:
    season = [FIRST] + [step(n, changed=0.0) for n in range(1, 21)]
    assert codes(season) == ["few-lists"]


def test_the_same_file_again_is_no_probe() -> None:
    season = [FIRST] + [step(n, changed=0.0, is_other_file=False) for n in range(1, 21)]
    assert codes(season) == []


def test_empty_files_raise_an_alarm_and_the_sample_file_does_not() -> None:
    assert codes([step(0, empty=1.0), *map(step, range(1, 10))]) == []
    assert codes([step(n, empty=0.99) for n in range(3)]) == ["mostly-empty"]


def test_nested_prefixes_raise_an_alarm() -> None:
    season = [FIRST] + [step(n, changed=0.05, heads=0.95, added=1.0) for n in range(1, 6)]
    assert codes(season) == ["nested"]


def test_noise_in_last_places_raises_an_alarm() -> None:
    season = [FIRST] + [step(n, changed=0.5, heads=1.0, score_units=2) for n in range(1, 21)]
    assert codes(season) == ["tail-edits", "tiny-steps"]
    assert first_alarm(season) == 9


def test_an_alert_names_the_files_that_belong_to_it() -> None:
    season = [FIRST] + [step(n, changed=1e-6) if n % 2 else step(n) for n in range(1, 25)]
    (alert,) = alerts(season)
    assert alert.submission_ids == tuple(f"file {n}" for n in range(1, 25, 2))
    assert alert.reason.startswith("12 files differ")


def test_five_times_in_twelve_files_is_not_enough() -> None:
    season = [FIRST] + [step(n, changed=1e-6) if n % 3 == 0 else step(n) for n in range(1, 40)]
    assert codes(season) == []


def test_in_small_competitions_a_handful_of_lists_is_a_share() -> None:
    # Ten lists of a hundred are a tenth: ordinary work.
    season = [FIRST] + [step(n, lists=100, changed=0.05) for n in range(1, 21)]
    assert codes(season) == []


def test_steps_are_counted_in_units_of_the_last_digit() -> None:
    scores = [Fraction("0.5"), Fraction("0.50002"), Fraction("0.49")]
    assert shown_steps(scores, 5) == [50000, 2, 1002]


def honest(rng: random.Random) -> list[FileStep]:
    """Forty files of a team that improves models: new candidates and features change many lists,
    blends and re-ranking change fewer, a file is sent twice, some attempts touch last places."""
    season = [FIRST]
    for number in range(1, 40):
        kind = rng.choices(("model", "blend", "tail", "again"), (0.6, 0.27, 0.08, 0.05))[0]
        if kind == "again":
            season.append(step(number, changed=0.0, is_other_file=rng.random() < 0.5))
            continue
        changed = rng.uniform(
            *{"model": (0.3, 1.0), "blend": (0.02, 0.4), "tail": (0.05, 0.9)}[kind]
        )
        heads = 1.0 if kind == "tail" else 1 - changed * rng.uniform(0.3, 0.9)
        # A step of a thousandth is large for OTTO; three units of five digits are little.
        units = int(abs(rng.gauss(0, 60)))
        season.append(step(number, changed=changed, heads=heads, score_units=units))
    return season


def test_five_hundred_honest_seasons_raise_at_most_one_alarm() -> None:
    rng = random.Random(20261120)
    assert sum(bool(alerts(honest(rng))) for _ in range(500)) <= 1
