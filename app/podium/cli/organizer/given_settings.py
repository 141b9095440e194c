"""`podium settings`, and options that take settings: JSON, or a file of JSON or YAML."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from podium.cli.advice import not_organized
from podium.cli.configuration import connect_as_organizer
from podium.cli.organizer.acting import Slug
from podium.cli.outcome import complain
from podium.cli.printing import print_json
from podium.cli.written import Force, fetched
from podium.errors import InvalidInput, NotConfigured

SETTINGS_HELP = "JSON object, or a file of JSON or YAML."

TEXTS = (
    "title",
    "summary",
    "image",
    "description",
    "rules",
    "starts_at",
    "ends_at",
    "visibility",
)
"""Members of a competition that can be set like settings."""

EXAMPLE = '{"daily_limit": 3}'


def settings(
    slug: Slug,
    change: Annotated[
        str | None,
        typer.Option(metavar="JSON|FILE", help=f"Settings to change; others stay. {SETTINGS_HELP}"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", dir_okay=False, help="YAML file to write them to, with texts."),
    ] = None,
    force: Force = False,
) -> None:
    """Show the texts, dates and settings of a competition, change some, or write them to a file.

    With --change, only the changed ones are shown.

    podium create SLUG --settings FILE creates the same competition from the file.
    """
    with connect_as_organizer() as organizer:
        changed = settings_given(change, "--change")
        if changed:
            before = organizer.competition(slug)["phase"] if "ends_at" in changed else None
            after = organizer.change_competition(slug, changed)
            if before not in (None, "closed") and after["phase"] == "closed":
                complain("The competition is closed now: ends_at lies in the past.")
            slug = str(after["slug"])
        if out is not None:
            with fetched(out, force=force) as fresh:
                organizer.settings_file(slug, fresh)
            complain(f"Wrote {out}.")
            return
        described = organizer.competition(slug)
    if refusal := not_organized(described):
        raise refusal
    shown = {**{name: described[name] for name in TEXTS}, **described["settings"]}
    if changed:
        settable = {"slug": described["slug"], **shown}
        shown = {name: value for name, value in settable.items() if name in changed}
    print_json(shown)


def settings_given(given: str | None, option: str = "--settings") -> dict[str, Any] | None:
    """Returns the settings in the text or the file that an option names. Raises `NotConfigured` for
    anything else."""
    if given is None:
        return None
    if given.lstrip()[:1] in ("{", "["):
        return _object_in(given, option)
    text = _content(Path(given), option)
    if find_spec("yaml") is None:
        return _object_in(text, given)
    from podium.http.streaming import yaml_text

    try:
        return yaml_text.read(text)
    except InvalidInput as error:
        raise NotConfigured(f"{given}: {error}") from error


def _object_in(text: str, name: str) -> dict[str, Any]:
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise NotConfigured(f"{name} is not JSON: {error}.") from error
    if not isinstance(parsed, dict):
        raise NotConfigured(f"{name} is not a JSON object, such as {EXAMPLE}.")
    return parsed


def _content(path: Path, option: str) -> str:
    if not path.is_file():
        raise NotConfigured(
            f"There is no file {path}. {option} takes one, or a JSON object, such as '{EXAMPLE}'."
        )
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise NotConfigured(f"{path} is not text.") from error
