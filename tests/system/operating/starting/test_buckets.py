"""Starts with a bucket that cannot be used: each ends with one line that names the setting, what is
wrong and what to do; nothing is made."""

from __future__ import annotations

import socket
import time
import uuid
from pathlib import Path

import pytest

from tests.builders.processes.commands import Person, Ran
from tests.builders.servers.s3 import S3Server

SERVE = ("serve", "--port", "0", "--no-worker")

SOME_KEY = {"AWS_ACCESS_KEY_ID": "podium", "AWS_SECRET_ACCESS_KEY": "geheim"}

AWAY = "s3://files?endpoint=http://127.0.0.1:1"


def line_of(ran: Ran) -> str:
    """The only line that was said. A log or a traceback has more."""
    assert ran.out == ""
    [line] = ran.err.splitlines()
    assert "geheim" not in line
    return line


def test_a_bucket_that_is_away_ends_the_start_before_anything_is_made(tmp_path: Path) -> None:
    ran = Person(tmp_path).types(*SERVE, PODIUM_STORAGE_URL=AWAY, **SOME_KEY)
    assert ran.code == 4
    assert line_of(ran) == (
        f"The bucket {AWAY} cannot be used: Connection refused. See that it is there, or correct"
        " PODIUM_STORAGE_URL."
    )
    assert not list(tmp_path.iterdir())


def test_a_worker_does_not_begin_without_its_bucket(tmp_path: Path) -> None:
    person = Person(tmp_path)
    assert person.types("migrate").code == 0
    ran = person.types("worker", PODIUM_STORAGE_URL=AWAY, **SOME_KEY)
    assert ran.code == 4
    assert line_of(ran).startswith(f"The bucket {AWAY} cannot be used: Connection refused.")


def test_a_store_that_is_silent_is_given_up_within_seconds(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"s3://files?endpoint=http://127.0.0.1:{silent.getsockname()[1]}"
        began = time.monotonic()
        ran = Person(tmp_path).types(*SERVE, PODIUM_STORAGE_URL=address, **SOME_KEY)
    assert ran.code == 4
    assert "cannot be used: no answer within 5 s. See that it is there" in line_of(ran)
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set. Set AWS_ACCESS_KEY_ID and"),
        (SOME_KEY, "the store refuses the credentials (InvalidAccessKeyId). Correct AWS_ACCESS_K"),
    ],
    ids=["missing", "wrong"],
)
def test_credentials_that_are_missing_or_wrong_are_named_by_their_variables(
    tmp_path: Path, s3: S3Server, given: dict[str, str], told: str
) -> None:
    address = f"s3://files-{uuid.uuid4().hex}?endpoint={s3.endpoint}"
    ran = Person(tmp_path).types(*SERVE, PODIUM_STORAGE_URL=address, **given)
    assert ran.code == 4
    line = line_of(ran)
    assert line.startswith(f"The bucket {address} cannot be used: ")
    assert told in line


def test_half_of_the_credentials_are_told_too(tmp_path: Path) -> None:
    ran = Person(tmp_path).types(*SERVE, PODIUM_STORAGE_URL=AWAY, AWS_ACCESS_KEY_ID="podium")
    assert ran.code == 2
    line = line_of(ran)
    assert line.startswith("PODIUM_STORAGE_URL: this store cannot be used: ")
    assert line.endswith("are given in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")


def test_the_bucket_for_secrets_is_tried_as_well(tmp_path: Path, s3: S3Server) -> None:
    ran = Person(tmp_path).types(
        *SERVE,
        PODIUM_STORAGE_URL=s3.address("files", uuid.uuid4().hex),
        PODIUM_SECRET_STORAGE_URL=AWAY,
        **s3.environment,
    )
    assert ran.code == 4
    assert line_of(ran).endswith("See that it is there, or correct PODIUM_SECRET_STORAGE_URL.")
