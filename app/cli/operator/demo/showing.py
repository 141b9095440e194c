"""`podium demo`: a running installation with competitions and a file to submit."""

from __future__ import annotations

import json
import logging
import os
import secrets
import shutil
import signal
import sys
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from podium import DOCUMENTATION
from podium.cli.operator.demo import clicks, movies, sessions
from podium.cli.operator.demo.sending import NEWCOMER, wait_for_verdicts
from podium.cli.operator.environment import read_settings
from podium.cli.outcome import complain
from podium.errors import NotConfigured, PodiumError

if TYPE_CHECKING:
    from podium.settings import Settings

NOTES = "demo.json"
"""The notes of a demo for its second run; written last, so that they stand for a complete demo."""

MARK = ".podium-demo"
"""Says that a folder was made by this command, and may be made anew by it."""


@dataclass(frozen=True)
class Notes:
    """The accounts and the file that the demo prints."""

    admin_token: str
    participant_token: str
    example: str


def demo(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 8000,
    folder: Annotated[Path, typer.Option("--data-dir", help="Data folder of the demo.")] = Path(
        "podium-data/demo"
    ),
    leave: Annotated[
        bool,
        typer.Option("--exit", help="Exit when the boards are complete, instead of serving on."),
    ] = False,
) -> None:
    """Create four small competitions with boards, say how to submit to one, and serve them."""
    from podium.cli.operator.serving import run

    folder = folder.absolute()
    notes = prepare(folder)
    admin_token = notes.admin_token if notes else secrets.token_urlsafe(32)
    outcome: list[PodiumError | None] = []
    settings = _settings(folder, admin_token)
    if _is_this_machine(host):
        # A user who can reach it is at this machine anyway, and sees what there is to see.
        settings = settings.model_copy(update={"weak_sandbox": True})

    def tell(address: str) -> None:
        outcome.append(_present(address, notes, admin_token, folder))
        if leave or outcome[0] is not None:
            os.kill(os.getpid(), signal.SIGTERM)

    run(
        settings,
        host=host,
        port=port,
        with_worker=True,
        log_level=logging.WARNING,
        on_ready=lambda address, _: threading.Thread(target=tell, args=[address]).start(),
    )
    if outcome and outcome[0] is not None:
        raise outcome[0]


def _settings(folder: Path, admin_token: str) -> Settings:
    """The demo is on its own: a database or a store that the environment names is not touched."""
    from pydantic import SecretStr

    return read_settings(
        data_dir=folder,
        database_url="",
        storage_url="",
        admin_token=SecretStr(admin_token),
        min_free_bytes=64 << 20,
    )


def _is_this_machine(host: str) -> bool:
    return host in ("127.0.0.1", "localhost", "::1")


def _present(
    address: str, notes: Notes | None, admin_token: str, folder: Path
) -> PodiumError | None:
    """Fills the installation unless it is, and introduces it; what went wrong is returned."""
    try:
        _introduce(address, notes or _fill(address, admin_token, folder))
    except PodiumError as error:
        return error
    return None


def prepare(folder: Path) -> Notes | None:
    """The notes of a complete demo in this folder; else an empty folder, and None."""
    notes = folder / NOTES
    if notes.is_file():
        return Notes(**json.loads(notes.read_text()))
    if folder.exists() and any(folder.iterdir()):
        if not (folder / MARK).exists():
            raise NotConfigured(f"{folder} holds something else. Choose another --data-dir.")
        complain("The last demo was interrupted; making it anew.")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    return None


def _fill(address: str, admin_token: str, folder: Path) -> Notes:
    """Makes the competitions, the teams and their submissions, all over HTTP."""
    from podium.client import Organizer, Podium

    files = folder / "files"
    with Organizer(address, admin_token) as organizer:
        participant_token = organizer.create_user("ada")["token"]
        with Podium(address, participant_token) as ada:
            example, sent = sessions.running(organizer, address, ada, files)
            sessions.finished(organizer, address, ada, files / "finished")
            sent += movies.movies(organizer, address, ada, files / "movies")
            sent += clicks.clicks(organizer, address, ada, files / "clicks")
            wait_for_verdicts(organizer, sent)
    notes = Notes(admin_token, participant_token, str(example))
    _write_private(folder / NOTES, json.dumps(asdict(notes)))
    return notes


def _introduce(address: str, notes: Notes) -> None:
    """Prints the addresses, the tokens and the lines to type."""
    example = Path(notes.example)
    print(
        f"""
Podium answers.

{_boards(f"{address}/competitions")}
  sign in        {address}/sign-in   (with one of these tokens)
  API            {address}/docs
  documentation  {DOCUMENTATION}
  administrator  {notes.admin_token}
  participant    {notes.participant_token}   (team “{NEWCOMER}”)

Submit the prepared file, with curl:

  curl -H "Authorization: Bearer {notes.participant_token}" \\
       --data-binary @{example} \\
       "{address}/api/v1/competitions/{sessions.RUNNING}/submissions?filename={example.name}"

or with podium:

  export PODIUM_URL={address} PODIUM_TOKEN={notes.participant_token}
  {_podium()} submit {sessions.RUNNING} -f {example} -m "my first submission"

Its score, its rank and its receipt are on {address}/competitions/{sessions.RUNNING}/submissions

Score it without a server:

  {_podium()} score {example} --truth {example.parent / "test_labels.jsonl"}

Ctrl-C ends the demo; the next one goes on with the same boards.
""",
        flush=True,
    )


def _boards(address: str) -> str:
    """Lines with an address for each competition."""
    return f"""\
  leaderboard    {address}/{sessions.RUNNING}/leaderboard
  final ranking  {address}/{sessions.FINISHED}/finale
  next movies    {address}/{movies.SLUG}   (users × items)
  clicks         {address}/{clicks.SLUG}   (scored pairs)"""


def _podium() -> str:
    """The command as it can be called from here: in a fresh clone it is not in the path."""
    return "podium" if shutil.which("podium") else str(Path(sys.executable).parent / "podium")


def _write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as sink:
        sink.write(text)
