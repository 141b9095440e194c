"""Requests of a load run by client and time, and how its figures are made."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest

from benchmarks.load.clients import GREEDY, last_hour
from benchmarks.load.probe import percentile
from benchmarks.load.season import KINDS, Entrant, file_of
from benchmarks.load.stage import Sample
from benchmarks.soak import growth_of

ENTRANTS = [Entrant(f"team-{number}", "token") for number in range(3000)]


def test_a_tenth_of_the_uploads_comes_in_the_last_minute_as_fast_as_it_is() -> None:
    planned = last_hour(ENTRANTS, uploads=2000, in_last_minute=200, compression=20)
    assert len(planned) == 2000
    early = [each for each in planned if each.at <= 3540 / 20]
    assert len(early) == 1800
    assert 3540 / 20 + 55 < planned[-1].at < 3540 / 20 + 60


def test_some_teams_send_more_than_they_may_and_the_others_do_not() -> None:
    planned = last_hour(ENTRANTS, uploads=2000, in_last_minute=200, compression=20)
    by_team = Counter(each.entrant.team_id for each in planned)
    assert sorted(by_team.values(), reverse=True)[: GREEDY + 1] == [8, 8, 8, 8, 8, 1]
    assert len({each.number for each in planned}) == 2000


def test_what_a_file_scores_is_written_down_by_hand() -> None:
    scores = dict(KINDS)
    assert scores[()] == 0
    assert scores["clicks",] == Fraction(1, 20)
    assert scores["carts", "orders"] == Fraction(9, 20)
    assert scores["clicks", "carts", "orders"] == Fraction(1, 2)


def test_every_file_is_another() -> None:
    assert file_of(0, 1) != file_of(0, 2)
    assert file_of(7, 5).splitlines()[1:4] == [b"1_clicks,3", b"1_carts,2 3", b"1_orders,4"]


def test_a_percentile_is_a_value_that_was_measured() -> None:
    values = [float(number) for number in range(1, 101)]
    assert [percentile(values, share) for share in (0.5, 0.95, 0.99, 1)] == [50, 95, 99, 100]
    assert percentile([1.0, math.inf], 0.99) == math.inf
    assert percentile([], 0.5) == 0


def test_growth_is_that_of_the_second_half() -> None:
    samples = [
        Sample(float(second), rss=1000 + (second * 10 if second > 50 else 0), descriptors=9, pid=1)
        for second in range(101)
    ]
    growth = growth_of("api-2", samples[51:], 0.0, 100.0)
    assert growth.rss_an_hour == pytest.approx(36_000)
    assert growth.descriptors_an_hour == pytest.approx(0)
    assert growth.rss == (1510, 2000)


def test_a_process_that_was_started_again_has_no_growth() -> None:
    samples = [Sample(float(second), 1, 1, pid=second // 80) for second in range(101)]
    with pytest.raises(ValueError, match="did not live"):
        growth_of("api-2", samples, 0.0, 100.0)
