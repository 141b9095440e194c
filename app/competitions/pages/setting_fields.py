"""Converts the fields of the settings form to the API's document, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from podium.competitions.pages.setting_groups import FIELDS, GROUPS, Field, Group
from podium.http.pages.fields import SentForm, sent_time


def shown_values(document: Mapping[str, Any]) -> dict[str, Any]:
    """The initial values of the fields, of a document of texts and settings."""
    return {name: _shown(field, document.get(name), document) for name, field in FIELDS.items()}


def groups_for(*, is_launched: bool) -> Sequence[Group]:
    """The groups that a form may change."""
    return [group for group in GROUPS if not (is_launched and group.is_fixed)]


def document_of(form: SentForm, groups: Sequence[Group]) -> dict[str, Any]:
    """The document for the API. A value that cannot be parsed is passed on as it is, so that the
    API explains what is wrong with it."""
    return document_of_fields(form, [field for group in groups for field in group.fields])


def document_of_fields(form: SentForm, fields: Sequence[Field]) -> dict[str, Any]:
    """The same of single fields."""
    found = {
        field.name: _read(field, form)
        for field in fields
        if field.name in form.fields or field.kind == "tick"
    }
    if "objectives" in found:
        # An objective without a metric in its line has none of its own any more.
        found["objective_metrics"] = {}
    return found


def _shown(field: Field, value: Any, document: Mapping[str, Any]) -> Any:
    if value is None:
        return ""
    match field.kind:
        case "time":
            return str(value).removesuffix("Z")[:16]
        case "objectives":
            own = document.get("objective_metrics") or {}
            return "\n".join(
                " ".join(filter(None, (name, f"{weight:.15g}", metric_id(own.get(name)))))
                for name, weight in value.items()
            )
        case "metric":
            return metric_id(value)
        case "list":
            return " ".join(metric_id(each) for each in value)
        case "split":
            return value if isinstance(value, str) else f"{value['public_fraction']:.12g}"
    return value


def metric_id(metric: Any) -> str:
    """A metric as it is written; empty for none."""
    if not isinstance(metric, Mapping):
        return metric or ""
    if "full_id" in metric:
        return str(metric["full_id"])
    at_k = f"@{metric['k']}" if metric.get("k") else ""
    micro = ":micro" if metric.get("average") == "micro" else ""
    return f"{metric['name']}{at_k}{micro}"


def _read(field: Field, form: SentForm) -> Any:
    text = form.text(field.name).strip()
    match field.kind:
        case "tick":
            return form.is_ticked(field.name)
        case "number":
            return _number(text, whole=True) if text else None
        case "time":
            return sent_time(text)
        case "objectives":
            return dict(_objective(line) for line in text.splitlines() if line.strip())
        case "list":
            return text.replace(",", " ").split()
        case "split":
            return "usage" if text == "usage" else {"public_fraction": _number(text)}
    return text


def _number(text: str, *, whole: bool = False) -> Any:
    pattern = r"-?\d{1,18}" if whole else r"-?\d{1,18}(\.\d{1,18})?"
    if not re.fullmatch(pattern, text, re.ASCII):
        return text
    return int(text) if whole else float(text)


def _objective(line: str) -> tuple[str, Any]:
    name, *rest = line.replace(",", " ").split()
    weight = _number(rest[0]) if rest else 1
    if len(rest) < 2:
        return name, weight
    return name, {"weight": weight, "metric": " ".join(rest[1:])}
