"""The public part of a ground truth beside the public share that is set."""

from __future__ import annotations

from decimal import Decimal

import pytest

from podium.core.competition_settings import CompetitionSettings
from podium.materials.rules.public_part import public_part


def counts(public: int, private: int) -> dict[str, dict[str, dict[str, int]]]:
    return {"items": {"public": {"queries": public}, "private": {"queries": private}}}


@pytest.mark.parametrize(("public", "is_far"), [(28, False), (38, False), (27, True), (39, True)])
def test_five_points_of_difference_are_near(public: int, is_far: bool) -> None:
    split = {"public_fraction": Decimal("0.33")}
    settings = CompetitionSettings.model_validate({"id_column": "user", "split": split})
    part = public_part(counts(public, 100 - public), settings)
    assert part is not None
    assert part.is_far is is_far
    assert f"{public} of 100 users ({public} %) are public" in part.words


def test_a_column_that_says_the_split_is_never_far() -> None:
    settings = CompetitionSettings.model_validate({"split": "usage"})
    part = public_part(counts(1, 99), settings)
    assert part is not None
    assert not part.is_far
    assert part.words == "1 of 100 sessions (1 %) are public, as the column Usage says."


def test_a_pair_with_several_numbers_is_counted_once() -> None:
    given = {"task": "scores", "id_column": "user", "objectives": {"like": 1, "reply": 1}}
    settings = CompetitionSettings.model_validate({**given, "metric": "auc"})
    one = counts(33, 67)["items"]
    part = public_part({"like": one, "reply": one}, settings)
    assert part is not None
    assert part.words.startswith("33 of 100 pairs (33 %) are public")


def test_without_anything_to_count_nothing_is_said() -> None:
    assert public_part({}, CompetitionSettings()) is None
