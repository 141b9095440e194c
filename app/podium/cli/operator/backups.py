"""`podium backup` and `restore`: a whole installation, for operators."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from podium.bootstrap import build, try_storage
from podium.cli.operator.backup_scratch import scratch_folder
from podium.cli.operator.data_folder import require_data_folder, require_installation
from podium.cli.operator.environment import read_settings
from podium.cli.operator.failures import explained, of_database, require_schema
from podium.cli.operator.restore_remains import tidied
from podium.cli.outcome import Exit, complain
from podium.core.database.migrate import migrate
from podium.core.database.snapshots import is_empty
from podium.core.sizes import size_of
from podium.errors import NotConfigured, Unavailable
from podium.logs import configure_logs
from podium.operations.service import backups
from podium.operations.service.backup_checks import flaws_of, lost_before
from podium.operations.service.backup_records import record_backup
from podium.operations.service.backups import (
    back_up,
    begin_anew,
    find_backup,
    missing_bytes,
    moment_of,
    prune,
)
from podium.operations.service.transfers import load_rows
from podium.storage.shelf import make_shelf, open_shelf

if TYPE_CHECKING:
    from podium.application import Application
    from podium.operations.service.backups import Backup, RestoredFiles
    from podium.storage.shelf import Shelf

OCCUPIED = (
    "There is a database already: {}. Restore to an empty one: set PODIUM_DATA_DIR or"
    " PODIUM_DATABASE_URL to another place."
)

Place = Annotated[
    str, typer.Option(help="A folder, or a bucket as s3://bucket/prefix?endpoint=https://…")
]

Source = Annotated[
    str, typer.Option("--from", help="Place that `podium backup --to` has written to.")
]

At = Annotated[str | None, typer.Option(help="Name of the backup; by default the latest.")]


def backup(
    to: Place,
    keep: Annotated[
        int | None,
        typer.Option(min=1, help="Then remove all but this many of the latest backups."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Then check the whole backup, as `podium check-backup` does."),
    ] = False,
) -> None:
    """Copy the database and all files, while everything runs.

    A place may hold many backups, of which each adds only new files; make one at a time. A backup
    holds the ground truth, private scores and all submissions: keep it secret. Exit code 4 if a
    file was lost before, or is damaged in the backup.
    """
    settings = read_settings()
    configure_logs(json=settings.log_as_json)
    require_data_folder(settings)
    require_installation(settings)
    with (
        explained(settings),
        scratch_folder(settings) as scratch,
        closing(build(settings)) as application,
    ):
        require_schema(settings)
        _refuse_inside(to, settings.data_dir)
        _refuse_other_things(to)
        shelf = make_shelf(to, name="--to")
        made = back_up(application.database, application.storage, shelf=shelf, scratch=scratch)
        print(made.backup.name)
        complain(
            f"{len(made.backup.files)} files, of which {made.new_files} are new"
            f" ({size_of(made.new_bytes)})."
        )
        flaws = lost_before(made.backup)
        if check:
            flaws = flaws_of(shelf, made.backup, scratch=scratch)
        if not flaws:
            _record(application, made.backup, shelf)
        if keep is not None:
            _prune(shelf, keep)
    _end(made.backup, flaws, is_checked=check)


def _record(application: Application, made: Backup, shelf: Shelf) -> None:
    """Records a good backup, for the server and `podium doctor` to show. If the database accepts no
    rows, as on a full disk, the backup is still good."""
    from sqlalchemy.exc import DBAPIError

    place = shelf.place if "://" in shelf.place else str(Path(shelf.place).absolute())
    try:
        with application.database.write() as session:
            record_backup(session, name=made.name, place=place)
    except DBAPIError as failure:
        detail = of_database(failure, application.settings)
        complain(f"The backup is made, and could not be noted in the database. {detail}")


def check_backup(
    source: Source,
    at: At = None,
) -> None:
    """Check a backup where it lies: whether it could be restored. Changes nothing.

    Reads every file and compares it with its hash, checks the database, and looks for the files
    that the database names. Needs no installation; a copy of the database is made for a moment in
    the data folder, or where TMPDIR says. Exit code 4 if something is damaged, missing, or was lost
    before the backup.
    """
    settings = read_settings()
    configure_logs(json=settings.log_as_json)
    _require_place(source)
    shelf = open_shelf(source, name="--from")
    found = find_backup(shelf, name=at)
    with explained(settings), scratch_folder(settings, makes_data=False) as scratch:
        flaws = flaws_of(shelf, found, scratch=scratch)
    print(found.name)
    _end(found, flaws, is_checked=True)


check_backup.__name__ = "check-backup"


def _end(backup: Backup, flaws: Sequence[str], *, is_checked: bool) -> None:
    """Reports the flaws of a backup; the exit code shows scripts whether there are any."""
    for flaw in flaws:
        complain(flaw)
    if flaws:
        raise typer.Exit(Exit.SERVER)
    if is_checked:
        complain(
            f"Checked: the backup of {backup.made_at} is whole, with its database and"
            f" {len(backup.files)} files."
        )


def _refuse_inside(place: str, data_dir: Path) -> None:
    """Refuses a place inside of the data folder: such a backup would be lost with it."""
    if "://" not in place and Path(place).resolve().is_relative_to(data_dir.resolve()):
        raise NotConfigured(
            f"{place} lies in the data folder, and would be lost with it. Choose a place outside of"
            f" {data_dir}, best on another disk."
        )


def _refuse_other_things(place: str) -> None:
    """Refuses a folder of other files: the option names it by mistake, or the disk for backups is
    not mounted there."""
    if "://" in place or not Path(place).is_dir():
        return
    names = {path.name for path in Path(place).iterdir()} - {"lost+found"}
    if names and not any(moment_of(name) for name in names):
        raise NotConfigured(
            f"{place} holds other files ({min(names)}) and no backup. Name an empty or a new folder"
            " as --to."
        )


def _prune(shelf: Shelf, keep: int) -> None:
    from datetime import UTC, datetime

    pruned = prune(shelf, keep=keep, now=datetime.now(UTC))
    if pruned.backups or pruned.files:
        complain(f"Removed backups: {len(pruned.backups)}. Removed files: {pruned.files}.")
    if pruned.other is not None:
        complain(f"Another backup is being made ({pruned.other}): its files are left for now.")


def restore(
    source: Source,
    at: At = None,
    without_damaged: Annotated[
        bool,
        typer.Option("--without-damaged", help="Leave out files that are damaged in the backup."),
    ] = False,
) -> None:
    """Restore a backup into a new installation, whose database is empty or missing.

    A backup of SQLite may become PostgreSQL, and one of PostgreSQL by this version SQLite.
    An interrupted restore may be run again; files that are there are not copied again. Exit code 4
    if a file of the backup is damaged.
    """
    settings = read_settings()
    configure_logs(json=settings.log_as_json)
    require_data_folder(settings)
    with explained(settings):
        if not is_empty(settings.database):
            raise NotConfigured(OCCUPIED.format(settings.shown_database))
        _require_place(source)
        shelf = open_shelf(source, name="--from")
        # Before anything is created.
        found = backups.find_backup(shelf, name=at)
        with (
            tidied(settings) as remains,
            scratch_folder(settings) as scratch,
            closing(build(settings)) as application,
        ):
            # Before everything else: buckets that are created with their first object do not exist
            # yet.
            try_storage(settings)
            _require_room(application, shelf, found)
            application.storage.check()
            rows = backups.fetch_rows(shelf, found, scratch=scratch)
            backups.require_fitting(rows, found, is_sqlite=application.database.is_sqlite)
            remains.may_hold_files = True
            restored = backups.restore_files(
                application.storage, shelf=shelf, backup=found, without_damaged=without_damaged
            )
            url = application.settings.database
            converted = load_rows(rows, is_sqlite=found.is_sqlite, database_url=url)
            migrate(url)
            begin_anew(application.database)
    if converted is not None:
        complain(f"Converted {converted} rows of {found.database} for {settings.shown_database}.")
    _tell(found, restored)


def _require_room(application: Application, shelf: Shelf, found: Backup) -> None:
    """Raises `Unavailable` if the disk has no room for a backup: better now than hours later."""
    settings, free = application.settings, application.storage.free_bytes()
    if settings.storage_url or free is None:
        return
    needed = missing_bytes(application.storage, shelf=shelf, backup=found)
    if needed + settings.min_free_bytes > free:
        raise Unavailable(
            f"This backup needs {size_of(needed)} beside the {size_of(settings.min_free_bytes)}"
            " that stay free (PODIUM_MIN_FREE_BYTES), and the disk of"
            f" {settings.data_dir.absolute()} has {size_of(free)}. Free some space, name a folder"
            " on another disk as PODIUM_DATA_DIR, or lower PODIUM_MIN_FREE_BYTES."
        )


def _require_place(source: str) -> None:
    if "://" not in source and not Path(source).is_dir():
        raise NotConfigured(f"There is no backup in {source}: it is not a folder.")


def _tell(backup: Backup, restored: RestoredFiles) -> None:
    print(backup.name)
    count = len(backup.files) - len(restored.damaged)
    complain(f"Restored the rows of {backup.made_at} and {count} files ({restored.new_files} new).")
    for place in restored.damaged:
        complain(f"Damaged in the backup, and left out: {place}.")
    if restored.damaged:
        raise typer.Exit(Exit.SERVER)
