"""The drawing of a chart: a frame with axes, and the marks inside it, as SVG text.

No colors are set here: marks have classes, and the style sheet colors them in every scheme. Every
text from outside is escaped here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from podium.http.html.charts.scales import Scale, Tick

WIDTH, HEIGHT = 520, 300
LEFT, RIGHT, TOP, BOTTOM = 72, 16, 14, 48
"""Margins of the frame: room for the labels, which are larger on a phone."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Picture:
    """Describes the frame of a chart: a name for its elements, unique within the page, a title, a
    text alternative, and the labels of the axes."""

    name: str
    title: str
    description: str
    x_label: str
    y_label: str


@dataclass(slots=True)
class Drawing:
    """A picture that is being drawn, with `x` and `y` as its scales."""

    picture: Picture
    x: Scale
    y: Scale
    height: int = HEIGHT
    _marks: list[str] = field(default_factory=list)

    def line(self, of_class: str, path: str, *, title: str = "") -> None:
        """Draws a line of a class, given as an SVG path; `title` is its tooltip."""
        self._add(of_class, f'<path d="{path}"/>', title)

    def box(self, of_class: str, corner: Point, size: Point, *, title: str = "") -> None:
        """Draws a rectangle with its top left `corner`; `title` is its tooltip."""
        (x, y), (width, height) = corner, size
        body = f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}"/>'
        self._add(of_class, body, title)

    def dot(self, of_class: str, at: Point, *, radius: float = 4, title: str = "") -> None:
        """Draws a circle around `at`; `title` is its tooltip."""
        body = f'<circle cx="{num(at[0])}" cy="{num(at[1])}" r="{num(radius)}"/>'
        self._add(of_class, body, title)

    def mark(self, of_class: str, x: float, label: str) -> None:
        """Draws a vertical line at a value, with its label on the side that has room."""
        place = self.x.at(x)
        is_late = place > (LEFT + WIDTH - RIGHT) / 2
        side, shift = ("end", -6) if is_late else ("start", 6)
        self._add(
            of_class,
            f'<path d="M{num(place)} {TOP}V{self.height - BOTTOM}"/>'
            f'<text x="{num(place + shift)}" y="{TOP + 12}" text-anchor="{side}">'
            f"{escape(label)}</text>",
            "",
        )

    def finished(self, x_ticks: Iterable[Tick], y_ticks: Iterable[Tick]) -> Markup:
        """Assembles the SVG with its axes."""
        picture = self.picture
        ids = f"{escape(picture.name)}-title", f"{escape(picture.name)}-desc"
        parts = [
            f'<svg class="chart" viewBox="0 0 {WIDTH} {self.height}" role="img" tabindex="0" '
            f'aria-labelledby="{ids[0]} {ids[1]}">',
            f'<title id="{ids[0]}">{escape(picture.title)}</title>',
            f'<desc id="{ids[1]}">{escape(picture.description)}</desc>',
            *self._axes(list(x_ticks), list(y_ticks)),
            *self._marks,
            "</svg>",
        ]
        return Markup("".join(parts))  # noqa: S704 - every text in it is escaped above

    def _axes(self, x_ticks: Sequence[Tick], y_ticks: Sequence[Tick]) -> list[str]:
        right, foot = WIDTH - RIGHT, self.height - BOTTOM
        grid = "".join(f"M{LEFT} {num(self.y.at(tick.value))}H{right}" for tick in y_ticks)
        parts = [f'<path class="grid" d="{grid}"/>'] if grid else []
        parts.append(f'<path class="axis" d="M{LEFT} {TOP}V{foot}H{right}"/>')
        parts.extend(
            f'<text x="{num(self.x.at(tick.value))}" y="{foot + 18}" text-anchor="middle">'
            f"{escape(tick.label)}</text>"
            for tick in x_ticks
        )
        parts.extend(
            f'<text x="{LEFT - 8}" y="{num(self.y.at(tick.value) + 4)}" text-anchor="end">'
            f"{escape(tick.label)}</text>"
            for tick in y_ticks
        )
        middle = num((LEFT + right) / 2)
        parts.append(
            f'<text class="about" x="{middle}" y="{self.height - 8}" text-anchor="middle">'
            f"{escape(self.picture.x_label)}</text>"
        )
        place = num((TOP + foot) / 2)
        parts.append(
            f'<text class="about" transform="translate(14 {place})rotate(-90)" '
            f'text-anchor="middle">{escape(self.picture.y_label)}</text>'
        )
        return parts

    def _add(self, of_class: str, body: str, title: str) -> None:
        named = f"<title>{escape(title)}</title>" if title else ""
        self._marks.append(f'<g class="{escape(of_class)}">{named}{body}</g>')


def framed(
    picture: Picture,
    x: tuple[float, float],
    y: tuple[float, float],
    *,
    height: int = HEIGHT,
    turned: bool = False,
) -> Drawing:
    """Prepares an empty drawing for values in these ranges. `turned`: small values of y are at the
    top."""
    ends = (TOP, height - BOTTOM) if turned else (height - BOTTOM, TOP)
    return Drawing(picture, Scale(*x, LEFT, WIDTH - RIGHT), Scale(*y, *ends), height=height)


def num(value: float) -> str:
    """Formats a coordinate, rounded to a tenth, as briefly as possible.

    >>> num(12.0), num(12.34), num(-0.01)
    ('12', '12.3', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
