"""The kinds of charts: steps over time, a curve, bars of counts, points, and dots in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from podium.http.html.charts.drawing import BOTTOM, TOP, Drawing, Picture, framed, num
from podium.http.html.charts.scales import Tick, number_ticks, padded, time_ticks, whole_ticks

ROW = 22
"""Height of a row of dots."""

HEADROOM = 1.18
"""The axis of counts ends at this multiple of the highest bar, which leaves room for a mark's
label."""

MAX_TIMES = 7
"""Ticks of a time axis; their labels are short."""

LOW = 260
"""Height of a chart over time, which is wide."""


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one team over time, oldest first. `of_class` sets its color."""

    name: str
    of_class: str
    values: Sequence[tuple[datetime, float]]


@dataclass(frozen=True, slots=True)
class HistogramBin:
    """The count of values from `low` to below `high`."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A value that is pointed out."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that is pointed out, with a text under the pointer."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class ChartRow:
    """Several values of one thing, with a short label for the axis."""

    name: str
    label: str
    values: Mapping[str, float]


def steps(
    picture: Picture,
    series: Sequence[Series],
    times: tuple[datetime, datetime],
    values: tuple[float, float],
) -> Markup:
    """Draws step lines: values that hold until the next one, the last one until the end of the
    axis, on axes of these ranges. A dot marks the beginning of each, so that a series that has just
    begun is visible."""
    start, until = times
    drawing = framed(picture, (start.timestamp(), until.timestamp()), values, height=LOW)
    for one in series:
        places = [
            (num(drawing.x.at(moment.timestamp())), num(drawing.y.at(value)))
            for moment, value in one.values
        ]
        if not places:
            continue
        path = f"M{places[0][0]} {places[0][1]}"
        path += "".join(f"H{x}V{y}" for x, y in places[1:])
        path += f"H{num(drawing.x.at(until.timestamp()))}"
        drawing.line(f"line {one.of_class}", path, title=one.name)
        moment, value = one.values[0]
        begin = drawing.x.at(moment.timestamp()), drawing.y.at(value)
        drawing.dot(f"dot {one.of_class}", begin, radius=3, title=one.name)
    return drawing.finished(time_ticks(start, until, MAX_TIMES), number_ticks(*values))


def curve(picture: Picture, values: Sequence[tuple[int, float]], spot: Spot | None) -> Markup:
    """Draws a value by rank, from the first on; `spot` is the viewer's own place."""
    last = max((rank for rank, _ in values), default=1)
    drawing = framed(picture, (1, max(last, 2)), padded([value for _, value in values]))
    places = [(num(drawing.x.at(rank)), num(drawing.y.at(value))) for rank, value in values]
    if places:
        path = "M" + "L".join(f"{x} {y}" for x, y in dict.fromkeys(places))
        drawing.line("line series-0", path + "h0")
    _point_out(drawing, spot)
    return drawing.finished(_rank_ticks(last), number_ticks(drawing.y.low, drawing.y.high))


def bars(picture: Picture, bins: Sequence[HistogramBin], mark: Mark | None) -> Markup:
    """Draws a histogram: adjacent ranges of values, with the count of each."""
    most = max((one.count for one in bins), default=1)
    low = min((one.low for one in bins), default=0.0)
    high = max((one.high for one in bins), default=1.0)
    drawing = framed(picture, (low, high), (0, max(most, 1) * HEADROOM))
    for one in bins:
        left, right = drawing.x.at(one.low), drawing.x.at(one.high)
        top = drawing.y.at(one.count)
        size = (max(right - left - 1, 1), drawing.y.at(0) - top)
        if one.count:
            drawing.box("bar", (left + 0.5, top), size)
    if mark is not None:
        drawing.mark("mark", mark.value, mark.label)
    return drawing.finished(number_ticks(low, high), whole_ticks(0, max(most, 1)))


def points(
    picture: Picture, pairs: Sequence[tuple[int, int]], spot: Spot | None, *, last: int
) -> Markup:
    """Draws ranks against ranks, both from 1 to `last`, with the diagonal of unchanged ranks. The
    first rank is at the top."""
    drawing = framed(picture, (1, max(last, 2)), (1, max(last, 2)), turned=True)
    ends = [f"{num(drawing.x.at(n))} {num(drawing.y.at(n))}" for n in (1, max(last, 2))]
    drawing.line("same", f"M{ends[0]}L{ends[1]}")
    # One path of dots: many teams share a pixel, and are drawn there once.
    places = dict.fromkeys((round(drawing.x.at(x)), round(drawing.y.at(y))) for x, y in pairs)
    drawing.line("points", "".join(f"M{x} {y}h0" for x, y in places))
    _point_out(drawing, spot)
    return drawing.finished(_rank_ticks(last), _rank_ticks(last))


def dots(picture: Picture, rows: Sequence[ChartRow], classes: Mapping[str, str]) -> Markup:
    """Draws a row for each name, with a dot for each of its values; `classes` maps the names of
    values to classes that color them."""
    count = max(len(rows), 1)
    drawing = framed(
        picture,
        padded([value for row in rows for value in row.values.values()]),
        (0.5, count + 0.5),
        height=TOP + BOTTOM + ROW * count,
        turned=True,
    )
    for number, row in enumerate(rows, start=1):
        for key, value in row.values.items():
            at = (drawing.x.at(value), drawing.y.at(number))
            drawing.dot(f"dot {classes[key]}", at, title=f"{row.name}: {key}")
    ticks = [Tick(number, row.label) for number, row in enumerate(rows, start=1)]
    return drawing.finished(number_ticks(drawing.x.low, drawing.x.high), ticks)


def _point_out(drawing: Drawing, spot: Spot | None) -> None:
    if spot is not None:
        drawing.dot(
            "spot", (drawing.x.at(spot.x), drawing.y.at(spot.y)), radius=6, title=spot.label
        )


def _rank_ticks(last: int) -> list[Tick]:
    """Lists the first rank, and round ones far enough from it."""
    return [Tick(1, "1"), *(tick for tick in whole_ticks(1, last) if tick.value > last / 10)]
