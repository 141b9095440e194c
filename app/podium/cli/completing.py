"""Shell completion of competitions, presets, metrics and stored logins; and the argument of most
commands that is completed.

What is unavailable right now, such as the competitions of an unreachable server, is left out
silently: the output belongs to the shell.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated

import typer

from podium.cli.configuration import PROFILE, configuration, profiles_folder, slug_of
from podium.cli.parameters.patience import seconds_of
from podium.errors import PodiumError

WAIT = "PODIUM_COMPLETION_SECONDS"
SECONDS = 2.0
"""Seconds that a key press in a shell may wait for a server, unless the variable `WAIT` is set."""

KS = (10, 20)
"""List lengths with which metrics are completed; others can be typed."""


def slugs(ctx: typer.Context, incomplete: str) -> list[str]:
    """Returns the slugs of competitions on the server where this person is signed in."""
    from podium.client import Podium

    if profile := ctx.find_root().params.get("profile"):
        os.environ[PROFILE] = str(profile)
    found: list[str] = []
    with suppress(PodiumError):
        here = configuration()
        if here.token:
            patience = seconds_of(WAIT, SECONDS)
            with Podium(here.url, here.token, timeout=patience) as podium:
                found = [each["slug"] for each in podium.competitions()]
    return _begun(incomplete, found)


ConfiguredSlug = Annotated[
    str | None,
    typer.Argument(
        help="The competition's slug, unless configured.", callback=slug_of, autocompletion=slugs
    ),
]


def presets(incomplete: str) -> list[str]:
    """Returns names of presets; if none fits, the shell completes files."""
    with suppress(ImportError, PodiumError):
        from podium.core.competition_settings.presets import PRESETS

        return _begun(incomplete, PRESETS)
    return []


def metrics(incomplete: str) -> list[str]:
    """Returns ranking metrics: of lists with the usual lengths, and of rows."""
    with suppress(ImportError, PodiumError):
        from podium.scoring.metrics import RANK_METRICS
        from podium.scoring.metrics.rows import ROW_METRICS

        by_k = {name: each.takes_k for name, each in RANK_METRICS.items()}
        ranking = [f"{name}@{k}" for name in by_k for k in KS if by_k[name] != "never"]
        whole = [name for name in by_k if by_k[name] != "always"]
        others = dict.fromkeys(key for known in ROW_METRICS.values() for key in known)
        return _begun(incomplete, [*ranking, *whole, *others])
    return []


def profiles(incomplete: str) -> list[str]:
    """Returns the names of stored logins."""
    return _begun(incomplete, sorted(each.stem for each in profiles_folder().glob("*.json")))


def _begun(incomplete: str, known: Iterable[str]) -> list[str]:
    return [each for each in known if each.startswith(incomplete)]
