"""Settings of the boards: what they show, and how much of the ground truth they may leak."""

from __future__ import annotations

from typing import Literal

from podium.core.competition_settings.changing import Free
from podium.core.competition_settings.fields import setting
from podium.core.competition_settings.strict_numbers import StrictNumbers
from podium.core.competition_settings.task import MetricId

MAX_BOARD_DIAGNOSTICS = 8


class BoardSettings(StrictNumbers):
    """Settings of the scores that boards show, and of the bits that these reveal."""

    decimals: Free[int] = setting(
        "Decimals",
        "Scores are rounded to so many. Of equal ones on the public board, the earlier leads.",
        default=5,
        ge=0,
        le=12,
    )
    board: Free[Literal["exact", "ladder"]] = setting(
        "Public board",
        "A ladder shows only scores that are significantly better than the team's best so far; it"
        " protects against probing.",
        values={"exact": "Shows every score", "ladder": "Ladder: improvements only"},
        default="exact",
    )
    objective_scores: Free[Literal["organizers", "after_reveal", "always"]] = setting(
        "Scores per objective",
        "Who sees the scores of objectives and all diagnostics, beside the overall score.",
        values={
            "organizers": "Organizers only",
            "after_reveal": "Everybody after the reveal",
            "always": "Everybody, always",
        },
        default="after_reveal",
    )
    board_diagnostics: Free[tuple[MetricId, ...]] = setting(
        "Diagnostics on the board",
        "Diagnostics that stand beside the score wherever it is shown, as columns of the boards in"
        " this order. Each tells teams more about the ground truth.",
        none="the boards show the score alone",
        example=["mrr@20"],
        is_sparse=True,
        default=(),
        max_length=MAX_BOARD_DIAGNOSTICS,
    )
    leak_limit: Free[int | None] = setting(
        "Leak limit (bits)",
        "How much the scores of a team may tell it about the public split, in bits. After that it"
        " submits no more before the close.",
        none="no limit",
        is_sparse=True,
        default=None,
        ge=1,
        le=1_000_000_000,
    )
