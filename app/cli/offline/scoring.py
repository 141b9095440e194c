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
from podium.cli.offline.guessed.notes import columns_noted
from podium.cli.offline.items import Items, TrainingUsers, item_file
from podium.cli.offline.own_metrics.running import Arguments
from podium.cli.offline.own_metrics.scoring import LowerIsBetter, MetricFile, score_by_file
from podium.cli.offline.results.documents import document_of, flat, kept
from podium.cli.offline.tasks import no_sampling, task_for, task_to_validate
from podium.cli.offline.truths import canonical, hints_for_submission, unusable
from podium.cli.outcome import Exit, complain, report_rejection
from podium.cli.printing import AsJson, facts_of_lists, print_facts, print_json
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.scoring.items import ItemFile
    from podium.scoring.kinds import Published, Truth
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
        help="With --metric or --metric-file: the submission's columns, such as user,items; else"
        " those of the ground truth, or of its own header where that has one item a row.",
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
            file,
            truth,
            metric_file,
            preset,
            columns,
            metric,
            metric_arguments,
            lower_is_better,
            as_json,
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
            print_facts({**flat(document), **document["counts"], **facts_of_lists(document)})
        if history and document["status"] == "scored":
            measure = " ".join(metric or [preset or "otto"])
            figures = {"measure": measure, "score": document["score"], **kept(document, task)}
            keep_score(file, truth, sha256_of, note=note, **figures)
    _end(file, document, task, is_free=bool(metric and not columns))
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
        submission=file if known is truth else None,
    )
    if known is truth:
        document = _judged(lambda: _validate(file, canonical(known, task, preset=preset)[1], task))
    else:
        document = _judged(lambda: _validate(file, _listed(known, task), task))
    if as_json:
        print_json(document)
    elif document["status"] == "valid":
        print_facts({"status": "valid", **document["counts"]})
    _end(file, document, None if known is sample else task, is_free=bool(metric and not columns))
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


def _end(file: Path, document: dict[str, Any], task: Task | None, *, is_free: bool) -> None:
    """Ends the command with the problems of a rejected file, and hints at options where a `task` is
    given: a sample says itself which columns and ids a submission has. `is_free`: an option may
    name columns."""
    if document["status"] == "rejected":
        report_rejection(str(file), document["problem"])
        if task is not None:
            for hint in hints_for_submission(file, document["problem"], task, is_free=is_free):
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
    return document_of(scored, known)


def _tell_warnings(file: Path, truth: Truth) -> None:
    """Says what is odd about a ground truth; that it publishes no ids means nothing at home."""
    from podium.scoring.truth.reading import IDS_NOT_LISTED

    for warning in truth.warnings:
        if warning != IDS_NOT_LISTED:
            complain(f"{file}: {warning}.")


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
