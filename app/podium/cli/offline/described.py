"""Reads the scoring of a competition from a file that describes it: the document that `podium
competitions show SLUG --json` prints, or its organizer's settings as YAML; and the description in a
folder of `podium prepare`, so that it need not be given again."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from pydantic import ValidationError

from podium.cli.parameters.files import file_option
from podium.cli.sample_settings import ids_of
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import invalid_settings
from podium.errors import InvalidInput, NotConfigured
from podium.preparation.dataset import Dataset

SAMPLE = "sample_submission.csv"
"""The name of the sample in a prepared folder."""


def settings_in(file: Path) -> CompetitionSettings:
    """Reads the settings in a file; missing ones are those of the preset `otto`. Raises
    `NotConfigured`."""
    text = file.read_text(encoding="utf-8", errors="replace")
    try:
        document = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError):
        document = _yaml(text)
    if not isinstance(document, dict):
        raise NotConfigured(f"{file} describes no competition: it is not a JSON or YAML document.")
    # An organizer's document has the settings in a member of their own.
    document = document.get("settings", document)
    members = {
        name: document[name] for name in CompetitionSettings.model_fields if name in document
    }
    if not {"objectives", "metric"} & set(members):
        raise NotConfigured(f"{file} describes no competition: it has no objectives or metric.")
    for name in ("metric", "objective_metrics", "diagnostics"):
        if name in members:
            members[name] = ids_of(members[name])
    if members.get("metric", ...) is None:
        # If objectives have metrics of their own, they share none.
        del members["metric"]
    try:
        return CompetitionSettings.model_validate(members)
    except ValidationError as error:
        refusal: InvalidInput = invalid_settings(error)
        raise NotConfigured(f"{file}: {refusal.detail}") from None


def _yaml(text: str) -> object:
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError):
        return None


def labels_in(given: Path | None) -> Path | None:
    """Returns the file of labels of a prepared folder; any other path as it is. Raises
    `InvalidInput`."""
    if given is None or not given.is_dir():
        return given

    return given / Dataset.read(given).labels


def objectives_beside(truth: Path) -> list[str]:
    """Returns the predicted types, if a ground truth is in a prepared folder with types; else
    none."""
    dataset = _dataset_beside(truth)
    is_its_own = dataset is not None and dataset.labels == truth.name
    if dataset is None or not is_its_own or "" in dataset.objectives:
        return []
    return sorted(dataset.objectives)


def dataset_settings(file: Path) -> dict[str, Any]:
    """Returns the settings that a prepared folder contains about one of its files, so that they
    need not be guessed: the kinds of ids, and the columns of its labels. Empty for any other
    file."""
    dataset = _dataset_beside(file)
    if dataset is None or file.name not in (dataset.labels, dataset.published, SAMPLE):
        return {}
    columns = {"query_ids": dataset.user, "item_ids": dataset.item}
    kinds = {name: dataset.kinds.get(column) for name, column in columns.items()}
    id_kinds = {name: kind for name, kind in kinds.items() if kind in ("integer", "string")}
    if file.name != dataset.labels or "" not in dataset.objectives or not id_kinds:
        return id_kinds
    return {"id_column": "user", "item_column": "item", "objectives": {"items": 1}, **id_kinds}


def _dataset_beside(file: Path) -> Dataset | None:

    try:
        return Dataset.read(file.parent)
    except InvalidInput:
        return None


_TRUTH = typer.Option(
    exists=True,
    callback=labels_in,
    help="The ground truth, or the folder that `podium prepare` has made.",
)

IdsFile = Annotated[
    Path | None,
    file_option(
        "The ids that a submission answers, or a sample submission, where some of them have no"
        " labels; else those of the ground truth.",
        "--published-ids",
        "--sample",
    ),
]

TruthFile = Annotated[Path, _TRUTH]
PerhapsTruthFile = Annotated[Path | None, _TRUTH]
