"""A small interpreter of BPF, as the kernel runs it on a system call: for filters of machines that
are not at hand."""

from __future__ import annotations

import struct

LOAD, AND, RETURN = 0x20, 0x54, 0x06
JUMP_EQUAL, JUMP_ABOVE, JUMP_FROM, JUMP_BITS = 0x15, 0x25, 0x35, 0x45

ALLOWED, KILLED = "allowed", "killed"
ANSWERS = {0x7FFF0000: ALLOWED, 0x80000000: KILLED, 0x50001: "EPERM", 0x50026: "ENOSYS"}


def answer(code: bytes, architecture: int, number: int, *arguments: int) -> str:
    """The answer of a filter to a call: `allowed`, `killed`, or the name of an error."""
    given = [each % (1 << 64) for each in (*arguments, *[0] * (6 - len(arguments)))]
    call = struct.pack("=IIQ6Q", number % (1 << 32), architecture, 0, *given)
    accumulator = at = 0
    while True:
        kind, if_true, if_false, value = struct.unpack_from("=HBBI", code, at * 8)
        at += 1
        if kind == RETURN:
            return ANSWERS[value]
        if kind == LOAD:
            [accumulator] = struct.unpack_from("=I", call, value)
        elif kind == AND:
            accumulator &= value
        else:
            at += if_true if _is_true(kind, accumulator, value) else if_false


def _is_true(kind: int, accumulator: int, value: int) -> bool:
    return {
        JUMP_EQUAL: accumulator == value,
        JUMP_ABOVE: accumulator > value,
        JUMP_FROM: accumulator >= value,
        JUMP_BITS: bool(accumulator & value),
    }[kind]
