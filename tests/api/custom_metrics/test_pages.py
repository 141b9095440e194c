"""Pages of custom metrics: the organizers' editor, and what participants are told."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from tests.builders.custom_metrics.scene import (
    METRIC,
    WITH_ARGUMENT,
    WITH_LIST,
    MetricScene,
    launched,
)
from tests.builders.page import Browser, compact
from tests.builders.site import Site


@pytest.fixture
def browser(scene: MetricScene) -> Browser:
    """The organizer's browser."""
    return Site(scene.installation).browser(scene.organizer)


def text_of(answer: Any) -> str:
    """A page as it is read."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text)))


def test_what_stands_in_the_editor_becomes_a_version(scene: MetricScene, browser: Browser) -> None:
    way = f"/organize/{scene.slug}/metric"
    opened = browser.get(way)
    assert "Check and keep as version 1" in opened.text
    assert "ParticipantVisibleError" in opened.text
    answer = browser.send(way, source=METRIC, note="mine")
    assert answer.headers["location"] == f"{way}?done=metric-kept"
    shown = text_of(browser.get(way))
    assert "Version 1" in shown
    assert "scores" in shown
    assert "Check and keep as version 2" in shown
    kept = scene.organizer.get(f"{scene.route}/1").json()
    assert (kept["note"], kept["file_name"]) == ("mine", "metric.py")


def test_a_refused_source_stays_with_problems_beside_its_lines(
    scene: MetricScene, browser: Browser
) -> None:
    source = "<b>x</b> = 1\ndef score(:\n    pass\n"
    answer = browser.send(f"/organize/{scene.slug}/metric", source=source)
    assert answer.status_code == 422
    assert "&lt;b&gt;x&lt;/b&gt; = 1" in answer.text
    assert "<b>x</b>" not in answer.text
    assert '<td class="number" data-label="Line">1</td>' in answer.text
    assert f">\n{html.escape(source)}</textarea>" in answer.text


def test_a_file_is_sent_instead(scene: MetricScene, browser: Browser) -> None:
    files = {"file": ("other.py", METRIC.encode(), "text/x-python")}
    way = f"/organize/{scene.slug}/metric/file"
    answer = browser.client.post(
        way, data={"note": "by file"}, files=files, headers={"Origin": browser.origin}
    )
    assert answer.headers["location"].endswith("?done=metric-kept")
    kept = scene.organizer.get(f"{scene.route}/1").json()
    assert (kept["note"], kept["file_name"]) == ("by file", "other.py")


def test_a_refused_file_is_shown_with_problems_beside_its_lines(
    scene: MetricScene, browser: Browser
) -> None:
    source = "import pandas as pd\n\ndef score(:\n    pass\n"
    files = {"file": ("other.py", source.encode(), "text/x-python")}
    way = f"/organize/{scene.slug}/metric/file"
    answer = browser.client.post(way, files=files, headers={"Origin": browser.origin})
    assert answer.status_code == 422
    row = (
        r'<td class="number"[^>]*>3</td><td[^>]*><code>def score\(:</code></td><td[^>]*>[^<]+</td>'
    )
    assert re.search(row, compact(answer.text)), answer.text
    assert f">\n{html.escape(source)}</textarea>" in answer.text


def test_a_version_is_run_on_the_sample(scene: MetricScene, browser: Browser) -> None:
    scene.load_truth()
    scene.upload(METRIC)
    shown = text_of(browser.send(f"/organize/{scene.slug}/metric/1/trial"))
    assert "Version 1 on the sample" in shown
    assert "Public scored 3.5" in shown
    scene.upload("def score(solution, submission, row_id_column_name):\n    return 1 / 0\n")
    shown = text_of(browser.send(f"/organize/{scene.slug}/metric/2/trial"))
    assert "Line 2: ZeroDivisionError: division by zero" in shown


def test_a_version_is_shown_with_its_differences(scene: MetricScene, browser: Browser) -> None:
    scene.upload(METRIC)
    scene.upload(WITH_ARGUMENT)
    shown = text_of(browser.get(f"/organize/{scene.slug}/metric/2"))
    assert "Compared with version 1" in shown
    assert "+def score(solution, submission, row_id_column_name, beta: float):" in shown
    assert "beta: float" in shown


def test_the_form_of_arguments_changes_a_draft(scene: MetricScene, browser: Browser) -> None:
    scene.upload(WITH_ARGUMENT)
    way = f"/organize/{scene.slug}/metric/use"
    given = {"version": "1", "seconds": "30", "resamples": "0", "metric_source_is_public": "yes"}
    bad = browser.send(way, **given, **{"argument-beta": "two"})
    assert bad.status_code == 422
    assert "is a number" in text_of(bad)
    answer = browser.send(way, **given, **{"argument-beta": "2", "is_not_reproducible": "yes"})
    assert answer.headers["location"].endswith("/metric?done=settings-saved"), answer.text
    kept = scene.look()
    assert kept["metric_source_is_public"] is True
    assert kept["own_metric"] == {
        **kept["own_metric"],
        "version": 1,
        "arguments": {"beta": 2.0},
        "seconds": 30,
        "is_reproducible": False,
    }


def test_the_form_takes_arrays_and_shows_them_again(scene: MetricScene, browser: Browser) -> None:
    scene.upload(WITH_LIST)
    way = f"/organize/{scene.slug}/metric/use"
    given = {"version": "1", "seconds": "30", "resamples": "0", "metric_source_is_public": "yes"}
    for bad in ("3, 1", '["a"]', "[[1]]", "[NaN]", "[1e999]"):
        assert browser.send(way, **given, **{"argument-weights": bad}).status_code == 422
    answer = browser.send(way, **given, **{"argument-weights": "[3, 0.5]"})
    assert answer.headers["location"].endswith("/metric?done=settings-saved"), answer.text
    assert scene.look()["own_metric"]["arguments"] == {"weights": [3, 0.5]}
    assert 'value="[3, 0.5]"' in browser.get(f"/organize/{scene.slug}/metric").text


def test_the_public_page_quotes_arguments_for_a_command(
    scene: MetricScene, browser: Browser
) -> None:
    scene.upload(WITH_LIST)
    given = {"version": 1, "arguments": {"weights": [3, 0.5]}}
    scene.change(own_metric=given, metric_source_is_public=True)
    shown = text_of(browser.get(f"/competitions/{scene.slug}/metric"))
    assert "weights = [3, 0.5]" in shown
    assert "--metric-argument 'weights=[3, 0.5]'" in shown


def test_after_the_launch_the_form_begins_a_rejudging(scene: MetricScene, browser: Browser) -> None:
    launched(scene)
    scene.upload(METRIC + "\n# better\n")
    answer = browser.send(
        f"/organize/{scene.slug}/metric/use",
        version="2",
        seconds="60",
        resamples="0",
        reason="a better metric",
    )
    assert f"/organize/{scene.slug}/rejudgings/" in answer.headers["location"], answer.text
    begun = browser.get(answer.headers["location"])
    assert begun.status_code == 200, begun.text
    assert "Custom metric version 2" in text_of(begun)


def test_participants_read_the_hash_the_exception_and_a_public_source(scene: MetricScene) -> None:
    launched(scene)
    visitor = Site(scene.installation).browser(scene.installation.person(f"carl {scene.slug}"))
    way = f"/competitions/{scene.slug}/metric"
    assert f'href="{way}"' in visitor.get(f"/competitions/{scene.slug}").text
    hidden = text_of(visitor.get(way))
    assert scene.organizer.get(f"{scene.route}/1").json()["sha256"] in hidden
    assert "at most 280 characters" in hidden
    assert "The mean distance" not in hidden
    scene.change(metric_source_is_public=True)
    assert "The mean distance" in text_of(visitor.get(way))


def test_examples_of_a_metric_are_shown_as_code(scene: MetricScene) -> None:
    launched(scene, METRIC.replace("distance.", "distance.\n\n    >>> 1 < 2\n    True\n    "))
    scene.change(metric_source_is_public=True)
    page = scene.installation.client.get(f"/competitions/{scene.slug}/metric").text
    assert '<p class="said">The mean distance.</p>' in page
    assert "<code>&gt;&gt;&gt; 1 &lt; 2\nTrue</code>" in page


@pytest.mark.parametrize("is_reproducible", [True, False])
def test_every_page_says_where_scores_are_declared_not_reproducible(
    scene: MetricScene, is_reproducible: bool
) -> None:
    scene.upload(METRIC)
    declared = {"version": 1, "is_reproducible": is_reproducible}
    assert scene.change(own_metric=declared).status_code == 200
    launched(scene)
    visitor = Site(scene.installation).browser(scene.installation.person(f"cleo {scene.slug}"))
    words = "the same file may score differently each time"
    for page in ("", "/leaderboard", "/submit", "/submissions", "/data", "/metric"):
        answer = visitor.get(f"/competitions/{scene.slug}{page}")
        assert answer.status_code == 200, page
        assert (words in text_of(answer)) is not is_reproducible, page


def test_only_competitions_of_tables_have_the_section(scene: MetricScene, browser: Browser) -> None:
    body = {"slug": f"lists-{scene.slug}", "title": "Lists", "preset": "otto"}
    scene.organizer.post("/admin/competitions", json=body)
    assert f"/organize/{scene.slug}/metric" in browser.get(f"/organize/{scene.slug}").text
    assert f"{body['slug']}/metric" not in browser.get(f"/organize/{body['slug']}").text


def test_a_version_that_does_not_score_yet_takes_its_arguments(
    scene: MetricScene, browser: Browser
) -> None:
    scene.load_truth()
    scene.upload(METRIC)
    scene.upload(WITH_ARGUMENT)
    way = f"/organize/{scene.slug}/metric"
    listed = browser.get(way).text
    assert "argument-beta" not in listed
    assert "?use=2#use" in listed
    assert 'name="argument-beta"' in browser.get(f"{way}?use=2").text
    refused = browser.send(f"{way}/2/trial")
    assert refused.status_code == 422
    assert 'name="argument-beta"' in refused.text
    assert "The argument “beta” has no default" in text_of(refused), text_of(refused)
    given = {"seconds": "30", "resamples": "0", "metric_source_is_public": "yes"}
    tried = browser.send(f"{way}/2/trial", version="2", **given, **{"argument-beta": "2.5"})
    assert "Version 2 on the sample" in text_of(tried)
    assert re.search(r'value="2.5"[^>]*name="argument-beta"', tried.text)
    assert re.search(r'name="metric_source_is_public"[^>]* checked', tried.text)
    unknown = browser.send(f"{way}/use", version="2", **given)
    assert unknown.status_code == 422
    assert 'name="argument-beta"' in unknown.text


def test_a_refused_source_is_shown_before_the_versions(
    scene: MetricScene, browser: Browser
) -> None:
    way = f"/organize/{scene.slug}/metric"
    scene.upload(METRIC)
    assert [title for title in _titles(browser.get(way)) if title in _CARDS] == _CARDS
    shown = browser.send(way, source="def score(:\n")
    assert [title for title in _titles(shown) if title in _CARDS] == _CARDS[2:] + _CARDS[:2]
    assert "1 rejected file" in text_of(shown)


_CARDS = ["Versions", "What scores", "Write the next version"]


def _titles(answer: Any) -> list[str]:
    return re.findall(r"<h2[^>]*>([^<]*)</h2>", answer.text)


def test_a_draft_lacks_its_metric_until_one_scores(scene: MetricScene, browser: Browser) -> None:
    scene.load_truth()
    way = f"/organize/{scene.slug}"
    lacking = text_of(browser.get(way))
    assert "Next step: write the metric" in lacking
    assert "Required Write the metric" in lacking
    scene.upload(METRIC)
    assert "Done Write the metric" in text_of(browser.get(way))
    scene.change(metric="rmse", own_metric=None)
    assert "Write the metric" not in text_of(browser.get(way))
    assert "A built-in metric scores" in text_of(browser.get(f"{way}/metric"))
