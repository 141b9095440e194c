"""`podium prepare --upload`: the same preparation, done by the server for a draft."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.cli.configuration import connect_as_organizer
from podium.cli.organizer.acting import launched
from podium.cli.organizer.uploading import sending
from podium.cli.outcome import complain
from podium.cli.preparation.interaction_options import HomeOptions, PlaceOptions, RuleOptions
from podium.cli.preparation.showing import show_made
from podium.cli.printing import print_json
from podium.errors import NotConfigured


def upload(
    file: Path,
    place: PlaceOptions,
    recipe: str,
    rules: RuleOptions,
    home: HomeOptions,
    *,
    as_json: bool,
) -> None:
    """Has the server prepare a file by the options of the command. Raises `NotConfigured` for those
    that it has no use for."""
    slug = place.upload
    assert slug is not None, "the caller has asked for it"
    if recipe != "interactions":
        raise NotConfigured(f"`podium otto upload {slug}` sends raw sessions.")
    options = _options(rules, {"to": place.to, **vars(home)})
    with connect_as_organizer() as organizer:
        with sending(organizer, file, quiet=as_json):
            version = organizer.upload_interactions(slug, file, timeout=place.timeout, **options)
        for warning in version["warnings"]:
            complain(f"{file}: {warning.rstrip('.')}.")
        if changed := version["preparation"]["settings"]:
            complain(f"Settings changed to fit the file: {', '.join(changed)}.")
        if place.launch:
            launched(organizer, slug, place.timeout, {file.name: version})
        names = [each["name"] for each in organizer.files(slug)]
    if as_json:
        print_json(version)
        return
    show_made({"files": names, **_facts(version)}, as_json=False)


def _options(rules: RuleOptions, home: Mapping[str, object]) -> dict[str, Any]:
    """The rules under the names of the API. Raises `NotConfigured`, also for what goes with files
    that are written `home`."""
    _ = rules.options
    for name, value in home.items():
        if value is not None and value is not False:
            told = f"--{name.replace('_', '-')}"
            raise NotConfigured(f"{told} does not go with --upload: the server keeps the files.")
    if rules.hiding.protocol == "k-fold":
        raise NotConfigured("A competition has one training set: k-fold is for --to.")
    options = {**vars(rules.hiding), **vars(rules.keeping), **vars(rules.reading)}
    del options["folds"]
    options["time"] = options.pop("timestamp")
    options["objectives"] = ",".join(options["objectives"] or ())
    return options | {"format": rules.written}


def _facts(version: Mapping[str, Any]) -> dict[str, Any]:
    made = version["preparation"]
    return {
        "interactions": made["raw"]["interactions"],
        **{f"dropped_{name}": count for name, count in made["dropped"].items() if count},
        "train": made["train"]["interactions"],
        "test_users": made["labels"]["users"],
        "labels": made["labels"]["labels"],
        "ground_truth": version["version"],
    }
