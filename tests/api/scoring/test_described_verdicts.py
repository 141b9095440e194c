"""Verdicts as they are answered, beside what the description of the API says of them."""

from __future__ import annotations

import gzip
import io
from typing import Any

import polars as pl
import pytest

from tests.builders.access.json_schema import mistakes
from tests.builders.competing import verdict
from tests.builders.installation import Installation, Person

HEADER = b"session_type,labels\n"

GOOD = HEADER + b"".join(
    b"%d_%s,1 2\n" % (session, kind)
    for session in range(100, 160)
    for kind in (b"clicks", b"carts", b"orders")
)


def parquet(**columns: list[Any]) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(columns).write_parquet(file)
    return file.getvalue()


REJECTED = {
    "empty-file": b"",
    "missing-ids": HEADER,
    "header-mismatch": b"session;labels\n",
    "unknown-id": GOOD + b"99_clicks,1\n",
    "bad-label": GOOD.replace(b"1 2", b"1.5", 1),
    "duplicate-id": GOOD + b"100_clicks,1\n",
    "archive-truncated": gzip.compress(GOOD)[:-9],
    "parquet-schema": parquet(session=[1]),
    "bad-id": parquet(session_type=["x"], labels=["1"]),
}


@pytest.fixture(scope="module")
def member(judging: Installation) -> Person:
    judging.launched("described")
    person = judging.person("describer")
    assert person.post("/competitions/described/teams", json={"name": "D"}).status_code == 201
    return person


@pytest.mark.parametrize("code", [None, *REJECTED])
def test_a_verdict_is_what_the_description_says(
    judging: Installation, member: Person, code: str | None
) -> None:
    seen = verdict(member, "described", GOOD if code is None else REJECTED[code])
    assert (seen["problem"] and seen["problem"]["code"]) == code
    schemas = member.client.get("/openapi.json").json()["components"]["schemas"]
    for reader in (member, judging.admin):
        read = reader.get(f"/submissions/{seen['id']}").json()
        assert mistakes(read, schemas["Submission"], schemas) == []
    if code is not None:
        # What is wrong is told by the kind of its value, as a client in a typed language reads it.
        wrong = seen | {"problem": seen["problem"] | {"line": "3"}}
        assert mistakes(wrong, schemas["Submission"], schemas) != []
