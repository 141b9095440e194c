"""A wrong ground truth is refused by the server and at home, by line and with what to do; the file
that is made by the advice is taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from podium.cli.commands import build
from podium.core.database.types import new_id
from podium.errors import InvalidInput
from tests.builders.installation import Installation
from tests.builders.processes.typed import typed
from tests.builders.wrong_files.contests import CONTESTS
from tests.builders.wrong_files.truths import SHEETS, TEXTS, WRONG_TRUTHS, WrongTruth

pytestmark = pytest.mark.xdist_group("wrong ground truths")


def slug_of(contest: str) -> str:
    return f"truth-of-{contest.lower().replace(' ', '-')}"


@pytest.fixture(scope="module")
def drafts(judging: Installation) -> Installation:
    """An installation with a draft for each contest, which splits by the column Usage and takes the
    form of its sample alone."""
    for name, contest in CONTESTS.items():
        judging.draft(slug_of(name), **{"split": "usage", "forms": [], **contest.settings})
    return judging


def draft_of(drafts: Installation, contest: str) -> str:
    """A draft of its own, whose published ids are those of the ground truth that it is given."""
    slug = f"w{new_id()[-12:]}"
    drafts.draft(slug, **{"split": "usage", "forms": [], **CONTESTS[contest].settings})
    return slug


def sent(drafts: Installation, slug: str, content: bytes) -> Any:
    return drafts.admin.post(f"/admin/competitions/{slug}/ground-truth", content=content)


@pytest.mark.parametrize("wrong", WRONG_TRUTHS, ids=str)
def test_a_wrong_ground_truth_is_refused_with_what_to_do(
    drafts: Installation, tmp_path: Path, wrong: WrongTruth
) -> None:
    slug = draft_of(drafts, wrong.contest)
    refused = sent(drafts, slug, wrong.content)
    status = 415 if wrong.code == "unsupported-media-type" else 422
    assert refused.status_code == status, refused.text
    first = refused.json()["errors"][0]
    assert (first["code"], first["line"]) == (wrong.code, wrong.line), first
    assert wrong.hint in first["hint"]
    taken = sent(drafts, slug, wrong.repaired.encode())
    assert taken.status_code in (200, 201), taken.text

    at_home = scored(tmp_path, wrong.contest, wrong.content).exception
    assert isinstance(at_home, InvalidInput)
    assert [at_home.problems[0][name] for name in ("code", "line", "hint")] == [
        first[name] for name in ("code", "line", "hint")
    ]


def scored(folder: Path, contest: str, truth: bytes) -> Any:
    """Runs `podium score` with this ground truth and the settings of the contest."""
    (folder / "t.csv").write_bytes(truth)
    (folder / "s.csv").write_text(CONTESTS[contest].good)
    (folder / "c.json").write_text(json.dumps(CONTESTS[contest].settings))
    options = ["--truth", str(folder / "t.csv"), "--preset", str(folder / "c.json")]
    return CliRunner().invoke(build(), ["score", str(folder / "s.csv"), *options, "--no-history"])


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize(
    "measure", [[], ["--metric", "ndcg@10"], ["--metric", "rmse", "--task", "table"]], ids=str
)
def test_a_sheet_is_named_also_where_its_columns_would_be_guessed(
    tmp_path: Path, sheet: str, measure: list[str]
) -> None:
    content, hint = SHEETS[sheet]
    (tmp_path / "t.csv").write_bytes(content)
    (tmp_path / "s.csv").write_text(CONTESTS["lists"].good)
    asked = ["--truth", tmp_path / "t.csv", *measure]
    for ended in (
        typed("score", tmp_path / "s.csv", *asked),
        typed("validate", tmp_path / "s.csv", *asked),
    ):
        assert (ended.code, ended.out) == (2, "")
        assert "the file is a" in ended.err
        assert hint in ended.err
        assert "Problem(" not in ended.err


@pytest.mark.parametrize(
    ("contest", "truth", "words"),
    [
        pytest.param(
            "text lists",
            TEXTS.replace("007", "7.0").replace("00x", "8.0"),
            "nearly all ids in “user” are floats, as “7.0”, and “7” is another id",
            id="ids",
        ),
        pytest.param(
            "text lists",
            TEXTS.replace("a b", "1.0 2.0").replace(",b,", ",3.0,"),
            "nearly all ids in “items” are floats",
            id="items",
        ),
        pytest.param(
            "scores",
            CONTESTS["scores"].truth.replace("007", "7.0").replace("x", "8.0"),
            "nearly all ids in “item” are floats, as “7.0”",
            id="pairs",
        ),
        pytest.param(
            "table",
            CONTESTS["table"]
            .truth.replace("007,", "7,")
            .replace(",10", ".0,10", 1)
            .replace("42,", "42.0,")
            .replace("0001,", "0001.0,")
            .replace("1000,", "1000.0,"),
            "nearly all ids in “id” are floats, as “7.0”",
            id="rows",
        ),
        pytest.param(
            "lists",
            "user,item,Usage\n42,7,Public\n43,,Private\n44,9,Private\n",
            "a row has no item, the first on line 3",
            id="an empty item",
        ),
    ],
)
def test_what_is_hardly_meant_is_a_warning(
    drafts: Installation, tmp_path: Path, contest: str, truth: str, words: str
) -> None:
    slug = draft_of(drafts, contest)
    told = " ".join(drafts.upload_truth(slug, truth.encode())["warnings"]).lower()
    assert words.lower() in told
    checklist = drafts.admin.get(f"/admin/competitions/{slug}/launch").text
    assert words.partition("“")[0].lower() in checklist.lower()
    assert words in scored(tmp_path, contest, truth.encode()).stderr


@pytest.mark.parametrize(
    ("contest", "listed", "line", "hint"),
    [
        ("lists", "user,labels\n42.0,\n", 2, "Cast the column to integers"),
        ("lists", "user,labels\n42,\nuser,labels\n43,\n", 3, "Remove the line"),
        ("lists", "User\n42\n", 1, "exactly so"),
        ("rating", ",user,item\n0,1,7\n", 1, "index=False"),
        ("scores", "user,item\n1,x\nuser,item\n", 3, "Remove the line"),
        ("table", "id\n7\nid\n", 3, "Remove the line"),
        ("table", "Unnamed: 0,id\n0,7\n", 1, "index=False"),
    ],
)
def test_published_ids_are_held_to_the_same(
    drafts: Installation, contest: str, listed: str, line: int, hint: str
) -> None:
    path = f"/admin/competitions/{slug_of(contest)}/published-ids"
    refused = drafts.admin.put(path, content=listed.encode())
    assert refused.status_code == 422, refused.text
    first = refused.json()["errors"][0]
    assert (first["line"], hint in str(first["hint"])) == (line, True), first


@pytest.mark.parametrize(
    ("items", "line", "hint"),
    [
        ("item,a\n7.0,1\n", 2, "Cast the column to integers"),
        ("item,a\n7,1\nitem,a\n8,1\n", 3, "Remove the line"),
        (",item,a\n0,7,1\n", 1, "index=False"),
        ("Item,a\n7,1\n", 1, "must be called item"),
    ],
)
def test_item_files_are_held_to_the_same(
    drafts: Installation, items: str, line: int, hint: str
) -> None:
    refused = drafts.admin.put(
        f"/admin/competitions/{slug_of('lists')}/items", content=items.encode()
    )
    assert refused.status_code == 422, refused.text
    first = refused.json()["errors"][0]
    assert (first["line"], hint in str(first["hint"])) == (line, True), first
