"""Markdown that people wrote: what it may become, and everything that it may not."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from podium.http.html.markdown import ATTRIBUTES, TAGS, rendered, unshown_parts

HOSTILE = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src=javascript:alert(1)>",
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<form action=//evil.example><input name=password><button>go</form>",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href=//evil.example>",
    "<object data=javascript:alert(1)>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](file:///etc/passwd)",
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "![x](https://evil.example/pixel.png)",
    "![x](//evil.example/pixel.png)",
    "![x](/\\evil.example/pixel.png)",
    '![x" onerror="alert(1)](/api/v1/competitions/otto/files/board.png)',
    '[x](https://a.example "onmouseover=alert(1) x=")',
    '[x](https://a.example"onmouseover="alert(1))',
    "`</code><script>alert(1)</script>`",
    "```html\n</code></pre><script>alert(1)</script>\n```",
    '```" onload="alert(1)\nx\n```',
    "| <img src=x onerror=alert(1)> |\n|-|\n| <script>alert(1)</script> |",
    "<table><tr><td onclick=alert(1)>x</table>",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\u202e<script>alert(1)</script>",
    "<<script>script>alert(1)<</script>/script>",
    "$\\text{<img src=x onerror=alert(1)>}$",
    "$\\text{</mi></math><script>alert(1)</script>}$",
    "$\\href{javascript:alert(1)}{x}$",
    "$$\n\\text{<style><img src=x onerror=alert(1)>}\n$$",
    "$\\color{red;background:url(//evil.example)}{x}$",
    "$x$<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>$y$",
]

OWN = {"div": {"class", "role", "tabindex", "aria-label"}, "pre": {"tabindex"}, "table": {"class"}}
"""Attributes that are put around things after the cleaning."""


class Tags(HTMLParser):
    """All tags of a text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_runs_or_asks_another_site_comes_through(text: str) -> None:
    for tag, attributes in Tags(rendered(text)).found:
        assert tag in TAGS | OWN.keys(), text
        known = (
            ATTRIBUTES.get(tag, set()) | OWN.get(tag, set()) | ({"rel"} if tag == "a" else set())
        )
        assert attributes.keys() <= known, text
        address = attributes.get("href") or attributes.get("src") or "/"
        if tag == "img":
            assert address.startswith("/"), text
            assert address[1:2] not in ("/", "\\"), text
        else:
            assert address.startswith(("/", "https://", "http://", "mailto:")), text


def test_links_say_nothing_about_where_they_were() -> None:
    assert rendered("[x](https://a.example/b)") == (
        '<p><a href="https://a.example/b" rel="nofollow noopener">x</a></p>\n'
    )


def test_pictures_come_from_this_host_only() -> None:
    assert rendered("![ours](/api/v1/competitions/otto/files/board.png)") == (
        '<p><img src="/api/v1/competitions/otto/files/board.png" alt="ours"></p>\n'
    )
    assert "src" not in rendered("![theirs](https://evil.example/pixel.png)")


def test_headings_stand_below_the_one_of_the_page_and_leave_none_out() -> None:
    html = rendered("### a\n\n# b\n\n#### c\n\n###### d")
    assert [tag for tag, _ in Tags(html).found] == ["h2", "h2", "h3", "h4"]


def test_tables_and_code_scroll_by_themselves() -> None:
    html = rendered("|a|\n|-|\n|1|\n\n    code")
    box = '<div class="scroll" role="region" tabindex="0" aria-label="Table">'
    assert f'{box}<table class="narrow-table">' in html
    assert html.count("</table></div>") == 1
    assert '<pre tabindex="0"><code>code' in html
    assert rendered("`<table>`") == "<p><code>&lt;table&gt;</code></p>\n"


def test_formulas_are_rendered_by_the_server() -> None:
    assert rendered("$R = \\frac{a}{b}$") == (
        '<p><math display="inline"><mrow><mi>R</mi><mo>=</mo><mfrac><mrow><mi>a</mi></mrow>'
        "<mrow><mi>b</mi></mrow></mfrac></mrow></math></p>\n"
    )
    block = rendered("$$\n\\sum_i x_i\n$$")
    assert [tag for tag, _ in Tags(block).found][:4] == ["div", "math", "mrow", "munder"]
    assert 'display="block"' in block


def test_a_sign_behind_a_formula_stays_with_it() -> None:
    html = str(rendered("So $x$. And ($y$), $z$ too."))
    assert re.findall(r'<span class="kept"><math.*?</math>(\W*)</span>', html) == [".", "),"]
    assert "$z" not in html
    assert html.count("<span") == 2


def test_dollars_of_prices_and_code_are_no_formulas() -> None:
    for text in ("It costs $5 and $6.", "`$x$`", "Between $ 5 $ and more"):
        assert "<math" not in rendered(text)


@pytest.mark.parametrize("tex", ["\\frac{", "{" * 3_000, "x^" * 900, "\\begin{matrix}" + "&" * 100])
def test_what_is_no_formula_is_shown_as_it_was_typed(tex: str) -> None:
    text = rendered(f"${tex}$")
    assert "<math" not in text
    assert text.startswith("<p><code>")


def test_a_text_that_is_nested_without_end_becomes_no_endless_page() -> None:
    assert rendered("> " * 5_000 + "deep").count("<blockquote>") == 20
    assert rendered("[" * 5_000) == f"<p>{'[' * 5_000}</p>\n"


@pytest.mark.parametrize(
    "address",
    [
        "/api/v1/me",
        "/api/v1/competitions/otto/leaderboard",
        "/competitions/otto",
        "/sign-in/elsewhere",
        "/links/abc",
        "/api/v1/competitions/otto/files/../../../me",
        "/api/v1/competitions/otto/files/%2e%2e/%2e%2e/me",
        "/api/v1/competitions/otto/files/a.png?next=/sign-out",
        "/api/v1/competitions/otto/files/",
        "/api/v1/competitions/../me/files/a.png",
        "//evil.example/api/v1/competitions/otto/files/a.png",
        "files/a.png",
        "/static/podium.svg",
        "data:image/png;base64,AAAA",
    ],
)
def test_a_picture_asks_for_nothing_in_a_readers_name_but_a_data_file(address: str) -> None:
    assert "src" not in rendered(f"![a picture]({address})")
    assert "src" not in rendered(f"![a picture][1]\n\n[1]: {address}")


@pytest.mark.parametrize("tex", ["x^", "\\unknown{x}", "\\frac{1", "\\left( x", "a_b_c"])
def test_a_formula_that_is_not_shown_as_meant_is_named(tex: str) -> None:
    assert unshown_parts(f"# A\n\n- so ${tex}$ and ${tex}$").formulas == (tex,)


@pytest.mark.parametrize("tex", ["x^2", "\\frac{1}{2}", "\\{x\\}", "\\sum_{i=1}^n x_i", "\\alpha"])
def test_a_formula_that_is_shown_is_not_named(tex: str) -> None:
    assert unshown_parts(f"$${tex}$$").formulas == ()
