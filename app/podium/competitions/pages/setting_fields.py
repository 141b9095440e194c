"""Converts the fields of the settings form to the API's document, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from podium.competitions.pages import table_columns
from podium.competitions.pages.setting_groups import (
    ADDRESS,
    FIELDS,
    GROUPS,
    Field,
    Kind,
    SettingGroup,
)
from podium.competitions.pages.written_names import shown_name, words_in
from podium.competitions.schemas.competitions import (
    CompetitionOut,
    ManagedCompetitionOut,
    NewCompetition,
)
from podium.core.competition_settings import CompetitionSettings, with_changes
from podium.core.competition_settings.fields import words_of
from podium.core.competition_settings.tables import CustomMetric
from podium.core.competition_settings.texts import Texts
from podium.core.sizes import UNITS, size_of
from podium.custom_metric_runner.values import text_of
from podium.errors.codes import ErrorCode
from podium.errors.reasons import reason_of, sentence
from podium.http.pages.api_calls import Json
from podium.http.pages.fields import FormView, SentForm, sent_time
from podium.scoring.forms import plain_forms


def shown_values(
    settings: CompetitionSettings, described: CompetitionOut | None = None
) -> dict[str, object]:
    """Formats the initial values of the fields: settings, and the title and times of a
    competition."""
    return {name: _shown(field, settings, described) for name, field in FIELDS.items()}


def with_plain_forms(settings: CompetitionSettings) -> CompetitionSettings:
    """Adds the forms that a new competition takes where its settings name none."""
    forms = settings.forms or tuple(plain_forms(settings.query_ids))
    return settings.model_copy(update={"forms": forms})


def settings_shown(competition: ManagedCompetitionOut) -> dict[str, object]:
    """Formats the values of an existing competition for the fields."""
    return shown_values(CompetitionSettings.model_validate(competition.settings), competition)


def words_of_changes(
    before: CompetitionSettings, changes: Mapping[str, object]
) -> list[tuple[str, str]]:
    """Lists labels and values, as the form words them, of changed settings.

    >>> changes = {"missing_rows": "reject", "diagnostics": ["mrr@20"]}
    >>> words_of_changes(CompetitionSettings(), changes)
    [('Diagnostics', 'mrr@20'), ('Missing rows', 'Reject the file')]
    """
    settings = with_changes(before, changes)
    own = settings.own_metric if "own_metric" in changes else None
    label = words_of(CompetitionSettings.model_fields["own_metric"]).label
    return [
        *([] if own is None else [(label, _words_of_custom_metric(own))]),
        *(
            (field.words.label, _words_of_value(field, _shown(field, settings, None)))
            for name, field in FIELDS.items()
            if name in changes
        ),
    ]


def _words_of_value(field: Field, value: object) -> str:
    words = field.words.values
    if isinstance(value, tuple):
        return ", ".join(words[each] for each in value) or "none"
    return words.get(str(value), str(value)).replace("\n", ", ")


def _words_of_custom_metric(own: CustomMetric) -> str:
    arguments = [f"{name} = {text_of(value)}" for name, value in own.arguments.items()]
    return ", ".join([f"version {own.version}", *arguments])


def groups_for(*, is_launched: bool) -> Sequence[SettingGroup]:
    """Selects the groups that the form of a competition may change."""
    return [group for group in (*GROUPS, ADDRESS) if not (is_launched and group.is_fixed)]


def fixed_groups() -> Sequence[SettingGroup]:
    """Selects the groups that are fixed after the launch."""
    return [group for group in (*GROUPS, ADDRESS) if group.is_fixed]


def document_of(form: SentForm, groups: Sequence[SettingGroup]) -> Json:
    """Builds the document for the API from a form. A value that cannot be parsed is passed on
    unchanged, so that the API explains the problem."""
    return document_of_fields(form, [field for group in groups for field in group.fields])


def is_changed(field: Field, form: SentForm, shown: Any) -> bool:  # noqa: ANN401 - of any field
    """True if a form has the field with another value than the one that its page had shown."""
    if field.name not in form.fields:
        return False
    if field.kind == "ticks":
        return {*form.all_ticked(field.name)} != {*shown}
    return form.text(field.name).strip() != str(shown)


def document_of_fields(form: SentForm, fields: Sequence[Field]) -> Json:
    """Builds the document of single fields, as `document_of` does."""
    found: dict[str, object] = {
        field.name: _read(field, form)
        for field in fields
        if field.name in form.fields or field.kind == "tick"
    }
    if "objectives" in found:
        # A line without a metric resets the objective to the common one.
        found["objective_metrics"] = {}
    return found


PLACES: Mapping[str, str] = {
    ErrorCode.SLUG_TAKEN: "slug",
    ErrorCode.BAD_DATE: "ends_at",
    "objective_metrics": "objectives",
}
"""Fields for codes and members of the API that have other names."""


def explained(form: FormView) -> FormView:
    """Rewords problems of sizes, which people type with units, and replaces a summary that repeats
    the problem of a single field."""
    sizes = {
        name: "This takes a size, for example 2 GB."
        for name in form.problems
        if name in FIELDS
        and FIELDS[name].kind == "size"
        and isinstance(bytes_of(form.typed.text(name)), str)
    }
    is_repeated = form.summary in form.problems.values()
    summary = "Look at the marked fields." if is_repeated else form.summary
    return replace(form, summary=summary, problems={**form.problems, **sizes})


PAST_END = "This time has passed. Choose a later one."

PAST_END_NOW = "This time has passed. To close the competition now, use Close on the dashboard."


LATER_START = (
    "The competition is open. With a later start it would take no submissions until then. To stop"
    " uploads for a while, use Pause uploads on the dashboard."
)


def refuse_later_start(form: SentForm, start: datetime | None) -> FormView | None:
    """Refuses a form that would set the start of an open competition to a future time, which would
    shut its participants out; None for any other."""
    wanted = _typed_time(form, "starts_at")
    if wanted is None or wanted <= datetime.now(wanted.tzinfo):
        return None
    if start is not None and wanted == start.replace(second=0, microsecond=0):
        return None
    return FormView(form, None, 422, "Look at the marked fields.", {"starts_at": LATER_START})


def _typed_time(form: SentForm, name: str) -> datetime | None:
    typed = sent_time(form.text(name).strip())
    try:
        return datetime.fromisoformat(typed) if typed else None
    except ValueError:
        return None


def refuse_past_end(
    form: SentForm, *, end: datetime | None = None, is_launched: bool = False
) -> FormView | None:
    """Refuses a form that would set an end in the past, which closes a running competition at once;
    None for any other, and for one that leaves the `end` unchanged."""
    wanted = _typed_time(form, "ends_at")
    is_same = end is not None and wanted == end.replace(second=0, microsecond=0)
    if wanted is None or is_same or wanted > datetime.now(wanted.tzinfo):
        return None
    words = PAST_END_NOW if is_launched else PAST_END
    return FormView(form, None, 422, "Look at the marked fields.", {"ends_at": words})


def changed_document(competition: ManagedCompetitionOut, changes: Json) -> Json:
    """Merges changes into the document of a competition."""
    texts = competition.model_dump(include=set(Texts.model_fields))
    return {**texts, **competition.settings, **changes}


def with_all_problems(form: FormView, document: Json) -> FormView:
    """Adds all other problems of the competition's document to a refused form; the API finds them
    in several steps: members, settings together, metrics, dates."""
    found: Iterable[tuple[Sequence[str | int], str]]
    try:
        made = NewCompetition.model_validate(document)
        found = [(each.place, sentence(each.words)) for each in made.further_misfits()]
    except ValidationError as error:
        found = [(each["loc"], reason_of(each)) for each in error.errors()]
    named = [(str(place[0]) if place else "", words) for place, words in found]
    problems = dict(form.problems)
    for name, words in named:
        field = PLACES.get(name, name)
        if field in form.typed.fields:
            problems.setdefault(field, words)
    if len(problems) == len(form.problems):
        return form
    return replace(form, problems=problems, summary="Look at the marked fields.")


def _shown(field: Field, settings: CompetitionSettings, described: CompetitionOut | None) -> object:
    if (show := _SHOWN.get(field.kind)) is not None:
        return show(settings, field.name)
    source = settings if field.name in CompetitionSettings.model_fields else described
    value: object = getattr(source, field.name, None)
    declared = NewCompetition.model_fields[field.name]
    if value is None and described is None and not declared.is_required():
        value = declared.default
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M}"
    return "" if value is None else value


def _line(objective: str, settings: CompetitionSettings) -> str:
    """Formats an objective with its weight, and with its metric where it has one of its own."""
    own = settings.objective_metrics.get(objective)
    weight = f"{float(settings.objectives[objective]):.15g}"
    name = shown_name(objective)
    return " ".join((name, weight, own.id) if own else (name, weight))


def _read(field: Field, form: SentForm) -> object:
    if field.kind == "tick":
        return form.is_ticked(field.name)
    if field.kind == "ticks":
        return form.all_ticked(field.name)
    text = form.text(field.name).strip()
    return _READ[field.kind](text) if field.kind in _READ else text


def _number(text: str, *, whole: bool = False) -> int | float | str:
    pattern = r"-?\d{1,18}" if whole else r"-?\d{1,18}(\.\d{1,18})?"
    if not re.fullmatch(pattern, text, re.ASCII):
        return text
    return int(text) if whole else float(text)


def share_of(text: str) -> int | float | str:
    """Parses a share as people write it, perhaps in percent; other text is unchanged, for the API
    to refuse.

    >>> share_of("0.33"), share_of("33%"), share_of("12,5 %"), share_of("a third")
    (0.33, 0.33, 0.125, 'a third')
    """
    found = re.fullmatch(r"(\d{1,3}(?:[.,]\d{1,6})?)\s*%", text, re.ASCII)
    return float(Decimal(found[1].replace(",", ".")) / 100) if found else _number(text)


def exact_size(count: int) -> str:
    """Formats bytes as people write them, without rounding.

    >>> exact_size(2 << 30), exact_size(2_500_000_000)
    ('2 GB', '2,500,000,000 bytes')
    """
    text = size_of(count)
    return text if bytes_of(text) == count else f"{count:,} bytes"


def bytes_of(text: str) -> int | str:
    """Parses a size as people write it, to bytes; other text is unchanged, for the API to refuse.

    >>> bytes_of("2 GB"), bytes_of("1.5mb"), bytes_of("1,000 bytes"), bytes_of("much")
    (2147483648, 1572864, 1000, 'much')
    """
    found = re.fullmatch(r"([\d,]{1,18}(?:\.\d{1,6})?)\s*([kmgt]?b|bytes?|)", text.strip().lower())
    if found is None:
        return text
    units = {unit.lower(): 1024**place for place, unit in enumerate(UNITS)}
    factor = units.get(found[2], 1)
    return int(Decimal(found[1].replace(",", "")) * factor)


def _objective(line: str) -> tuple[str, object]:
    name, *rest = words_in(line) or [line]
    weight = _number(rest[0]) if rest else 1
    if len(rest) < 2:
        return name, weight
    return name, {"weight": weight, "metric": " ".join(rest[1:])}


def _split_shown(settings: CompetitionSettings) -> str:
    share = settings.split.public_fraction
    return "usage" if share is None else f"{float(share):.12g}"


def _objectives_shown(settings: CompetitionSettings) -> str:
    return "\n".join(_line(name, settings) for name in settings.objectives)


_SHOWN: Mapping[Kind, Callable[[CompetitionSettings, str], object]] = {
    "objectives": lambda settings, _: _objectives_shown(settings),
    "metric": lambda settings, _: settings.metric.id,
    "list": lambda settings, name: " ".join(getattr(settings, name)),
    "ticks": getattr,
    "columns": lambda settings, _: table_columns.shown(settings),
    "columns by objective": lambda settings, _: table_columns.shown_by_objective(settings),
    "split": lambda settings, _: _split_shown(settings),
    "size": lambda settings, name: exact_size(getattr(settings, name)),
}
"""The text of a setting by the kind of its field, where it is not shown as it is."""

_READ: Mapping[Kind, Callable[[str], object]] = {
    "number": lambda text: _number(text, whole=True) if text else None,
    "size": bytes_of,
    "time": sent_time,
    "objectives": lambda text: dict(map(_objective, filter(str.strip, text.splitlines()))),
    "list": lambda text: text.replace(",", " ").split(),
    "columns": table_columns.read,
    "columns by objective": table_columns.read_by_objective,
    "split": lambda text: text if text == "usage" else {"public_fraction": share_of(text)},
}
"""The value of a typed text by the kind of its field, where it does not stay as it is."""
