"""Kinds of long work: the name of each, its typed arguments and result, and the function that does
it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import User
from podium.jobs.means import Means
from podium.jobs.states import KEPT
from podium.storage import Stored

MAX_RESULT_BYTES = 1 << 20
"""Results are rows, which every request that waits reads in full. Files belong in the store."""

QUICK, SLOW = 1, 2
"""Priorities: results that a user awaits on a page go before the reading of files."""

A = TypeVar("A")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class JobOutcome(Generic[A, R]):
    """The outcome of a job: a result, or the problem that explains why there is none."""

    arguments: A
    created_by: str | None
    address: str | None
    """The client address of the request that asked for it, for the audit log."""

    result: R | None = None
    problem: Mapping[str, Any] | None = None

    def actor(self, session: Session) -> Actor | None:
        """Returns the user who asked for it, for the audit log; None if there is none any more."""
        user = None if self.created_by is None else session.get(User, self.created_by)
        return None if user is None else Actor(user.id, user.name, address=self.address)


@dataclass(frozen=True)
class JobKind(Generic[A, R]):
    """A kind of long work.

    `work` takes minutes at most and holds no transaction. With `record` the outcome becomes rows of
    the subject, in the transaction that ends the job; without it the job stores the result for the
    requests that wait for it.
    """

    name: str
    arguments: type[A]
    result: type[R]
    work: Callable[[Application, A, Means], R]
    record: Callable[[WriteSession, JobOutcome[A, R]], None] | None = None
    file_of: Callable[[R], Stored] | None = None
    """Returns the stored file that a result names; the file is retained as long as the result."""

    kept: timedelta = KEPT
    priority: int = QUICK

    def encoded_arguments(self, arguments: A) -> dict[str, Any]:
        """Returns the arguments as JSON, as a job stores them."""
        encoded: dict[str, Any] = self._arguments.dump_python(arguments, mode="json")
        return encoded

    def decoded_arguments(self, stored: Mapping[str, Any]) -> A:
        """Returns the typed arguments of a stored job."""
        return self._arguments.validate_python(stored)

    def encoded_result(self, result: R) -> dict[str, Any]:
        """Returns the result as JSON. Raises `ValueError` for one of more than
        `MAX_RESULT_BYTES`."""
        encoded = {"value": self._result.dump_python(result, mode="json")}
        size = len(json.dumps(encoded))
        if size > MAX_RESULT_BYTES:
            raise ValueError(f"The result of {self.name} has {size} bytes.")
        return encoded

    def decoded_result(self, stored: Mapping[str, Any]) -> R:
        """Returns the typed result of a stored job."""
        return self._result.validate_python(stored["value"])

    @cached_property
    def _arguments(self) -> TypeAdapter[A]:
        return TypeAdapter(self.arguments)

    @cached_property
    def _result(self) -> TypeAdapter[R]:
        return TypeAdapter(self.result)


def apart(work: Callable[[A, Means], R]) -> Callable[[Application, A, Means], R]:
    """Returns the work of a kind that needs nothing of the application but its means."""
    return lambda _, given, means: work(given, means)


def key_of(kind: str, competition_id: str, arguments: Mapping[str, Any]) -> str:
    """Returns the key that identical requests share."""
    named = json.dumps([kind, competition_id, arguments], sort_keys=True)
    return hashlib.sha256(named.encode()).hexdigest()
