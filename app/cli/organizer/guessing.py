"""The settings that a ground truth asks for, by its first rows: as the wizard and `podium score`
guess them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeGuard

from podium.cli.offline.beginnings import guess_at, head_of
from podium.errors import InvalidInput, NotConfigured

SETTINGS_OF = {
    "header-mismatch": ("id_column", "item_column", "labels_column"),
    "bad-id": ("query_ids",),
    "bad-label": ("item_ids",),
}
"""The settings that may be at fault where a ground truth has a problem of this code."""


def settings_guessed(truth: Path, told: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that fit the first rows of a ground truth; none where these do not tell. Raises
    `NotConfigured` for a file that holds none, and where the first row may be no header, unless
    the settings that were `told` name one of its columns."""
    guess = guess_at(head_of(truth))
    if guess.problem:
        raise NotConfigured(f"{truth}: {guess.problem}")
    if guess.question and "id_column" not in told:
        raise NotConfigured(
            f"{truth}: {guess.question} If it is the header, add --settings"
            f" {_quoted({**guess.settings, **told})}."
        )
    return dict(guess.settings)


def told_guess(truth: Path, settings: Mapping[str, Any]) -> str:
    """A sentence about the settings that were taken from the first rows."""
    if not settings:
        return f"{truth}: its first rows tell nothing of the settings; they are those of otto."
    shown = json.dumps(settings, ensure_ascii=False)
    told = f"{truth}: by its first rows the settings are {shown}."
    return f"{told} To change some, name them in --settings."


def is_about(failure: BaseException, truth: Path | None) -> TypeGuard[InvalidInput]:
    """True for the refusal of a ground truth that was sent."""
    return isinstance(failure, InvalidInput) and failure.facts.get("file") == str(truth)


def hint_at_settings(
    truth: Path, refusal: InvalidInput, *, by: str, told: Mapping[str, Any]
) -> str | None:
    """A sentence about the settings by which a refused ground truth may be taken; `by` says how
    they are given, together with those that were `told`. None where its problems are not about
    them."""
    codes = {problem["code"] for problem in refusal.problems}
    named = [name for code, names in SETTINGS_OF.items() if code in codes for name in names]
    if not named:
        return None
    found = f"If the file is right, these settings are not: {', '.join(named)}."
    try:
        guess = settings_guessed(truth, told)
    except NotConfigured:
        return found
    return f"{found} By its first rows: {by} {_quoted({**told, **guess})}." if guess else found


def _quoted(settings: Mapping[str, Any]) -> str:
    """Settings as one word of a shell."""
    return shlex.quote(json.dumps(settings, ensure_ascii=False))
