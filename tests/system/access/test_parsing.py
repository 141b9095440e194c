"""Uploads are parsed in children, and never in a process that has the database."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.builders.access.truths import judging, serving
from tests.builders.installation import Installation
from tests.builders.season import FINAL, file_with, truth_with, until

READERS = [
    name for name in dir(pl) if name.startswith(("read_", "scan_")) and callable(getattr(pl, name))
]
"""All ways in which the library reads files."""

SESSIONS = pl.DataFrame({"session": list(range(100, 160))})
ITEMS = b"item,users\n1,3\n7,20\n100,4\n"
SEGMENTS = b"session,shop\n" + b"".join(b"%d,de\n" % session for session in range(100, 160))


def parquet(frame: pl.DataFrame) -> bytes:
    sink = io.BytesIO()
    frame.write_parquet(sink)
    return sink.getvalue()


@pytest.fixture
def watched(tmp_path: Path, migrated_sqlite_file: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An installation in whose process nothing reads a table; its children read as usual."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a table is read in the process that serves")

    with serving(tmp_path / "data", migrated_sqlite_file) as installation:
        for name in READERS:
            monkeypatch.setattr(pl, name, refuse)
        yield installation


def good(answer: Any) -> Any:
    assert answer.is_success, answer.text
    return answer


@pytest.mark.parametrize("packed", [False, True], ids=["as text", "as Parquet"])
def test_no_file_is_parsed_in_the_process_that_serves(watched: Installation, packed: bool) -> None:
    assert len(READERS) > 10
    admin = watched.admin
    watched.draft(split={"public_fraction": 0.5})
    way = "/admin/competitions/otto"
    ids = parquet(SESSIONS) if packed else SESSIONS.write_csv().encode()
    assert good(admin.put(f"{way}/published-ids", content=ids)).json()["sessions"] == 60
    assert good(admin.get("/competitions/otto/sample-submission")).text.count("\n") > 180
    good(admin.post(f"{way}/ground-truth", content=truth_with(0)))
    good(admin.put(f"{way}/items", content=ITEMS, params={"training_users": 30}))
    good(admin.put(f"{way}/sessions", content=SEGMENTS))
    good(admin.post(f"{way}/launch"))
    ada = watched.person("ada")
    good(ada.post("/competitions/otto/teams", json={"name": "Ada"}))
    sent = []
    with judging(watched):
        for clicks in (10, 20):
            content = file_with(clicks)
            if packed:
                rows = [line.split(",") for line in content.decode().splitlines()]
                columns = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
                content = parquet(pl.DataFrame({name: list(of) for name, of in columns.items()}))
            sent.append(good(ada.post("/competitions/otto/submissions", content=content)).json())
        until(
            lambda: all(
                ada.get(f"/submissions/{one['id']}").json()["status"] in FINAL for one in sent
            )
        )
    one, other = (each["id"] for each in sent)
    assert ada.get(f"/submissions/{one}").json()["status"] == "scored"
    good(admin.get(f"{way}/comparison", params={"a": one, "b": other}))
    good(admin.get(f"/admin/submissions/{one}/segments"))
    good(admin.get(f"{way}/similarity"))
    bomb = parquet(pl.DataFrame({"session": [7] * 1_000_000}))
    answer = admin.post(f"{way}/ground-truth", content=bomb)
    assert answer.status_code == 422, answer.text
