"""`podium score`: the server's own judge on a file of one's own. No server, no
network, no split: the whole truth is one split."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.completing import metrics, presets
from podium.cli.history.entries import History, hashed_meanwhile, keep_score
from podium.cli.offline.described import TruthFile
from podium.cli.offline.inference.file_heads import require_regular
from podium.cli.offline.inference.notes import changed_item, columns_noted, zeros_noted
from podium.cli.offline.items import Items, TrainingUsers, item_file
from podium.cli.offline.own_metrics.running import Arguments
from podium.cli.offline.own_metrics.scoring import LowerIsBetter, MetricFile, score_by_file
from podium.cli.offline.results.documents import document_of, flat, kept
from podium.cli.offline.tasks import TaskOptions, no_sampling, task_for
from podium.cli.offline.truths import canonical, hints_for_submission
from podium.cli.outcome import Exit, complain, report_rejection
from podium.cli.printing import AsJson, facts_of_lists, print_facts, print_json
from podium.scoring.containers.detection import unpacked_ahead
from podium.scoring.engine import judge
from podium.scoring.kernel.library import MISSING, kernel
from podium.scoring.kinds import TASK_KINDS
from podium.scoring.problems import FileRejected
from podium.scoring.truth.reading import IDS_NOT_LISTED

if TYPE_CHECKING:
    from podium.scoring.engine import Published, Truth
    from podium.scoring.items import ItemFile
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
        help=f"With --metric: {', '.join(TASK_KINDS)}, where it suits several;"
        " rerank takes files of user,item,score, or of user,items with all candidates in order.",
    ),
]
MissingRows = Annotated[
    str | None,
    typer.Option(help="reject or zero: what a missing row means; else as --preset, or reject."),
]

PublishedIds = Annotated[
    Path | None,
    typer.Option(
        "--published-ids",
        "--sample",
        exists=True,
        dir_okay=False,
        help="The ids that a submission answers, or a sample submission, where some of them have no"
        " labels; else those of the ground truth.",
    ),
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
    published_ids: PublishedIds = None,
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
    require_regular(file, truth, *filter(None, (items, metric_file, published_ids)))
    if metric_file is not None:
        by_file = partial(score_by_file, file, truth, metric_file, preset, columns)
        by_file(metric, metric_arguments, lower_is_better, as_json)
        return
    with hashed_meanwhile(truth, *((file,) if history else ())) as sha256_of:
        options = TaskOptions(
            preset,
            metric,
            missing_rows,
            average,
            query_ids=query_ids,
            item_ids=item_ids,
            columns=columns,
            kind=task_kind,
            submission=file,
        )
        task = task_for(truth, options)
        about = item_file(items, training_users, task)
        known = partial(
            canonical, truth, task, preset=preset, sha256=sha256_of(truth), ids=published_ids
        )
        document = judged(lambda: _score(file, truth, known, task, about))
        _show(document, task, as_json=as_json)
        if history and document["status"] == "scored":
            measure = " ".join(metric or [preset or "otto"])
            figures = {"measure": measure, "score": document["score"], **kept(document, task)}
            keep_score(file, truth, sha256_of, note=note, **figures)
    is_free, takes_ids = bool(metric and not columns), published_ids is None
    end(file, document, task, is_free=is_free, takes_ids=takes_ids)
    if not (preset or columns):
        tell_columns(file, truth, task)
    if not (preset or item_ids):
        tell_zeros([file], truth, task)


def _show(document: dict[str, Any], task: Task, *, as_json: bool) -> None:
    if as_json:
        print_json(document)
    elif document["status"] == "scored":
        print_facts({**flat(document, task), **facts_of_lists(document)})


def tell_columns(file: Path, truth: Path, task: Task) -> None:
    """Says that a server might not take the columns that were taken here."""
    if (note := columns_noted(file, truth, task)) is not None:
        complain(note)


def tell_zeros(files: Iterable[Path], known: Path, task: Task) -> None:
    """Says once that items with leading zeros were read as numbers."""
    if noted := next(filter(None, (zeros_noted(file, known, task) for file in files)), None):
        complain(noted)


def judged(judge: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The document that judging gives, or that of the rejection."""
    if kernel() is None:
        print(MISSING, file=sys.stderr)
    try:
        return judge()
    except FileRejected as refusal:
        return {"status": "rejected", "problem": refusal.rejection.to_dict()}


def end(
    file: Path,
    document: dict[str, Any],
    task: Task | None,
    *,
    is_free: bool,
    takes_ids: bool = False,
) -> None:
    """Ends the command with the problems of a rejected file, and hints at options where a `task` is
    given: a sample says itself which columns and ids a submission has. `is_free`: an option may
    name columns."""
    if document["status"] == "rejected":
        report_rejection(str(file), document["problem"])
        if task is not None:
            for hint in hints_for_submission(
                file, document["problem"], task, is_free=is_free, takes_ids=takes_ids
            ):
                complain(hint)
        raise typer.Exit(Exit.REJECTED)


def _score(
    file: Path,
    truth: Path,
    read_truth: Callable[[], tuple[Truth, Published]],
    task: Task,
    items: ItemFile | None,
) -> dict[str, Any]:

    with (
        unpacked_ahead(file, task) as unpacked,
        tempfile.TemporaryDirectory(prefix="podium-") as scratch,
    ):
        known, published = read_truth()
        _tell_warnings(truth, known, file)
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


def _tell_warnings(file: Path, truth: Truth, submission: Path) -> None:
    """Says what is odd about a ground truth; that it publishes no ids means nothing at home. And
    which item of a submission has another spelling there."""
    for warning in truth.warnings:
        if warning != IDS_NOT_LISTED:
            complain(f"{file}: {warning}.")
    if (changed := changed_item(submission, truth.task, truth)) is not None:
        complain(changed)
