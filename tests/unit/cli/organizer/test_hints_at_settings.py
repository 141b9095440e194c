"""Sentences about settings for ground truths that a preset refuses."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from podium.cli.organizer.guessing import hint_at_settings
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.presets import PRESETS
from podium.core.configuration import task_of
from podium.errors import InvalidInput
from podium.scoring.engine import read_truth
from podium.scoring.problems import FileRejected
from podium.scoring.splits import SplitRule


def refusal_and_hint(folder: Path, preset: str, header: str, rows: str) -> tuple[str, str | None]:
    """The text of the refusal of a ground truth, and the sentence about settings."""
    truth = folder / "truth.csv"
    truth.write_text("\n".join([header, *(rows.format(each) for each in range(1, 30)), ""]))
    settings = CompetitionSettings.model_validate(PRESETS[preset])
    with pytest.raises(FileRejected) as caught:
        read_truth(truth, task=task_of(settings), published=None, split=SplitRule("whole"))
    problem = caught.value.rejection.to_dict()
    error = InvalidInput("refused", problems=problem["errors"])
    present = settings.model_dump(mode="json")
    hint = hint_at_settings(truth, error, by="--settings", explicit={}, present=present)
    return problem["errors"][0]["detail"], hint


@pytest.mark.parametrize(
    ("preset", "header", "rows", "expected"),
    [
        ("recsys-2022", "session_id,date,item_id", "{0},2021-06-01,15085", "session_id,item_id"),
        ("recsys-2022", "session_id,item_id,date", "{0},15085,2021-06-01", "session_id,item_id"),
        ("polimi", "user_id,item_id,data", "{0},7,1.0", "user_id,item_id"),
        ("million-song", "user,song,count", "{0},17,2", "user,song"),
        (
            "h-and-m",
            "t_dat,customer_id,article_id,price,sales_channel_id",
            "2020-09-16,c{0},0706016001,0.05,2",
            "customer_id,article_id",
        ),
    ],
)
def test_columns_beside_those_of_the_preset_blame_no_setting(
    tmp_path: Path, preset: str, header: str, rows: str, expected: str
) -> None:
    told, hint = refusal_and_hint(tmp_path, preset, header, rows)
    assert told == f"the columns are “{header}”, expected {expected}[,relevance][,Usage]"
    assert hint is None


@pytest.mark.parametrize(
    ("preset", "header", "rows", "named"),
    [
        ("h-and-m", "customer,article_id", "c{0},0706016001", "id_column"),
        ("h-and-m", "customer_id,article", "c{0},0706016001", "item_column, labels_column"),
        ("kdd-cup-2023", "prev_items,next_item,locale", "B{0},B09W9FND7K,DE", "id_column"),
        ("mind", "impression_id,news_id,label", "{0},N1,0\n{0},N2,1", "labels_column"),
        ("otto", "user,item,rating", "{0},5,3.5", "id_column"),
    ],
)
def test_only_columns_that_the_file_lacks_are_named(
    tmp_path: Path, preset: str, header: str, rows: str, named: str
) -> None:
    _, hint = refusal_and_hint(tmp_path, preset, header, rows)
    assert hint is not None
    assert hint.startswith(f"If the file is right, these settings are not: {named}.")


def test_another_kind_of_task_is_suggested_for_a_file_without_a_column_of_its_own(
    tmp_path: Path,
) -> None:
    suggested = {}
    for preset, header in {"otto": "user,item,rating", "polimi": "user_id,film,rating"}.items():
        _, hint = refusal_and_hint(tmp_path, preset, header, "{0},5,3.5")
        assert hint is not None
        _, _, settings = hint.removesuffix(".").partition("By its first rows: --settings ")
        suggested[preset] = json.loads(shlex.split(settings)[0])["task"] if settings else None
    assert suggested == {"otto": "rating", "polimi": None}
