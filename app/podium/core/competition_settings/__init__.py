"""The settings of a competition: one document, the rules across settings, and the phases in which
each may change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from pydantic import ConfigDict, ModelWrapValidatorHandler, model_validator

from podium.core.competition_settings.board import BoardSettings
from podium.core.competition_settings.changing import Change
from podium.core.competition_settings.choices import MetricChoice
from podium.core.competition_settings.consistency import Misfit, checked_whole
from podium.core.competition_settings.limits import LimitSettings, UploadSettings
from podium.core.competition_settings.registration import RegistrationSettings, short_code
from podium.core.competition_settings.tables import TableSettings
from podium.core.competition_settings.task import TaskSettings
from podium.core.competition_settings.texts import TextSettings
from podium.scoring.kinds import KINDS, kind_named, kind_of
from podium.scoring.names import fits_ids
from podium.scoring.task import USAGE


class CompetitionSettings(
    # Documents have the settings in the order of their declaration: the last base comes first.
    TextSettings,
    UploadSettings,
    RegistrationSettings,
    BoardSettings,
    LimitSettings,
    TaskSettings,
    TableSettings,
):
    """Everything but slug, texts, dates and visibility.

    An objective may be given as `{"weight", "metric"}`; its metric then goes to
    `objective_metrics`, which holds those that differ from `metric`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _take_metrics_out_of_objectives(cls, values: object) -> object:
        if not isinstance(values, dict):
            return values
        given = values.get("objectives")
        if not isinstance(given, dict) or not any(isinstance(one, dict) for one in given.values()):
            return values
        weights, metrics = {}, dict(values.get("objective_metrics") or {})
        for name, one in given.items():
            if not isinstance(one, dict):
                weights[name] = one
                continue
            if surplus := set(one) - {"weight", "metric"}:
                raise ValueError(f"an objective has a weight and a metric, not {min(surplus)}")
            weights[name] = one.get("weight")
            if one.get("metric") is not None:
                metrics[name] = one["metric"]
        return {**values, "objectives": weights, "objective_metrics": metrics}

    @model_validator(mode="before")
    @classmethod
    def _describe_the_only_column(cls, values: object) -> object:
        if not isinstance(values, dict) or values.get("table_columns"):
            return values
        kind = kind_named(str(values.get("task")))
        if not kind.column_type:
            return values
        name = values.get("labels_column", cls.model_fields["labels_column"].default)
        return {**values, "table_columns": [{"name": name, "type": kind.column_type}]}

    @model_validator(mode="wrap")
    @classmethod
    def _name_all_problems(cls, values: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        return checked_whole(cls, values, handler)

    def misfits(self) -> Iterator[Misfit]:
        """Finds settings that do not fit together; checks of a kind whose add-on is missing are
        skipped."""
        if self.task not in KINDS:
            return
        for name in sorted(set(self.objective_metrics) - set(self.objectives))[:1]:
            words = f"“{name}” is not one of the objectives"
            yield Misfit(("objective_metrics",), words, frozenset({"objectives"}))
        if len(set(self.diagnostics)) < len(self.diagnostics):
            yield Misfit(("diagnostics",), "the same diagnostic twice")
        yield from self._misfits_of_board()
        if refusal := short_code(self.registration, self.registration_code):
            yield Misfit(("registration_code",), refusal, frozenset({"registration"}))
        yield from self._misfits_of_columns()
        yield from self._misfits_of_ids()
        yield from self._misfits_of_tables(self.task, tuple(self.objectives))
        for field, words in kind_of(self.task).misfits(self):
            yield Misfit((field,), words, frozenset({"task"}))

    def further_misfits(self) -> Iterator[Misfit]:
        """Finds misfits to report beside others; alone they are refused elsewhere, with a code of
        their own."""
        return iter(())

    def _misfits_of_board(self) -> Iterator[Misfit]:
        shown = self.board_diagnostics
        for name in [each for each in shown if each not in self.diagnostics][:1]:
            words = f"“{name}” is not one of the diagnostics"
            yield Misfit(("board_diagnostics",), words, frozenset({"diagnostics"}))
        if len(set(shown)) < len(shown):
            yield Misfit(("board_diagnostics",), "the same diagnostic twice")

    def _misfits_of_columns(self) -> Iterator[Misfit]:
        seen: dict[str, str] = {}
        for name in kind_of(self.task).named_columns():
            column = getattr(self, name)
            if column and column in seen:
                others = frozenset({seen[column], "task"})
                yield Misfit((name,), "two columns have the same name", others)
            seen.setdefault(column, name)
        yield from self._misfits_of_scores(seen)

    def _misfits_of_ids(self) -> Iterator[Misfit]:
        """Finds an objective whose name ids of lists, `<session>_<name>`, could not end with."""
        if not kind_of(self.task).has_lists or len(self.objectives) < 2:
            return
        for name in [each for each in self.objectives if not fits_ids(each)][:1]:
            words = (
                f"ids end with the name of an objective, and with “{name}” they would be ambiguous:"
                " use ASCII letters, digits and hyphens"
            )
            yield Misfit(("objectives",), words, frozenset({"task"}))

    def _misfits_of_scores(self, columns: Mapping[str, str]) -> Iterator[Misfit]:
        """Finds names of `columns`, and of targets, that would occur twice in a ground truth of
        pairs."""
        # Old drafts of ratings may have such a name, and are still read.
        kind = kind_of(self.task)
        is_old = kind.had_usage and USAGE not in (self.context_column, self.group_column)
        if USAGE in columns and not kind.has_lists and not is_old:
            words = f"“{USAGE}” is the column of a ground truth that says who is public"
            yield Misfit((columns[USAGE],), words, frozenset({"task"}))
        if not kind.takes_several_numbers or len(self.objectives) < 2:
            return
        of_pairs = {column: name for column, name in columns.items() if name != "labels_column"}
        of_pairs[USAGE] = "split"
        for name in [each for each in self.objectives if each in of_pairs][:1]:
            words = f"“{name}” is the name of another column: call the objective otherwise"
            yield Misfit(("objectives",), words, frozenset({of_pairs[name], "task"}))

    def rows_of(self, published: int) -> int:
        """Counts the rows of a complete submission: a pair has one, a session one for each
        objective."""
        return published * (len(self.objectives) if kind_of(self.task).has_lists else 1)

    def metric_of(self, objective: str) -> MetricChoice:
        """Finds the metric that scores an objective."""
        return self.objective_metrics.get(objective, self.metric)

    @property
    def common_metric(self) -> MetricChoice:
        """The metric that all objectives share; `metric` where they differ."""
        used = {self.metric_of(name).id: self.metric_of(name) for name in self.objectives}
        return next(iter(used.values())) if len(used) == 1 else self.metric

    @property
    def metric_line(self) -> str:
        """A summary of the metric in a few words, or the number of metrics where there are
        several."""
        metrics = {self.metric_of(name).id for name in self.objectives}
        if len(metrics) > 1:
            return f"{len(metrics)} metrics"
        metric = self.common_metric
        return f"{metric.title}, {metric.average}" if metric.k else metric.title


def _changing(change: Change) -> frozenset[str]:
    fields = CompetitionSettings.model_fields
    return frozenset(name for name, field in fields.items() if change in field.metadata)


FREE_AFTER_LAUNCH = _changing(Change.FREELY)

ONLY_BY_REJUDGING = _changing(Change.BY_REJUDGING)


def with_changes(before: CompetitionSettings, changes: Mapping[str, Any]) -> CompetitionSettings:
    """Copies the settings with these members replaced.

    Members of `metric` without its name change the current metric; a removed objective takes its
    entry in `objective_metrics` with it, and a removed diagnostic its column of the boards. Raises
    pydantic's `ValidationError`.
    """
    given, kept = dict(changes), before.model_dump()
    metric = given.get("metric")
    if isinstance(metric, Mapping) and "name" not in metric:
        given["metric"] = {**kept["metric"], **metric}
    if "objectives" in given and "objective_metrics" not in given:
        metrics = kept["objective_metrics"]
        kept["objective_metrics"] = {
            name: metrics[name] for name in given["objectives"] if name in metrics
        }
    if before.board_diagnostics and isinstance(given.get("diagnostics"), list | tuple):
        left = {str(each).removesuffix(":macro") for each in given["diagnostics"]}
        kept["board_diagnostics"] = [each for each in before.board_diagnostics if each in left]
    return CompetitionSettings.model_validate({**kept, **given})
