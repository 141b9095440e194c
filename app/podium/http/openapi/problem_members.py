"""The members that some codes add to a problem, beside those that every problem has."""

from __future__ import annotations

from typing import Any

from podium.http import examples as of

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TEXTS = {"type": "array", "items": TEXT}
NUMBERS = {"type": "array", "items": NUMBER}


def _member(schema: dict[str, Any], example: object, description: str) -> dict[str, Any]:
    return {**schema, "description": description, "examples": [example]}


MEMBERS = {
    "address": _member(
        TEXT,
        "/api/v1/competitions/otto/rules/acceptance",
        "With `rules-not-accepted`: where to accept the rules. With `not-joined` of a submission:"
        " where to make a team.",
    ),
    "rules": _member(
        TEXT, "One account per person.", "With `rules-not-accepted`: the text to accept."
    ),
    "rules_sha256": _member(
        TEXT,
        of.TEXT_HASH,
        "With `rules-not-accepted`: the text's hash, to be sent with the acceptance.",
    ),
    "limited_by": _member(
        TEXT, "daily_limit", "With 429 of a submission: which limit is reached, as in `GET …/team`."
    ),
    "max_bytes": _member(
        NUMBER, 2_147_483_648, "With `too-large`: the most bytes that are taken here."
    ),
    "expected_offset": _member(
        NUMBER, 1_048_576, "With 409 of an upload: how many of its bytes have arrived."
    ),
    "expected-offset": _member(
        NUMBER,
        1_048_576,
        "With `upload-offset-mismatch`: as `expected_offset`, by its name in the IETF's draft.",
    ),
    "provided-offset": _member(
        NUMBER, 0, "With `upload-offset-mismatch`: the `Upload-Offset` that was sent."
    ),
    "removed_at": _member(
        TEXT | {"format": "date-time"},
        "2027-07-01T03:00:00Z",
        "With `file-removed`: when the file was removed.",
    ),
    "version": _member(
        NUMBER, 4, "With `precondition-failed`: the version of the settings that is in force."
    ),
    "settings": _member(
        TEXTS, ["metric"], "With 409 of a change of settings: those that cannot be changed so."
    ),
    "rejudging": _member(
        TEXT, of.OTHER, "With `rejudging-unfinished`: the id of the one that is not finished."
    ),
    "done": _member(
        NUMBER, 120, "With `rejudging-running`, unless of a deletion: judgings that have ended."
    ),
    "total": _member(
        NUMBER, 300, "With `rejudging-running`, unless of a deletion: judgings in all."
    ),
    "submission_ids": _member(
        TEXTS, [of.SUBMISSION], "With `rejudging-failed`: submissions that could not be judged."
    ),
    "versions": _member(
        NUMBERS, [1, 2], "With `different-ground-truth`: the versions that were judged against."
    ),
    "upload": _member(
        TEXT, of.UPLOAD, "With `ground-truth-checking`: the id of the one that is being read."
    ),
    "unjudged": _member(
        NUMBER, 2, "With `still-judging`, unless of a deletion: submissions without a verdict."
    ),
    "uploads": _member(
        NUMBER, 1, "With `still-judging`, unless of a deletion: uploads that are on their way."
    ),
    "area": _member(
        TEXT, "submissions", "With `stored-file-corrupt`: the part of the store with the file."
    ),
    "sha256": _member(
        TEXT, of.FILE_HASH, "With `stored-file-corrupt`: the hash in the file's name."
    ),
    "line": _member(
        {"anyOf": [NUMBER, {"type": "null"}]},
        3,
        "With a problem of a file: the line at fault, from 1. Null: no single line is.",
    ),
    "row": _member(NUMBER, 2, "With a problem of a Parquet file: the row at fault, from 0."),
    "id": _member(TEXT, "17_orders", "With a problem of a file: the id at fault."),
    "column": _member(TEXT, "labels", "With a problem of a file: the column at fault."),
    "hint": _member(
        TEXT, "Write one row for each id.", "With a problem of a file: how to mend it."
    ),
}
"""Members by name; none of them is part of every problem."""
