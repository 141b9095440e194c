"""`podium prepare --upload`: the same preparation, by the server for a draft."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.cli.preparation.interaction_options import HomeOptions, PlaceOptions, RuleOptions
from podium.cli.preparation.showing import figures_of, prepared_there
from podium.errors import NotConfigured
from podium.preparation.options import OPTIONS

if TYPE_CHECKING:
    from podium.client import Organizer


def upload(
    file: Path,
    place: PlaceOptions,
    recipe: str,
    rules: RuleOptions,
    home: HomeOptions,
    *,
    as_json: bool,
) -> None:
    """Lets the server prepare a file with the options of the command. Raises `NotConfigured` for
    those that it does not support."""
    slug = place.upload
    assert slug is not None, "the caller has asked for it"
    if recipe != "interactions":
        raise NotConfigured(f"`podium otto upload {slug}` sends raw sessions.")
    options = _options(rules, {"to": place.to, **vars(home)})

    def send(organizer: Organizer) -> dict[str, Any]:
        return organizer.upload_interactions(slug, file, timeout=place.timeout, **options)

    launch, timeout = place.launch, place.timeout
    prepared_there(slug, file, send, figures_of, launch=launch, timeout=timeout, as_json=as_json)


def _options(rules: RuleOptions, home: Mapping[str, object]) -> dict[str, Any]:
    """Returns the rules under the names of the API. Raises `NotConfigured`, also for options about
    files that are written `home`."""
    _ = rules.options
    for name, value in home.items():
        if value is not None and value is not False:
            option = f"--{name.replace('_', '-')}"
            raise NotConfigured(f"{option} does not go with --upload: the server keeps the files.")
    if rules.hiding.protocol == "k-fold":
        raise NotConfigured("A competition has one training set: k-fold is for --to.")
    given = {**vars(rules.hiding), **vars(rules.keeping), **vars(rules.reading)}
    del given["folds"]
    options = {name: given.get(option.field) for name, option in OPTIONS.items()}
    return options | {"objectives": ",".join(rules.objectives or ()), "format": rules.format}
