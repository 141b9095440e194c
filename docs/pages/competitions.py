"""Settings of a competition, from where they are declared."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pydantic import BaseModel

from docs.pages.markdown import table
from podium.competitions.pages.setting_groups import ADDRESS, GROUPS, Field
from podium.competitions.schemas.competitions import NewCompetition
from podium.core.competition_settings import FREE_AFTER_LAUNCH, ONLY_BY_REJUDGING
from podium.core.competition_settings.choices import MetricChoice, SplitChoice
from podium.core.competition_settings.tables import CustomMetric, TableColumnChoice
from podium.core.competition_settings.texts import Texts
from podium.core.sizes import size_of

HEAD = """# Settings of a competition

They are the form on a competition's dashboard, the YAML or JSON of `podium settings` and
`podium create --settings`, and the members of the [API](api.md). The guide for
[organizers](../organizers.md#settings) shows them at work. A [preset](metrics.md#presets) replaces
some of the defaults. Times are UTC, as `2099-12-31T23:59:59Z`.
"""

PARTS: tuple[tuple[str, type[BaseModel]], ...] = (
    ("A metric", MetricChoice),
    ("A split", SplitChoice),
    ("A column of a table", TableColumnChoice),
    ("A custom metric", CustomMetric),
)
"""Settings that have members of their own."""


def competition_settings() -> str:
    """Every setting in the groups of the form, and those that have a page of their own."""
    groups = {group.title: group.fields for group in (ADDRESS, *GROUPS)}
    shown = {field.name for fields in groups.values() for field in fields}
    others = NewCompetition.model_fields.keys() - shown - {"preset"}
    groups["On pages of their own"] = tuple(map(Field, sorted(others)))
    lines = [HEAD]
    for title, fields in groups.items():
        rows = [
            (f"`{each.name}`", _default(each), _changes(each), each.words.description)
            for each in fields
        ]
        head = ("setting", "default", "changes after the launch", "meaning")
        lines += ["", f"## {title}", "", *table(head, rows)]
    for title, model in PARTS:
        lines += ["", f"## {title}", "", *_members(model)]
    return "\n".join(lines) + "\n"


def _members(model: type[BaseModel]) -> Iterator[str]:
    described = model.model_json_schema()
    described = described["anyOf"][1] if "anyOf" in described else described
    rows = [
        (f"`{name}`", _written(member.get("default"), name), member["description"])
        for name, member in described["properties"].items()
    ]
    return table(("member", "default", "meaning"), rows)


def _changes(field: Field) -> str:
    if field.name in ONLY_BY_REJUDGING:
        return "by a rejudging"
    is_free = field.name in FREE_AFTER_LAUNCH or field.name in Texts.model_fields.keys() - {"slug"}
    return "freely" if is_free else "never"


def _default(field: Field) -> str:
    if field.declared.is_required():
        return "required"
    default = field.declared.get_default(call_default_factory=True)
    if isinstance(default, MetricChoice):
        default = default.id
    if isinstance(default, SplitChoice):
        default = {"public_fraction": default.public_fraction}
    return _written(default, field.name)


def _written(value: object, name: str) -> str:
    if value is None or value in ("", (), [], {}):
        return "–"
    written = f"`{value if isinstance(value, str) else json.dumps(value, default=float)}`"
    if name.endswith("_bytes") and isinstance(value, int):
        return f"{written} ({size_of(value)})"
    return written
