"""`podium serve`, `worker` and `migrate`: the processes of an installation."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.accounts.authentication.oidc import Provider
from podium.accounts.authentication.sign_up import sign_up_mode
from podium.accounts.rules import require_sound_tokens
from podium.accounts.service.bootstrap import ensure_administrator
from podium.bootstrap import build, mailer_of, memory_complaint, try_storage
from podium.cli.operator.data_folder import (
    complaint_about_room,
    refuse_lost_database,
    require_data_folder,
    require_database,
    require_files,
)
from podium.cli.operator.environment import read_settings
from podium.cli.operator.failures import explained, require_schema
from podium.cli.operator.private_files import close_to_others
from podium.cli.outcome import complain
from podium.core.database.migrate import migrate as migrate_database
from podium.errors import NotConfigured
from podium.logs import configure_logs, get_logger, take_over_libraries
from podium.sandbox.isolation.own_user import READS_EVERYTHING
from podium.sandbox.isolation.restrictions import in_words, missing_from
from podium.scoring.kernel.library import MISSING, kernel
from podium.worker.cleanup import sweep_until_stopping
from podium.worker.service import start
from podium.worker.shutdown import exit_for_certain, wait_until

if TYPE_CHECKING:
    import uvicorn

    from podium.application import Application
    from podium.settings import Settings
    from podium.worker.service import Service

GRACE_SECONDS = 20
"""Seconds that requests may go on after the order to stop, while the judgings are handed back."""

SWITCH_SECONDS = 0.0005
"""Seconds after which a thread that computes lets another one compute. A transaction asks for that
after each of its statements: with ten times as many, Python's own choice, it takes three times as
long while the event loop reads bodies, and holds up all other writers for so long."""


TICK_SECONDS = 1.0
"""Seconds between two ticks of the server, each of which renews the date of its answers."""


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8000,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Don't judge; `podium worker` does.")
    ] = False,
) -> None:
    """Run the server: migrate the database, answer requests, judge submissions."""
    given = os.environ.get("PODIUM_PORT", "")
    if given.isdigit() and int(given) != port:
        complain(
            f"PODIUM_PORT is for the compose file alone: this server listens on port {port}."
            f" --port {given} chooses another one."
        )
    settings = read_settings()
    announce = partial(_announce, public=settings.base_url)
    run(settings, host=host, port=port, with_worker=not no_worker, on_ready=announce)


def worker() -> None:
    """Judge submissions, without answering requests. Any number of workers may run."""
    settings = read_settings()
    configure_logs(json=settings.log_as_json)
    take_over_libraries()
    require_data_folder(settings)
    with explained(settings), closing(build(settings)) as application:
        require_database(settings)
        require_schema(settings)
        try_storage(settings)
        require_files(application)
        close_to_others(settings)
        _look_at_room(application)
        _look_at_memory(settings, application)
        if not _may_judge(application):
            raise NotConfigured(application.sandbox.refusal() or "")
        _judge(application, lambda: None)


def migrate() -> None:
    """Create the database, or upgrade it to this version."""
    settings = read_settings()
    configure_logs(json=settings.log_as_json)
    file = settings.database_file
    if file is not None:
        require_data_folder(settings)
    is_new = file is not None and not file.exists()
    with explained(settings), closing(build(settings)) as application:
        refuse_lost_database(application)
        migrate_database(settings.database)
        close_to_others(settings)
    if is_new:
        complain(f"Made a new database: {file}")
    print("The database is up to date.")


MAX_DESCRIPTORS = 1 << 16
"""More connections and files than one process ever serves."""


def run(
    settings: Settings,
    *,
    host: str,
    port: int,
    with_worker: bool,
    on_ready: Callable[[str, str | None], Any],
    log_level: int = logging.INFO,
) -> None:
    """Serves until SIGTERM or SIGINT; then lets requests end and hands judgings back, within 30 s.

    Calls `on_ready(address, token)` once requests are answered; `token` is the administrator's if
    it was made just now. Raises `NotConfigured` when the port cannot be had.
    """
    given = settings.given_admin_token
    # Before anything is made, because the administrator's token is shown once only.
    _require_sound_settings(settings)
    configure_logs(json=settings.log_as_json, level=log_level)
    take_over_libraries()
    require_data_folder(settings)
    _take_descriptors()
    with (
        _bound(host, port) as listener,
        explained(settings),
        closing(build(settings)) as application,
    ):
        # Before anything is made, too, as the token would be.
        try_storage(settings)
        refuse_lost_database(application)
        migrate_database(settings.database)
        require_files(application)
        close_to_others(settings)
        _look_at_room(application)
        with_worker &= _may_judge(application)
        with application.database.write() as session:
            token = ensure_administrator(session, token=given)
        if with_worker:
            _look_at_memory(settings, application)
        address = f"http://{_shown(host)}:{listener.getsockname()[1]}"
        _serve(application, listener, with_worker, lambda: on_ready(address, token))


def _require_sound_settings(settings: Settings) -> None:
    """Raises `NotConfigured` for settings that say too little, or contradict each other."""
    Provider.of(settings)
    sign_up_mode(settings)
    mailer_of(settings)
    require_sound_tokens(
        administrator=settings.given_admin_token, metrics=settings.given_metrics_token
    )


def _look_at_room(application: Application) -> None:
    """Says where so little is free that uploads are refused."""
    if complaint := complaint_about_room(application):
        get_logger("storage").warning("storage.runs-short", detail=complaint)


def _look_at_memory(settings: Settings, application: Application) -> None:
    """Says where the judgings that are wanted do not fit into the memory that is there."""
    slots = application.settings.judging_slots
    if slots < settings.judging_slots:
        # Each file has its memory for certain; more at a time would have the kernel kill some.
        get_logger("memory").warning("slots.reduced", slots=slots, wanted=settings.judging_slots)
    if complaint := memory_complaint(settings):
        get_logger("memory").warning("memory.runs-short", detail=complaint)


def _take_descriptors() -> None:
    """Raises the limit of open files: the default of 1,024 could be used up by two addresses."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _may_judge(application: Application) -> bool:
    """Tells the log what this machine lacks to isolate judging; answers whether it judges."""
    if kernel() is None:
        get_logger("judging").warning("reader.uncompiled", detail=MISSING)
    log = get_logger("sandbox")
    refusal = application.sandbox.refusal()
    isolation = application.sandbox.describe()
    missing = missing_from(isolation)
    if refusal is not None:
        log.error("sandbox.refused", missing=sorted(missing), detail=refusal)
    elif missing:
        detail = f"Hostile files are not isolated on this machine: {in_words(missing)}."
        log.warning("sandbox.weak", missing=sorted(missing), detail=detail)
    elif READS_EVERYTHING in isolation.get("privileges", ""):
        log.warning("sandbox.lesser", detail=f"Privileges of children: {isolation['privileges']}.")
    _tell_of_metrics(application, sorted(missing))
    return refusal is None


def _tell_of_metrics(application: Application, missing: list[str]) -> None:
    """Tells the log that metrics of organizers are on, and do not run or are not isolated."""
    if application.settings.custom_metrics == "off":
        return
    log = get_logger("sandbox")
    if (refusal := application.sandbox.custom_metrics_refusal()) is not None:
        log.error("metrics.refused", missing=missing, detail=refusal)
    elif missing:
        log.warning(
            "metrics.weak", missing=missing, detail="Metrics of organizers run without isolation."
        )


def _judge(application: Application, on_ready: Callable[[], Any]) -> None:

    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    service = start(application)
    on_ready()
    wait_until(stopped)
    exit_for_certain()
    service.stop()


def _serve(
    application: Application,
    listener: socket.socket,
    with_worker: bool,
    on_ready: Callable[[], Any],
) -> None:

    server = _server(application, on_ready)
    sys.setswitchinterval(SWITCH_SECONDS)
    # The server handles signals while it runs, and raises the one that ended it once more for the
    # handler before. That is us: judgings under way are still to be handed back.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, server.handle_exit)
    handing_back = None
    if with_worker:
        handing_back = threading.Thread(
            target=_hand_back, args=[application, start(application)], name="handing-back"
        )
        handing_back.start()
    else:
        sweep_until_stopping(application)
    try:
        server.run(sockets=[listener])
    except OSError as failure:
        if failure.errno != errno.EADDRINUSE:
            raise
        # Another process took the port meanwhile, which two may have before one listens.
        raise NotConfigured(_why_not_bound(failure, "this port")) from failure
    finally:
        application.is_stopping.set()
        if handing_back is not None:
            handing_back.join()


def _server(application: Application, on_ready: Callable[[], Any]) -> uvicorn.Server:
    """A server that says when it answers, and lets everybody know when it has to leave."""
    import uvicorn

    class Server(uvicorn.Server):
        _loop: asyncio.AbstractEventLoop | None = None

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            self._loop, self._is_over = asyncio.get_running_loop(), asyncio.Event()
            await super().startup(sockets)
            on_ready()

        async def main_loop(self) -> None:
            # The server's own looks ten times a second whether it has to leave.
            while not await self.on_tick(0):
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._is_over.wait(), TICK_SECONDS)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if not application.is_stopping.is_set():
                application.is_stopping.set()
                exit_for_certain()
            super().handle_exit(sig, frame)
            # Signals also come before it runs, and after that.
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._is_over.set)

    return Server(_server_settings(application))


def _hand_back(application: Application, service: Service) -> None:
    # While requests end, not after that: together they have half a minute.
    application.is_stopping.wait()
    service.stop()


def _server_settings(application: Application) -> uvicorn.Config:
    """One process that says nothing of itself and writes no log but ours."""
    import uvicorn

    from podium.http.middleware.connections import protocol_for
    from podium.main import create_app

    settings = application.settings
    return uvicorn.Config(
        create_app(application),
        http=protocol_for(
            unread_seconds=settings.unread_answer_seconds,
            connections_per_address=settings.connections_per_address,
            trusted_proxies=settings.proxy_networks,
        ),
        loop="uvloop",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        # Ours are believed from the proxies that the operator names, and from no other client.
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _bound(host: str, port: int) -> socket.socket:
    """A socket with this address. It begins to listen with the server: until then clients are told
    that the server is not there."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if listener.family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    # A port whose last connections are not forgotten yet can be had.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as failure:
        listener.close()
        raise NotConfigured(_why_not_bound(failure, f"{_shown(host)}:{port}")) from failure
    return listener


def _why_not_bound(failure: OSError, address: str) -> str:
    if failure.errno == errno.EADDRINUSE:
        told = f"another process uses this port. Stop it, or choose another port with {_option()}."
    elif failure.errno == errno.EACCES:
        told = "only root may use ports this low. Choose one above 1023 with --port."
    elif isinstance(failure, socket.gaierror):
        told = "there is no such name. Give --host an address of this machine, or a name of one."
    elif failure.errno == errno.EADDRNOTAVAIL:
        told = "no network interface of this machine has this address. Give --host one that it has."
    else:
        told = f"{failure.strerror}. Give another --host or --port."
    return f"Cannot listen on {address}: {told}"


def _option() -> str:
    """The way to name a port: to the command, or to `make`, which tells its children its depth."""
    return "PORT, as in `make demo PORT=8001`" if "MAKELEVEL" in os.environ else "--port"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _announce(address: str, token: str | None, *, public: str) -> None:
    if token is not None:
        print(f"Administrator token (shown only this once): {token}", flush=True)
    print(f"Podium answers at {address}", flush=True)
    if public:
        print(f"The address to give out is {public}", flush=True)
