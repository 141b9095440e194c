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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium import DOCUMENTATION
from podium.cli.configuration import write_private
from podium.cli.extras import Extra, require
from podium.cli.operator.demo import clicks, homes, movies, sessions
from podium.cli.operator.demo.sending import NEWCOMER, wait_for_verdicts
from podium.cli.operator.environment import read_settings
from podium.cli.operator.serving import run
from podium.cli.outcome import complain
from podium.client import Organizer, Podium
from podium.errors import NotConfigured
from podium.sandbox.children import ChildSandbox

if TYPE_CHECKING:
    from podium.sandbox.custom_code import CustomMetrics
    from podium.settings import Settings

NOTES = "demo.json"
"""The notes of a demo for its next run; written last, so that they mark a complete demo."""

MARK = ".podium-demo"
"""Marks a folder as created by this command, which may recreate it."""


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
    """Create five small competitions with boards, explain how to submit to one, and serve them."""
    folder = folder.absolute()
    notes = prepare(folder)
    admin_token = notes.admin_token if notes else secrets.token_urlsafe(32)
    outcome: list[Exception | None] = []
    settings = _settings(folder, admin_token, host)

    def tell(address: str) -> None:
        try:
            _present(address, notes, settings, folder)
            outcome.append(None)
        except Exception as error:  # noqa: BLE001 - it is raised where the command ends
            outcome.append(error)
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


def _settings(folder: Path, admin_token: str, host: str) -> Settings:
    """Returns the settings of the demo, which never uses a database or a store from the
    environment."""
    from pydantic import SecretStr

    settings = read_settings(
        data_dir=folder,
        database_url="",
        storage_url="",
        admin_token=SecretStr(admin_token),
        min_free_bytes=64 << 20,
    )
    chosen: dict[str, Any] = {"custom_metrics": _custom_metrics(settings)}
    if host in ("127.0.0.1", "localhost", "::1"):
        # Anyone who can reach it is at this machine anyway, and can see everything.
        chosen["weak_sandbox"] = True
    return settings.model_copy(update=chosen)


def _custom_metrics(settings: Settings) -> CustomMetrics:
    """Returns the setting of custom metrics: on if this machine can isolate them, unless the
    environment says otherwise; if they cannot run, reports why, and what the demo lacks."""
    is_chosen = "custom_metrics" in settings.model_fields_set
    allowed = settings.custom_metrics if is_chosen else "on"
    try:
        require(Extra.METRICS, "A metric of its own")
        refusal = ChildSandbox(custom_metrics=allowed).custom_metrics_refusal()
    except NotConfigured as lacking:
        refusal = str(lacking)
    if refusal is None:
        return allowed
    complain(f"The demo leaves {homes.SLUG} out. {refusal}")
    return "off"


def _present(address: str, notes: Notes | None, settings: Settings, folder: Path) -> None:
    """Fills the installation unless that was done, and introduces it."""
    has_homes = settings.custom_metrics != "off"
    if notes is None:
        notes = _fill(address, settings.given_admin_token or "", folder, has_homes=has_homes)
    elif has_homes:
        _add_homes(address, notes.admin_token, notes.participant_token, folder)
    _introduce(address, notes, has_homes=has_homes)


def prepare(folder: Path) -> Notes | None:
    """Returns the notes of a complete demo in this folder; else empties the folder, and returns
    None."""
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


def _fill(address: str, admin_token: str, folder: Path, *, has_homes: bool) -> Notes:
    """Creates the competitions, the teams and their submissions, all over HTTP."""
    files = folder / "files"
    with Organizer(address, admin_token) as organizer:
        participant_token = organizer.create_user("ada")["token"]
        with Podium(address, participant_token) as ada, ThreadPoolExecutor(1) as beside:
            if has_homes:
                # In parallel with the others, because its launch tries the metric, which takes
                # long.
                added = beside.submit(_add_homes, address, admin_token, participant_token, folder)
            example, sent = sessions.running(organizer, address, ada, files)
            sessions.finished(organizer, address, ada, files / "finished")
            sent += movies.movies(organizer, address, ada, files / "movies")
            sent += clicks.clicks(organizer, address, ada, files / "clicks")
            wait_for_verdicts(organizer, sent)
            if has_homes:
                added.result()
    notes = Notes(admin_token, participant_token, str(example))
    write_private(folder / NOTES, json.dumps(asdict(notes)))
    return notes


def _add_homes(address: str, admin_token: str, participant_token: str, folder: Path) -> None:
    """Creates the competition with a custom metric, which demos of earlier versions lack."""
    with Organizer(address, admin_token) as organizer, Podium(address, participant_token) as ada:
        phases = {each["slug"]: each["phase"] for each in organizer.competitions()}
        if phases.get(homes.SLUG) == "draft":
            # An earlier run was interrupted.
            organizer.delete_competition(homes.SLUG)
        elif homes.SLUG in phases:
            return
        wait_for_verdicts(organizer, homes.homes(organizer, address, ada, folder / "files/homes"))


def _introduce(address: str, notes: Notes, *, has_homes: bool) -> None:
    """Prints the addresses, the tokens and the lines to type."""
    example = Path(notes.example)
    print(
        f"""
Podium answers.

{_boards(f"{address}/competitions", has_homes=has_homes)}
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


def _boards(address: str, *, has_homes: bool) -> str:
    """Returns lines with an address for each competition."""
    last = f"\n  homes          {address}/{homes.SLUG}   (a table, with a metric of its own)"
    return f"""\
  leaderboard    {address}/{sessions.RUNNING}/leaderboard
  final ranking  {address}/{sessions.FINISHED}/finale
  next movies    {address}/{movies.SLUG}   (users × items)
  clicks         {address}/{clicks.SLUG}   (scored pairs){last if has_homes else ""}"""


def _podium() -> str:
    """Returns the command as it can be called from here: in a fresh clone it is not on the path."""
    return "podium" if shutil.which("podium") else str(Path(sys.executable).parent / "podium")
