"""Prints the outcome of a preparation, here or on a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.cli.configuration import connect_as_organizer
from podium.cli.legible import say
from podium.cli.organizer.acting import launched
from podium.cli.organizer.uploading import sending
from podium.cli.outcome import complain
from podium.cli.printing import print_facts, print_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from podium.client import Organizer


def prepared_there(
    slug: str,
    file: Path,
    send: Callable[[Organizer], dict[str, Any]],
    figures: Callable[[Mapping[str, Any]], dict[str, Any]],
    *,
    launch: bool,
    timeout: float | None,
    as_json: bool,
) -> None:
    """Lets a server prepare a file for a draft, and prints the outcome: the files, and `figures` of
    its report."""
    with connect_as_organizer() as organizer:
        with sending(organizer, file, quiet=as_json):
            version = send(organizer)
        for warning in version["warnings"]:
            complain(f"{file}: {warning.rstrip('.')}.")
        preparation = version["preparation"]
        if changed := preparation.get("settings"):
            complain(f"Settings changed to fit the file: {', '.join(changed)}.")
        if launch:
            launched(organizer, slug, timeout, {file.name: version})
        names = [each["name"] for each in organizer.files(slug)]
    if as_json:
        print_json(version)
        return
    facts = {"files": names, **figures(preparation), "ground_truth": version["version"]}
    show_made(facts, as_json=False)


def figures_of(report: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the main figures of a report about interactions."""
    parts = report.get("folds") or [report]
    dropped = {f"dropped_{name}": count for name, count in report["dropped"].items() if count}
    return {
        "interactions": report["raw"]["interactions"],
        **dropped,
        "train": [part["train"]["interactions"] for part in parts][-1],
        "test_users": [part["labels"]["users"] for part in parts][-1],
        "labels": sum(part["labels"]["labels"] for part in parts),
    }


def show_made(facts: dict[str, Any], *, as_json: bool) -> None:
    """Prints the files and then the other facts."""
    if as_json:
        print_json(facts)
        return
    for path in facts.pop("files"):
        say(str(path))
    if facts:
        print_facts(facts)
