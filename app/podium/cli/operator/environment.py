"""Reads the settings from the environment, and reports each wrong one in a line: the variable, its
value, and what to set it to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from podium.cli.operator.described_settings import described_settings
from podium.errors import NotConfigured
from podium.errors.spelling import nearest
from podium.former_settings import NAMES, advice
from podium.logs import configure_logs, get_logger
from podium.settings import Settings

if TYPE_CHECKING:
    from pydantic import ValidationError


CLIENT = frozenset(
    f"PODIUM_{name}"
    for name in (
        *("URL", "TOKEN", "COMPETITION", "PROFILE", "HISTORY", "TRUTH_CACHE_MIB"),
        *("SLOW_SECONDS", "COMPLETION_SECONDS"),
    )
)
"""Variables of the other commands."""

COMPOSE = frozenset(
    f"PODIUM_{name}"
    for name in (
        *("BACKUPS", "IMAGE", "PORT", "PROXY_PORT", "SITE", "SUBNET"),
        *("DATABASE_PASSWORD", "STORAGE_KEY", "STORAGE_KEY_ID"),
    )
)
"""Variables of `docker-compose.yml`, which are beside the settings in its file `.env`."""

OF_ORCHESTRATORS = re.compile(r"PODIUM_(\w+_)?(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP))(_\w+)?")
"""Variables that Kubernetes, and links of Docker, set for a service called podium."""

LIKENESS = 0.75
"""The similarity (0 to 1) from which on an unknown name counts as a misspelled one."""

COMMENTED = re.compile(r"\s#")
"""The beginning of a comment in a shell; for systemd and `docker run` a part of the value."""

OF_NO_SETTING = "No setting has this name: `podium serve --help` lists all."

BEFORE_THE_HOST = re.compile(r"(?<=://).*@")


def read_settings(**given: Any) -> Settings:
    """Reads the settings of the environment; those that are `given` take precedence.

    Raises `NotConfigured` for wrong values and for names that look misspelled. Logs names that
    resemble no setting, since they may be the operator's own, and former names.
    """
    from pydantic import ValidationError

    if commented := [*_commented(os.environ)]:
        raise NotConfigured("\n".join(commented))
    misspelt, foreign = _unknown(os.environ)
    wrong = [f"There is no setting {name}. Did you mean {near}?" for name, near in misspelt.items()]
    try:
        settings = Settings(**given)
    except ValidationError as error:
        wrong += _complaints_of(error)
    if wrong:
        raise NotConfigured("\n".join(wrong))
    if foreign:
        _warn(settings, "setting.unknown", detail=OF_NO_SETTING, names=foreign)
    for sentence in advice(os.environ):
        _warn(settings, "setting.renamed", detail=sentence)
    return settings


def _commented(environment: Mapping[str, str]) -> Iterator[str]:
    """Yields complaints about settings with a comment in them; none shows the value, which may be
    secret."""
    settings = {f"PODIUM_{name.upper()}" for name in Settings.model_fields}
    for name in sorted(environment):
        if name.upper() in settings and COMMENTED.search(environment[name]):
            yield (
                f"{name} contains ' #': a comment after a value is part of it. Write the comment on"
                " a line of its own."
            )


def _unknown(environment: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Returns misspelled names with the closest right ones, and names that resemble no setting."""
    settings = {f"PODIUM_{name.upper()}" for name in Settings.model_fields}
    known = settings | CLIENT | COMPOSE | NAMES.keys()
    misspelt, foreign = {}, []
    for name in sorted(environment):
        if not name.upper().startswith("PODIUM_") or name.upper() in known:
            continue
        if OF_ORCHESTRATORS.fullmatch(name.upper()):
            continue
        # All names have this prefix, so it is not counted as similarity.
        rest = {each.removeprefix("PODIUM_"): each for each in sorted(settings)}
        near = nearest(name.upper().removeprefix("PODIUM_"), rest, likeness=LIKENESS)
        if near is not None:
            misspelt[name] = rest[near]
        else:
            foreign.append(name)
    return misspelt, foreign


def _warn(settings: Settings, event: str, **facts: Any) -> None:
    configure_logs(json=settings.log_as_json)
    get_logger("settings").warning(event, **facts)


def _complaints_of(error: ValidationError) -> Iterator[str]:

    described = {each.variable: each for each in described_settings()}
    for one in error.errors(include_url=False):
        setting = described[f"PODIUM_{str(one['loc'][0]).upper()}"]
        cause = one.get("ctx", {}).get("error")
        takes = str(cause) if isinstance(cause, ValueError) else setting.takes
        held = "" if setting.is_secret else f" is {_held(setting.variable, one['input'])}"
        yield f"{setting.variable}{held}: set it to {takes}."


def _held(variable: str, value: object) -> str:
    """Returns a variable's text, or the value made from it, without the name and the password that
    an address may contain."""
    return repr(BEFORE_THE_HOST.sub("…@", os.environ.get(variable, str(value))))
