"""The server of the comparison of boards: the product, and bare FastAPI endpoints in one process.

`python -m benchmarks.boards.server <folder>` seeds a database in the folder, serves it as `podium
serve` does, and prints the port. The bare endpoints are `/hello`, the first route of the product
and behind its middleware, and `/bare/hello`, an application of its own that shares nothing with it
but the process and the HTTP server. `/plain` is that server and no framework: a constant answer,
and the SHA-256 of a body.
"""

from __future__ import annotations

import hashlib
import socket
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from sqlalchemy import update
from starlette.types import ASGIApp, Receive, Scope, Send

from benchmarks.boards.season import SUBMISSIONS, write_season
from podium.bootstrap import build
from podium.core.database.migrate import migrate
from podium.core.models import Competition
from podium.http.middleware.connections import BoundedHeads
from podium.main import create_app
from podium.settings import Settings

FULL, TENTH = "otto", "otto-tenth"
"""The season, and one with as many teams and a tenth of the submissions."""


def main(folder: Path) -> None:
    """Seeds and serves until it is told to stop."""
    settings = Settings(data_dir=folder, min_free_bytes=0)
    migrate(settings.database)
    application = build(settings)
    for slug, submissions in ((FULL, SUBMISSIONS), (TENTH, SUBMISSIONS // 10)):
        write_season(application.database, slug, submissions=submissions)
    app = create_app(application)
    bare = FastAPI()

    @bare.get("/bare/hello")
    @app.get("/hello")
    async def hello() -> dict[str, str]:
        return {"hello": "world"}

    @app.post("/touch")
    def touch() -> dict[str, str]:
        """Gives all boards a new version, as a verdict does."""
        with application.database.write() as session:
            session.execute(update(Competition).values(board_version=Competition.board_version + 1))
        return {}

    routes = app.router.routes
    routes[:0] = [routes.pop() for _ in range(2)]

    async def either(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/plain":
            await plain(scope, receive, send)
        else:
            await (bare if scope["path"].startswith("/bare") else app)(scope, receive, send)

    _serve(either)


async def plain(scope: Scope, receive: Receive, send: Send) -> None:
    """A constant answer; to a body its hash, of which nothing is kept."""
    answer = b'{"hello":"world"}'
    if scope["method"] == "PUT":
        hashed, more = hashlib.sha256(), True
        while more:
            message = await receive()
            hashed.update(message.get("body", b""))
            more = message.get("more_body", False)
        answer = hashed.hexdigest().encode()
    headers = [(b"content-length", b"%d" % len(answer))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


def _serve(app: ASGIApp) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    config = uvicorn.Config(
        app,
        http=BoundedHeads,
        loop="uvloop",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
    )
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
