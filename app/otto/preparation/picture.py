"""The histogram of session lengths as SVG: no script, no font, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 40, 50
LONGEST_SHOWN = 40
"""Longer sessions are few, and would make all bars thin."""

COLOURS = ("#20639b", "#d95f02", "#4d9221")


def length_picture(series: Mapping[str, Mapping[int, int]]) -> str:
    """Lines of the share of sessions by their number of events, one per named histogram.

    The share of the sessions that are longer than the axis is told in the legend.
    """
    shares = {name: _shares(counts) for name, counts in series.items() if counts}
    top = max((max(line.values(), default=0.0) for line in shares.values()), default=0.0) or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' font-family="sans-serif" font-size="12"><title>Events of a session</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *_axes(top),
    ]
    for place, (name, line) in enumerate(shares.items()):
        parts += _line(line, top, COLOURS[place % len(COLOURS)])
        parts.append(_legend(name, series[name], place))
    return "\n".join([*parts, "</svg>\n"])


def _shares(counts: Mapping[int, int]) -> dict[int, float]:
    total = sum(counts.values())
    return {n: counts.get(n, 0) / total for n in range(1, LONGEST_SHOWN + 1)}


def _x(length: int) -> float:
    return LEFT + (length - 1) / (LONGEST_SHOWN - 1) * (WIDTH - LEFT - RIGHT)


def _y(share: float, top: float) -> float:
    return HEIGHT - BOTTOM - share / top * (HEIGHT - TOP - BOTTOM)


def _axes(top: float) -> list[str]:
    bottom = HEIGHT - BOTTOM
    parts = [f'<path d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}" fill="none" stroke="#555"/>']
    for length in (1, 5, 10, 15, 20, 25, 30, 35, 40):
        x = _x(length)
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{length}</text>')
    for step in range(5):
        share = top * step / 4
        y = _y(share, top)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.1%}</text>')
    title = "events of a session, and the share of the sessions that have so many"
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 12}">{title}</text>')
    return parts


def _line(shares: Mapping[int, float], top: float, colour: str) -> list[str]:
    points = " ".join(f"{_x(n):.1f},{_y(share, top):.1f}" for n, share in shares.items())
    return [f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>']


def _legend(name: str, counts: Mapping[int, int], place: int) -> str:
    longer = sum(count for n, count in counts.items() if n > LONGEST_SHOWN)
    text = f"{name} ({longer / sum(counts.values()):.1%} longer)"
    x, colour = LEFT + 10 + place * 210, COLOURS[place % len(COLOURS)]
    return (
        f'<rect x="{x}" y="16" width="12" height="12" fill="{colour}"/>'
        f'<text x="{x + 18}" y="26">{escape(text)}</text>'
    )
