"""`podium export`, `import` and `archive`: a competition as a file, for operators. They use the
installation's database and files directly, whether it runs or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from podium.accounts.service.accounts import first_administrator
from podium.archives.rendering import served_documents, site_files
from podium.archives.service.exporting import export_pieces, site_of
from podium.archives.service.people import People
from podium.archives.service.restoring import import_archive
from podium.bootstrap import build
from podium.cli.operator.data_folder import require_installation
from podium.cli.operator.environment import read_settings
from podium.cli.operator.failures import explained, require_schema
from podium.cli.outcome import complain
from podium.core.access import Actor
from podium.core.sizes import size_of
from podium.errors import InvalidInput, NotConfigured

if TYPE_CHECKING:
    from podium.application import Application

ELSEWHERE = (
    "This command works on the server's machine, with its data folder. From anywhere else use the"
    " page *Archive* of the competition's dashboard."
)
"""Ends the refusal if there is no installation: organizers try these commands with the address of a
server."""


def export(
    slug: Annotated[str, typer.Argument(help="The competition's slug.")],
    to: Annotated[Path, typer.Option(help="File to write; it must not exist.")],
    full: Annotated[
        bool,
        typer.Option("--full", help="Include ground truth, key and files, for `podium import`."),
    ] = False,
) -> None:
    """Write a competition to one ZIP file: settings, teams, submissions, receipts and boards.

    It works on the server's machine, with its data folder (PODIUM_DATA_DIR). From anywhere else,
    organizers download the same file on the page *Archive* of the competition's dashboard.
    """
    with _installation() as (application, actor):
        pieces = export_pieces(
            application, actor=actor, slug=slug, with_secrets=full, documents=served_documents
        )
        with _new_file(to) as path, path.open("wb") as sink:
            for piece in pieces:
                sink.write(piece)
    complain(f"Wrote {to} ({size_of(to.stat().st_size)}).")
    if full:
        complain("It holds the ground truth: keep it as secret as that.")


def import_(
    archive: Annotated[
        Path, typer.Argument(help="Archive that `podium export --full` has written.")
    ],
    slug: Annotated[str | None, typer.Option(help="Slug, instead of the archive's.")] = None,
    people: Annotated[
        str,
        typer.Option(help="If names are taken here: refuse, same (person) or suffix."),
    ] = "refuse",
    trust_metric: Annotated[
        bool,
        typer.Option("--trust-metric", help="Trust the code of the metric that it may bring."),
    ] = False,
) -> None:
    """Restore a competition from a full archive.

    It works on the server's machine, with its data folder (PODIUM_DATA_DIR). From anywhere else,
    the administrator restores it on the page /server/import.
    """
    if people not in tuple(People):
        raise InvalidInput(f"--people is one of {', '.join(People)}.")
    if not archive.is_file():
        raise NotConfigured(f"There is no file {archive}.")
    with _installation() as (application, actor):
        restored = import_archive(
            application,
            actor=actor,
            path=archive,
            slug=slug,
            people=People(people),
            trust_metric=trust_metric,
        )
    print(restored.slug)
    complain(f"Restored {restored.rows['submissions']} submissions of {restored.slug}.")


import_.__name__ = "import"


def archive(
    slug: Annotated[str, typer.Argument(help="The competition's slug; it must be revealed.")],
    to: Annotated[Path, typer.Option(help="Folder to create; it must not exist.")],
) -> None:
    """Write a finished competition as static pages.

    It works on the server's machine, with its data folder (PODIUM_DATA_DIR). From anywhere else,
    organizers download them on the page *Archive* of the competition's dashboard.
    """
    with _installation() as (application, actor):
        files = list(site_of(application, actor=actor, slug=slug, files=site_files))
    try:
        to.mkdir(parents=True)
    except OSError as failure:
        why = "it exists already" if isinstance(failure, FileExistsError) else failure.strerror
        raise NotConfigured(f"Cannot make the folder {to}: {why}. Name another.") from failure
    for name, content in files:
        path = to / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    complain(f"Open {to / 'index.html'} in a browser.")


@contextmanager
def _installation() -> Iterator[tuple[Application, Actor]]:
    """Yields the installation that the environment names, and its administrator, as whom we act."""
    settings = read_settings()
    try:
        require_installation(settings)
    except NotConfigured as missing:
        raise NotConfigured(f"{missing.detail} {ELSEWHERE}") from missing
    with explained(settings), closing(build(settings)) as application:
        require_schema(settings)
        with application.database.read() as session:
            user = first_administrator(session)
        if user is None:
            raise NotConfigured("This installation was never started. Run `podium serve` once.")
        yield application, Actor(user.id, user.name, is_administrator=True)


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """Yields a file that no other user can read; it appears under its name only once it is
    complete."""
    if path.exists():
        raise NotConfigured(f"{path} exists already.")
    partial = path.with_name(f"{path.name}.part")
    try:
        partial.touch(mode=0o600)
        yield partial
        partial.rename(path)
    except OSError as failure:
        raise NotConfigured(f"Cannot write {path}: {failure}.") from failure
    finally:
        partial.unlink(missing_ok=True)
