"""Turns failures of operators' commands into one sentence each: databases and files that are not as
the settings say. Everything else is a bug, and stays visible as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.operator.data_folder import about_other_database, complaint_about_what_is_there
from podium.core.database.schema import ForeignTablesError, schema_at
from podium.errors import NotConfigured, Unavailable

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError

    from podium.settings import Settings


UNKNOWN_REVISION = "Can't locate revision"
"""Words of alembic about a database with a migration that is unknown here."""

SHOWN_TABLES = 3
"""Tables of another program that are listed; their number shows how much there is."""


@contextmanager
def explained(settings: Settings) -> Iterator[None]:
    """Raises `Unavailable` for a database that cannot be used, and `NotConfigured` for one of a
    newer version or of another program, and for files that cannot be written."""
    from alembic.util import CommandError
    from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError

    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        # Subclasses of the first one mean that a statement is wrong.
        if type(error) not in (DatabaseError, InterfaceError, OperationalError):
            raise
        raise Unavailable(of_database(error, settings)) from error
    except CommandError as error:
        if UNKNOWN_REVISION not in str(error):
            raise
        raise NotConfigured(of_newer(_line(error), settings)) from error
    except ForeignTablesError as error:
        raise NotConfigured(of_foreign(error.tables, settings)) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise
        path = Path(str(error.filename))
        if complaint := complaint_about_what_is_there(path, settings):
            raise NotConfigured(complaint) from error
        raise NotConfigured(f"{path}: {error.strerror}. {_remedy(path, settings)}") from error


def of_database(error: DBAPIError, settings: Settings) -> str:
    """Returns a sentence with the database, the reason, and a remedy."""
    because = _line(error.orig or error).removeprefix("connection failed: ")
    if "malformed" in because:
        return (
            f"The database {settings.shown_database} is damaged: {because}. Restore a backup into"
            " another place with `podium restore`."
        )
    named = "PODIUM_DATABASE_URL" if settings.database_url else "PODIUM_DATA_DIR"
    if "is full" in because or "No space left" in because:
        return (
            f"The database {settings.shown_database} cannot be written: {because}."
            f" Free some space there, or name another place as {named}."
        )
    if "not a database" in because:
        named += ", or restore a backup into another place with `podium restore`"
    return (
        f"The database {settings.shown_database} cannot be used: {because}."
        f" See that it is there, or correct {named}."
    )


def schema_complaint(settings: Settings) -> str | None:
    """Returns a sentence with the reason why this version cannot work with the database as it is,
    and a remedy; None if it can."""
    schema = schema_at(settings.database)
    if schema.is_current:
        return None
    if schema.is_foreign:
        return of_foreign(schema.tables, settings)
    if schema.unknown_steps:
        return of_newer(f"{UNKNOWN_REVISION} {', '.join(schema.unknown_steps)}", settings)
    if not schema.tables and (complaint := about_other_database(settings)):
        return complaint
    return "The database is not at this version. Run `podium migrate` first."


def require_schema(settings: Settings) -> None:
    """Raises `NotConfigured` if the database is not at this version."""
    if complaint := schema_complaint(settings):
        raise NotConfigured(complaint)


def of_newer(because: str, settings: Settings) -> str:
    """Returns a sentence about a database that a newer version has upgraded."""
    return (
        f"The database {settings.shown_database} is not one of this version of Podium:"
        f" {because}. Install the version that it was last used with, or a newer one."
    )


def of_foreign(tables: Sequence[str], settings: Settings) -> str:
    """Returns a sentence about a database of another program, with some of its `tables`."""
    named = ", ".join(tables[:SHOWN_TABLES])
    more = len(tables) - SHOWN_TABLES
    held = f"{named} and {more} more" if more > 0 else named
    remedy = "Name an empty one as PODIUM_DATABASE_URL"
    if not settings.database_url:
        remedy = "Name another folder as PODIUM_DATA_DIR, or a database as PODIUM_DATABASE_URL"
    return (
        f"The database {settings.shown_database} belongs to another program: it holds tables"
        f" ({held}), and none of them is Podium's. {remedy}."
    )


def _line(error: BaseException) -> str:
    """Returns the first line of an error's text, without the period."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")


def _remedy(path: Path, settings: Settings) -> str:
    file = settings.database_file
    if settings.database_url and file is not None and file.parent in (path, path.parent):
        return "Name another place as PODIUM_DATABASE_URL."
    if path.absolute().is_relative_to(settings.data_dir.absolute()):
        return "Name another folder as PODIUM_DATA_DIR."
    return "Give us access to it."
