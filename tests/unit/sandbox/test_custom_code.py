"""The conditions under which an installation runs organizers' code, and its environment."""

from __future__ import annotations

import pytest

from podium.sandbox.custom_code import environment_of, refusal_of, strength_of
from tests.builders.sandbox.hostile import CodeTask, HostileTask

WHOLE = {
    "network": "namespace of its own",
    "files": "Landlock 7",
    "privileges": "dropped, no new ones; user 64747, of its own",
    "system calls": "128 calls allowed",
}
LACKING = {**WHOLE, "files": "missing: this kernel has no Landlock"}


def test_no_code_runs_unless_it_is_switched_on_and_isolated() -> None:
    assert refusal_of("on", WHOLE) is None
    assert refusal_of("on-unsandboxed", LACKING) is None
    assert "is off" in str(refusal_of("off", WHOLE))
    assert "files (missing: this kernel has no Landlock)" in str(refusal_of("on", LACKING))


@pytest.mark.parametrize(
    ("changed", "strength"),
    [
        ({}, "strong"),
        ({"files": "missing: error 1"}, "weak: without files"),
        ({"network": "no namespace: only the refused system calls keep it off"}, "good: the net"),
        ({"privileges": "dropped, no new ones; the user of the service"}, "good: it has the same"),
    ],
)
def test_the_strength_is_told(changed: dict[str, str], strength: str) -> None:
    assert strength_of(WHOLE | changed).startswith(strength)


def test_code_has_one_thread_and_the_seed_of_its_task() -> None:
    assert environment_of(HostileTask(function="x")) == {"PODIUM_ADD_ONS": ""}
    seedless = environment_of(CodeTask(function="x"))
    assert "PODIUM_ADD_ONS" not in seedless
    assert {seedless[name] for name in ("OMP_NUM_THREADS", "POLARS_MAX_THREADS")} == {"1"}
    assert "PYTHONHASHSEED" not in seedless
    assert environment_of(CodeTask(function="x", hash_seed=0))["PYTHONHASHSEED"] == "0"
