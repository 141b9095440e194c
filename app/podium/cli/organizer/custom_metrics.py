"""`podium metric`: versions of a custom metric on a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from podium.cli.configuration import connect_as_organizer
from podium.cli.legible import say_as_it_is
from podium.cli.organizer.acting import Slug
from podium.cli.outcome import Exit
from podium.cli.parameters.files import file_argument, file_option
from podium.cli.printing import AsJson, Columns, Timeout, print_outcome, print_rows
from podium.errors import PodiumError
from podium.errors.codes import ErrorCode

Version = Annotated[str, typer.Argument(help="The number of the version.")]

VERSIONS: Columns = (
    ("version", lambda row: row["version"] or "–"),
    ("status", lambda row: row["status"]),
    ("scores", lambda row: "yes" if row["in_force"] else ""),
    ("uploaded", lambda row: row["created_at"]),
    ("by", lambda row: row["created_by"]["name"]),
    ("sha256", lambda row: row["sha256"][:12]),
    ("note", lambda row: row["note"]),
)


def upload(
    slug: Slug,
    file: Annotated[Path, file_argument("A .py or a .zip.")],
    note: Annotated[str, typer.Option("--note", help="What is new, for other organizers.")] = "",
    timeout: Timeout = None,
    as_json: AsJson = False,
) -> None:
    """Check a custom metric in the sandbox and store it as the next version.

    The first version of a draft scores at once. A later one scores when the settings name it; after
    the launch by `podium rejudge`.

    Exit code 3, with every problem's line, if the file is rejected.
    """
    with connect_as_organizer() as organizer:
        try:
            version = organizer.upload_custom_metric(slug, file, note=note, timeout=timeout)
        except PodiumError as error:
            error.facts |= {
                "file": str(file),
                "is_file_rejected": error.code == ErrorCode.BAD_METRIC_FILE,
            }
            raise
    _print(version, as_json=as_json)


def list_versions(slug: Slug, as_json: AsJson = False) -> None:
    """List the versions of a competition's metric."""
    with connect_as_organizer() as organizer:
        print_rows(organizer.custom_metrics(slug), VERSIONS, as_json=as_json)


def show(
    slug: Slug,
    version: Version,
    source: Annotated[bool, typer.Option("--source", help="Print the source alone.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show one version of a competition's metric."""
    with connect_as_organizer() as organizer:
        if source:
            say_as_it_is(organizer.metric_source(slug, version).decode(errors="replace"))
            return
        found = organizer.custom_metric(slug, version)
    _print(found, as_json=as_json)


def diff(
    slug: Slug,
    earlier: Annotated[str, typer.Argument(help="The number of the earlier version.")],
    version: Version,
) -> None:
    """Compare two versions of a competition's metric, line by line."""
    with connect_as_organizer() as organizer:
        say_as_it_is(organizer.metric_difference(slug, version, earlier))


def trial(
    slug: Slug,
    version: Version,
    file: Annotated[Path | None, file_option("A small submission, not the sample.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run a version on the sample submission, against the ground truth; this does not count."""
    with connect_as_organizer() as organizer:
        tried = organizer.try_custom_metric(slug, version, file)
    runs = {split: tried[split] for split in ("public", "private") if tried[split]}
    facts = {split: _in_brief(run) for split, run in runs.items()}
    print_outcome(tried, facts, as_json=as_json)
    if any(run["outcome"] == "failed" for run in runs.values()):
        raise typer.Exit(Exit.REJECTED)


def _print(found: dict[str, Any], *, as_json: bool) -> None:
    arguments = [f"{each['name']}: {each['type']}" for each in found["arguments"]]
    facts = {
        "version": found["version"],
        "status": found["status"],
        "scores": "yes" if found["in_force"] else "no",
        "sha256": found["sha256"],
        "arguments": ", ".join(arguments) or "none",
        "doctests": found["doctests"],
        "note": found["note"],
    }
    print_outcome(found, facts, as_json=as_json)


def _in_brief(run: dict[str, Any]) -> str:
    """Describes a run in a line."""
    if run["outcome"] == "measured":
        return f"{run['score']} in {run['seconds']:.1f} s"
    if run["outcome"] == "refused":
        return f"refused: {run['text']}"
    place = "" if run["line"] is None else f"line {run['line']}: "
    return f"failed: {place}{run['report'].strip().rpartition(chr(10))[2]}"
