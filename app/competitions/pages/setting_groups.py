"""The fields of the settings form with their meaning, in groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import AwareDatetime

from podium.competitions.schemas.competitions import NewCompetition
from podium.core.competition_settings import (
    FREE_AFTER_LAUNCH,
    CompetitionSettings,
    MetricChoice,
    SplitChoice,
)

Kind = Literal["text", "number", "choice", "tick", "time", "objectives", "metric", "list", "split"]

KINDS: dict[object, Kind] = {
    str: "text",
    int: "number",
    bool: "tick",
    AwareDatetime: "time",
    Literal: "choice",
    dict: "objectives",
    tuple: "list",
    MetricChoice: "metric",
    SplitChoice: "split",
}
"""Kinds of form fields, by the type that the setting is declared with."""


@dataclass(frozen=True)
class Field:
    """A setting. `options` are values with words; `none` says what an empty field means where it
    may be empty. Its type, and when it may change, are those of its declaration."""

    name: str
    label: str
    hint: str
    options: tuple[tuple[str, str], ...] = ()
    none: str | None = None

    @cached_property
    def kind(self) -> Kind:
        """The kind of form field."""
        annotation = NewCompetition.model_fields[self.name].annotation
        known = [each for each in _types_of(annotation) if each in KINDS]
        if not known:
            raise TypeError(f"No kind of form field is for {self.name}, which is {annotation}.")
        return KINDS[known[0]]

    @property
    def is_fixed(self) -> bool:
        """True if it changes by a rejudging, or never, after the launch."""
        return self.name in CompetitionSettings.model_fields.keys() - FREE_AFTER_LAUNCH


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings that belong together."""

    title: str
    about: str
    fields: tuple[Field, ...]

    @property
    def is_fixed(self) -> bool:
        """True if its settings change by a rejudging, or never, after the launch."""
        return all(field.is_fixed for field in self.fields)


def _types_of(annotation: Any) -> Iterator[object]:  # noqa: ANN401 - an annotation has no type
    """The types in an annotation, without what may be None and what is only noted."""
    origin = get_origin(annotation)
    if origin in (None, Literal, dict, tuple):
        yield origin or annotation
        return
    parts = get_args(annotation)
    for part in parts[:1] if origin is Annotated else parts:
        yield from _types_of(part)


GROUPS = (
    SettingGroup(
        "Basics",
        "What the competition is called, who sees it, and when it is open.",
        (
            Field("title", "Title", "Stands on every page of the competition."),
            Field(
                "visibility",
                "Who sees it",
                "A private one does not exist for anybody but its members.",
                (("public", "Everybody"), ("private", "Members only")),
            ),
            Field(
                "registration",
                "Who may enter",
                "By invitation: with a link of yours, or with a team's code.",
                (("open", "Every account"), ("invite", "By invitation")),
            ),
            Field(
                "starts_at",
                "Opens (UTC)",
                "Empty: with the launch.",
                none="with the launch",
            ),
            Field("ends_at", "Closes (UTC)", "Empty: when you close it.", none="by hand"),
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
                "Lists of items in order, or a number for each pair.",
                (("ranking", "Ranking"), ("rating", "Rating")),
            ),
            Field(
                "objectives",
                "Objectives",
                "One a line: its name, its weight, and its metric where it has one of its own.",
            ),
            Field("metric", "Metric", "Scores all objectives without one of their own."),
            Field(
                "diagnostics",
                "Diagnostics",
                "Metrics that are computed beside it and never rank, separated by spaces.",
                none="none",
            ),
            Field(
                "missing_rows",
                "Missing rows",
                "A published id without a row.",
                (("reject", "Reject the file"), ("zero", "Count as an empty list")),
            ),
            Field(
                "duplicates",
                "The same item twice in the ground truth",
                "Within one list of the ground truth.",
                (("refuse", "Reject the ground truth"), ("drop", "Ignore the later one")),
            ),
            Field(
                "submission_duplicates",
                "The same item twice in a submission",
                "Within the first K items of one list.",
                (
                    ("count-once", "Count it once: the later one takes a place and scores nothing"),
                    ("reject", "Reject the file"),
                ),
            ),
            Field(
                "split",
                "Public share",
                "The part of the sessions behind the public board, as 0.33; or the word usage,"
                " where the ground truth has a column for it.",
            ),
        ),
    ),
    SettingGroup(
        "Columns",
        "How files are written.",
        (
            Field("id_column", "Column of ids", "The first column of a submission."),
            Field("labels_column", "Column of predictions", "The second one."),
            Field("item_column", "Column of items", "For ratings: the item of a pair."),
            Field(
                "query_ids",
                "Sessions are",
                "What ids of sessions or users look like.",
                (("integer", "Numbers"), ("string", "Texts")),
            ),
            Field(
                "item_ids",
                "Items are",
                "What ids of items look like.",
                (("integer", "Numbers"), ("string", "Texts")),
            ),
        ),
    ),
    SettingGroup(
        "Limits",
        "Per team. Rejected and failed files cost nothing,"
        " except where judging ran out of time or memory.",
        (
            Field("daily_limit", "Submissions a day", "Days are UTC."),
            Field("total_limit", "Submissions in all", "Empty: no such limit.", none="any"),
            Field("final_selections", "Finals", "Files that count in the end."),
            Field("team_size", "People in a team", "Also after a merge."),
            Field("max_upload_bytes", "Largest file", "In bytes, as it is sent."),
            Field("max_expanded_bytes", "Largest text", "In bytes, uncompressed."),
            Field("concurrent_uploads", "Uploads at a time", "Of a team."),
            Field(
                "late_submissions",
                "Take files after the close",
                "They are scored, and stand on no board.",
            ),
        ),
    ),
    SettingGroup(
        "Board",
        "What is told of scores before the reveal.",
        (
            Field("decimals", "Decimals", "Every score is rounded to so many."),
            Field(
                "board",
                "Public score",
                "With a ladder it only changes where a file is significantly better.",
                (("exact", "Of every file"), ("ladder", "Ladder: only improvements")),
            ),
            Field(
                "objective_scores",
                "Scores of objectives",
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
