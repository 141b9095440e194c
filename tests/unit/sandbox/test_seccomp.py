"""The BPF program itself; whether it keeps anything off is tried by real children."""

from __future__ import annotations

import struct

import pytest

from podium.sandbox.isolation.calls import DENIED
from podium.sandbox.isolation.seccomp import NOT_PERMITTED, program

RETURN = 0x06
LONGEST_JUMP = 255


def steps(machine: str) -> list[tuple[int, int, int, int]]:
    code = program(machine, process=7)
    return [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_every_denied_call_is_compared_and_followed_by_a_refusal(machine: str, column: int) -> None:
    program_steps = steps(machine)
    for name, numbers in DENIED.items():
        number = numbers[column]
        if number is None:
            continue
        at = program_steps.index((0x15, 0, 1, number))
        assert program_steps[at + 1] == (RETURN, 0, 0, NOT_PERMITTED), name


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_no_jump_leaves_the_program_and_it_ends_with_an_answer(machine: str) -> None:
    program_steps = steps(machine)
    for at, (_, if_true, if_false, _) in enumerate(program_steps):
        assert at + 1 + max(if_true, if_false) < len(program_steps) or at == len(program_steps) - 1
        assert max(if_true, if_false) <= LONGEST_JUMP
    assert program_steps[-1] == (RETURN, 0, 0, 0x7FFF0000)


def test_no_call_number_is_listed_twice() -> None:
    for column in (0, 1):
        numbers = [entry[column] for entry in DENIED.values() if entry[column] is not None]
        assert len(numbers) == len(set(numbers))


def test_an_unknown_machine_has_no_program() -> None:
    with pytest.raises(KeyError):
        program("riscv64", process=7)
