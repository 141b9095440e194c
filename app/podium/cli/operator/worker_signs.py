"""The workers in the report of `podium doctor`: the age of their last heartbeats, and those that
were killed. By heartbeats alone, a killed one would look alive for half a minute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from podium.core.workers import WORKER_SILENCE
from podium.operations.service.workers import HEARTBEAT_SECONDS
from podium.worker.scratch import is_left

if TYPE_CHECKING:
    from podium.settings import Settings

LATE_SECONDS = 3 * HEARTBEAT_SECONDS
"""The age in seconds from which on a busy machine no longer explains a missing heartbeat."""


@dataclass(frozen=True, slots=True)
class WorkerSigns:
    """Seconds since the last heartbeat of workers that count as alive, and of those that neither do
    nor have signed off: killed on this machine, or silent for too long."""

    alive: Sequence[float]
    killed: Sequence[float]
    lost: Sequence[float]

    @classmethod
    def of(cls, settings: Settings, ages: Mapping[str, float]) -> WorkerSigns:
        """Sorts the workers that have not signed off, by the ages of their heartbeats and by their
        folders here."""
        shared = settings.data_dir.absolute() / "scratch" / "judgings"
        left = {worker_id for worker_id in ages if is_left(shared, worker_id)}
        others = sorted(age for worker_id, age in ages.items() if worker_id not in left)
        silence = WORKER_SILENCE.total_seconds()
        return cls(
            alive=[age for age in others if age <= silence],
            killed=sorted(ages[worker_id] for worker_id in left),
            lost=[age for age in others if age > silence],
        )

    def described(self) -> str:
        """Describes the number of those alive, and the ages, in a few words."""
        parts = [str(len(self.alive))]
        if self.alive:
            parts[0] += f", last heartbeat {_ages(self.alive)} ago"
        late = sum(age > LATE_SECONDS for age in self.alive)
        if late:
            parts.append(f"{late} silent, though one is due every {HEARTBEAT_SECONDS:.0f} s")
        if self.killed:
            parts.append(f"{len(self.killed)} killed, last heartbeat {_ages(self.killed)} ago")
        if self.lost and not self.alive:
            parts.append(f"{len(self.lost)} lost, last heartbeat {_ages(self.lost)} ago")
        return "; ".join(parts)


def _ages(ages: Sequence[float]) -> str:
    least, most = f"{min(ages):.0f} s", f"{max(ages):.0f} s"
    return least if least == most else f"{least} to {most}"
