"""Children that run an organizer's code: whether this installation allows them, and their stricter
isolation and environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal

from podium.add_ons import VARIABLE
from podium.sandbox import SandboxTask
from podium.sandbox.isolation.own_user import READS_EVERYTHING
from podium.sandbox.isolation.restrictions import in_words, missing_from

CustomMetrics = Literal["off", "on", "on-unsandboxed"]
"""The setting for custom metrics: none, only with full isolation, or even without."""

MAX_THREADS = 64
"""Threads of a child: its own, and the few that libraries start."""

ONE_THREAD = dict.fromkeys(
    (
        "POLARS_MAX_THREADS",
        "RAYON_NUM_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "LOKY_MAX_CPU_COUNT",
    ),
    "1",
)
"""One thread, because sums depend on how they are divided among threads, and a metric's must
not."""


def refusal_of(allowed: CustomMetrics, isolation: Mapping[str, str]) -> str | None:
    """Returns the reason why no organizer's code runs with this setting and isolation, as a
    sentence; None if it runs."""
    if allowed == "off":
        return (
            "This installation runs no custom metrics: PODIUM_CUSTOM_METRICS is off. Ask"
            " its operator to set it to on, or choose a built-in metric."
        )
    missing = missing_from(isolation)
    if not missing or allowed == "on-unsandboxed":
        return None
    return (
        "No custom metrics run here, because this machine cannot isolate them:"
        f" {in_words(missing)}. Use a kernel with Landlock and seccomp, or trust all organizers"
        " with everything on this machine by PODIUM_CUSTOM_METRICS=on-unsandboxed."
    )


def strength_of(isolation: Mapping[str, str]) -> str:
    """Returns the strength of this isolation in words, for the operator."""
    if missing := missing_from(isolation):
        return f"weak: without {', '.join(missing)}"
    lesser = {
        "no namespace": "the network is kept off by refused system calls alone",
        READS_EVERYTHING: "it may read every file that Landlock lets it",
        "the user of the service": "it has the same user as the service, as that is not root",
    }
    found = [
        text for sign, text in lesser.items() if any(sign in state for state in isolation.values())
    ]
    return f"good: {'; '.join(found)}" if found else "strong"


def environment_of(task: SandboxTask[Any]) -> dict[str, str]:
    """Returns the variables that a task adds to the environment: the add-ons that it may load; or,
    to make an organizer's code repeatable, one thread, no processes of its own, and the seed of
    Python's hashes if the task has one."""
    if not task.RUNS_FOREIGN_CODE:
        return {VARIABLE: os.environ.get(VARIABLE, "")}
    seeded = {} if task.hash_seed is None else {"PYTHONHASHSEED": str(task.hash_seed)}
    return {**ONE_THREAD, "JOBLIB_MULTIPROCESSING": "0", **seeded}
