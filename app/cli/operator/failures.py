"""Turns what an operator's commands can fail of into one sentence: databases and files that are not
as the settings say. Everything else is a bug, and stays visible as one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from podium.errors import NotConfigured, Unavailable

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError

    from podium.settings import Settings


UNKNOWN_REVISION = "Can't locate revision"
"""Words of alembic for a database that has seen a step that is not known here."""


@contextmanager
def explained(settings: Settings) -> Iterator[None]:
    """Raises `Unavailable` for a database that cannot be used, and `NotConfigured` for one of a
    newer version and for files that cannot be written."""
    from alembic.util import CommandError
    from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError

    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        # Subclasses of the first one say that a statement is wrong.
        if type(error) not in (DatabaseError, InterfaceError, OperationalError):
            raise
        raise Unavailable(of_database(error, settings)) from error
    except CommandError as error:
        if UNKNOWN_REVISION not in str(error):
            raise
        raise NotConfigured(
            f"The database {settings.shown_database} is not one of this version of Podium:"
            f" {_line(error)}. Install the version that it was last used with, or a newer one."
        ) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            raise
        path = Path(str(error.filename))
        raise NotConfigured(f"{path}: {error.strerror}. {_remedy(path, settings)}") from error


def of_database(error: DBAPIError, settings: Settings) -> str:
    """A sentence that names the database, the reason, and a way out."""
    because = _line(error.orig or error).removeprefix("connection failed: ")
    named = "PODIUM_DATABASE_URL" if settings.database_url else "PODIUM_DATA_DIR"
    return (
        f"The database {settings.shown_database} cannot be used: {because}."
        f" See that it is there, or correct {named}."
    )


def _line(error: BaseException) -> str:
    """The first line of an error's text, without the full stop."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")


def _remedy(path: Path, settings: Settings) -> str:
    file = settings.database_file
    if settings.database_url and file is not None and file.parent in (path, path.parent):
        return "Name another place as PODIUM_DATABASE_URL."
    if path.absolute().is_relative_to(settings.data_dir.absolute()):
        return "Name another folder as PODIUM_DATA_DIR."
    return "Give us access to it."
