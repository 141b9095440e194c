"""Charts as SVG: marks at the right places, nothing that a strict policy refuses, text as text."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

from podium.http.html import charts
from podium.http.html.charts import Picture
from podium.http.html.charts.kinds import ChartRow, HistogramBin, Mark, Series, Spot

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)

EVIL = "\"><script>alert(1)</script>&amp;'x"

PICTURE = Picture("one", "A title", "A description.", "Rank", "Score")


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def paths(svg: str, of_class: str) -> list[str]:
    groups = [g for g in parsed(svg).iter("g") if of_class in (g.get("class") or "").split()]
    return [path.get("d") or "" for g in groups for path in g.iter("path")]


def every_kind(text: str) -> list[str]:
    picture = Picture("one", text, text, text, text)
    series = [Series(text, "series-0", [(NOON, 0.5), (NOON + timedelta(days=1), 0.6)])]
    return [
        charts.steps(picture, series, (NOON, NOON + timedelta(days=2)), (0.4, 0.7)),
        charts.curve(picture, [(1, 0.6), (2, 0.5)], Spot(2, 0.5, text)),
        charts.bars(picture, [HistogramBin(0.1, 0.2, 3)], Mark(0.15, text)),
        charts.points(picture, [(1, 2), (2, 1)], Spot(1, 2, text), last=2),
        charts.dots(picture, [ChartRow(text, text, {"clicks": 0.5})], {"clicks": "series-1"}),
    ]


def test_every_chart_has_a_title_and_a_description_that_name_it() -> None:
    for svg in every_kind("Hello"):
        root = parsed(svg)
        assert (root.get("role"), root.get("tabindex")) == ("img", "0")
        named = {child.get("id"): child.text for child in root if child.get("id")}
        assert named == {"one-title": "Hello", "one-desc": "Hello"}
        assert root.get("aria-labelledby") == "one-title one-desc"


def test_no_chart_needs_a_style_a_script_or_another_address() -> None:
    for svg in every_kind("Hello"):
        assert re.search(r"style|<script|on\w+=|href|url\(|#[0-9a-f]{3}", svg) is None


def test_texts_from_outside_stay_texts() -> None:
    for svg in every_kind(EVIL):
        root = parsed(svg)
        assert {element.tag for element in root.iter()} <= {
            *("svg", "title", "desc", "g", "path", "rect", "circle", "text"),
        }
        assert root[0].text == EVIL


def test_a_score_holds_until_the_next_one_and_the_last_one_until_the_end() -> None:
    moments = [(NOON, 0.5), (NOON + timedelta(hours=1), 0.6)]
    times = NOON, NOON + timedelta(hours=2)
    svg = charts.steps(PICTURE, [Series("Ada", "series-0", moments)], times, (0.5, 0.6))
    # From the left edge at the bottom, up in the middle, and on to the right edge at the top.
    assert paths(svg, "series-0") == ["M72 212H288V14H504"]


def test_a_team_without_a_score_has_no_line() -> None:
    svg = charts.steps(PICTURE, [Series("Ada", "series-0", [])], (NOON, NOON), (0, 1))
    assert paths(svg, "series-0") == []


def test_bars_are_as_high_as_their_counts() -> None:
    svg = charts.bars(
        PICTURE, [HistogramBin(0, 1, 10), HistogramBin(1, 2, 0), HistogramBin(2, 3, 5)], None
    )
    heights = [float(rect.get("height") or 0) for rect in parsed(svg).iter("rect")]
    assert len(heights) == 2
    assert abs(heights[0] - 2 * heights[1]) < 0.11


def test_a_mark_says_its_label_on_the_side_that_has_room() -> None:
    bins = [HistogramBin(0, 1, 1), HistogramBin(1, 2, 1)]
    sides = []
    for value in (0.1, 1.9):
        svg = charts.bars(PICTURE, bins, Mark(value, "you"))
        (text,) = (t for t in parsed(svg).iter("text") if t.text == "you")
        sides.append(text.get("text-anchor"))
    assert sides == ["start", "end"]


def test_the_first_rank_stands_at_the_top_of_a_shake_up() -> None:
    svg = charts.points(PICTURE, [(1, 1), (3, 3)], Spot(3, 1, "you"), last=3)
    assert paths(svg, "points") == ["M72 14h0M504 252h0"]
    (spot,) = parsed(svg).iter("circle")
    assert (spot.get("cx"), spot.get("cy")) == ("504", "14")


def test_many_teams_in_one_place_are_one_point() -> None:
    pairs = [(rank, rank) for rank in range(1, 2_601)]
    (path,) = paths(charts.points(PICTURE, pairs, None, last=2_600), "points")
    # One for each step to the right or down, of 432 and 238 units.
    assert path.count("M") <= 432 + 238 + 1


def test_charts_of_nothing_are_empty_pictures() -> None:
    for svg in (
        charts.steps(PICTURE, [], (NOON, NOON), (0, 1)),
        charts.curve(PICTURE, [], None),
        charts.bars(PICTURE, [], None),
        charts.points(PICTURE, [], None, last=1),
        charts.dots(PICTURE, [], {}),
    ):
        assert parsed(svg).tag == "svg"


def test_what_has_only_just_begun_is_seen() -> None:
    series = [Series("new", "series-0", [(NOON, 0.5)])]
    svg = charts.steps(PICTURE, series, (NOON - timedelta(hours=1), NOON), (0.4, 0.7))
    dots = [g for g in parsed(svg).iter("g") if "dot" in (g.get("class") or "").split()]
    assert len(dots) == 1
    assert {"11:10", "11:50", "12:00"} <= {text.text for text in parsed(svg).iter("text")}
