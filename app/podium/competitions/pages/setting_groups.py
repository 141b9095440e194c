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
)
from podium.core.competition_settings.choices import MetricChoice, SplitChoice
from podium.core.competition_settings.registration import LEAST_CODE_CHARACTERS

Kind = Literal[
    "text",
    "number",
    "size",
    "choice",
    "tick",
    "time",
    "objectives",
    "metric",
    "list",
    "split",
    "columns",
    "columns by objective",
]

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

_OF_TABLES: dict[str, Kind] = {
    "table_columns": "columns",
    "objective_columns": "columns by objective",
}


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
        if self.name in _OF_TABLES:
            return _OF_TABLES[self.name]
        if self.name.endswith("_bytes"):
            return "size"
        annotation = NewCompetition.model_fields[self.name].annotation
        known = [each for each in _types_of(annotation) if each in KINDS]
        if not known:
            raise TypeError(f"No kind of form field is for {self.name}, which is {annotation}.")
        return KINDS[known[0]]

    @property
    def is_fixed(self) -> bool:
        """True if it changes by a rejudging, or never, after the launch."""
        settings = CompetitionSettings.model_fields.keys()
        return self.name == "slug" or self.name in settings - FREE_AFTER_LAUNCH


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


ADDRESS = SettingGroup(
    "Address",
    "",
    (
        Field(
            "slug",
            "URL slug",
            "Part of all addresses of the competition; those with the former one lead nowhere"
            " then. Fixed at the launch.",
        ),
    ),
)
"""Beside `GROUPS`, because forms for new competitions have a place of their own for it."""

GROUPS = (
    SettingGroup(
        "Basics",
        "",
        (
            Field("title", "Title", "Shown on every page of the competition."),
            Field(
                "summary",
                "Pitch",
                "One or two sentences for the list of competitions.",
                none="none",
            ),
            Field(
                "image", "Picture", "The name of a data file, for example cover.png.", none="none"
            ),
            Field(
                "visibility",
                "Visible to",
                "A private competition is hidden from everybody but its members. Those who may join"
                " do so at its address, once they are signed in.",
                (("public", "Everybody"), ("private", "Members only")),
            ),
            Field(
                "registration",
                "Who can join",
                "Invited people use a link of yours, or a team's invite code.",
                (
                    ("open", "Everybody with an account"),
                    ("invite", "Invited people"),
                    ("code", "Everybody who knows the class code below"),
                    ("approval", "Everybody whom you approve"),
                ),
            ),
            Field(
                "registration_code",
                "Class code",
                f"{LEAST_CODE_CHARACTERS} or more characters, if people join with a code.",
                none="none",
            ),
            Field(
                "starts_at",
                "Opens (UTC)",
                "Leave empty to open at the launch.",
                none="at the launch",
            ),
            Field("ends_at", "Closes (UTC)", "Leave empty to close by hand.", none="by hand"),
        ),
    ),
    SettingGroup(
        "Task",
        "Metrics of lists are written as name@K, for example ndcg@20 or recall_capped@20:micro;"
        " others by name alone, for example rmse.",
        (
            Field(
                "task",
                "Task",
                "",
                (
                    ("ranking", "Ranking: a list of items for each id"),
                    ("rating", "Rating: a predicted number for each pair"),
                    ("scores", "Scored pairs: a probability, or any score, for each pair"),
                    ("rerank", "Reranking: an order of each query's candidates"),
                    ("table", "Table: named columns for each id"),
                ),
            ),
            Field(
                "objectives",
                "Objectives",
                "One per line: name, weight and, if it differs, its metric. Example: clicks 0.1",
            ),
            Field(
                "metric",
                "Metric",
                "For all objectives without one of their own. For a table also a Python file of"
                " yours, from the page Metric: own if higher is better, own_error if lower is.",
            ),
            Field(
                "diagnostics",
                "Diagnostics",
                "Metrics that are computed but never ranked, separated by spaces.",
                none="none",
            ),
            Field(
                "missing_rows",
                "Missing rows",
                "If a submission lacks an id.",
                (("reject", "Reject the file"), ("zero", "Score 0 for it")),
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
                "The part that the public board is computed on, for example 0.33 or 33 %. Or the"
                " word usage, if the ground truth has such a column.",
            ),
        ),
    ),
    SettingGroup(
        "Columns",
        "The format of a submission.",
        (
            Field("id_column", "Id column", "First column, for example session_type."),
            Field("labels_column", "Prediction column", "For all but tables: for example labels."),
            Field("item_column", "Item column", "The item of a pair, or of a row of the truth."),
            Field(
                "context_column",
                "Context column",
                "For pairs only: a third id, such as an impression, if users and items are not"
                " enough.",
                none="none",
            ),
            Field(
                "unit",
                "A query is",
                "For pairs only: what is drawn and divided as a whole.",
                (("user", "A user"), ("context", "A context")),
            ),
            Field(
                "group_column",
                "Group column",
                "For pairs only: a column of the ground truth. Metrics are averaged over its"
                " groups.",
                none="none",
            ),
            Field(
                "table_columns",
                "Columns of a table",
                "For tables only: the columns beside the id, one per line: a name for numbers, or"
                ' JSON. Example: {"name": "price", "type": "number", "minimum": 0}',
                none="none",
            ),
            Field(
                "objective_columns",
                "Columns of objectives",
                "For tables only: which columns an objective looks at, one objective per line."
                " Example: breed: cat, dog",
                none="none",
            ),
            Field(
                "weight_column",
                "Weight column",
                "For tables only: a column of the solution that weighs rows.",
                none="none",
            ),
            Field(
                "cluster_column",
                "Cluster column",
                "For tables only: a column of the solution; rows with the same value belong"
                " together.",
                none="none",
            ),
            Field("query_ids", "Ids are", "", (("integer", "Whole numbers"), ("string", "Text"))),
            Field(
                "context_ids",
                "Contexts are",
                "For pairs only.",
                (("integer", "Whole numbers"), ("string", "Text")),
            ),
            Field(
                "item_ids",
                "Item ids are",
                "For all but tables.",
                (("integer", "Whole numbers"), ("string", "Text")),
            ),
        ),
    ),
    SettingGroup(
        "Limits",
        "Per team. Rejected files don't count, except where scoring ran out of time or memory, or"
        " your own metric refused them.",
        (
            Field("daily_limit", "Submissions per day", "Resets at 00:00 UTC."),
            Field("total_limit", "Submissions in total", "Leave empty for no limit.", none="any"),
            Field(
                "leak_limit",
                "Leak limit (bits)",
                "What public scores may tell a team about the public split. Leave empty for no"
                " limit.",
                none="any",
            ),
            Field("final_selections", "Selected submissions", "How many count in the end."),
            Field("team_size", "Max. team size", "Also after a merge."),
            Field("max_upload_bytes", "Max. file size", "As uploaded, for example 2 GB."),
            Field("max_expanded_bytes", "Max. uncompressed size", "For example 4 GB."),
            Field("concurrent_uploads", "Simultaneous uploads", "Of one team."),
            Field(
                "late_submissions",
                "Accept late submissions",
                "After the close, they are scored but not ranked.",
            ),
        ),
    ),
    SettingGroup(
        "Board",
        "What participants see before the reveal.",
        (
            Field("decimals", "Decimals", "Scores are rounded to this many."),
            Field(
                "member_names",
                "Account names of team members",
                "Names of teams are always shown.",
                (
                    ("everyone", "Everybody"),
                    ("participants", "Participants and organizers"),
                    ("organizers", "Organizers only"),
                ),
            ),
            Field(
                "board",
                "Public board",
                "A ladder board changes only if a submission is significantly better; it protects"
                " against probing.",
                (("exact", "Shows every score"), ("ladder", "Ladder: improvements only")),
            ),
            Field(
                "objective_scores",
                "Scores per objective",
                "Beside the overall score.",
                (
                    ("organizers", "Organizers only"),
                    ("after_reveal", "Everybody after the reveal"),
                    ("always", "Everybody, always"),
                ),
            ),
        ),
    ),
)

FIELDS = {field.name: field for group in (ADDRESS, *GROUPS) for field in group.fields}
