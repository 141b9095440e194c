"""The problem of a file whose child ended at a limit names the setting that is to be raised."""

from __future__ import annotations

import pytest

from podium.sandbox import FailureReason, Result
from podium.sandbox.answers import Refused, outcome_of
from tests.places import ROOT


@pytest.mark.parametrize(
    ("failure", "setting"),
    [
        (FailureReason.MEMORY, "PODIUM_JUDGING_MEMORY_BYTES"),
        (FailureReason.WALL_TIME, "PODIUM_JUDGING_SECONDS"),
        (FailureReason.CPU_TIME, "PODIUM_JUDGING_SECONDS"),
    ],
)
def test_what_used_up_a_limit_is_told_the_setting_of_it(
    failure: FailureReason, setting: str
) -> None:
    refused = outcome_of(Result(failure=failure))
    assert isinstance(refused, Refused)
    assert f"The operator sets {setting}" in refused.problem["detail"]
    guide = (ROOT / "docs" / "sizing.md").read_text()
    assert setting in guide or setting.endswith("SECONDS")
