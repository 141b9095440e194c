"""The index of the metrics with the presets, and a page for each metric, from the product."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import yaml

from docs.pages.markdown import table
from podium.competitions.schemas.metric_pages import NamedTextOut
from podium.competitions.schemas.metrics import MetricDefinitionOut, metric_definitions
from podium.core.competition_settings.presets import PRESETS
from podium.scoring.metrics.about import ABOUT

METRICS_HEAD = """# Metrics

Each metric has a page: formula, worked example, unusual cases, what it is called elsewhere.
`podium metrics` prints the list, `podium metrics NAME` a page, and an installation has all of it
under `/help/metrics`. `K` is a number up to 1,000. Metrics of whole lists (`map` without K,
`r_precision`, `mean_f1`) look at up to 1,000 items. A competition begins with the settings of a
[preset](#presets).

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


def metric_index() -> str:
    """All metrics by family, and what presets there are."""
    families: dict[str, list[MetricDefinitionOut]] = {}
    for entry in _in_order():
        families.setdefault(entry.about.family, []).append(entry)
    lines = [METRICS_HEAD]
    for family, entries in families.items():
        rows = [
            (f"[`{each.id}`](metrics/{each.name}.md)", each.about.title, _use(each), each.formula)
            for each in entries
        ]
        lines += ["", f"## {family}", "", *table(("id", "name", "better", "formula"), rows)]
    return "\n".join([*lines, *_presets()]) + "\n"


def _in_order() -> list[MetricDefinitionOut]:
    """The metrics in the order of their families."""
    found = {entry.name: entry for entry in reversed(metric_definitions())}
    return [found[name] for name in ABOUT if name in found]


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


def metric_pages() -> Mapping[str, Callable[[], str]]:
    """A writer for each page, by its place among the generated ones."""
    return {f"metrics/{name}": partial(_page, name) for name in ABOUT}


def _page(name: str) -> str:
    entry = next(each for each in metric_definitions() if each.name == name)
    about = entry.about
    parts: Mapping[str, Sequence[str]] = {
        "Formula": [f"```math\n{about.tex}\n```", "", f"In words: {entry.formula}.", about.symbols],
        f"Example: `{about.example.metric}`": _example(entry),
        "Unusual cases": _list(about.cases),
        "Value": list(_value(entry)),
        "Not the same": _list(about.relatives),
        "Used by": [f"- {each}" for each in about.used_by],
        "In libraries": list(
            table(("library", "name"), [(each.name, each.text) for each in about.elsewhere])
        ),
        "In the code": [_specification(entry.definition), "", f"Source: {entry.source}."],
    }
    lines = [f"# {about.title}", "", f"{_ids(entry)}. {about.definition}"]
    for title, texts in parts.items():
        if title == "In libraries" and not about.elsewhere:
            continue
        lines += ["", f"## {title}", "", *texts]
    return "\n".join([*lines, "", "[All metrics](../metrics.md)"]) + "\n"


def _ids(entry: MetricDefinitionOut) -> str:
    micro = f", `{entry.id}:micro`" if "micro" in entry.averages else ""
    return f"`{entry.id}`{micro}"


def _example(entry: MetricDefinitionOut) -> list[str]:
    example = entry.about.example
    steps = [f"{number}. {step}" for number, step in enumerate(example.steps, 1)]
    return [*_list(example.given), "", *steps]


def _list(texts: Sequence[NamedTextOut]) -> list[str]:
    return [f"- **{_linked(each.name)}:** {each.text}" for each in texts]


def _linked(name: str) -> str:
    return f"[`{name}`]({name}.md)" if name in ABOUT else name


def _value(entry: MetricDefinitionOut) -> Iterator[str]:
    about = entry.about
    facts = {
        "Range": about.value_range,
        "Average": about.average,
        "Standard error": about.standard_error,
        "Ranks teams": "yes" if entry.ranks else "no, a diagnostic",
        "Needs an item file with": ", ".join(entry.needs),
        "Presets": ", ".join(f"`{preset}`" for preset in entry.presets),
    }
    yield from (f"- **{name}:** {text}" for name, text in facts.items() if text)


def _specification(text: str) -> str:
    examples = r"(?:^>>> .*\n?(?:^(?!>>> |\n).+\n?)*)+"
    return re.sub(examples, lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text, flags=re.M)
