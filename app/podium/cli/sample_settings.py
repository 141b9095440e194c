"""The settings that checking a submission needs, in a file beside the sample submission: contents
of rows, types of ids, number of items. The sample itself contains none of that."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CHECKED = (
    "task",
    "objectives",
    "metric",
    "objective_metrics",
    "diagnostics",
    "id_column",
    "item_column",
    "labels_column",
    "query_ids",
    "item_ids",
    "missing_rows",
    "submission_duplicates",
    "forms",
    "context_column",
    "context_ids",
    "table_columns",
    "objective_columns",
    "max_expanded_bytes",
)
"""Members of a competition's document that affect how a file is checked."""


def settings_beside(sample: Path) -> Path:
    """Returns the path of the settings beside a sample submission.

    >>> str(settings_beside(Path("data/sample_submission.csv.gz")))
    'data/sample_submission.settings.json'
    """
    name = re.sub(r"(\.(csv|parquet))?(\.(gz|zst|zip))?$", "", sample.name)
    return sample.with_name(f"{name}.settings.json")


def write_settings(competition: Mapping[str, Any], to: Path) -> None:
    """Writes the members of a competition's document that checking needs; they change no more often
    than its rules."""
    checked = {name: ids_of(competition[name]) for name in CHECKED if name in competition}
    known = {name: value for name, value in checked.items() if value is not None}
    to.write_text(json.dumps(known, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def ids_of(value: Any) -> Any:  # noqa: ANN401 - any part of a document
    """Replaces metrics by their ids."""
    if isinstance(value, Mapping):
        return value.get("full_id") or {name: ids_of(one) for name, one in value.items()}
    return [ids_of(one) for one in value] if isinstance(value, list) else value
