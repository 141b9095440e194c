"""Archives whose rows are forged, or from other versions: refused whole, and nothing stays."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from podium.application import Application
from tests.builders.archives.forging import Members, edited, refused, setting, signed, taken_in
from tests.builders.archives.season import packed
from tests.builders.rows import add_competition

UNKNOWN_ID = "00000000-0000-7000-8000-000000000000"


def test_the_untouched_archive_is_good(application: Application, full: Members) -> None:
    assert taken_in(application, packed(signed(full))).slug == "otto"


ROWS = {
    "a column of a newer version": ("teams", setting("color", "red"), "archive-too-new"),
    "a text in the place of a number": ("submissions", setting("bytes", "10"), "bad-archive-row"),
    "a number in the place of a text": ("teams", setting("name", 7), "bad-archive-row"),
    "a number beyond 64 bits": ("submissions", setting("bytes", 2**63), "bad-archive-row"),
    "a time without a zone": (
        "submissions",
        setting("submitted_at", "2026-01-01T00:00:00"),
        "bad-archive-row",
    ),
    "no time at all": ("submissions", setting("submitted_at", None), "bad-archive-row"),
    "a score that is not a fraction": ("public_scores", setting("score", "0.5"), "bad-archive-row"),
    "a score over nothing": ("public_scores", setting("score", "1/0"), "bad-archive-row"),
    "a NUL character": ("teams", setting("name", "a\x00b"), "bad-archive-row"),
    "an id that is too long": ("teams", setting("id", "x" * 37), "bad-archive-row"),
    "an id twice": ("teams", lambda rows: rows.append(rows[0]), "archive-inconsistent"),
    "a team of another competition": (
        "teams",
        setting("competition_id", UNKNOWN_ID),
        "archive-inconsistent",
    ),
    "a submission of a foreign team": (
        "submissions",
        setting("team_id", UNKNOWN_ID),
        "archive-inconsistent",
    ),
    "a judging of a foreign submission": (
        "judgings",
        setting("submission_id", UNKNOWN_ID),
        "archive-inconsistent",
    ),
    "a score of a foreign judging": (
        "private_scores",
        setting("judging_id", UNKNOWN_ID),
        "archive-inconsistent",
    ),
    "a member who is not in the archive": (
        "memberships",
        setting("user_id", UNKNOWN_ID),
        "archive-inconsistent",
    ),
    "a file that is not in the archive": (
        "submissions",
        setting("sha256", "0" * 64),
        "archive-inconsistent",
    ),
    "a file of another area": (
        "data_files",
        lambda rows: rows[0].update(sha256=hashlib.sha256(b"file Ada 1").hexdigest()),
        "archive-inconsistent",
    ),
    "sequences out of order": ("submissions", lambda rows: rows.reverse(), "archive-inconsistent"),
    "a standing of no submission": ("standings", setting("sequence", 999), "archive-inconsistent"),
    "an unknown state": ("judgings", setting("state", "won"), "bad-archive-row"),
    "teams that were merged in a circle": (
        "teams",
        lambda rows: rows[0].update(merged_into_id=rows[0]["id"]),
        "archive-inconsistent",
    ),
    "two teams of one name": (
        "teams",
        lambda rows: rows[1].update(name=rows[0]["name"].upper()),
        "archive-inconsistent",
    ),
    "two competitions": ("competitions", lambda rows: rows.append(rows[0]), "archive-inconsistent"),
    "no competition": ("competitions", lambda rows: rows.clear(), "archive-inconsistent"),
    "a title on two lines": ("competitions", setting("title", "a\nb"), "bad-archive-row"),
    "an active ground truth that is missing": (
        "competitions",
        setting("active_ground_truth", 77),
        "archive-inconsistent",
    ),
    "a judging by a ground truth that is missing": (
        "judgings",
        setting("ground_truth_version", 77),
        "archive-inconsistent",
    ),
    "an unknown visibility": ("competitions", setting("visibility", "odd"), "bad-archive-row"),
    "an unknown metric": (
        "competitions",
        lambda rows: rows[0]["settings"].update(metric={"name": "zzz", "k": 1}),
        "archive-too-new",
    ),
    "a name that hides characters": ("teams", setting("name", "a\u202eb"), "bad-archive-row"),
    "tags that are none": ("teams", setting("tags", {"hidden": 1}), "bad-archive-row"),
    "an unknown tag": ("teams", setting("tags", ["winner"]), "bad-archive-row"),
    "more decimals than there are": ("standings", setting("decimals", 10**9), "bad-archive-row"),
    "fewer decimals than none": ("standings", setting("decimals", -1), "bad-archive-row"),
    "an objective over nothing": (
        "public_scores",
        lambda rows: rows[0]["objectives"].update(
            clicks={"hits": 1, "denominator": 0, "queries": 1, "value": "1/0"}
        ),
        "bad-archive-row",
    ),
    "an objective without counts": (
        "private_scores",
        setting("objectives", {"clicks": {"value": "1/2"}}),
        "bad-archive-row",
    ),
    "a diagnostic that is a number": (
        "public_scores",
        setting("diagnostics", {"coverage@20": 1}),
        "bad-archive-row",
    ),
    "a count that is a text": ("judgings", setting("counts", {"rows": "x"}), "bad-archive-row"),
    "a form that is a number": ("judgings", setting("counts", {"form": 1}), "bad-archive-row"),
    "statistics of lists without a share": (
        "judgings",
        setting("counts", {"lists": {"objectives": {}, "distinct": 1, "catalogue": None}}),
        "bad-archive-row",
    ),
    "a problem without a code": ("judgings", setting("problem", {}), "bad-archive-row"),
    "settings of a newer version": (
        "competitions",
        lambda rows: rows[0]["settings"].update(color="red"),
        "archive-too-new",
    ),
}
"""Faults in one row of a well-formed archive: table, change, and the answer's code."""


@pytest.mark.parametrize("case", ROWS)
def test_rows_that_do_not_fit_are_refused(
    application: Application, full: Members, case: str
) -> None:
    table, change, code = ROWS[case]
    refused(application, packed(edited(full, table, change)), code)


def test_an_import_never_reaches_into_another_competition(
    application: Application, full: Members
) -> None:
    """Ids of rows that exist here are not enough: what is referred to must have come along."""
    with application.database.write() as session:
        other = add_competition(session, slug="other").id
    for table in ("teams", "standings", "organizers", "competition_secrets", "data_files"):
        forged = edited(full, table, setting("competition_id", other))
        refused(application, packed(forged), "archive-inconsistent")


def test_an_older_archive_without_a_later_column_is_taken(
    application: Application, full: Members
) -> None:
    def forget(rows: list[Any]) -> None:
        for row in rows:
            del row["is_late"]

    older = edited(full, "submissions", forget)
    del older["tables/announcements.jsonl"]
    assert taken_in(application, packed(signed(older))).slug == "otto"
