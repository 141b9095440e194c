"""A form of settings sends what it shows, unless something else is typed."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from podium.competitions.pages.setting_fields import (
    document_of,
    document_of_fields,
    is_changed,
    shown_values,
    with_plain_forms,
    words_of_changes,
)
from podium.competitions.pages.setting_groups import FIELDS, GROUPS, KINDS, Field
from podium.competitions.schemas.competitions import NewCompetition
from podium.competitions.schemas.metrics import preset_settings, settings_document
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.presets import PRESETS
from podium.http.pages.fields import SentForm, sent_time

TEXTS = {"title": "Otto", "visibility": "public", "starts_at": None, "ends_at": None}

COLUMNS = ("id_column", "labels_column", "item_column", "context_column", "group_column")

OF_PAIRS = {"context_column": "", "context_ids": "integer", "unit": "user", "group_column": ""}

OF_TABLES: dict[str, Any] = {
    "table_columns": [],
    "objective_columns": {},
    "weight_column": "",
    "cluster_column": "",
}
"""Members that a document leaves out where they are so, and a form sends."""

WITHOUT_A_FIELD = {
    *("accept_uploads", "judge_uploads", "rules"),
    *("own_metric", "metric_source_is_public"),
    "objective_metrics",
}
"""Switches, texts and custom metrics have pages of their own; metrics of objectives stand with
these."""


def as_typed(values: dict[str, Any], **typed: str) -> SentForm:
    """The form as a browser sends it when only these fields are changed."""
    fields = {
        name: ["", *value] if FIELDS[name].kind == "ticks" else [str(value)]
        for name, value in values.items()
        if FIELDS[name].kind != "tick"
    }
    ticked = {name: ["yes"] for name, value in values.items() if value is True}
    return SentForm({**fields, **ticked, **{name: [text] for name, text in typed.items()}})


@pytest.mark.parametrize(
    "field",
    [field for field in FIELDS.values() if field.words.values],
    ids=lambda field: field.name,
)
def test_a_choice_has_words_for_every_value_that_is_declared(field: Field) -> None:
    declared = get_args(NewCompetition.model_fields[field.name].annotation)
    if field.kind == "ticks":
        declared = get_args(declared[0])
    assert list(field.words.values) == list(declared)
    assert field.kind in ("choice", "ticks")


def test_the_form_takes_the_kind_of_a_field_from_the_type_of_its_setting() -> None:
    kinds = {name: field.kind for name, field in FIELDS.items() if field.kind != "choice"}
    assert kinds == {
        **dict.fromkeys(
            ("slug", "title", "summary", "image", "registration_code", *COLUMNS), "text"
        ),
        **dict.fromkeys(("starts_at", "ends_at"), "time"),
        **{"objectives": "objectives", "metric": "metric", "diagnostics": "list", "split": "split"},
        **{"forms": "ticks", "board_diagnostics": "list"},
        **dict.fromkeys(
            ("daily_limit", "total_limit", "leak_limit", "final_selections", "team_size"), "number"
        ),
        **dict.fromkeys(("max_upload_bytes", "max_expanded_bytes"), "size"),
        **{"concurrent_uploads": "number", "decimals": "number", "late_submissions": "tick"},
        **{"table_columns": "columns", "objective_columns": "columns by objective"},
        **{"weight_column": "text", "cluster_column": "text"},
    }


def test_a_setting_of_a_type_that_no_field_is_for_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(KINDS, bool)
    with pytest.raises(TypeError, match="is for late_submissions, which is <class 'bool'>"):
        assert Field("late_submissions").kind


def test_groups_change_after_the_launch_if_all_of_their_settings_do() -> None:
    assert [(group.title, group.is_fixed) for group in GROUPS] == [
        ("Basics", False),
        ("Task", True),
        ("Columns", True),
        ("Limits", False),
        ("Board", False),
    ]
    for group in GROUPS:
        assert len({field.is_fixed for field in group.fields}) == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_an_untouched_form_sends_what_it_shows(preset: str) -> None:
    settings = settings_document(preset_settings(preset))
    shown = {**shown_values(preset_settings(preset)), "title": "Otto", "visibility": "public"}
    sent = document_of(as_typed(shown), GROUPS)
    metric = settings["metric"]
    at_k = f"@{metric['k']}" if metric["k"] else ""
    micro = ":micro" if metric["average"] == "micro" else ""
    expected = {name: value for name, value in settings.items() if name not in WITHOUT_A_FIELD}
    assert sent == {
        **TEXTS,
        **OF_PAIRS,
        **OF_TABLES,
        **expected,
        "table_columns": [
            column.model_dump(mode="json", exclude_defaults=True)
            for column in preset_settings(preset).table_columns
        ],
        "metric": f"{metric['name']}{at_k}{micro}",
        "diagnostics": list(settings["diagnostics"]),
        "objective_metrics": {},
        "forms": list(settings.get("forms", ())),
        # A competition that is made now has a choice that older ones have not.
        "registration_code": "",
        "board_diagnostics": [],
        "leak_limit": None,
        "member_names": "participants",
    }


def test_columns_of_a_table_stand_on_lines_of_their_own() -> None:
    settings = CompetitionSettings.model_validate(
        {
            "task": "table",
            "metric": "rmse",
            "objectives": {"both": 1},
            "table_columns": [
                {"name": "price", "minimum": 0},
                {"name": "breed", "type": "category", "values": ["cat, big", "dog"]},
            ],
            "objective_columns": {"both": ["price", "breed"]},
        }
    )
    shown = shown_values(settings)
    lines = str(shown["table_columns"]).splitlines()
    assert lines == [
        '{"name": "price", "minimum": 0.0}',
        '{"name": "breed", "type": "category", "values": ["cat, big", "dog"]}',
    ]
    assert shown["objective_columns"] == "both: price, breed"
    sent = document_of(as_typed(shown, table_columns="\n".join([*lines, "year", "{bad"])), GROUPS)
    assert sent["table_columns"] == [
        {"name": "price", "minimum": 0.0},
        {"name": "breed", "type": "category", "values": ["cat, big", "dog"]},
        {"name": "year"},
        "{bad",
    ]
    assert sent["objective_columns"] == {"both": ["price", "breed"]}


@pytest.mark.parametrize(
    "name",
    ["Fertilizer Name", "a, b", 'the "b"', "a: b", '"', ":", "고객ID", "a\u00a0b", "0.5", "#1"],
)
def test_names_of_any_text_are_sent_as_they_are_shown(name: str) -> None:
    settings = CompetitionSettings.model_validate(
        {
            "task": "table",
            "metric": "rmse",
            "id_column": name,
            "table_columns": [{"name": name * 2}, {"name": "other"}],
            "objectives": {name: {"weight": 1, "metric": "mae"}, "other": 2},
            "objective_columns": {name: [name * 2, "other"]},
        }
    )
    sent = document_of(as_typed(shown_values(settings)), GROUPS)
    named = ("task", "id_column", "table_columns", "objectives", "objective_columns")
    made = CompetitionSettings.model_validate({member: sent[member] for member in named})
    for member in (*named, "objective_metrics"):
        assert getattr(made, member) == getattr(settings, member), member


def test_an_objective_may_have_its_own_metric() -> None:
    settings = CompetitionSettings.model_validate(
        {
            "objectives": {"clicks": 0.1, "carts": 12},
            "objective_metrics": {"carts": {"name": "recall_capped", "k": 20, "average": "micro"}},
        }
    )
    shown = str(shown_values(settings)["objectives"])
    assert shown == "clicks 0.1\ncarts 12 recall_capped@20:micro"
    assert document_of(SentForm({"objectives": [shown + "\n\nx"]}), GROUPS)["objectives"] == {
        "clicks": 0.1,
        "carts": {"weight": 12.0, "metric": "recall_capped@20:micro"},
        "x": 1,
    }


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("", None),
        ("2026-11-20", "2026-11-20T00:00:00Z"),
        ("2026-11-20T12:30", "2026-11-20T12:30:00Z"),
        ("2026-11-20T12:30:15", "2026-11-20T12:30:15Z"),
        ("tomorrow", "tomorrow"),
    ],
)
def test_times_are_sent_in_utc(typed: str, sent: str | None) -> None:
    assert sent_time(typed) == sent


@pytest.mark.parametrize(
    ("name", "typed", "sent"),
    [
        ("daily_limit", "12", 12),
        ("daily_limit", "many", "many"),
        ("daily_limit", "1.5", "1.5"),
        ("total_limit", "", None),
        ("split", "usage", "usage"),
        ("split", "0.25", {"public_fraction": 0.25}),
        ("split", "half", {"public_fraction": "half"}),
        ("diagnostics", "mrr@20, ndcg@5", ["mrr@20", "ndcg@5"]),
    ],
)
def test_what_cannot_be_read_is_left_for_the_api_to_refuse(
    name: str, typed: str, sent: Any
) -> None:
    assert document_of(SentForm({name: [typed]}), GROUPS)[name] == sent


def test_a_box_that_is_not_ticked_is_sent_as_false() -> None:
    assert document_of(SentForm({}), GROUPS) == {"late_submissions": False}
    assert document_of(SentForm({"late_submissions": ["yes"]}), GROUPS) == {
        "late_submissions": True
    }


FORMS_FIELD = FIELDS["forms"]


def test_ticked_boxes_are_a_list_and_none_of_them_an_empty_one() -> None:
    both = SentForm({"forms": ["", "separators", "json"]})
    assert document_of_fields(both, [FORMS_FIELD]) == {"forms": ["separators", "json"]}
    assert document_of_fields(SentForm({"forms": [""]}), [FORMS_FIELD]) == {"forms": []}
    assert document_of_fields(SentForm({}), [FORMS_FIELD]) == {}


def test_boxes_are_changed_where_others_are_ticked_in_whatever_order() -> None:
    sent = SentForm({"forms": ["", "separators", "json"]})
    assert not is_changed(FORMS_FIELD, sent, ("json", "separators"))
    assert is_changed(FORMS_FIELD, sent, ("json",))
    assert not is_changed(FORMS_FIELD, SentForm({}), ("json",))


def test_a_new_competition_shows_the_forms_that_it_would_take() -> None:
    shown = with_plain_forms(CompetitionSettings())
    assert "no-header" in shown.forms
    assert shown.forms == NewCompetition.model_validate({"slug": "a", "title": "A"}).forms
    own = CompetitionSettings.model_validate({"forms": ["json"]})
    assert with_plain_forms(own).forms == ("json",)


def test_changed_boxes_are_told_in_words() -> None:
    before = CompetitionSettings()
    told = words_of_changes(before, {"forms": ["separators", "json"]})
    words = FORMS_FIELD.words.values
    assert told == [("Forms of submissions", f"{words['separators']}, {words['json']}")]
    assert words_of_changes(before, {"forms": []}) == [("Forms of submissions", "none")]
