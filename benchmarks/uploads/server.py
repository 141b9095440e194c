"""The server of the comparison of uploads: the product, and two raw sinks in one process.

`python -m benchmarks.uploads.server <folder>` prints its port and a participant's token. `/sink`
hashes a body and forgets it; `/store` hashes it, writes it to a file and syncs that, piece by piece
in a thread, as the product does, and nothing else: no limits, no deadlines, no rows.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sys
from pathlib import Path

import uvicorn
from anyio import to_thread
from starlette.types import Receive, Scope, Send

from podium.accounts.service.accounts import new_token
from podium.bootstrap import build
from podium.core.database.migrate import migrate
from podium.core.models import User
from podium.http.middleware.connections import BoundedHeads
from podium.http.streaming.pace import PIECE_BYTES
from podium.main import create_app
from podium.settings import Settings
from tests.builders.rows import add_competition, add_team

LARGEST = 1 << 30


def main(folder: Path) -> None:
    """Makes an open competition with a team, and serves until it is told to stop."""
    settings = Settings(data_dir=folder, min_free_bytes=0, uploads_per_user=100)
    migrate(settings.database)
    application = build(settings)
    wide = {"max_upload_bytes": LARGEST, "daily_limit": 1000, "concurrent_uploads": 100}
    with application.database.write() as session:
        competition = add_competition(session, settings=wide)
        _, member = add_team(session, competition, "Team Ada")
        token = new_token(session, user=session.get_one(User, member.user_id), label="load")[1]
    product = create_app(application)

    async def each(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/sink":
            await _answered(await _sunk(receive), send)
        elif scope["path"] == "/store":
            await _answered(await _stored(receive, folder / "raw"), send)
        else:
            await product(scope, receive, send)

    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(listener.getsockname()[1], token, flush=True)
    config = uvicorn.Config(
        each, http=BoundedHeads, loop="uvloop", ws="none", lifespan="off", log_config=None
    )
    uvicorn.Server(config).run(sockets=[listener])


async def _sunk(receive: Receive) -> str:
    hashed, more = hashlib.sha256(), True
    while more:
        message = await receive()
        hashed.update(message.get("body", b""))
        more = message.get("more_body", False)
    return hashed.hexdigest()


async def _stored(receive: Receive, file: Path) -> str:
    hashed, more = hashlib.sha256(), True
    piece = bytearray()
    descriptor = os.open(f"{file}-{id(hashed)}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)

    def write() -> None:
        hashed.update(piece)
        os.write(descriptor, piece)

    try:
        while more:
            message = await receive()
            piece += message.get("body", b"")
            more = message.get("more_body", False)
            if len(piece) >= PIECE_BYTES or not more:
                await to_thread.run_sync(write)
                piece.clear()
        await to_thread.run_sync(os.fsync, descriptor)
    finally:
        os.close(descriptor)
    return hashed.hexdigest()


async def _answered(sha256: str, send: Send) -> None:
    headers = [(b"content-length", b"64")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": sha256.encode()})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
