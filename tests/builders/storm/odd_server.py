"""`podium serve` whose children do what the first word of a file says: abort, grow or hang.

The same pieces in the same order as the real command; only the sandbox's acts are others.
"""

from __future__ import annotations

import sys
from dataclasses import replace

from podium.accounts.service.bootstrap import ensure_administrator
from podium.bootstrap import build
from podium.cli.operator import serving
from podium.core.database.migrate import migrate
from podium.logs import configure_logs
from podium.sandbox.children import ChildSandbox
from podium.settings import Settings

MEMORY = {"judging_memory_bytes": 400 << 20, "judging_retry_memory_bytes": 500 << 20}


def main(port: int) -> None:
    """Serves on a port of the loopback interface, with a worker."""
    configure_logs()
    # Less than an operator may set: what grows here is to be ended soon.
    settings = Settings().model_copy(update=MEMORY)
    migrate(settings.database)
    application = replace(
        build(settings), sandbox=ChildSandbox(tasks_module="tests.builders.storm.odd_tasks")
    )
    given = settings.admin_token
    with application.database.write() as session:
        ensure_administrator(session, token=given.get_secret_value() if given else None)
    serving._serve(application, serving._bound("127.0.0.1", port), True, lambda: None)


if __name__ == "__main__":
    main(int(sys.argv[1]))
