"""The scoring task that the options of an offline command mean."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.cli.offline.beginnings import (
    TableHead,
    head_of,
    is_json,
    names_in,
    table_head,
)
from podium.cli.offline.described import objectives_beside
from podium.cli.offline.guessed.columns import columns_named
from podium.cli.offline.guessed.kinds import task_kind
from podium.cli.offline.guessed.tables import task_of_table
from podium.cli.offline.guessed.zeros import texts_after
from podium.errors import NotConfigured
from podium.errors.spelling import did_you_mean

if TYPE_CHECKING:
    from podium.scoring.task import Task, TaskKind

IDS = ("query_ids", "item_ids")
"""Members of a task that say of ids whether they are numbers or texts."""

OTTO_COLUMN = "session_type"


def task_for(
    known: Path,
    preset: str | None,
    metrics: list[str] | None,
    average: str | None,
    missing_rows: str | None,
    *,
    query_ids: str | None = None,
    item_ids: str | None = None,
    columns: str | None = None,
    kind: str | None = None,
    submission: Path | None = None,
) -> Task:
    """The task that options mean: the preset `otto` if nothing is named. A preset may be a file
    that describes a competition. The first of several metrics makes the score, the others are
    diagnostics.

    `known` is the ground truth or the sample: without a preset it tells columns and kinds of ids.
    The `submission` names its column of lists where a ground truth has a row for each item, and
    may have some of a table's columns.
    `query_ids` and `item_ids` are `integer` or `string`, and `columns` those of a submission; None
    leaves what the preset says, and means text for qrels. `kind` is that of the task, if the metric
    shall not tell. Raises `NotConfigured` for options that do not fit together.
    """
    from dataclasses import replace

    from podium.scoring.truth.qrels import looks_like_qrels

    _one_of("--missing-rows", missing_rows or "reject", ("reject", "zero"))
    _one_of("--average", average or "macro", ("macro", "micro"))
    if looks_like_qrels(known):
        if not metrics and not preset:
            raise NotConfigured(f"{known} is qrels of TREC: add --metric, for example ndcg@10.")
        # Topics and documents are names, whatever they look like.
        query_ids, item_ids = query_ids or "string", item_ids or "string"
    changes: dict[str, Any] = _ids(query_ids, item_ids)
    if missing_rows is not None:
        changes["missing_rows"] = missing_rows
    if metrics and preset:
        raise NotConfigured(
            "Give either --preset or --metric: a preset brings its own metric. For another one"
            " leave --preset out, or name a file of settings with that metric as the --preset."
        )
    for option, given in {"--average": average, "--columns": columns, "--task": kind}.items():
        if given is not None and not metrics:
            raise NotConfigured(f"{option} goes with --metric; a preset has its own.")
    if metrics:
        task = _by_metrics(metrics, average, known, submission, columns, kind)
    else:
        task = _by_preset(preset)
    try:
        return replace(task, **changes)
    except ValueError as error:
        raise NotConfigured(f"{error}.") from None


def task_to_validate(
    known: Path,
    preset: str | None,
    metrics: list[str] | None,
    missing_rows: str | None,
    *,
    query_ids: str | None = None,
    item_ids: str | None = None,
    columns: str | None = None,
    kind: str | None = None,
    submission: Path | None = None,
) -> Task:
    """The task of a competition of which only the sample submission or the ground truth is known.

    Without options the first rows tell: columns of the preset `otto`, numbers of pairs, or else
    lists of one objective.
    """
    if preset is None and not metrics and (kind or not _is_otto(known)):
        kind = kind or _seems(table_head(known))
        metrics = [_ANY_METRIC[kind]] if kind in _ANY_METRIC else None
    return task_for(
        known,
        preset,
        metrics,
        None,
        missing_rows,
        query_ids=query_ids,
        item_ids=item_ids,
        columns=columns,
        kind=kind,
        submission=submission,
    )


def _seems(head: TableHead) -> str:
    """The kind of task that a sample submission or a ground truth seems to be of."""
    return "rating" if "rating" in head.columns else str(head.settings.get("task", "ranking"))


_ANY_METRIC = {"rating": "rmse", "scores": "auc", "rerank": "ndcg@10", "ranking": "ndcg@10"} | {
    "table": "own"
}
"""A metric of each kind of task, where only the form of files matters."""


def as_written(truth: Path, task: Task) -> Task:
    """The task by which a ground truth is read: where nothing but a metric was named, one of lists
    may name their column otherwise than the submissions do."""
    from dataclasses import replace

    from podium.scoring.truth.qrels import looks_like_qrels

    if task.names != ("",) or task.kind != "ranking" or looks_like_qrels(truth):
        return task
    try:
        head = table_head(truth)
    except NotConfigured:
        return task
    if len(head.columns) < 2:
        return task
    return replace(task, id_column=head.columns[0], labels_column=head.labels_column)


def _ids(query_ids: str | None, item_ids: str | None) -> dict[str, str]:
    given = {"query_ids": query_ids, "item_ids": item_ids}
    for name, kind in given.items():
        _one_of(f"--{name.replace('_', '-')}", kind or "integer", ("integer", "string"))
    return {name: kind for name, kind in given.items() if kind is not None}


def _is_otto(known: Path) -> bool:
    from podium.scoring.task import OTTO

    head, names = head_of(known), objectives_beside(known)
    if names:
        return is_json(head) and set(names) == set(OTTO.names)
    return is_json(head) or not {OTTO_COLUMN, "type"}.isdisjoint(names_in(head))


def _by_preset(preset: str | None) -> Task:
    from podium.core.competition_settings import CompetitionSettings
    from podium.core.competition_settings.presets import PRESETS
    from podium.core.configuration import task_of

    preset = preset or "otto"
    if preset not in PRESETS and Path(preset).is_file():
        return _as_described(Path(preset))
    _one_of("--preset", preset, (*PRESETS, "a file that describes a competition"))
    return task_of(CompetitionSettings.model_validate(PRESETS[preset]))


def _as_described(file: Path) -> Task:
    from podium.cli.offline.described import settings_in
    from podium.core.configuration import task_of
    from podium.errors import InvalidInput

    try:
        return task_of(settings_in(file))
    except InvalidInput as refusal:
        raise NotConfigured(f"{file}: {refusal.detail}") from None


def _by_metrics(
    given: list[str],
    average: str | None,
    known: Path,
    submission: Path | None,
    named: str | None,
    wanted: str | None,
) -> Task:
    from decimal import Decimal

    from podium.scoring.task import Objective, Task

    kind = _wanted(wanted, _known(given)[0], average)
    # Of a table no columns are guessed by its first rows.
    head = TableHead([], {}) if kind == "table" else table_head(known)
    kind = kind or task_kind(given[0], head.columns, head.settings, average)
    if kind == "table":
        return task_of_table(
            known, _ids_of(given, average, kind), columns=named, submission=submission
        )
    first, *others = _ids_of(given, average, kind)
    targets = objectives_beside(known)
    if kind != "ranking":
        columns, targets = _of_pairs(kind, head, named)
    elif targets:
        columns = {"id": OTTO_COLUMN, "labels": "labels"}
    else:
        id_column, labels_column = columns_named(named, "user,items") or _of_lists(head, submission)
        item_column = str(head.settings.get("item_column", "item"))
        columns = {"id": id_column, "item": item_column, "labels": labels_column}
    kinds, names = dict[str, Any](_kinds(head)), targets if targets[1:] else [""]
    # The score of types that a prepared folder names is their mean.
    weight = Decimal(1) / len(names) if kind == "ranking" else Decimal(1)
    try:
        return Task(
            objectives=tuple(Objective(name, weight, first) for name in names),
            kind=kind,
            diagnostics=tuple(dict.fromkeys(others)),
            **{f"{role}_column": name for role, name in columns.items()},  # type: ignore[arg-type]
            **(kinds | texts_after(known, head.settings)),
        )
    except ValueError as error:
        raise NotConfigured(f"{known}: {error}.") from None


def _of_pairs(
    kind: TaskKind, head: TableHead, named: str | None
) -> tuple[dict[str, str], list[str]]:
    """The columns of pairs by their roles, and those of numbers; without an option they are those
    of the file that is known, which may have a single id, a context, and several targets."""
    columns = columns_named(named, "user,item,score") or [
        name for name in head.columns if name.lower() != "usage"
    ]
    context = str(head.settings.get("context_column", ""))
    if not columns:
        raise NotConfigured(
            "The metric scores numbers of pairs, and the ground truth is lists of items: use a"
            " metric of lists, for example ndcg@10."
        )
    if len(columns) < (3 if kind == "rerank" else 2):
        raise NotConfigured("Pairs have three columns, for example user,item,score.")
    first, *others = columns
    has_item = named is not None or head.settings.get("item_column") != ""
    item = others.pop(0) if has_item and len(others) > 1 else ""
    if context in others:
        others.remove(context)
    elif kind != "scores":
        others = others[:1]
    roles = {"id": first, "item": item, "labels": others[0]}
    return roles | ({"context": context} if context in columns else {}), others


def _of_lists(known: TableHead, submission: Path | None) -> tuple[str, str]:
    """The names of a submission's columns: those of the ground truth, or, where that has a row for
    each item and thus no lists, the submission's own beside the id's."""
    id_column = known.columns[0]
    if known.is_long and submission is not None:
        # Of a file that cannot be read, its judge says what is wrong with it.
        with suppress(NotConfigured):
            columns = table_head(submission).columns
            if len(columns) == 2 and id_column in columns:
                return id_column, columns[columns.index(id_column) - 1]
    return id_column, known.labels_column


def _kinds(known: TableHead) -> dict[str, object]:
    """The kinds of ids by the first rows; items are texts where a sample has none, for a text may
    be a number as well."""
    kinds = {n: kind for n, kind in known.settings.items() if n in (*IDS, "context_ids")}
    objectives = known.settings.get("objectives")
    if not known.is_long and isinstance(objectives, dict) and len(objectives) > 1:
        # The ids end in what looks like names of objectives, which a single one has not.
        kinds["query_ids"] = "string"
    return kinds if known.has_items else {**kinds, "item_ids": "string"}


def _wanted(wanted: str | None, metric: str, average: str | None) -> TaskKind | None:
    """The kind of task that an option names; None without it."""
    from podium.scoring.task import TASK_KINDS

    if wanted is None:
        return None
    _one_of("--task", wanted, TASK_KINDS)
    if average is not None and wanted != "ranking":
        raise NotConfigured(f"--average: {metric} has none to choose.")
    return next(kind for kind in TASK_KINDS if kind == wanted)


def _ids_of(given: list[str], average: str | None, kind: TaskKind) -> list[str]:
    """The ids of metrics, of which the first one ranks."""
    return [
        metric_id(metric, average, kind, ranks=place == 0) for place, metric in enumerate(given)
    ]


def _known(given: list[str]) -> list[str]:
    """The same metrics. Refuses one of no kind of task, before anything is said of a file."""
    from podium.scoring.task import TASK_KINDS

    for metric in given:
        refusals = []
        for kind in TASK_KINDS:
            try:
                metric_id(metric, None, kind, ranks=False)
            except NotConfigured as refused:
                refusals.append(refused)
        if len(refusals) == len(TASK_KINDS):
            raise refusals[0]
    return given


def metric_id(given: str, average: str | None, kind: TaskKind, *, ranks: bool) -> str:
    """The id of a metric as it is written in an option, with the average where it names none."""
    from podium.core.configuration import nearest_metric
    from podium.scoring.metrics import metric_for

    parts = [part.strip() for part in given.split(",") if part.strip()]
    if len(parts) > 1:
        each = " ".join(f"--metric {part}" for part in parts)
        raise NotConfigured(f"--metric {given}: repeat the option for several: {each}.")
    named = given if average in (None, "macro") or ":" in given else f"{given}:{average}"
    try:
        return metric_for(named, task=kind, ranks=ranks).id
    except ValueError as error:
        hint = nearest_metric(given) or (
            "`podium metrics` lists what there is, for example recall@20:micro."
        )
        raise NotConfigured(f"--metric {given}: {error}. {hint}") from None


def no_sampling(given: str | None) -> None:
    """Refuses an option that asks for metrics over sampled candidates, with the reason."""
    from podium.scoring.metrics import SAMPLED

    if given is not None:
        raise NotConfigured(f"--sampled-negatives: {SAMPLED}.")


def _one_of(option: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        told = f"{option} {given}: choose {' or '.join(known)}."
        raise NotConfigured(" ".join(filter(None, (told, did_you_mean(given, known)))))
