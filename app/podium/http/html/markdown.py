"""Renders people's Markdown, with formulas in LaTeX, as safe HTML: without raw HTML, and then
sanitized by a short allowlist. Two layers, so that a hole in one of them does no harm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import nh3
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.dollarmath import dollarmath_plugin

FORMULA_TAGS = frozenset(
    {"math", "mfrac", "mi", "mn", "mo", "mover", "mroot", "mrow", "mspace", "msqrt", "mstyle"}
    | {"msub", "msubsup", "msup", "mtable", "mtd", "mtr", "munder", "munderover"}
)
"""MathML without its elements that may contain HTML again, which have fooled sanitizers before."""

TAGS = FORMULA_TAGS | frozenset(
    {"a", "blockquote", "br", "code", "del", "em", "hr", "img", "li", "ol", "p", "pre", "s"}
    | {"strong", "table", "tbody", "td", "th", "thead", "tr", "ul"}
    | {f"h{level}" for level in range(2, 7)}
)

ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title"},
    "math": {"display"},
    "mfrac": {"linethickness"},
    "mi": {"mathvariant"},
    "mo": {"fence", "stretchy"},
    "mspace": {"width"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mtd": {"columnalign"},
    "ol": {"start"},
}

SCHEMES = frozenset({"http", "https", "mailto"})

DATA_FILE = re.compile(
    r"/api/v1/competitions/([a-z0-9-]{1,64})/files/([A-Za-z0-9][A-Za-z0-9._-]{0,127})"
)
"""The only images: a reader's browser requests them with the reader's cookie, so that any other
address would let the author of a text send a request in the reader's name."""

TOP_LEVEL = 2
"""Headings of a text begin at this level, since the page's own heading is the first."""

LOWEST_LEVEL = 6

LONGEST_FORMULA = 2_000
"""Maximum characters of a formula; longer ones are shown as they are typed."""


def formula(tex: str, options: Mapping[str, bool]) -> str:
    """Converts a formula in LaTeX to MathML, or shows it as code where it is malformed.

    >>> formula("x^2", {"display_mode": False})
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><msup><mi>x</mi>\
<mn>2</mn></msup></mrow></math>'
    """
    found = _mathml(tex, is_block=options["display_mode"])
    if found is None:
        return f"<code>{escape(tex)}</code>"
    return found.replace("<mtext>", '<mi mathvariant="normal">').replace("</mtext>", "</mi>")


def _mathml(tex: str, *, is_block: bool) -> str | None:
    if len(tex) > LONGEST_FORMULA:
        return None
    try:
        return str(convert(tex, display="block" if is_block else "inline"))
    except Exception:  # noqa: BLE001 - the library has an error for each mistake, and lets others through
        return None


_reader = (
    MarkdownIt("commonmark", {"html": False})
    .enable(["table", "strikethrough"])
    .use(
        dollarmath_plugin,
        double_inline=True,
        allow_digits=False,
        allow_space=False,
        renderer=formula,
    )
)


@lru_cache(maxsize=64)
def rendered(text: str) -> Markup:
    """Renders a text as HTML. Links may lead anywhere, without referrer; images are data files."""
    tokens = _reader.parse(text)
    _lower_headings(tokens)
    html = _reader.renderer.render(tokens, _reader.options, {})
    clean = nh3.clean(
        html,
        tags=set(TAGS),
        attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
        attribute_filter=_kept_attribute,
        url_schemes=set(SCHEMES),
        link_rel="nofollow noopener",
    )
    return Markup(_reachable(clean))  # noqa: S704 - nh3 has cleaned it


_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UnshownParts:
    """The parts of a text that readers may not see as intended: formulas that cannot be parsed,
    addresses of images that are never shown, and the other images' data files, by slug and name."""

    formulas: tuple[str, ...]
    addresses: tuple[str, ...]
    files: tuple[tuple[str, str], ...]


def unshown_parts(text: str) -> UnshownParts:
    """Finds formulas and images of a text that cannot be shown, each once.

    >>> unshown_parts("$x^$ $y^2$ ![c](/api/v1/competitions/otto/files/c.png)")
    UnshownParts(formulas=('x^',), addresses=(), files=(('otto', 'c.png'),))
    """
    formulas: list[str] = []
    addresses: list[str] = []
    files: list[tuple[str, str]] = []
    for token in _all_tokens(_reader.parse(text)):
        if token.type.startswith("math_") and not _is_readable(token.content):
            formulas.append(token.content)
        if token.type == "image":
            address = str(token.attrs.get("src", ""))
            found = DATA_FILE.fullmatch(address)
            if found:
                files.append((found[1], found[2]))
            else:
                addresses.append(address)
    return UnshownParts(
        tuple(dict.fromkeys(formulas)),
        tuple(dict.fromkeys(addresses)),
        tuple(dict.fromkeys(files)),
    )


def _is_readable(tex: str) -> bool:
    """False also for formulas that the library accepts with errors: unknown commands, which are
    shown with their backslash, and unbalanced braces."""
    found = _mathml(tex, is_block=False)
    braces = _BRACES.findall(tex)
    return found is not None and "<mi>\\" not in found and braces.count("{") == braces.count("}")


def _all_tokens(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all_tokens(token.children or ())


def _lower_headings(tokens: list[Token]) -> None:
    """Moves headings below the page's own, without skipped levels on the way down."""
    before = TOP_LEVEL - 1
    for token in tokens:
        if token.type == "heading_open":
            wanted = int(token.tag[1:]) + TOP_LEVEL - 1
            before = min(wanted, before + 1, LOWEST_LEVEL)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{before}"


def _kept_attribute(tag: str, name: str, value: str) -> str | None:
    if (tag, name) != ("img", "src"):
        return value
    return value if DATA_FILE.fullmatch(value) else None


def _reachable(html: str) -> str:
    """Makes wide elements scrollable, also by keyboard. After the sanitizing these tags have one
    spelling only, and no text can imitate them."""
    box = '<div class="scroll" role="region" tabindex="0" aria-label="Table">'
    opening = f'{box}<table class="narrow-table">'
    html = html.replace("<table>", opening).replace("</table>", "</table></div>")
    html = _FORMULA.sub(_FORMULA_BOX, html)
    html = _PUNCTUATED.sub(r'<span class="kept">\g<0></span>', html)
    return html.replace("<pre>", '<pre tabindex="0">')


_FORMULA = re.compile(r'<math[^>]*display="block"[^>]*>.*?</math>', re.DOTALL)

_PUNCTUATED = re.compile(r'<math[^>]*display="inline"[^>]*>(?:(?!</math>).)*</math>[.,;:!?)]+')
"""An inline formula with the punctuation after it, which would otherwise begin the next line."""

_FORMULA_BOX = r'<div class="formula" role="region" tabindex="0" aria-label="Formula">\g<0></div>'
