"""Clients that send file after file while something is killed, whatever becomes of each."""

from __future__ import annotations

import threading
from types import TracebackType

from tests.builders.faults.stage import Process, Stage, wait_for


class Clients:
    """One thread for each team of the stage, within a block."""

    def __init__(self, stage: Stage, api: Process) -> None:
        self._stage = stage
        self._api = api
        self._is_over = threading.Event()
        self._threads = [
            threading.Thread(target=self._send_all, args=(token,)) for token in stage.tokens
        ]

    def __enter__(self) -> Clients:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def wait_for_another(self) -> None:
        """Until one more file was acknowledged."""
        seen = len(self._stage.history.acknowledged)
        wait_for(lambda: len(self._stage.history.acknowledged) > seen, "a 202")

    def _send_all(self, token: str) -> None:
        while not self._is_over.is_set():
            was_taken = self._stage.send(self._api, self._stage.file(), token) == 202
            # Every file has to be judged in the end.
            self._is_over.wait(4.0 if was_taken else 0.5)
