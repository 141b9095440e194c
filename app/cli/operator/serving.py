"""`podium serve`, `worker` and `migrate`: the processes of an installation."""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.operator.data_folder import require_data_folder
from podium.cli.operator.private_files import close_to_others
from podium.errors import NotConfigured

if TYPE_CHECKING:
    import uvicorn

    from podium.application import Application
    from podium.settings import Settings
    from podium.worker.service import Service

GRACE_SECONDS = 20
"""Seconds that requests may go on after the order to stop, while the judgings are handed back."""


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 8000,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Only answer; let other processes judge.")
    ] = False,
) -> None:
    """Migrate, answer over HTTP, and judge."""
    from podium.settings import Settings

    run(Settings(), host=host, port=port, with_worker=not no_worker, on_ready=_announce)


def worker() -> None:
    """Judge, without answering over HTTP. Any number of these may run."""
    from podium.bootstrap import build
    from podium.core.database.migrate import is_up_to_date
    from podium.logs import configure_logs, take_over_libraries
    from podium.settings import Settings

    settings = Settings()
    configure_logs(json=settings.log_as_json)
    take_over_libraries()
    application = build(settings)
    try:
        require_data_folder(settings)
        close_to_others(settings)
        if not is_up_to_date(application.database):
            raise NotConfigured("The database is not at this version. Run `podium migrate` first.")
        _look_at_memory(settings, application)
        if not _may_judge(application):
            raise NotConfigured(application.sandbox.refusal() or "")
        _judge(application, lambda: None)
    finally:
        application.close()


def migrate() -> None:
    """Create the database, or bring it to this version."""
    from podium.core.database.migrate import migrate as migrate_database
    from podium.logs import configure_logs
    from podium.settings import Settings

    settings = Settings()
    configure_logs(json=settings.log_as_json)
    if settings.database.startswith("sqlite"):
        require_data_folder(settings)
    migrate_database(settings.database)
    close_to_others(settings)
    print("The database is up to date.")


MOST_DESCRIPTORS = 1 << 16
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
    from podium.accounts.authentication.oidc import Provider
    from podium.accounts.authentication.sign_up import sign_up_mode
    from podium.accounts.service.bootstrap import ensure_administrator
    from podium.bootstrap import build
    from podium.core.database.migrate import migrate as migrate_database
    from podium.logs import configure_logs, take_over_libraries

    # Before anything is made, because the administrator's token is shown once only.
    Provider.of(settings)
    sign_up_mode(settings)
    configure_logs(json=settings.log_as_json, level=log_level)
    take_over_libraries()
    _take_descriptors()
    application = build(settings)
    try:
        require_data_folder(settings)
        migrate_database(settings.database)
        close_to_others(settings)
        with_worker &= _may_judge(application)
        given = settings.admin_token.get_secret_value() if settings.admin_token else None
        with application.database.write() as session:
            token = ensure_administrator(session, token=given)
        listener = _listen(host, port)
        if with_worker:
            _look_at_memory(settings, application)
        address = f"http://{_shown(host)}:{listener.getsockname()[1]}"
        _serve(application, listener, with_worker, lambda: on_ready(address, token))
    finally:
        application.close()


def _look_at_memory(settings: Settings, application: Application) -> None:
    """Says where the judgings that are wanted do not fit into the memory that is there."""
    from podium.bootstrap import memory_complaint
    from podium.logs import get_logger

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
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _may_judge(application: Application) -> bool:
    """Tells the log what this machine lacks to isolate judging; answers whether it judges."""
    from podium.logs import get_logger
    from podium.sandbox.isolation.restrictions import missing_from, told
    from podium.scoring.kernel.library import MISSING, kernel

    if kernel() is None:
        get_logger("judging").warning("reader.uncompiled", detail=MISSING)
    log = get_logger("sandbox")
    refusal = application.sandbox.refusal()
    missing = missing_from(application.sandbox.describe())
    if refusal is not None:
        log.error("sandbox.refused", missing=sorted(missing), detail=refusal)
    elif missing:
        detail = f"Hostile files are not isolated on this machine: {told(missing)}."
        log.warning("sandbox.weak", missing=sorted(missing), detail=detail)
    return refusal is None


def _judge(application: Application, on_ready: Callable[[], Any]) -> None:
    from podium.worker.leaving import leave_for_certain, wait_until
    from podium.worker.service import start

    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    service = start(application)
    on_ready()
    wait_until(stopped)
    leave_for_certain()
    service.stop()


def _serve(
    application: Application,
    listener: socket.socket,
    with_worker: bool,
    on_ready: Callable[[], Any],
) -> None:
    from podium.worker.leftovers import sweep_until_leaving
    from podium.worker.service import start

    server = _server(application, on_ready)
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
        sweep_until_leaving(application)
    try:
        server.run(sockets=[listener])
    finally:
        application.is_leaving.set()
        if handing_back is not None:
            handing_back.join()


def _server(application: Application, on_ready: Callable[[], Any]) -> uvicorn.Server:
    """A server that says when it answers, and lets everybody know when it has to leave."""
    import uvicorn

    from podium.worker.leaving import leave_for_certain

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_ready()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if not application.is_leaving.is_set():
                application.is_leaving.set()
                leave_for_certain()
            super().handle_exit(sig, frame)

    return Server(_server_settings(application))


def _hand_back(application: Application, service: Service) -> None:
    # While requests end, not after that: together they have half a minute.
    application.is_leaving.wait()
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


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as failure:
        raise NotConfigured(f"Cannot listen on {_shown(host)}:{port}: {failure}.") from failure


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _announce(address: str, token: str | None) -> None:
    if token is not None:
        print(f"Administrator token (shown only this once): {token}", flush=True)
    print(f"Podium answers at {address}", flush=True)
