"""`GET /metrics`, as Prometheus reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.builders.installation import TRUTH, Installation, problem_of
from tests.builders.site import Site, served

METRICS_TOKEN = "what-prometheus-may-see"

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def _asked(here: Installation, token: str | None) -> httpx2.Response:
    return here.client.get("/metrics", headers={"Authorization": f"Bearer {token}"})


def _scrape(here: Installation) -> Samples:
    answer = _asked(here, here.admin.token)
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
    text = _asked(installation, installation.admin.token).text
    assert "a-name-that-nobody-else-has" not in text


@pytest.fixture
def watched(tmp_path: Path, migrated_sqlite_file: Path) -> Iterator[Site]:
    """An installation with a token for metrics."""
    yield from served(tmp_path, migrated_sqlite_file, metrics_token=METRICS_TOKEN)


def test_the_token_for_metrics_opens_them_and_another_one_does_not(watched: Site) -> None:
    here = watched.installation
    assert "podium_queue_depth" in _asked(here, METRICS_TOKEN).text
    assert _asked(here, here.admin.token).status_code == 200
    problem_of(_asked(here, METRICS_TOKEN + "s"), 401, "not-authenticated")
    problem_of(_asked(here, here.person("ada").token), 403, "not-allowed")
    problem_of(here.client.get("/metrics"), 401, "not-authenticated")


def test_the_token_for_metrics_opens_nothing_else(watched: Site) -> None:
    client = watched.installation.client
    headers = {"Authorization": f"Bearer {METRICS_TOKEN}"}
    tried = 0
    for path, operations in client.get("/openapi.json").json()["paths"].items():
        for method, operation in operations.items():
            if path == "/metrics" or not operation.get("security"):
                continue
            address = re.sub("{[^}]*}", "1", path)
            answer = client.request(method, address, headers=headers)
            assert answer.status_code == 401, (method, path, answer.text)
            tried += 1
    assert tried > 100


def test_without_one_only_the_administrators_token_opens_metrics(
    installation: Installation,
) -> None:
    problem_of(_asked(installation, METRICS_TOKEN), 401, "not-authenticated")
    problem_of(_asked(installation, ""), 401, "not-authenticated")
