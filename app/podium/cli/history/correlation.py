"""The correlation of two scores of the same files: coefficients, and scatter plots in text and in
SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from statistics import StatisticsError, correlation

Pair = tuple[float, float]
"""A local and a public score."""

FEWEST = 3
"""The minimum number of pairs: two of them always lie on a line."""

ACROSS, DOWN = 56, 14
"""The size of the text plot in characters."""

WIDTH, HEIGHT, MARGIN = 640, 420, 60
"""The size of the SVG, in its own units."""


def coefficients(pairs: Sequence[Pair]) -> dict[str, float | None]:
    """Computes the correlation coefficients of Pearson, and of Spearman (of the ranks, with ties
    averaged). None for fewer than three pairs, or if one of the scores is constant."""
    if len(pairs) < FEWEST:
        return {"pearson": None, "spearman": None}
    local, public = [x for x, _ in pairs], [y for _, y in pairs]
    return {
        "pearson": _pearson(local, public),
        "spearman": _pearson(_ranks(local), _ranks(public)),
    }


def scatter(pairs: Sequence[Pair]) -> str:
    """Draws the pairs as characters: local scores to the right, public ones upwards; a digit counts
    pairs at the same place."""
    cells = [[0] * ACROSS for _ in range(DOWN)]
    for x, y in _placed(pairs):
        cells[DOWN - 1 - round(y * (DOWN - 1))][round(x * (ACROSS - 1))] += 1
    rows = ["".join(" •23456789"[min(count, 9)] for count in row).rstrip() for row in cells]
    (low_x, high_x), (low_y, high_y) = _ranges(pairs)
    lines = [
        f"public {low_y:.6g} to {high_y:.6g}",
        *(f"│{row}" for row in rows),
        "└" + "─" * ACROSS,
    ]
    return "\n".join([*lines, f" local {low_x:.6g} to {high_x:.6g}"])


def drawing(pairs: Sequence[Pair], *, names: Sequence[str], title: str) -> str:
    """Draws the pairs as an SVG document; each point is labeled with its file and both scores."""
    span_x, span_y = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
    points = [
        f'<circle cx="{MARGIN + x * span_x:.1f}" cy="{HEIGHT - MARGIN - y * span_y:.1f}" r="5">'
        f"<title>{escape(name)}: local {pair[0]:.6g}, public {pair[1]:.6g}</title></circle>"
        for (x, y), pair, name in zip(_placed(pairs), pairs, names, strict=True)
    ]
    (low_x, high_x), (low_y, high_y) = _ranges(pairs)
    bottom, right = HEIGHT - MARGIN, WIDTH - MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
            ' font-family="system-ui, sans-serif" font-size="14">',
            f"<title>{escape(title)}</title>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            f'<path d="M{MARGIN} {MARGIN}V{bottom}H{right}" fill="none" stroke="#555"/>',
            f'<text x="{MARGIN}" y="30" font-weight="bold">{escape(title)}</text>',
            _label(MARGIN, bottom + 20, "start", f"{low_x:.6g}"),
            _label(right, bottom + 20, "end", f"{high_x:.6g}"),
            _label(WIDTH / 2, bottom + 40, "middle", "local score"),
            _label(MARGIN - 8, bottom, "end", f"{low_y:.4g}"),
            _label(MARGIN - 8, MARGIN + 5, "end", f"{high_y:.4g}"),
            _label(MARGIN, MARGIN - 12, "middle", "public"),
            '<g fill="#0b62c4" fill-opacity="0.75">',
            *points,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _label(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    try:
        return correlation(first, second)
    except StatisticsError:
        return None


def _ranks(values: Sequence[float]) -> list[float]:
    """Returns ranks from 1; equal values share their mean rank."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]


def _ranges(pairs: Sequence[Pair]) -> tuple[Pair, Pair]:
    local, public = [x for x, _ in pairs], [y for _, y in pairs]
    return (min(local), max(local)), (min(public), max(public))


def _placed(pairs: Sequence[Pair]) -> list[Pair]:
    """Scales the pairs to the unit square; constant scores are in its middle."""
    (low_x, high_x), (low_y, high_y) = _ranges(pairs)
    return [(_part(x, low_x, high_x), _part(y, low_y, high_y)) for x, y in pairs]


def _part(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) if high > low else 0.5
