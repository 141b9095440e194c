"""Settings of uploads: how many files a team may submit, how large they may be, and when they are
accepted and judged."""

from __future__ import annotations

from podium.core.competition_settings.changing import Free
from podium.core.competition_settings.fields import setting
from podium.core.competition_settings.strict_numbers import StrictNumbers
from podium.scoring.task import OTTO


class LimitSettings(StrictNumbers):
    """The limits of a team."""

    daily_limit: Free[int] = setting(
        "Submissions per day",
        "How many files a team may send per day, which begins at 00:00 UTC.",
        default=5,
        ge=1,
        le=10_000,
    )
    total_limit: Free[int | None] = setting(
        "Submissions in total",
        "How many files a team may send in all.",
        none="no limit",
        default=None,
        ge=1,
    )
    final_selections: Free[int] = setting(
        "Selected submissions",
        "How many submissions of a team count in the final ranking, at most.",
        default=2,
        ge=1,
        le=100,
    )
    team_size: Free[int] = setting(
        "Max. team size",
        "How many members a team may have, also after a merge.",
        default=5,
        ge=1,
        le=100,
    )
    max_upload_bytes: Free[int] = setting(
        "Max. file size",
        "The largest submission, as it is sent.",
        default=2 << 30,
        ge=1,
        le=1 << 40,
    )
    max_expanded_bytes: Free[int] = setting(
        "Max. uncompressed size",
        "The largest submission, after decompression.",
        default=OTTO.max_expanded_bytes,
        ge=1,
        le=1 << 40,
    )


class UploadSettings(StrictNumbers):
    """Settings of the acceptance and judging of uploaded files."""

    late_submissions: Free[bool] = setting(
        "Accept late submissions",
        "True takes submissions after the close, also after the reveal: scored, but never ranked.",
        default=False,
    )
    accept_uploads: Free[bool] = setting(
        "Accept submissions", "False refuses submissions for the moment.", default=True
    )
    judge_uploads: Free[bool] = setting(
        "Judge submissions",
        "False lets submissions wait unjudged for the moment; rejudgings go on.",
        default=True,
    )
    concurrent_uploads: Free[int] = setting(
        "Simultaneous uploads",
        "How many files of one team are received at the same time.",
        default=16,
        ge=1,
        le=10_000,
    )
