"""`podium prepare --upload`: the same preparation, done by the server for a draft."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.cli.configuration import connect_as_organizer
from podium.cli.organizer.acting import launched
from podium.cli.organizer.uploading import sending
from podium.cli.outcome import complain
from podium.cli.preparation.interaction_options import options_of
from podium.cli.preparation.keys import show_made
from podium.cli.printing import print_json
from podium.errors import NotConfigured

AT_HOME = ("to", "seed", "key_file", "force")
"""Options that only make sense where the files are written here."""

_SENT = (
    *("protocol", "pick", "count", "share", "days", "at", "min_train", "test_users"),
    *("cold_items", "threshold", "relevance", "duplicates", "min_user", "min_item"),
    *("user", "item", "rating", "time", "separator", "header", "time_unit"),
)


def upload(slug: str, file: Path, params: Mapping[str, Any], recipe: str) -> None:
    """Has the server prepare a file by the options of the command. Raises `NotConfigured` for those
    that it has no use for."""
    if recipe != "interactions":
        raise NotConfigured(f"`podium otto upload {slug}` sends raw sessions.")
    options, timeout = _options(params), params["timeout"]
    with connect_as_organizer() as organizer:
        with sending(organizer, file, quiet=params["as_json"]):
            version = organizer.upload_interactions(slug, file, timeout=timeout, **options)
        for warning in version["warnings"]:
            complain(f"{file}: {warning.rstrip('.')}.")
        if changed := version["preparation"]["settings"]:
            complain(f"Settings changed to fit the file: {', '.join(changed)}.")
        if params["launch"]:
            launched(organizer, slug, timeout, {file.name: version})
        names = [each["name"] for each in organizer.files(slug)]
    if params["as_json"]:
        print_json(version)
        return
    show_made({"files": names, **_facts(version)}, as_json=False)


def _options(params: Mapping[str, Any]) -> dict[str, Any]:
    """The options under the names of the API. Raises `NotConfigured`."""
    options_of(params)
    for name in AT_HOME:
        if params[name] is not None and params[name] is not False:
            told = f"--{name.replace('_', '-')}"
            raise NotConfigured(f"{told} does not go with --upload: the server keeps the files.")
    if params["protocol"] == "k-fold":
        raise NotConfigured("A competition has one training set: k-fold is for --to.")
    options = {name: params[name] for name in _SENT}
    options |= {"type": params["type_"], "format": params["written"]}
    return options | {"objectives": ",".join(params["objective"] or ())}


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
