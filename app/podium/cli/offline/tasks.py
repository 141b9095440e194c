"""The scoring task that the options of an offline command describe."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli import completing
from podium.cli.offline.described import objectives_beside, settings_in
from podium.cli.offline.inference.file_heads import (
    has_items,
    head_of,
    is_long,
    labels_column,
    table_head,
    texts_after,
)
from podium.cli.offline.inference.tables import columns_named, task_of_table
from podium.cli.parameters.grouped import Without
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.presets import PRESETS
from podium.core.configuration import nearest_metric, task_of
from podium.errors import InvalidInput, NotConfigured
from podium.errors.spelling import did_you_mean
from podium.scoring.forms import ENCODINGS
from podium.scoring.inference.heads import is_json, looks_like_qrels, names_in
from podium.scoring.inference.kinds import kind_scored, kind_seen
from podium.scoring.kinds import DEFAULT, KINDS, kind_of
from podium.scoring.kinds.first_rows import Guess
from podium.scoring.metrics import SAMPLED, kinds_of_task, metric_for
from podium.scoring.task import OTTO, Objective, Task

if TYPE_CHECKING:
    from podium.scoring.kinds import TaskKind

IDS = ("query_ids", "item_ids")
"""Members of a task with the kinds of ids: numbers or texts."""

OTTO_COLUMN = "session_type"


@dataclass(frozen=True)
class TaskOptions:
    """Options that describe a task; without a preset and a metric, the preset `otto`.

    A preset may be a file that describes a competition. The first of several metrics makes the
    score, the others are diagnostics. `query_ids` and `item_ids` are `integer` or `string`, and
    `columns` those of a submission; None means those of the preset, and text for qrels. `kind` is
    the kind of task, if the metric does not imply it. The `submission` names its column of lists if
    the ground truth has a row for each item, and may have only some of a table's columns.
    """

    preset: Annotated[
        str | None,
        typer.Option(
            autocompletion=completing.presets,
            help="A known kind of competition: otto (the default), h-and-m, ndcg@10,"
            " movielens-leave-one-out, rmse or another (`podium metrics` lists all). Or a file of"
            " settings: what `podium competitions show SLUG --json` or `podium settings SLUG`"
            " prints, or your own JSON or YAML.",
        ),
    ] = None
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            autocompletion=completing.metrics,
            help="One objective, scored by this, e.g. ndcg@20, recall@20:micro or rmse; the header"
            " of the ground truth names the columns. Further ones are computed beside it. `podium"
            " metrics` lists all.",
        ),
    ] = None
    average: Annotated[
        str | None, typer.Option(help="macro or micro, for each --metric that does not say.")
    ] = None
    query_ids: Annotated[
        str | None,
        typer.Option(
            help="integer or string: how sessions are compared (text keeps leading zeros). With"
            " --metric the first rows tell, else the preset."
        ),
    ] = None
    item_ids: Annotated[
        str | None, typer.Option(help="integer or string: how items are compared; else as above.")
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="With --metric or --metric-file: the submission's columns, such as user,items;"
            " else those of the ground truth, or of its own header where that has one item a row.",
        ),
    ] = None
    kind: Annotated[
        str | None,
        typer.Option(
            "--task",
            help=f"With --metric: {', '.join(KINDS)}, where it suits several;"
            " rerank takes files of user,item,score, or of user,items with all candidates in"
            " order.",
        ),
    ] = None
    missing_rows: Annotated[
        str | None,
        typer.Option(help="reject or zero: what a missing row means; else as --preset, or reject."),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            help=f"{', '.join(ENCODINGS[:-1])} or {ENCODINGS[-1]}: the encoding of files that are"
            " not UTF-8; else as --preset, or none."
        ),
    ] = None
    submission: Path | None = None

    @property
    def forms(self) -> tuple[str, ...]:
        """The form of text in the encoding."""
        return (self.encoding,) if self.encoding else ()


ListOptions = Annotated[TaskOptions, Without({"average", "kind"})]
"""The same options for commands about ranked lists, which compute no averages."""


def task_for(known: Path, options: TaskOptions) -> Task:
    """Returns the task that options describe. `known` is the ground truth or the sample: without a
    preset it determines columns and kinds of ids. Raises `NotConfigured` for options that
    contradict each other."""
    _one_of("--missing-rows", options.missing_rows or "reject", ("reject", "zero"))
    _one_of("--encoding", options.encoding or ENCODINGS[0], ENCODINGS)
    _one_of("--average", options.average or "macro", ("macro", "micro"))
    changes: dict[str, Any] = {"query_ids": options.query_ids, "item_ids": options.item_ids}
    if looks_like_qrels(known):
        if not options.metrics and not options.preset:
            raise NotConfigured(f"{known} is qrels of TREC: add --metric, for example ndcg@10.")
        # Topics and documents are names, even if they look like numbers.
        changes = {name: kind or "string" for name, kind in changes.items()}
    for name, kind in changes.items():
        _one_of(f"--{name.replace('_', '-')}", kind or "integer", ("integer", "string"))
    changes["missing_rows"] = options.missing_rows
    if options.metrics and options.preset:
        raise NotConfigured(
            "Give either --preset or --metric: a preset brings its own metric. For another one"
            " leave --preset out, or name a file of settings with that metric as the --preset."
        )
    for name in ("average", "columns", "task"):
        is_given = getattr(options, "kind" if name == "task" else name) is not None
        if is_given and not options.metrics:
            raise NotConfigured(f"--{name} goes with --metric; a preset has its own.")
    task = _by_metrics(known, options) if options.metrics else _by_preset(options.preset)
    given = {name: value for name, value in changes.items() if value is not None}
    try:
        task = replace(task, **given)
        # Settings say which forms a server takes; a metric alone leaves all that are certain.
        forms = _certain_forms(task) if options.metrics else task.forms
        return replace(task, forms=tuple(dict.fromkeys((*forms, *options.forms))))
    except ValueError as error:
        raise NotConfigured(f"{error}.") from None


def _certain_forms(task: Task) -> list[str]:
    known = kind_of(task.kind).recognized_forms(task.query_ids)
    return [form.key for form in known if not form.is_asked_for]


def task_to_validate(known: Path, options: TaskOptions) -> Task:
    """Returns the task of a competition of which only the sample submission or the ground truth is
    known.

    Without options the first rows decide: columns of the preset `otto`, numbers of pairs, or else
    lists of one objective.
    """
    kind = options.kind
    if options.preset is None and not options.metrics and (kind or not _is_otto(known)):
        if not kind:
            head = table_head(known, options.forms)
            kind = kind_seen(head.columns, head.settings)
        metrics = [KINDS[kind].form_metric] if kind in KINDS else None
        options = replace(options, metrics=metrics, kind=kind)
    return task_for(known, options)


def as_written(truth: Path, task: Task) -> Task:
    """Returns the task by which a ground truth is read: if only a metric was given, a ground truth
    of lists may name their column differently from the submissions."""
    if task.names != ("",) or not kind_of(task.kind).has_lists or looks_like_qrels(truth):
        return task
    try:
        head = table_head(truth, task.forms)
    except NotConfigured:
        return task
    if len(head.columns) < 2:
        return task
    return replace(task, id_column=head.columns[0], labels_column=labels_column(head))


def _is_otto(known: Path) -> bool:

    head, names = head_of(known), objectives_beside(known)
    if names:
        return is_json(head) and set(names) == set(OTTO.names)
    return is_json(head) or not {OTTO_COLUMN, "type"}.isdisjoint(names_in(head))


def _by_preset(preset: str | None) -> Task:
    preset = preset or "otto"
    is_file = preset not in PRESETS and Path(preset).is_file()
    if not is_file:
        _one_of("--preset", preset, (*PRESETS, "a file that describes a competition"))
    try:
        if is_file:
            return task_of(settings_in(Path(preset)))
        return task_of(CompetitionSettings.model_validate(PRESETS[preset]))
    except InvalidInput as refusal:
        raise NotConfigured(f"{preset}: {refusal.detail}") from None


def _by_metrics(known: Path, options: TaskOptions) -> Task:
    given, average, named = list(options.metrics or ()), options.average, options.columns
    kind = _wanted(options.kind, _known(given)[0], average)
    # The columns of a table are not guessed from its first rows.
    is_table = kind is not None and kind_of(kind).has_table
    head = Guess() if is_table else table_head(known, options.forms)
    kind = kind or kind_scored(given[0], head.columns, head.settings)
    if kind_of(kind).has_table:
        ids, files = _ids_of(given, average, kind), (known, options.submission)
        return task_of_table(*files, ids, kind=kind, columns=named, forms=options.forms)
    first, *others = _ids_of(given, average, kind)
    targets = objectives_beside(known)
    if kind_of(kind).has_numbers:
        columns, targets = _of_pairs(kind, head, named)
    elif targets:
        columns = {"id": OTTO_COLUMN, "labels": "labels"}
    else:
        id_column, lists = columns_named(named, "user,items") or _of_lists(head, options)
        item_column = str(head.settings.get("item_column", "item"))
        columns = {"id": id_column, "item": item_column, "labels": lists}
    kinds, names = dict[str, Any](_kinds(head)), targets if targets[1:] else [""]
    # The score over the types of a prepared folder is their mean.
    weight = Decimal(1) / len(names) if kind_of(kind).has_lists else Decimal(1)
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


def _of_pairs(kind: TaskKind, head: Guess, named: str | None) -> tuple[dict[str, str], list[str]]:
    """Returns the columns of pairs by role, and the columns of numbers; without an option those of
    the known file, which may have a single id, a context, and several targets."""
    columns = columns_named(named, "user,item,score") or [
        name for name in head.columns if name.lower() != "usage"
    ]
    context = str(head.settings.get("context_column", ""))
    if not columns:
        raise NotConfigured(
            "The metric scores numbers of pairs, and the ground truth is lists of items: use a"
            " metric of lists, for example ndcg@10."
        )
    if len(columns) < (3 if kind_of(kind).has_candidates else 2):
        raise NotConfigured("Pairs have three columns, for example user,item,score.")
    first, *others = columns
    has_item = named is not None or head.settings.get("item_column") != ""
    item = others.pop(0) if has_item and len(others) > 1 else ""
    if context in others:
        others.remove(context)
    elif not kind_of(kind).takes_several_numbers:
        others = others[:1]
    roles = {"id": first, "item": item, "labels": others[0]}
    return roles | ({"context": context} if context in columns else {}), others


def _of_lists(known: Guess, options: TaskOptions) -> tuple[str, str]:
    """Returns the names of a submission's columns: those of the ground truth, or, if that has a row
    for each item and thus no lists, the submission's own column beside the id's."""
    id_column = known.columns[0]
    if is_long(known) and options.submission is not None:
        # If the file cannot be read, its judge reports why.
        with suppress(NotConfigured):
            columns = table_head(options.submission, options.forms).columns
            if len(columns) == 2 and id_column in columns:
                return id_column, columns[columns.index(id_column) - 1]
    return id_column, labels_column(known)


def _kinds(known: Guess) -> dict[str, object]:
    """Returns the kinds of ids by the first rows; items are texts if a sample has none, because
    texts include numbers."""
    kinds = {n: kind for n, kind in known.settings.items() if n in (*IDS, "context_ids")}
    objectives = known.settings.get("objectives")
    if not is_long(known) and isinstance(objectives, dict) and len(objectives) > 1:
        # The ids end in what looks like names of objectives, which a single objective does not
        # have.
        kinds["query_ids"] = "string"
    return kinds if has_items(known) else {**kinds, "item_ids": "string"}


def _wanted(wanted: str | None, metric: str, average: str | None) -> TaskKind | None:
    """Returns the kind of task that options name, an average implying lists; None without them."""
    if wanted is not None:
        _one_of("--task", wanted, tuple(KINDS))
    suited = (wanted,) if wanted else kinds_of_task(metric)
    if average is not None and DEFAULT not in suited:
        raise NotConfigured(f"--average: {metric} has none to choose.")
    named = wanted or (average and DEFAULT)
    return next((kind for kind in KINDS if kind == named), None)


def _ids_of(given: list[str], average: str | None, kind: TaskKind) -> list[str]:
    """Returns the ids of metrics, of which the first one ranks."""
    return [
        metric_id(metric, average, kind, ranks=place == 0) for place, metric in enumerate(given)
    ]


def _known(given: list[str]) -> list[str]:
    """Returns the metrics unchanged. Refuses one that no kind of task has, before anything is
    reported about a file."""
    for metric in given:
        refusals = []
        for kind in KINDS:
            try:
                metric_id(metric, None, kind, ranks=False)
            except NotConfigured as refused:
                refusals.append(refused)
        if len(refusals) == len(KINDS):
            raise refusals[0]
    return given


def metric_id(given: str, average: str | None, kind: TaskKind, *, ranks: bool) -> str:
    """Returns the id of a metric that an option names, with the average unless it names one."""
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
    """Refuses an option that requests metrics over sampled candidates, with the reason."""
    if given is not None:
        raise NotConfigured(f"--sampled-negatives: {SAMPLED}.")


def _one_of(option: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        message = f"{option} {given}: choose {' or '.join(known)}."
        raise NotConfigured(" ".join(filter(None, (message, did_you_mean(given, known)))))
