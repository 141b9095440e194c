"""Settings and error codes, from where the product defines them."""

from __future__ import annotations

from docs.pages.markdown import table
from podium.cli.operator.described_settings import described_settings
from podium.core.problems import meanings

SETTINGS_HEAD = """# Settings

Operators set these environment variables; all commands of an installation read them, and
`podium serve --help` lists them. An empty variable counts as not set. A wrong value ends a command
with exit code 2 and a line that names the variable, what it holds and what to set it to; so does a
name that looks like a misspelt setting. Other names with `PODIUM_` are told in the log as
`setting.unknown` and ignored.

Variables of the client, such as `PODIUM_URL` and `PODIUM_TOKEN`, are on the page for
[participants](../participants.md).
"""

PROBLEMS_HEAD = """# Error codes

The stable `code` of every problem document. An installation explains each at `/problems/<code>`,
where the document's `type` leads.
"""


def settings() -> str:
    """Every environment variable of an installation."""
    rows = [
        (f"`{one.variable}`", one.takes, f"`{one.default}`" if one.default else "–", one.meaning)
        for one in described_settings()
    ]
    lines = table(("variable", "takes", "default", "meaning"), rows)
    return "\n".join([SETTINGS_HEAD, *lines]) + "\n"


def problems() -> str:
    """Every error code, where it stands, and what to do about it."""
    lines = [PROBLEMS_HEAD]
    titles = {"request": "Answers to requests", "file": "Problems in files"}
    for place, title in titles.items():
        rows = [
            (
                f"`{one.code}`",
                ", ".join(map(str, one.statuses)) or "–",
                f"**{one.title}.** {one.reason} {one.remedy}",
            )
            for one in meanings()
            if one.place == place
        ]
        lines += ["", f"## {title}", ""]
        lines += table(("code", "HTTP", "meaning, and what to do"), rows)
    return "\n".join(lines) + "\n"
