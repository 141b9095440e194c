"""`podium competitions`: competitions, their rules and their files."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.completing import ConfiguredSlug
from podium.cli.configuration import competition_named, connect
from podium.cli.outcome import complain, print_if_interrupted
from podium.cli.printing import (
    AsCsv,
    AsJson,
    Columns,
    Quiet,
    bar,
    members,
    print_facts,
    print_json,
    print_rows,
    shown,
)
from podium.cli.sample_settings import settings_beside, write_settings
from podium.cli.written import Force, failing_as, fetched, refuse_other
from podium.client.bodies import sha256_of
from podium.core.sizes import size_of
from podium.errors import NotFound
from podium.errors.codes import ErrorCode
from podium.scoring.kinds import kind_named
from podium.scoring.names import header_of

if TYPE_CHECKING:
    from podium.client import Podium

SAMPLE = "sample_submission.csv"

STOPPED = "Stopped. Run the same command again: the download resumes from here."

COMPETITIONS: Columns = (
    ("competition", lambda row: row["slug"]),
    *members("title", "phase"),
    ("ends", lambda row: end_of(row)),
)
FILES: Columns = (
    ("name", lambda row: row["name"]),
    ("size", lambda row: None if row["bytes"] is None else size_of(row["bytes"])),
    ("sha256", lambda row: row["sha256"]),
)
FILES_AS_CSV: Columns = (FILES[0], ("bytes", lambda row: row["bytes"]), FILES[2])
"""The same columns for programs."""


def end_of(found: dict[str, Any]) -> str | None:
    """Returns the time at which submissions end: the earlier one if organizers have closed the
    competition."""
    moment: str | None = found.get("closed_at") or found.get("ends_at")
    return moment


def list_competitions(as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """List the competitions that you may see."""
    with connect() as podium:
        rows = podium.competitions()
        print_rows(rows, COMPETITIONS, as_json=as_json, as_csv=as_csv, below=("title",))


def show(slug: ConfiguredSlug = None, as_json: AsJson = False) -> None:
    """Show one competition: its metric, its dates and its limits."""
    with connect() as podium:
        found = podium.competition(competition_named(slug))
    if as_json:
        print_json(found)
        return
    print_facts({name: value for name, value in _facts(found).items() if value is not None})
    if found["description"]:
        print(f"\n{_lines(found['description'])}")


def list_files(slug: ConfiguredSlug = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """List the files of a competition, with sizes and hashes.

    The server creates the sample submission when it is downloaded, so it has neither here.
    """
    with connect() as podium:
        name = competition_named(slug)
        files = podium.files(name)
        is_taken = any(each["name"] == SAMPLE for each in files)
        if not is_taken and podium.competition(name)["counts"]["published_ids"]:
            files.append({"name": SAMPLE, "bytes": None, "sha256": None})
        columns = FILES_AS_CSV if as_csv else FILES
        print_rows(files, columns, as_json=as_json, as_csv=as_csv, below=("sha256",))


def download(
    slug: ConfiguredSlug = None,
    file: Annotated[
        str | None, typer.Option("-f", "--file", help="Download only this file.")
    ] = None,
    path: Annotated[Path, typer.Option("-p", "--path", help="Folder to save to.")] = Path(),
    force: Force = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Download the files of a competition and its sample submission.

    The settings that `podium validate` needs are in a file beside the sample.

    Every file is verified by its hash. Files that you have are not downloaded again, and
    interrupted downloads resume. Existing files with other content are not overwritten, unless
    --force is given.
    """
    name = competition_named(slug)
    path.mkdir(parents=True, exist_ok=True)
    with print_if_interrupted(STOPPED), connect() as podium:
        listed = [each for each in podium.files(name) if file in (None, each["name"])]
        is_sample_wanted = file in (None, SAMPLE) and SAMPLE not in {
            each["name"] for each in listed
        }
        if file is not None and not (listed or is_sample_wanted):
            raise NotFound(
                f"The competition {name} has no file {shown(file)}. `podium competitions files"
                f" {name}` lists its files."
            )
        for each in listed:
            refuse_other(_place(each, path), size=each["bytes"], sha256=each["sha256"], force=force)
        written = [_fetched(podium, name, each, path, quiet=quiet) for each in listed]
        if is_sample_wanted:
            with fetched(path / SAMPLE, force=force) as fresh:
                podium.sample_submission(name, fresh)
            settings = settings_beside(path / SAMPLE)
            with fetched(settings, force=force) as fresh:
                write_settings(podium.competition(name), fresh)
            written += [path / SAMPLE, settings]
    if as_json:
        print_json(
            [
                {"path": str(to), "bytes": to.stat().st_size, "sha256": sha256_of(to)}
                for to in written
            ]
        )
        return
    for to in written:
        print(to)


def rules(
    slug: ConfiguredSlug = None,
    accept: Annotated[bool, typer.Option("--accept", help="Accept them as they are now.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read the rules of a competition, or accept them."""
    name = competition_named(slug)
    with connect() as podium:
        try:
            found = podium.rules(name)
        except NotFound as refusal:
            if not accept or refusal.code != ErrorCode.NO_RULES:
                raise
            complain(refusal.detail)
            return
        if accept:
            found = podium.accept_rules(name, found["sha256"])
    if as_json:
        print_json(found)
        return
    print(_lines(found["text"]))
    accepted = found["accepted_at"]
    complain(f"Accepted at {accepted}." if accepted else "You have not accepted them.")


def _place(listed: dict[str, Any], folder: Path) -> Path:
    # The server chooses the name: only its last part may choose a place on this machine.
    return folder / Path(listed["name"]).name


def _fetched(
    podium: Podium, slug: str, listed: dict[str, Any], folder: Path, *, quiet: bool
) -> Path:
    to = _place(listed, folder)
    with failing_as(to), bar(to.name, quiet=quiet) as moved:
        podium.download_file(slug, listed["name"], to, on_progress=moved)
    return to


def _facts(found: dict[str, Any]) -> dict[str, Any]:
    limit, total = found["daily_limit"], found["total_limit"]
    return {
        "competition": found["slug"],
        "title": found["title"],
        "phase": found["phase"],
        "starts": found["starts_at"],
        "ended" if found["phase"] in ("closed", "revealed") else "ends": end_of(found),
        "metric": found["metric"]["full_id"] if found["metric"] else None,
        "weights": " ".join(f"{name}={value}" for name, value in found["objectives"].items()),
        "columns": header_of(submitted_columns(found)),
        "submissions": f"{limit} a day" + (f", {total} in all" if total else ""),
        "finals": found["final_selections"],
        "team size": found["team_size"],
        _units(found): found["counts"]["sessions"],
        "teams": found["counts"]["teams"],
    }


def submitted_columns(found: dict[str, Any]) -> list[str]:
    """Returns the columns of a submission."""
    return list(kind_named(found["task"]).columns(_described(found)))


def _units(found: dict[str, Any]) -> str:
    kind = kind_named(found["task"])
    return "sessions" if kind.has_lists else kind.unit(_described(found))[1]


def _described(found: dict[str, Any]) -> SimpleNamespace:
    """Returns the competition in the form that kinds of tasks expect."""
    names, labels = tuple(found["objectives"]), (found["labels_column"],)
    return SimpleNamespace(
        **{"context_column": "", "unit": "user"} | found,
        number_columns=names if len(names) > 1 else labels,
        described_columns=tuple(each["name"] for each in found.get("table_columns", ())),
    )


def _lines(text: str) -> str:
    """Returns other people's text in which only line ends affect the terminal."""
    return "\n".join(shown(line) for line in text.splitlines())
