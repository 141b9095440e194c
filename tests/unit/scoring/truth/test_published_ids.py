"""Lists of published sessions, in every form organizers have."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.problems import Code, FileRejected
from podium.scoring.task import OTTO, Objective
from podium.scoring.truth.reading import read_published_ids

SINGLE = dataclasses.replace(OTTO, objectives=(Objective("", Decimal(1)),), id_column="user")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("5\n3\n0\n", id="bare"),
        pytest.param("session\n5\n3\n0\n", id="with a header"),
        pytest.param('"session"\r\n5\r\n3\r\n0', id="quoted header, CR LF"),
        pytest.param("user,labels\n5,\n3,1 2\n0,\n", id="a sample submission"),
        pytest.param("user\n5\n3\n0\n", id="its first column"),
    ],
)
def test_published_ids_in_every_form(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ids"
    path.write_text(text)
    published = read_published_ids(path, task=SINGLE)
    assert published.sessions.to_list() == [5, 3, 0]
    assert published.sessions.dtype == pl.Int32


def test_published_ids_from_a_sample_with_objectives(tmp_path: Path) -> None:
    path = tmp_path / "ids"
    ids = [f"{session}_{name}" for name in OTTO.names for session in (9, 4)]
    path.write_text("\n".join(["session_type,labels", *(f"{row_id},1" for row_id in ids)]))
    published = read_published_ids(path, task=OTTO)
    assert [published.id_of(query) for query in (0, 4)] == ["9_clicks", "4_carts"]


def test_published_ids_from_parquet(tmp_path: Path) -> None:
    path = tmp_path / "ids"
    pl.DataFrame({"session": [8, 6]}).write_parquet(path)
    assert read_published_ids(path, task=OTTO).sessions.to_list() == [8, 6]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", Code.EMPTY_FILE),
        ("session\n", Code.EMPTY_FILE),
        ("session\n1\n1\n", Code.DUPLICATE_ID),
        ("session\n01\n", Code.BAD_ID),
        ("session\n2147483648\n", Code.BAD_ID),
        ("1_clicks\n", Code.HEADER_MISMATCH),
        ("session_type,labels\n1_clicks,\n1_carts,\n", Code.MISSING_IDS),
        ("session_type,labels\n1_clicks,\n1_clicks,\n", Code.DUPLICATE_ID),
        ("session_type,labels\n1_views,\n", Code.BAD_ID),
    ],
)
def test_what_stops_published_ids(tmp_path: Path, text: str, code: Code) -> None:
    path = tmp_path / "ids"
    path.write_text(text)
    with pytest.raises(FileRejected) as rejected:
        read_published_ids(path, task=OTTO)
    assert rejected.value.rejection.problems[0].code is code
