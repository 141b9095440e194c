"""The option `--timeout` of every command that connects to a server, and variables with the
duration of some waits."""

from __future__ import annotations

import functools
import inspect
import os
import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import Annotated

import typer

from podium.errors import NotConfigured

NAME = "timeout"

AnswerTimeout = Annotated[
    float | None,
    typer.Option(
        min=1,
        metavar="SECONDS",
        help="Wait at most this long for an answer, instead of 30 s twice; exit code 7 then.",
    ),
]

SHORTEST_ANSWER = 10.0
"""Minimum seconds for an answer of the server if `--timeout` is about its work."""

_given: ContextVar[float | None] = ContextVar("timeout", default=None)


def timeout_given() -> float | None:
    """Returns the seconds that a call of this command may wait for its answers; None for the
    default."""
    return _given.get()


def seconds_of(variable: str, usual: float) -> float:
    """Returns the seconds in a variable of the environment, or else the usual ones."""
    given = os.environ.get(variable)
    if not given:
        return usual
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", given):
        raise NotConfigured(f"{variable} is {given!r}: give a number of seconds.")
    return float(given)


def patient(command: Callable[..., None]) -> Callable[..., None]:
    """Returns the command with `--timeout`: its own, which is about work of the server, or else one
    about answers."""
    signature = inspect.signature(command)
    is_about_work = NAME in signature.parameters

    @functools.wraps(command)
    def run(*given: object, **named: object) -> None:
        seconds = named[NAME] if is_about_work else named.pop(NAME)
        if isinstance(seconds, float):
            _given.set(max(seconds, SHORTEST_ANSWER) if is_about_work else seconds)
        command(*given, **named)

    if not is_about_work:
        option = inspect.Parameter(
            NAME, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=AnswerTimeout
        )
        parameters = [*inspect.signature(command, eval_str=True).parameters.values(), option]
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run
