"""Submissions of other forms become files as the competition takes them."""

from __future__ import annotations

import bz2
import lzma
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from podium.scoring import engine
from podium.scoring.combining.converting import Converted, convert
from podium.scoring.problems import FileRejected, OtherForm
from podium.scoring.task import Objective, Task
from tests.builders.uploads.packing import FURTHER

TASKS = {
    "ranking": Task((Objective("", Decimal(1), "recall@2"),), id_column="user"),
    "rating": Task((Objective("", Decimal(1), "rmse"),), kind="rating", id_column="user"),
}
SAMPLES = {"ranking": "user,labels\n1,\n2,\n", "rating": "user,item,labels\n1,7,0\n2,8,0\n"}


def converted(text: str | bytes, folder: Path, kind: str = "ranking", **changes: Any) -> Any:
    """The text that a file becomes, beside what is told of it; None where nothing is to do."""
    file, sample, to = (folder / name for name in ("file", "sample.csv", "to.csv"))
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    sample.write_text(SAMPLES[kind])
    task = replace(TASKS[kind], **changes)
    published = engine.read_published(sample, task=task)
    found = convert(file, task=task, published=published, scratch=folder, to=to)
    return None if found is None else (to.read_text("utf-8-sig"), found)


def test_rows_of_items_become_lists_of_those_that_count(tmp_path: Path) -> None:
    text = "user\titem\trank\n2\t5\t3\n1\t9\t2\n1\t7\t1\n1\t4\t8\n"
    assert converted(text, tmp_path) == (
        "user,labels\n1,7 9\n2,5\n",
        Converted(
            "one item per row, by rank; separated by tabs",
            ("separators", "item-rows"),
            {"rows": 2, "missing": 0, "empty": 0},
            cut=2,
        ),
    )


def test_numbers_of_pairs_keep_their_spelling(tmp_path: Path) -> None:
    text, found = converted("n;labels;item;user\na;1e0;7;1\n;0.10;8;2\n", tmp_path, "rating")
    assert text == "labels,item,user\n1e0,7,1\n0.10,8,2\n"
    assert found.forms == ("separators", "extra-columns")
    assert found.cut is None
    text, _ = converted("1,7,5\n2,8,1\n", tmp_path, "rating")
    assert text == "user,item,labels\n1,7,5\n2,8,1\n"


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "a zip with files that a system added": FURTHER["zip of macOS"],
}


@pytest.mark.parametrize("container", PACKED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("sign", [",", ";"])
def test_containers_and_encodings_become_plain_text(
    tmp_path: Path, container: str, encoding: str, sign: str
) -> None:
    text = f"user{sign}labels\n1{sign}7 9\n2{sign}\n"
    packed = PACKED[container](text.encode(encoding))
    plain, found = converted(packed, tmp_path)
    assert plain == "user,labels\n1,7 9\n2,\n"
    words = ["UTF-16"] if encoding == "utf-16" else []
    forms = ["containers", *(["utf-16"] if words else [])]
    if sign == ";":
        words, forms = [*words, "separated by semicolons"], [*forms, "separators"]
    assert (found.form, found.forms) == ("; ".join([container, *words]), tuple(forms))
    if container != "a zip with files that a system added":
        with pytest.raises(FileRejected) as refused:
            validated(packed, tmp_path)
        assert refused.value.rejection.readable_as == OtherForm(found.form, found.forms)


def validated(content: bytes, folder: Path) -> None:
    """Reads a file by a task without other forms."""
    (folder / "file").write_bytes(content)
    (folder / "sample.csv").write_text(SAMPLES["ranking"])
    task = TASKS["ranking"]
    published = engine.read_published(folder / "sample.csv", task=task)
    engine.validate(folder / "file", task=task, published=published, scratch=folder)


def test_text_in_an_encoding_that_is_named_becomes_utf_8(tmp_path: Path) -> None:
    text = "고객;추천\n1;7 9\n2;\n".encode("cp949")
    file, to = tmp_path / "file", tmp_path / "to.csv"
    file.write_bytes(text)
    (tmp_path / "sample.csv").write_text("고객,추천\n1,\n2,\n")
    names: dict[str, Any] = {"id_column": "고객", "labels_column": "추천", "forms": ("cp949",)}
    task = replace(TASKS["ranking"], **names)
    published = engine.read_published(tmp_path / "sample.csv", task=task)
    found = convert(file, task=task, published=published, scratch=tmp_path, to=to)
    assert found is not None
    assert found.forms == ("cp949", "separators")
    assert to.read_text() == "고객,추천\n1,7 9\n2,\n"


def test_a_file_in_the_form_of_the_sample_is_left_alone(tmp_path: Path) -> None:
    assert converted("user,labels\n1,7 9\n2,\n", tmp_path) is None
    assert not (tmp_path / "to.csv").exists()


def test_texts_that_the_sample_allows_are_not_read_otherwise(tmp_path: Path) -> None:
    # Each cell is one item: an id of text may hold a semicolon.
    assert converted("user,labels\n1,a;b c\n2,c;d e\n", tmp_path, item_ids="string") is None


BAD = {
    "1\t7\n1\t9\n3\t5\n2\t5\n": (3, "unknown-id"),
    "1\t7\n1\t9\n": (None, "missing-ids"),
    "user;labels\n1;7\n2;8\n1;9\n": (4, "duplicate-id"),
    # A header with a wrong name is no row.
    "id,labels\n1,7 9\n2,5\n": (1, "header-mismatch"),
}


@pytest.mark.parametrize("text", BAD)
def test_a_file_with_problems_is_refused_with_their_lines(text: str, tmp_path: Path) -> None:
    with pytest.raises(FileRejected) as refused:
        converted(text, tmp_path)
    first = refused.value.rejection.problems[0]
    assert (first.line, first.code) == BAD[text]
    assert not (tmp_path / "to.csv").exists()


def test_an_order_of_candidates_is_not_guessed(tmp_path: Path) -> None:
    ranked = Task((Objective("", Decimal(1), "mrr"),), kind="rerank", id_column="user")
    file, sample = tmp_path / "file", tmp_path / "sample.csv"
    file.write_text("1 [2,1]\n")
    sample.write_text("user,item,labels\n1,7,0\n1,8,0\n")
    published = engine.read_published(sample, task=ranked)
    with pytest.raises(FileRejected) as refused:
        convert(file, task=ranked, published=published, scratch=tmp_path, to=tmp_path / "to")
    found = refused.value.rejection
    assert found.problems[0].code == "header-mismatch"
    assert found.readable_as is not None
    assert found.readable_as.forms == ("candidate-ranks",)
