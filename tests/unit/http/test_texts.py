"""Numbers and names of browsers as people read them."""

from __future__ import annotations

import pytest

from podium.core.competition_settings import CompetitionSettings
from podium.core.sizes import size_of
from podium.http.html.texts import browser_of, count_of, duration_of, split_words, unit_words


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 bytes"),
        (1023, "1,023 bytes"),
        (1024, "1 KB"),
        (1 << 21, "2 MB"),
        (821 * 10**6, "783 MB"),
        (3 << 40, "3 TB"),
        (5000 << 40, "5,000 TB"),
    ],
)
def test_sizes_are_in_the_largest_unit_of_which_there_is_one(count: int, words: str) -> None:
    assert size_of(count) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.5, "1 second"),
        (90, "90 seconds"),
        (120, "2 minutes"),
        (3600, "1 hour"),
        (3601, "60 minutes"),
        (86_400, "1 day"),
        (129_600, "36 hours"),
        (200_000, "2 days"),
    ],
)
def test_times_are_in_units_of_which_there_are_some(seconds: float, words: str) -> None:
    assert duration_of(seconds) == words


def test_counts_agree_with_their_words() -> None:
    assert [count_of(n, "team") for n in (0, 1, 2600)] == ["0 teams", "1 team", "2,600 teams"]
    assert [count_of(n, "person", "people") for n in (1, 2)] == ["1 person", "2 people"]


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox 140 on Linux",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
            " Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0",
            "Edge 156 on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15"
            " (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
            "Safari 26 on iOS",
        ),
        ("curl/8.5", "curl/8.5"),
        ("", "a browser without a name"),
    ],
)
def test_browsers_are_called_what_people_call_them(user_agent: str, words: str) -> None:
    assert browser_of(user_agent) == words


def test_ratings_are_of_pairs_and_lists_of_what_the_ids_stand_for() -> None:
    lists = CompetitionSettings.model_validate({"id_column": "user_id"})
    rating = {"task": "rating", "id_column": "user", "metric": "rmse", "labels_column": "rating"}
    pairs = CompetitionSettings.model_validate({**rating, "objectives": {"rating": 1}})
    assert (unit_words(lists), unit_words(pairs)) == (("user", "users"), ("pair", "pairs"))


@pytest.mark.parametrize(("unit", "words"), [("user", "users"), ("context", "impressions")])
def test_splits_divide_those_whose_pairs_they_are(unit: str, words: str) -> None:
    scores = {"task": "scores", "metric": "auc", "objectives": {"click": 1}, "unit": unit}
    columns = {"id_column": "user", "context_column": "impression", "labels_column": "click"}
    pairs = CompetitionSettings.model_validate(scores | columns)
    assert split_words(pairs)[1] == words


def test_splits_of_lists_divide_what_the_ids_stand_for() -> None:
    lists = CompetitionSettings.model_validate({"id_column": "customer_id"})
    assert split_words(lists) == ("customer", "customers")
