"""Faults of the engine that runs jobs."""

from __future__ import annotations

from podium.queue import Queue
from podium.queue.durable import DurableQueue


def lose(queue: Queue, job: str) -> None:
    """Ends a job in the engine's books without a worker, as a full disk may."""
    assert isinstance(queue, DurableQueue)
    queue._client.cancel_workflow(job)
