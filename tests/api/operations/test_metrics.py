"""`GET /metrics`, as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.builders.installation import TRUTH, Installation

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def _scrape(here: Installation) -> Samples:
    headers = {"Authorization": f"Bearer {here.admin.token}"}
    answer = here.client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def _value(samples: Samples, name: str, labels: Mapping[str, str]) -> float:
    return samples.get((name, frozenset(labels.items())), 0.0)


@pytest.mark.parametrize(
    ("method", "path", "route", "status"),
    [
        ("GET", "/healthz", "isAlive", "200"),
        ("GET", "/api/v1/competitions/none", "getCompetition", "404"),
        ("POST", "/api/v1/competitions", "listCompetitions", "405"),
        ("GET", "/nothing/here", "-", "404"),
        ("GET", "/healthz?" + "x" * 9000, "-", "414"),
    ],
)
def test_every_request_counts_by_its_route_and_status(
    installation: Installation, method: str, path: str, route: str, status: str
) -> None:
    labels = {"method": method, "route": route, "status": status}
    before = _scrape(installation)
    for _ in range(3):
        assert installation.client.request(method, path).status_code == int(status)
    after = _scrape(installation)
    name = "podium_http_requests_total"
    assert _value(after, name, labels) - _value(before, name, labels) == 3
    seconds = "podium_http_request_seconds_count"
    assert _value(after, seconds, {"route": route}) >= 3


def test_what_clients_make_up_makes_no_series(installation: Installation) -> None:
    def ask(word: str) -> None:
        installation.client.get(f"/api/v1/competitions/{word}")
        installation.client.get(f"/{word}", headers={"X-Word": word})
        installation.client.request(word.upper(), "/healthz")

    ask("first")
    _scrape(installation)
    before = set(_scrape(installation))
    for number in range(5):
        ask(f"word{number}")
    assert set(_scrape(installation)) == before
    assert not any("word" in value for _, labels in before for _, value in labels)


def test_bytes_of_bodies_count_where_they_came(installation: Installation) -> None:
    installation.draft("shop")
    before = _scrape(installation)
    installation.upload_truth("shop")
    after = _scrape(installation)
    name, labels = "podium_http_request_body_bytes_total", {"route": "uploadGroundTruth"}
    assert _value(after, name, labels) - _value(before, name, labels) == len(TRUTH)


def test_boards_that_are_kept_as_answers_count_as_well(installation: Installation) -> None:
    installation.launched("shop")
    path = "/api/v1/competitions/shop/leaderboard"
    before = _scrape(installation)
    for _ in range(4):
        assert installation.client.get(path).status_code == 200
    after = _scrape(installation)
    name = "podium_http_requests_total"
    counted = sum(
        _value(after, name, labels) - _value(before, name, labels)
        for route in ("getLeaderboard", "-")
        for labels in [{"method": "GET", "route": route, "status": "200"}]
    )
    assert counted == 4


def test_classes_without_judgings_are_told_as_zero(installation: Installation) -> None:
    samples = _scrape(installation)
    for kind in ("upload", "rejudging"):
        for state in ("queued", "judging"):
            labels = frozenset({("kind", kind), ("state", state)})
            assert samples["podium_queue_depth", labels] == 0
            assert samples["podium_queue_age_seconds", labels] == 0
        count = samples["podium_judging_seconds_count", frozenset({("kind", kind)})]
        assert count == 0
    assert samples["podium_submissions_total", frozenset()] == 0


def test_nothing_of_a_competition_is_told(installation: Installation) -> None:
    installation.launched("a-name-that-nobody-else-has")
    headers = {"Authorization": f"Bearer {installation.admin.token}"}
    text = installation.client.get("/metrics", headers=headers).text
    assert "a-name-that-nobody-else-has" not in text
