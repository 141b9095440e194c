"""Guesses settings from a ground truth: as the wizard does from its first rows, and like `podium
score` with a metric."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from podium.cli.offline.described import dataset_settings
from podium.cli.offline.inference.file_heads import head_of, texts_after
from podium.cli.offline.inference.tables import task_of_table
from podium.cli.offline.tasks import IDS
from podium.core.competition_settings import CompetitionSettings
from podium.errors import InvalidInput, NotConfigured
from podium.scoring.forms import plain_forms
from podium.scoring.inference.heads import guess_at, names_in
from podium.scoring.inference.kinds import kind_scored
from podium.scoring.inference.tables import settings_of
from podium.scoring.kinds import DEFAULT, kind_named, kind_of

COLUMNS = ("id_column", "item_column", "labels_column")

SETTINGS_OF = {
    "header-mismatch": COLUMNS,
    "bad-id": ("query_ids",),
    "bad-label": ("item_ids",),
}
"""The settings that may be at fault for problems of a ground truth, by code."""


def settings_guessed(
    truth: Path, explicit: Mapping[str, Any], metric: str | None = None, task: str | None = None
) -> dict[str, Any]:
    """Returns the settings that fit a ground truth, and its metric and kind of `task` if these are
    known: by the description beside it if it is in a prepared folder, else by its first rows; empty
    if these are inconclusive. Raises `NotConfigured` for a file without rows, and if the first row
    may not be a header, unless the `explicit` settings name one of its columns."""
    beside = dataset_settings(truth)
    if "id_column" in beside:
        return beside
    forms = _forms_in(explicit)
    guess = guess_at(head_of(truth, forms))
    kind = task or explicit.get("task")
    if guess.encoding:
        usual = plain_forms(guess.settings.get("query_ids"))
        taken = {"forms": [*(forms or usual), guess.encoding]}
        return {**settings_guessed(truth, {**explicit, **taken}, metric, task), **taken}
    if kind is None and metric is not None:
        kind = kind_scored(metric, guess.columns, guess.settings)
    meant = kind_named(str(kind))
    is_table = meant.has_table and metric is not None
    if guess.is_unreadable or (guess.problem and not is_table):
        raise NotConfigured(f"{truth}: {guess.problem}")
    settings = dict(guess.settings)
    if is_table and metric is not None:
        split = {name: value for name, value in settings.items() if name == "split"}
        of_table = task_of_table(truth, None, [metric], kind=meant.key, forms=forms)
        settings = settings_of(of_table) | split
    elif kind is not None:
        settings |= {"task": kind} if kind != settings.get("task", DEFAULT) else {}
    if guess.question and "id_column" not in explicit:
        raise NotConfigured(
            f"{truth}: {guess.question} If it is the header, add --settings"
            f" {_quoted({**settings, **explicit})}."
        )
    return {**settings, **beside, **texts_after(truth, settings)}


def _forms_in(settings: Mapping[str, Any]) -> list[str]:
    """Returns the forms in settings that nothing has checked yet."""
    forms = settings.get("forms")
    return forms if isinstance(forms, list) else []


def guess_message(truth: Path, settings: Mapping[str, Any]) -> str:
    """Returns a sentence about the settings that were taken from a ground truth, or from the
    description beside it."""
    if not settings:
        return f"{truth}: its first rows tell nothing of the settings; they are those of otto."
    shown = json.dumps(settings, ensure_ascii=False)
    source = "the dataset.json beside it" if dataset_settings(truth) else "its first rows"
    message = f"{truth}: by {source} the settings are {shown}."
    return f"{message} To change some, name them in --settings."


def hint_at_settings(
    truth: Path,
    refusal: InvalidInput,
    *,
    by: str,
    explicit: Mapping[str, Any],
    present: Mapping[str, Any],
) -> str | None:
    """Returns a sentence about settings by which a refused ground truth may be accepted, or None if
    its problems are not about settings; `by` says how they are given, together with the `explicit`
    ones. Columns of the settings that are `present` and that the file has are not suggested, nor is
    another kind of task for a file that has one of its own columns."""
    codes = {problem["code"] for problem in refusal.problems}
    columns = names_in(head_of(truth, _forms_in({**present, **explicit})))
    right = _right_columns(present, columns)
    named = [
        name
        for code, names in SETTINGS_OF.items()
        if code in codes
        for name in names
        if name not in right
    ]
    if not named:
        return None
    found = f"If the file is right, these settings are not: {', '.join(named)}."
    try:
        guess = settings_guessed(truth, explicit)
    except NotConfigured:
        return found
    is_other = guess.get("task", DEFAULT) != present.get("task", DEFAULT)
    usual = {name: CompetitionSettings.model_fields[name].default for name in COLUMNS}
    if is_other and any(present[name] != usual[name] for name in right):
        return found
    # The refused kinds were guessed: the other one accepts all ids.
    guess |= {name: "string" for name in IDS if name in named and name in guess}
    return f"{found} By its first rows: {by} {_quoted({**explicit, **guess})}." if guess else found


def _right_columns(present: Mapping[str, Any], columns: Collection[str]) -> set[str]:
    """Returns the settings of columns that a file with these columns agrees with. Lists are in a
    column of their own, or have an item in each row: a file needs one of the two."""
    right = {name for name in COLUMNS if present.get(name) in columns}
    of_lists = {"item_column", "labels_column"}
    if kind_of(present.get("task", DEFAULT)).has_lists and right & of_lists:
        right |= of_lists
    return right


def _quoted(settings: Mapping[str, Any]) -> str:
    """Quotes settings as one word for a shell."""
    return shlex.quote(json.dumps(settings, ensure_ascii=False))
