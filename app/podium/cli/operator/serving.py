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
"""Seconds that requests may go on after the request to stop, while judgings return to the queue."""

SWITCH_SECONDS = 0.0005
"""Seconds after which a computing thread yields to another one. A transaction needs that after each
of its statements: with Python's default, ten times as long, it takes three times as long while the
event loop reads bodies, and delays all other writers by that time."""


TICK_SECONDS = 1.0
"""Seconds between two ticks of the server, which update the date of its answers."""


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
"""More connections and files than one process ever uses."""


def run(
    settings: Settings,
    *,
    host: str,
    port: int,
    with_worker: bool,
    on_ready: Callable[[str, str | None], Any],
    log_level: int = logging.INFO,
) -> None:
    """Serves until SIGTERM or SIGINT; then lets requests end and returns judgings to the queue,
    within 30 s.

    Calls `on_ready(address, token)` once requests are answered; `token` is the administrator's if
    it was just created. Raises `NotConfigured` if the port is unavailable.
    """
    given = settings.given_admin_token
    # Before anything is created, because the administrator's token is shown only once.
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
        # Also before the token is created.
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
    """Raises `NotConfigured` for settings that are incomplete, or contradict each other."""
    Provider.of(settings)
    sign_up_mode(settings)
    mailer_of(settings)
    require_sound_tokens(
        administrator=settings.given_admin_token, metrics=settings.given_metrics_token
    )


def _look_at_room(application: Application) -> None:
    """Warns if so little space is free that uploads are refused."""
    if complaint := complaint_about_room(application):
        get_logger("storage").warning("storage.runs-short", detail=complaint)


def _look_at_memory(settings: Settings, application: Application) -> None:
    """Logs whether judging slots were reduced for lack of memory, and whether memory is short."""
    slots = application.settings.judging_slots
    if slots < settings.judging_slots:
        # Every judging is guaranteed its memory; with more at a time the kernel would kill some.
        get_logger("memory").warning("slots.reduced", slots=slots, wanted=settings.judging_slots)
    if complaint := memory_complaint(settings):
        get_logger("memory").warning("memory.runs-short", detail=complaint)


def _take_descriptors() -> None:
    """Raises the limit of open files: two clients could use up the default of 1,024."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _may_judge(application: Application) -> bool:
    """Logs what this machine lacks to isolate judging; returns whether it judges."""
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
    _warn_of_metrics(application, sorted(missing))
    return refusal is None


def _warn_of_metrics(application: Application, missing: list[str]) -> None:
    """Logs if custom metrics are on, but do not run or are not isolated."""
    if application.settings.custom_metrics == "off":
        return
    log = get_logger("sandbox")
    if (refusal := application.sandbox.custom_metrics_refusal()) is not None:
        log.error("metrics.refused", missing=missing, detail=refusal)
    elif missing:
        detail = "Custom metrics run without isolation."
        log.warning("metrics.weak", missing=missing, detail=detail)


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
    # While it runs, the server handles signals; then it raises the one that ended it again, for the
    # previous handler. That is ours: judgings under way must still return to the queue.
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
        # Another process has taken the port meanwhile: two may bind it before one listens.
        raise NotConfigured(_why_not_bound(failure, "this port")) from failure
    finally:
        application.is_stopping.set()
        if handing_back is not None:
            handing_back.join()


def _server(application: Application, on_ready: Callable[[], Any]) -> uvicorn.Server:
    """Returns a server that reports when it is ready, and sets `is_stopping` at the end."""
    import uvicorn

    class Server(uvicorn.Server):
        _loop: asyncio.AbstractEventLoop | None = None

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            self._loop, self._is_over = asyncio.get_running_loop(), asyncio.Event()
            await super().startup(sockets)
            on_ready()

        async def main_loop(self) -> None:
            # The server's own loop checks ten times a second whether it has to stop.
            while not await self.on_tick(0):
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._is_over.wait(), TICK_SECONDS)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if not application.is_stopping.is_set():
                application.is_stopping.set()
                exit_for_certain()
            super().handle_exit(sig, frame)
            # Signals may also arrive before it runs, and after that.
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._is_over.set)

    return Server(_server_settings(application))


def _hand_back(application: Application, service: Service) -> None:
    # While requests end, not after that: together they have half a minute.
    application.is_stopping.wait()
    service.stop()


def _server_settings(application: Application) -> uvicorn.Config:
    """Returns settings of one process that reveals nothing about itself and has no log but ours."""
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
        # Our own middleware trusts these headers from the proxies that the operator names, and from
        # no other client.
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _bound(host: str, port: int) -> socket.socket:
    """Binds a socket to this address. It begins to listen with the server: until then connections
    are refused."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if listener.family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    # Lets us bind a port whose last connections are still in TIME_WAIT.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as failure:
        listener.close()
        raise NotConfigured(_why_not_bound(failure, f"{_shown(host)}:{port}")) from failure
    return listener


def _why_not_bound(failure: OSError, address: str) -> str:
    if failure.errno == errno.EADDRINUSE:
        why = f"another process uses this port. Stop it, or choose another port with {_option()}."
    elif failure.errno == errno.EACCES:
        why = "only root may use ports this low. Choose one above 1023 with --port."
    elif isinstance(failure, socket.gaierror):
        why = "there is no such name. Give --host an address of this machine, or a name of one."
    elif failure.errno == errno.EADDRNOTAVAIL:
        why = "no network interface of this machine has this address. Give --host one that it has."
    else:
        why = f"{failure.strerror}. Give another --host or --port."
    return f"Cannot listen on {address}: {why}"


def _option() -> str:
    """Returns the option for the port: of the command, or of `make`, which passes its depth to its
    children."""
    return "PORT, as in `make demo PORT=8001`" if "MAKELEVEL" in os.environ else "--port"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _announce(address: str, token: str | None, *, public: str) -> None:
    if token is not None:
        print(f"Administrator token (shown only this once): {token}", flush=True)
    print(f"Podium answers at {address}", flush=True)
    if public:
        print(f"The address to give out is {public}", flush=True)
