"""The index of the metrics with the presets, and what the site adds to the page of each metric."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import yaml

from docs.pages.markdown import table
from podium.competitions.schemas.metrics import MetricDefinitionOut, metric_definitions
from podium.core.competition_settings.presets import PRESETS

METRICS_HEAD = """# Metrics

Each metric has a page: formula, worked example, unusual cases, what it is called elsewhere.
`podium metrics` prints the list, `podium metrics NAME` a page, and an installation has all of it
under `/help/metrics`. `K` is a number up to 1,000. Metrics of whole lists (`map` without K,
`r_precision`, `mean_f1`) look at up to 1,000 items. A competition begins with the settings of a
[preset](#presets).

Of a table's metric of one column, `_mean` behind its id is the plain mean over all columns of an
objective: `r2_mean`, `pinball_90_mean`.

There are no metrics over sampled negatives (one relevant item among 99 drawn ones): they put models
in another order than the same metrics over all items (Krichene & Rendle, On sampled metrics for
item recommendation, 2020). `sampled_hit_rate@10` is refused with that reason.
"""

PRESETS_HEAD = """
## Presets

A preset is where the settings of a competition begin: `podium create --preset`, the form and the
API take its name. Each sets what stands below it. Everything else has its default, which the
[table of settings](competition-settings.md) lists.
"""


def metric_index() -> str:
    """All metrics by family, and what presets there are."""
    families: dict[str, list[MetricDefinitionOut]] = {}
    for entry in _entries().values():
        families.setdefault(entry.about.family, []).append(entry)
    lines = [METRICS_HEAD]
    for family, entries in families.items():
        rows = [
            (
                f"[`{each.id}`](../metrics/{each.name}.md)",
                each.about.title,
                _use(each),
                each.formula,
            )
            for each in entries
        ]
        lines += ["", f"## {family}", "", *table(("id", "name", "better", "formula"), rows)]
    return "\n".join([*lines, *_presets()]) + "\n"


@cache
def _entries() -> Mapping[str, MetricDefinitionOut]:
    """The metrics by name; of a name of several kinds the first is told."""
    listed = metric_definitions()
    first = {entry.name: entry for entry in reversed(listed)}
    return {entry.name: first[entry.name] for entry in listed}


def _use(entry: MetricDefinitionOut) -> str:
    better = "higher" if entry.higher_is_better else "lower"
    return better if entry.ranks else f"{better}; a diagnostic, does not rank"


def _presets() -> Iterator[str]:
    yield PRESETS_HEAD
    for name, settings in PRESETS.items():
        yield f"### Preset `{name}`\n"
        if not settings:
            yield "The defaults: OTTO's three objectives, as on Kaggle.\n"
            continue
        plain = {key: list(one) if isinstance(one, tuple) else one for key, one in settings.items()}
        yield f"```yaml\n{yaml.safe_dump(plain, sort_keys=False).strip()}\n```\n"


def metric_page(key: str, text: str) -> str:
    """The page of a metric as the site shows it: its file, and what only the class says."""
    entry = _entries()[key]
    body = text.split("---\n", 2)[2]
    formula = f"```math\n{entry.about.tex}\n```\n\nIn words: {entry.formula}.\n"
    for heading, first in {"Formula": formula, "Value": _facts(entry)}.items():
        body = body.replace(f"## {heading}\n\n", f"## {heading}\n\n{first}", 1)
    code = f"## In the code\n\n{_specification(entry.definition)}\n\nSource: {entry.source}."
    head = f"# {entry.about.title}\n\n{_ids(entry)}. {body.strip()}"
    return f"{head}\n\n{code}\n\n[All metrics](../generated/metrics.md)\n"


def _ids(entry: MetricDefinitionOut) -> str:
    micro = f", `{entry.id}:micro`" if "micro" in entry.averages else ""
    return f"`{entry.id}`{micro}"


def _facts(entry: MetricDefinitionOut) -> str:
    facts = {
        "Ranks teams": "yes" if entry.ranks else "no, a diagnostic",
        "Needs an item file with": ", ".join(entry.needs),
        "Presets": ", ".join(f"`{preset}`" for preset in entry.presets),
    }
    return "".join(f"- **{name}:** {text}\n" for name, text in facts.items() if text)


def _specification(text: str) -> str:
    examples = r"(?:^>>> .*\n?(?:^(?!>>> |\n).+\n?)*)+"
    return re.sub(examples, lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text, flags=re.M)
