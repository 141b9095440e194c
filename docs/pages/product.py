"""Metrics with their presets, settings and error codes, from where the product defines them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from docs.pages.markdown import table
from podium.cli.operator.described_settings import described_settings
from podium.competitions.schemas.metrics import MetricDefinitionOut, metric_definitions
from podium.core.competition_settings.presets import PRESETS
from podium.core.problems import meanings

METRICS_HEAD = """# Metrics

`podium metrics` prints this list, too. `K` is a number up to 1,000. Metrics of whole lists
(`map` without K, `r_precision`, `mean_f1`) look at up to 1,000 items. A competition begins with the
settings of a [preset](#presets).

There are no metrics over sampled negatives (one relevant item among 99 drawn ones): they put models
in another order than the same metrics over all items (Krichene & Rendle, On sampled metrics for
item recommendation, 2020). `sampled_hit_rate@10` is refused with that reason.
"""

PRESETS_HEAD = """
## Presets

A preset is where the settings of a competition begin: `podium create --preset`, the form and the
API take its name. Each sets what stands below it. Everything else has its default, which the
[organizers' table](../organizers.md#settings) lists.
"""

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

KINDS = {"rank": "Ranked lists", "prediction": "Beyond accuracy", "rating": "Ratings"}


def metrics() -> str:
    """Every registered metric with its whole specification, and what presets there are."""
    lines = [METRICS_HEAD, *_presets()]
    for kind, title in KINDS.items():
        lines += ["", f"## {title}"]
        for entry in metric_definitions():
            if entry.kind == kind:
                lines += ["", f"### `{entry.id}`", "", _definition(entry.definition), ""]
                lines += _facts(entry)
    return "\n".join(lines) + "\n"


def _presets() -> Iterator[str]:
    yield PRESETS_HEAD
    for name, settings in PRESETS.items():
        yield f"### Preset `{name}`\n"
        if not settings:
            yield "The defaults: OTTO's three objectives, as on Kaggle.\n"
            continue
        plain = {key: list(one) if isinstance(one, tuple) else one for key, one in settings.items()}
        yield f"```yaml\n{yaml.safe_dump(plain, sort_keys=False).strip()}\n```\n"


def _definition(text: str) -> str:
    examples = r"(?:^>>> .*\n?(?:^(?!>>> |\n).+\n?)*)+"
    return re.sub(examples, lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text, flags=re.M)


def _facts(entry: MetricDefinitionOut) -> Iterator[str]:
    facts = {
        "For one query" if entry.kind != "rating" else "Formula": entry.formula,
        "Averages": ", ".join(entry.averages),
        "Better": "higher" if entry.higher_is_better else "lower",
        "Ranks teams": "yes" if entry.ranks else "no, a diagnostic",
        "Needs an item file with": ", ".join(entry.needs),
        "Presets": ", ".join(f"`{preset}`" for preset in entry.presets),
        "Source": entry.source,
    }
    yield from (f"- **{name}:** {text}" for name, text in facts.items() if text)


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
