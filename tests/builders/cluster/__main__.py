"""`make cluster`: everything that a large installation has, on this machine, until Ctrl-C."""

from __future__ import annotations

import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.builders.cluster import Cluster
from tests.builders.servers import postgres, s3


def main() -> None:
    """Starts database, bucket, replicas, workers and proxy, and says where they are."""
    database_url, stop_database = postgres.start()
    try:
        server, stop_server = s3.start()
        try:
            with (
                tempfile.TemporaryDirectory(prefix="podium-cluster-") as folder,
                Cluster(
                    Path(folder),
                    database_url,
                    server.address("podium", "cluster"),
                    environment=server.environment,
                ) as cluster,
            ):
                _tell(cluster)
                with suppress(KeyboardInterrupt):
                    signal.pause()
                for name in reversed(list(cluster.parts)):
                    _say(f"{name} left with {cluster.parts[name].leave()}")
        finally:
            stop_server()
    finally:
        stop_database()


def _tell(cluster: Cluster) -> None:
    _say(f"Podium answers at {cluster.address}")
    _say(f"The administrator's token: {cluster.token}")
    if "proxy" not in cluster.parts:
        _say("There is no proxy, because the program caddy is not installed; the replicas are")
        _say(f"at {' and '.join(cluster.addresses)}.")
    for name, part in cluster.parts.items():
        _say(f"{name}: process {part.process.pid if part.process else 0}, log {part.log}")
    _say(f"database: {cluster.database_url}")
    _say(f"bucket: {cluster.storage_url}")
    _say("Ctrl-C ends all of it, and everything that it has stored.")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    # Other signals to end mean the same.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    main()
