"""`podium score`: the server's own judge on a file of the user's own. No server, no network, no
split: the whole truth is one split."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.history.entries import History, hashed_meanwhile, keep_score
from podium.cli.offline.custom_metrics.scoring import CustomMetricOptions, score_by_file
from podium.cli.offline.custom_metrics.tables import SubmissionFiles
from podium.cli.offline.described import IdsFile, TruthFile
from podium.cli.offline.inference.file_heads import require_regular
from podium.cli.offline.inference.notes import changed_item, columns_noted, zeros_noted
from podium.cli.offline.items import Items, TrainingUsers, item_file
from podium.cli.offline.results.documents import document_of, flat, kept
from podium.cli.offline.tasks import TaskOptions, no_sampling, task_for
from podium.cli.offline.truths import canonical, hints_for_submission
from podium.cli.outcome import Exit, complain, report_rejection
from podium.cli.parameters.files import file_argument
from podium.cli.printing import AsJson, facts_of_lists, print_facts, print_json
from podium.scoring.containers.detection import unpacked_ahead
from podium.scoring.engine import judge
from podium.scoring.kernel.library import MISSING, kernel
from podium.scoring.problems import FileRejected
from podium.scoring.truth.reading import IDS_NOT_LISTED

if TYPE_CHECKING:
    from podium.scoring.engine import Published, Truth
    from podium.scoring.items import ItemFile
    from podium.scoring.task import Task

File = Annotated[Path, file_argument("The submission: CSV (plain, gzip, zstd or zip) or Parquet.")]
SampledNegatives = Annotated[
    str | None,
    typer.Option("--sampled-negatives", hidden=True, callback=no_sampling, expose_value=False),
]


def score(
    file: File,
    truth: TruthFile,
    options: TaskOptions,
    sampled_negatives: SampledNegatives = None,
    published_ids: IdsFile = None,
    items: Items = None,
    training_users: TrainingUsers = None,
    *,
    custom: CustomMetricOptions,
    note: Annotated[
        str, typer.Option("-m", "--message", help="A note, shown by `podium runs`.")
    ] = "",
    history: History = True,
    as_json: AsJson = False,
) -> None:
    """Score a submission against a ground truth, exactly as the server does.

    Without --preset and --metric both files have the columns of OTTO. For any other competition,
    save `podium competitions show SLUG --json` to a file and name it as the --preset. All sessions
    of the ground truth are one split. Each figure is followed by its standard error, with the
    session as the unit.

    A ground truth that was read is stored in your cache folder, for your account only, so that the
    next run only scores. PODIUM_TRUTH_CACHE_MIB sets the size of the cache in MiB (2048; 0: no
    cache).

    With --metric-file a metric of your own scores a table; if the solution has a column Usage, each
    split is scored separately. Such scores are not recorded in your history.

    Exit code 3, with every problem's line, if the file is rejected.
    """
    require_regular(file, truth, *filter(None, (items, custom.metric_file, published_ids)))
    if custom.metric_file is not None:
        files = SubmissionFiles(file, truth, published_ids)
        score_by_file(files, custom, options, as_json=as_json)
        return
    preset, metrics, options = options.preset, options.metrics, replace(options, submission=file)
    with hashed_meanwhile(truth, *((file,) if history else ())) as sha256_of:
        task = task_for(truth, options)
        about = item_file(items, training_users, task)
        known = partial(
            canonical, truth, task, preset=preset, sha256=sha256_of(truth), ids=published_ids
        )
        document = judged(lambda: _score(file, truth, known, task, about))
        if as_json:
            print_json(document)
        elif document["status"] == "scored":
            print_facts({**flat(document, task), **facts_of_lists(document)})
        if history and document["status"] == "scored":
            measure = " ".join(metrics or [preset or "otto"])
            figures = {"measure": measure, "score": document["score"], **kept(document, task)}
            keep_score(file, truth, sha256_of, note=note, **figures)
    is_free, takes_ids = bool(metrics and not options.columns), published_ids is None
    end(file, document, task, is_free=is_free, takes_ids=takes_ids)
    tell_columns(options, truth, task)
    tell_zeros(options, [file], truth, task)


def tell_columns(options: TaskOptions, truth: Path, task: Task) -> None:
    """Warns that a server might not accept the columns that were accepted here, unless an option
    names them."""
    if options.preset or options.columns or options.submission is None:
        return
    if (note := columns_noted(options.submission, truth, task)) is not None:
        complain(note)


def tell_zeros(options: TaskOptions, files: Iterable[Path], known: Path, task: Task) -> None:
    """Warns once that items with leading zeros were read as numbers, unless an option says so."""
    if options.preset or options.item_ids:
        return
    if noted := next(filter(None, (zeros_noted(file, known, task) for file in files)), None):
        complain(noted)


def judged(judge: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Returns the document of a judging, or of its rejection."""
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
    """Ends the command with the problems of a rejected file, and hints at options if a `task` is
    given: a sample defines the columns and ids of a submission. `is_free`: an option may name
    columns."""
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
        # That a ground truth publishes no ids is meaningless at home.
        for warning in known.warnings:
            if warning != IDS_NOT_LISTED:
                complain(f"{truth}: {warning}.")
        if (changed := changed_item(file, known.task, known)) is not None:
            complain(changed)
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
