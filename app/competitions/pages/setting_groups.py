"""The fields of the settings form with their meaning, in groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "number", "choice", "tick", "time", "objectives", "metric", "list", "split"]


@dataclass(frozen=True, slots=True)
class Field:
    """A setting. `options` are values with words; `none` says what an empty field means where it
    may be empty."""

    name: str
    label: str
    kind: Kind
    hint: str
    options: tuple[tuple[str, str], ...] = ()
    none: str | None = None


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings that belong together. `is_fixed`: after the launch they change by a rejudging, or
    never."""

    title: str
    about: str
    fields: tuple[Field, ...]
    is_fixed: bool = False


GROUPS = (
    SettingGroup(
        "Basics",
        "What the competition is called, who sees it, and when it is open.",
        (
            Field("title", "Title", "text", "Stands on every page of the competition."),
            Field(
                "visibility",
                "Who sees it",
                "choice",
                "A private one does not exist for anybody but its members.",
                (("public", "Everybody"), ("private", "Members only")),
            ),
            Field(
                "registration",
                "Who may enter",
                "choice",
                "By invitation: with a link of yours, or with a team's code.",
                (("open", "Every account"), ("invite", "By invitation")),
            ),
            Field(
                "starts_at",
                "Opens (UTC)",
                "time",
                "Empty: with the launch.",
                none="with the launch",
            ),
            Field("ends_at", "Closes (UTC)", "time", "Empty: when you close it.", none="by hand"),
        ),
    ),
    SettingGroup(
        "Task",
        "What is predicted, and how it is scored. Metrics are written as name@K, as ndcg@20 or"
        " recall_capped@20:micro.",
        (
            Field(
                "task",
                "Kind",
                "choice",
                "Lists of items in order, or a number for each pair.",
                (("ranking", "Ranking"), ("rating", "Rating")),
            ),
            Field(
                "objectives",
                "Objectives",
                "objectives",
                "One a line: its name, its weight, and its metric where it has one of its own.",
            ),
            Field("metric", "Metric", "metric", "Scores all objectives without one of their own."),
            Field(
                "diagnostics",
                "Diagnostics",
                "list",
                "Metrics that are computed beside it and never rank, separated by spaces.",
                none="none",
            ),
            Field(
                "missing_rows",
                "Missing rows",
                "choice",
                "A published id without a row.",
                (("reject", "Reject the file"), ("zero", "Count as an empty list")),
            ),
            Field(
                "duplicates",
                "The same item twice in the ground truth",
                "choice",
                "Within one list of the ground truth. In a submission it is always allowed: the"
                " later one takes a place of the list and scores nothing.",
                (("refuse", "Reject the ground truth"), ("drop", "Ignore the later one")),
            ),
            Field(
                "split",
                "Public share",
                "split",
                "The part of the sessions behind the public board, as 0.33; or the word usage,"
                " where the ground truth has a column for it.",
            ),
        ),
        is_fixed=True,
    ),
    SettingGroup(
        "Columns",
        "How files are written.",
        (
            Field("id_column", "Column of ids", "text", "The first column of a submission."),
            Field("labels_column", "Column of predictions", "text", "The second one."),
            Field("item_column", "Column of items", "text", "For ratings: the item of a pair."),
            Field(
                "query_ids",
                "Sessions are",
                "choice",
                "What ids of sessions or users look like.",
                (("integer", "Numbers"), ("string", "Texts")),
            ),
            Field(
                "item_ids",
                "Items are",
                "choice",
                "What ids of items look like.",
                (("integer", "Numbers"), ("string", "Texts")),
            ),
        ),
        is_fixed=True,
    ),
    SettingGroup(
        "Limits",
        "Per team. Rejected and failed files cost nothing.",
        (
            Field("daily_limit", "Submissions a day", "number", "Days are UTC."),
            Field(
                "total_limit", "Submissions in all", "number", "Empty: no such limit.", none="any"
            ),
            Field("final_selections", "Finals", "number", "Files that count in the end."),
            Field("team_size", "People in a team", "number", "Also after a merge."),
            Field("max_upload_bytes", "Largest file", "number", "In bytes, as it is sent."),
            Field("max_expanded_bytes", "Largest text", "number", "In bytes, uncompressed."),
            Field("concurrent_uploads", "Uploads at a time", "number", "Of the whole competition."),
            Field(
                "late_submissions",
                "Take files after the close",
                "tick",
                "They are scored, and stand on no board.",
            ),
        ),
    ),
    SettingGroup(
        "Board",
        "What is told of scores before the reveal.",
        (
            Field("decimals", "Decimals", "number", "Every score is rounded to so many."),
            Field(
                "board",
                "Public score",
                "choice",
                "With a ladder it only changes where a file is significantly better.",
                (("exact", "Of every file"), ("ladder", "Ladder: only improvements")),
            ),
            Field(
                "objective_scores",
                "Scores of objectives",
                "choice",
                "Beside the score as a whole.",
                (
                    ("organizers", "For organizers"),
                    ("after_reveal", "After the reveal"),
                    ("always", "Always"),
                ),
            ),
        ),
    ),
)

FIELDS = {field.name: field for group in GROUPS for field in group.fields}
