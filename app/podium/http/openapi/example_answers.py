"""Examples of answers that are no documents: tables, settings, numbers, receipts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from podium.http import examples as of

_RANKED = (
    "rank,team,team_id,score,submission_id,submissions,submitted_at,last_submitted_at,tags\n"
    f"1,Team Ada,{of.TEAM},0.57123,{of.SUBMISSION},3,"
    "2026-11-24T12:00:00Z,2026-11-24T12:00:00Z,\n"
)

_PEOPLE = (
    "person,team,public_rank,public_score,final_rank,private_score,submissions,remark\n"
    "ada,Team Ada,1,0.57123,,,3,\n"
)

_SAMPLE = (
    "session_type,labels\n"
    "12899779_clicks,59625 1253524 737445 438191\n"
    "12899779_carts,59625 1253524 737445 438191\n"
    "12899779_orders,59625 1253524 737445 438191\n"
)

_SETTINGS = """\
slug: otto
title: OTTO
objectives:
  clicks: 0.1
  carts: 0.3
  orders: 0.6
metric:
  name: recall_capped
  k: 20
  average: micro
daily_limit: 5
"""

_NUMBERS = """\
# HELP podium_judgings_waiting Judgings without a verdict.
# TYPE podium_judgings_waiting gauge
podium_judgings_waiting 2.0
"""

_RECEIPT = {
    "podium_receipt": 1,
    "submission": of.SUBMISSION,
    "team": {"id": of.TEAM, "name": "Team Ada"},
    "judging": of.OTHER,
    "competition": {"id": of.COMPETITION, "slug": "otto"},
    "status": "scored",
    "bytes": 821_000_000,
    "sha256": of.FILE_HASH,
    "submitted_at": "2026-11-24T12:00:00Z",
    "judged_at": "2026-11-24T12:00:41Z",
    "public_score": "0.57123",
    "scorer_version": "2",
    "ground_truth": {"version": 1, "commitment": of.TEXT_HASH},
    "published_ids_sha256": of.CANONICAL_HASH,
    "key_id": "87414006df5594d1",
    "public_key": "4c6570bb869e99942d891c02d8a0da2de2e80b9fecc4f4078d25be853ff7096e",
    "signature": "c20a2fca29f93dd16805a25074b9d1fc15bfe897857f36db960e52a4dfa33d45"
    "fdb545ad89c572088bb00bf9bf8cd34f3ad31d17eda7ef47750601078fab0604",
}

ANSWERS: Mapping[str, Any] = {
    "downloadSampleSubmission": _SAMPLE,
    "getLeaderboardCsv": _RANKED,
    "getMetrics": _NUMBERS,
    "getPeopleCsv": _PEOPLE,
    "getReceipt": _RECEIPT,
    "getSettingsFile": _SETTINGS,
}
"""By the id of the operation."""


def show_answer(operation: dict[str, Any]) -> None:
    """Gives the answer of an operation that is no document its example."""
    if (example := ANSWERS.get(operation["operationId"])) is not None:
        for kind in operation["responses"]["200"]["content"].values():
            kind["example"] = example
