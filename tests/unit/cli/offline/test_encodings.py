"""Files in other encodings than UTF-8 at home: named by an option, or by a mark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from podium.cli.offline.inference.file_heads import table_head
from podium.cli.organizer.guessing import settings_guessed
from podium.errors import NotConfigured
from podium.scoring.forms import ENCODINGS, FORMS
from tests.builders.processes.typed import typed

NAMES = {
    "cp949": ("고객", "상품"),
    "shift_jis": ("ユーザー", "商品"),
    "windows-1252": ("Käufer", "élu"),
    "latin-1": ("Käufer", "élu"),
}
"""Two names in each encoding, by its form."""


def written(folder: Path, name: str, text: str, codec: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode(codec))
    return path


@pytest.mark.parametrize("form", ENCODINGS)
def test_lists_are_scored_in_the_encoding_that_the_option_names(tmp_path: Path, form: str) -> None:
    (one, other), codec = NAMES[form], FORMS[form].codec
    text = f"{one},{other}\n1,7\n2,8\n"
    truth = written(tmp_path, "t.csv", text, codec)
    for file in (truth, written(tmp_path, "s.csv", text, "utf-8")):
        known = ("--truth", truth, "--metric", "recall@2", "--encoding", form)
        done = typed("score", file, *known, "--no-history", "--json")
        assert done.code == 0, done.err
        assert done.document["score"] == 1
        assert typed("validate", file, *known).code == 0
        assert typed("validate", file, "--sample", truth, "--encoding", form).code == 0


@pytest.mark.parametrize("form", ENCODINGS)
def test_tables_are_scored_in_the_encoding_that_the_option_names(tmp_path: Path, form: str) -> None:
    (one, other), codec = NAMES[form], FORMS[form].codec
    truth = written(tmp_path, "t.csv", f"id,{one}\na,{other}\nb,x\n", codec)
    file = written(tmp_path, "s.csv", f"{one},id\nx,b\n{other},a\n", codec)
    known = ("--truth", truth, "--metric", "accuracy", "--task", "table")
    done = typed("score", file, *known, "--encoding", form, "--no-history", "--json")
    assert done.code == 0, done.err
    assert done.document["score"] == 1
    without = typed("score", file, *known, "--no-history")
    assert without.code != 0
    assert "is not UTF-8" in without.err


def test_settings_and_the_option_name_the_encoding_alike(tmp_path: Path) -> None:
    settings = {"metric": "recall@2", "objectives": {"items": 1}, "id_column": "고객"}
    settings |= {"labels_column": "상품"}
    text = "고객,상품\n1,7\n2,8\n"
    truth, file = (written(tmp_path, name, text, "cp949") for name in ("t.csv", "s.csv"))
    path = tmp_path / "settings.json"
    named = ("--encoding", "cp949")
    for forms, option in ((["cp949"], ()), ([], named), (["cp949"], named)):
        path.write_text(json.dumps({**settings, "forms": forms}))
        done = typed("score", file, "--truth", truth, "--preset", path, *option, "--no-history")
        assert done.code == 0, done.err
    path.write_text(json.dumps({**settings, "forms": ["latin-1"]}))
    known = ("--truth", truth, "--preset", path, "--no-history")
    refused = typed("score", file, *known, "--encoding", "cp949")
    assert "text is in one encoding, not in latin-1 or cp949" in refused.err
    unknown = typed("score", file, *known, "--encoding", "cp9")
    assert "--encoding cp9: choose cp949 or shift_jis" in unknown.err


def test_utf_16_is_read_by_its_mark(tmp_path: Path) -> None:
    text = "고객\t상품\n1\t7\n2\t8\n"
    truth = written(tmp_path, "t.csv", text.replace("\t", ","), "utf-16")
    file = written(tmp_path, "s.csv", text, "utf-16")
    known = ("--truth", truth, "--metric", "recall@2", "--no-history", "--json")
    done = typed("score", file, *known)
    assert done.code == 0, done.err
    assert done.document["score"] == 1


def test_settings_are_guessed_from_a_truth_in_an_encoding_that_is_named(tmp_path: Path) -> None:
    text = "고객,상품\n1,7\n2,8\n"
    truth = written(tmp_path, "t.csv", text, "cp949")
    plain = written(tmp_path, "u.csv", text, "utf-8")
    named = {"forms": ["cp949"], "id_column": "고객"}
    assert settings_guessed(truth, named) == settings_guessed(plain, named) != {}
    # What nothing names is guessed, and said with all other settings.
    guessed = {"forms": ["separators", "no-header", "containers", "utf-16", "cp949"]}
    assert settings_guessed(truth, {}) == {**settings_guessed(plain, {}), **guessed}


def test_a_command_without_settings_says_first_that_the_encoding_is_not_named(
    tmp_path: Path,
) -> None:
    text = "고객,상품,ts\n1,7,1661724000\n"
    truth = written(tmp_path, "t.csv", text, "cp949")
    with pytest.raises(NotConfigured, match=r"it looks like CP949 \(Korean\)"):
        table_head(truth)
    with pytest.raises(NotConfigured, match="looks like a time"):
        settings_guessed(truth, {})
