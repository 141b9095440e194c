"""`podium score` and `validate`: the server's own judge on a file of one's own. No server, no
network, no split: the whole truth is one split."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.completing import metrics, presets
from podium.cli.history.entries import History, hashed_meanwhile, keep_score
from podium.cli.offline.beginnings import require_regular
from podium.cli.offline.described import PerhapsTruthFile, TruthFile
from podium.cli.offline.items import Items, TrainingUsers, item_file
from podium.cli.offline.own_metrics.running import Arguments
from podium.cli.offline.own_metrics.scoring import LowerIsBetter, MetricFile, score_by_file
from podium.cli.offline.tasks import columns_noted, no_sampling, task_for, task_to_validate
from podium.cli.offline.truths import canonical, hints_for_submission, unusable
from podium.cli.outcome import Exit, complain, report_rejection
from podium.cli.printing import AsJson, facts_of_lists, print_facts, print_json
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.scoring.items import ItemFile
    from podium.scoring.kinds import Published, Truth
    from podium.scoring.result import SplitScore
    from podium.scoring.task import Task

File = Annotated[
    Path,
    typer.Argument(
        exists=True,
        dir_okay=False,
        help="The submission: CSV (plain, gzip, zstd or zip) or Parquet.",
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(
        autocompletion=presets,
        help="A known kind of competition: otto (the default), h-and-m, ndcg@10,"
        " movielens-leave-one-out, rmse or another (`podium metrics` lists all). Or a file of"
        " settings: what `podium competitions show SLUG --json` or `podium settings SLUG` prints,"
        " or your own JSON or YAML.",
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        autocompletion=metrics,
        help="One objective, scored by this, e.g. ndcg@20, recall@20:micro or rmse; the header of"
        " the ground truth names the columns. Further ones are computed beside it. `podium"
        " metrics` lists all.",
    ),
]
Average = Annotated[
    str | None, typer.Option(help="macro or micro, for each --metric that does not say.")
]
QueryIds = Annotated[
    str | None,
    typer.Option(
        "--query-ids",
        help="integer or string: how sessions are compared (text keeps leading zeros). With"
        " --metric the first rows tell, else the preset.",
    ),
]
ItemIds = Annotated[
    str | None,
    typer.Option("--item-ids", help="integer or string: how items are compared; else as above."),
]
ColumnNames = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        help="With --metric: the submission's columns, such as user,items; else those of the ground"
        " truth, or of its own header where that has one item a row.",
    ),
]
SampledNegatives = Annotated[
    str | None,
    typer.Option("--sampled-negatives", hidden=True, callback=no_sampling, expose_value=False),
]
TaskOption = Annotated[
    str | None,
    typer.Option(
        "--task",
        help="With --metric: ranking, rating, scores, rerank or table, where it suits several;"
        " rerank takes files of user,item,score, or of user,items with all candidates in order.",
    ),
]
MissingRows = Annotated[
    str | None,
    typer.Option(help="reject or zero: what a missing row means; else as --preset, or reject."),
]


def score(
    file: File,
    truth: TruthFile,
    preset: Preset = None,
    metric: Metrics = None,
    average: Average = None,
    query_ids: QueryIds = None,
    item_ids: ItemIds = None,
    columns: ColumnNames = None,
    task_kind: TaskOption = None,
    missing_rows: MissingRows = None,
    sampled_negatives: SampledNegatives = None,
    items: Items = None,
    training_users: TrainingUsers = None,
    metric_file: MetricFile = None,
    metric_arguments: Arguments = None,
    lower_is_better: LowerIsBetter = False,
    note: Annotated[
        str, typer.Option("-m", "--message", help="A note, shown by `podium runs`.")
    ] = "",
    history: History = True,
    as_json: AsJson = False,
) -> None:
    """Score a submission against a ground truth, exactly as the server does.

    Without --preset and --metric both files have the columns of OTTO. For any other competition,
    save `podium competitions show SLUG --json` to a file and name it as the --preset. All sessions
    of the ground truth are one split. Behind each figure stands its standard error, with the
    session as the unit.

    What was read of a ground truth is kept in your cache folder, for your account alone, so that
    the next run only scores. PODIUM_TRUTH_CACHE_MIB says how many MiB it may take (2048; 0 keeps
    nothing).

    With --metric-file a metric of your own scores a table, each split of the solution by itself
    where it has a column Usage. It is not kept in your history.

    Exit code 3, with every problem's line, if the file is rejected.
    """
    require_regular(file, truth, *filter(None, (items, metric_file)))
    if metric_file is not None:
        score_by_file(
            file, truth, metric_file, preset, metric, metric_arguments, lower_is_better, as_json
        )
        return
    with hashed_meanwhile(truth, *((file,) if history else ())) as sha256_of:
        task = task_for(
            truth,
            preset,
            metric,
            average,
            missing_rows,
            query_ids=query_ids,
            item_ids=item_ids,
            columns=columns,
            kind=task_kind,
            submission=file,
        )
        about = item_file(items, training_users, task)
        document = _judged(lambda: _score(file, truth, sha256_of(truth), task, about, preset))
        if as_json:
            print_json(document)
        elif document["status"] == "scored":
            print_facts({**_flat(document), **document["counts"], **facts_of_lists(document)})
        if history and document["status"] == "scored":
            measure = " ".join(metric or [preset or "otto"])
            figures = {"measure": measure, "score": document["score"], **_kept(document, task)}
            keep_score(file, truth, sha256_of, note=note, **figures)
    _end(file, document, task, has_metric=bool(metric))
    if not (preset or columns):
        tell_columns(file, truth, task)


def validate(
    file: File,
    sample: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="The sample submission.")
    ] = None,
    truth: PerhapsTruthFile = None,
    preset: Preset = None,
    metric: Metrics = None,
    query_ids: QueryIds = None,
    item_ids: ItemIds = None,
    columns: ColumnNames = None,
    task_kind: TaskOption = None,
    missing_rows: MissingRows = None,
    as_json: AsJson = False,
) -> None:
    """Check a submission as the server does, against the ids of a sample or of a ground truth.

    Exit code 3, with every problem's line, if the file would be rejected.
    """
    if (sample is None) == (truth is None):
        raise NotConfigured("Give either --sample or --truth: they say which ids are asked for.")
    require_regular(file, *filter(None, (sample, truth)))
    known = sample or truth
    assert known is not None, "one of them is given"
    task = task_to_validate(
        known,
        preset,
        metric,
        missing_rows,
        query_ids=query_ids,
        item_ids=item_ids,
        columns=columns,
        kind=task_kind,
        submission=file,
    )
    if known is truth:
        document = _judged(lambda: _validate(file, canonical(known, task, preset=preset)[1], task))
    else:
        document = _judged(lambda: _validate(file, _listed(known, task), task))
    if as_json:
        print_json(document)
    elif document["status"] == "valid":
        print_facts({"status": "valid", **document["counts"]})
    _end(file, document, None if known is sample else task, has_metric=bool(metric))
    if truth is not None and not (preset or columns):
        tell_columns(file, truth, task)


def tell_columns(file: Path, truth: Path, task: Task) -> None:
    """Says that a server might not take the columns that were taken here."""
    if (note := columns_noted(file, truth, task)) is not None:
        complain(note)


def _judged(judge: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    from podium.scoring.kernel.library import MISSING, kernel
    from podium.scoring.problems import FileRejected

    if kernel() is None:
        print(MISSING, file=sys.stderr)
    try:
        return judge()
    except FileRejected as refusal:
        return {"status": "rejected", "problem": refusal.rejection.to_dict()}


def _end(file: Path, document: dict[str, Any], task: Task | None, *, has_metric: bool) -> None:
    """Ends the command with the problems of a rejected file, and hints at options where a `task` is
    given: a sample says itself which columns and ids a submission has."""
    if document["status"] == "rejected":
        report_rejection(str(file), document["problem"])
        if task is not None:
            for hint in hints_for_submission(document["problem"], task, has_metric=has_metric):
                complain(hint)
        raise typer.Exit(Exit.REJECTED)


def _score(
    file: Path,
    truth: Path,
    truth_sha256: str,
    task: Task,
    items: ItemFile | None,
    preset: str | None,
) -> dict[str, Any]:
    from podium.scoring.containers.detection import unpacked_ahead
    from podium.scoring.engine import judge

    with (
        unpacked_ahead(file, task) as unpacked,
        tempfile.TemporaryDirectory(prefix="podium-") as scratch,
    ):
        known, published = canonical(truth, task, preset=preset, sha256=truth_sha256)
        _tell_warnings(truth, known)
        scored = judge(
            file,
            task=task,
            published=published,
            truth=known,
            items=items,
            scratch=Path(scratch),
            unpacked=unpacked,
        )
    whole = scored.splits["all"]
    metrics = _metrics(whole, task)
    return {
        "status": "scored",
        "score": float(whole.shown(task)),
        "standard_error": whole.standard_error,
        "objectives": {
            name: {"score": float(whole.values[name]), **_counts(name, whole, known)}
            for name in task.names
        },
        "metrics": {name: value for name, (value, _) in metrics.items()},
        "standard_errors": {name: error for name, (_, error) in metrics.items()},
        **({"notes": whole.notes} if whole.notes else {}),
        "counts": dict(scored.counts),
        **({"lists": scored.lists.to_dict()} if scored.lists else {}),
    }


def _tell_warnings(file: Path, truth: Truth) -> None:
    """Says what is odd about a ground truth; that it publishes no ids means nothing at home."""
    from podium.scoring.truth.reading import IDS_NOT_LISTED

    for warning in truth.warnings:
        if warning != IDS_NOT_LISTED:
            complain(f"{file}: {warning}.")


def _counts(name: str, whole: SplitScore, truth: Truth) -> dict[str, int]:
    """The counts of a score: labels found, labels in all, and queries that count. Of a micro
    average, the integers that it is the ratio of."""
    from podium.scoring.metrics import rank_metric_of
    from podium.scoring.truth.canonical import GroundTruth

    counted = {"hits": whole.hits[name], "denominator": whole.denominators[name]}
    counted["queries"] = whole.queries[name]
    if not isinstance(truth, GroundTruth):
        return counted
    counted["unlabelled"] = truth.session_count - whole.queries[name]
    place = truth.task.names.index(name)
    metric = rank_metric_of(truth.task.objectives[place].metric)
    if metric.average == "micro":
        its_own = truth.queries["query"] % len(truth.task.names) == place
        denominator = int(metric.ideals(truth).filter(its_own).sum())
        counted["denominator"] = denominator
        counted["hits"] = int(whole.values[name] * denominator)
    return counted


def _metrics(whole: SplitScore, task: Task) -> dict[str, tuple[float, float | None]]:
    """Each metric's weighted value and standard error: the one that scores, if it is one, and the
    diagnostics. By its name, or its id where two averages of one are asked for."""
    from podium.scoring.metrics import metric_of

    figures: dict[str, tuple[float, float | None]] = {}
    scoring = {objective.metric for objective in task.objectives}
    if len(scoring) == 1:
        figures[scoring.pop()] = float(whole.shown(task)), whole.standard_error
    for metric in task.diagnostics:
        error = whole.diagnostic_errors[metric]
        figures.setdefault(metric, (float(whole.diagnostic(metric, task)), error))
    names = [metric_of(metric).name for metric in figures]
    return {
        name if names.count(name) == 1 else metric: figure
        for name, (metric, figure) in zip(names, figures.items(), strict=True)
    }


def _kept(document: dict[str, Any], task: Task) -> dict[str, Any]:
    """The objectives and metrics of a score, and the others' values by their ids, for the
    history."""
    scoring = tuple(dict.fromkeys(each.metric for each in task.objectives))
    # Several metrics of objectives make one score, which none of them alone is.
    alone = scoring if len(scoring) == 1 else ()
    shown = dict.fromkeys((*alone, *task.diagnostics))
    values = dict(zip(shown, document["metrics"].values(), strict=True))
    further = {metric: value for metric, value in values.items() if metric not in scoring}
    objectives = [
        {"name": each.name, "weight": str(each.weight), "metric": each.metric}
        for each in task.objectives
    ]
    return {"metric": " ".join(scoring), "objectives": objectives, "further": further}


def _validate(file: Path, published: Published, task: Task) -> dict[str, Any]:
    from podium.scoring import engine

    with tempfile.TemporaryDirectory(prefix="podium-") as scratch:
        counts = engine.validate(file, task=task, published=published, scratch=Path(scratch))
    return {"status": "valid", "counts": dict(counts)}


def _listed(sample: Path, task: Task) -> Published:
    from podium.scoring.organizers_files import read_published
    from podium.scoring.problems import FileRejected

    try:
        return read_published(sample, task=task)
    except FileRejected as refusal:
        raise unusable(sample, refusal, task) from None


def _flat(document: dict[str, Any]) -> dict[str, str]:
    """The score, the objectives and the metrics as lines of text."""
    lines = {"score": str(document["score"])}
    lines |= {name: _counted(part) for name, part in document["objectives"].items() if name}
    for name, value in document["metrics"].items():
        error = document["standard_errors"][name]
        lines[name] = str(value) if error is None else f"{value}  (standard error {error:.2g})"
    return lines


def _counted(part: dict[str, Any]) -> str:
    # Of pairs nothing is counted.
    counted = f"  ({part['hits']} of {part['denominator']})" if part["denominator"] else ""
    return f"{part['score']}{counted}"
