"""The scoring task that the options of an offline command mean."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from podium.errors import NotConfigured
from podium.errors.spelling import did_you_mean

if TYPE_CHECKING:
    from podium.scoring.task import Task

OTTO_COLUMN = "session_type"
QRELS_COLUMNS = ("topic", "docno", "relevance")
LONG_COLUMNS = ("item", "aid", "docno")
HEAD_BYTES = 64 << 10


def task_for(
    known: Path,
    preset: str | None,
    metrics: list[str] | None,
    average: str | None,
    missing_rows: str | None,
    *,
    query_ids: str | None = None,
    item_ids: str | None = None,
) -> Task:
    """The task that options mean: the preset `otto` if nothing is named. A preset may be a file
    that describes a competition. The first of several metrics makes the score, the others are
    diagnostics.

    `known` is the ground truth or the sample: without a preset, its header names the columns.
    `query_ids` and `item_ids` are `integer` or `string`; None leaves what the preset says, and
    means text for qrels. Raises `NotConfigured` for options that do not fit together.
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
    if average is not None and not metrics:
        raise NotConfigured("--average goes with --metric; a preset has its own.")
    task = _by_metrics(metrics, average, known) if metrics else _by_preset(preset)
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
) -> Task:
    """The task of a competition of which only the sample submission or the ground truth is known.

    Without options the header tells: columns of the preset `otto`, a column `rating`, or else one
    objective.
    """
    if preset is None and not metrics and not _is_otto(known):
        metrics = ["rmse" if "rating" in _columns(known) else "recall_capped@20"]
    return task_for(
        known, preset, metrics, None, missing_rows, query_ids=query_ids, item_ids=item_ids
    )


def _ids(query_ids: str | None, item_ids: str | None) -> dict[str, str]:
    given = {"query_ids": query_ids, "item_ids": item_ids}
    for name, kind in given.items():
        _one_of(f"--{name.replace('_', '-')}", kind or "integer", ("integer", "string"))
    return {name: kind for name, kind in given.items() if kind is not None}


def _is_otto(known: Path) -> bool:
    head = _head(known)
    return isinstance(head, bytes) or OTTO_COLUMN in head or "type" in head


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


def _by_metrics(given: list[str], average: str | None, known: Path) -> Task:
    from decimal import Decimal

    from podium.scoring.task import Objective, Task

    kind = _kind(given[0], average)
    first, *others = (
        _metric(metric, average, kind, ranks=place == 0) for place, metric in enumerate(given)
    )
    columns = _columns(known)
    if kind == "rating":
        if len(columns) < 3:
            raise NotConfigured("Ratings have three columns, for example user,item,rating.")
        item_column, labels_column = columns[1:3]
    else:
        item_column, labels_column = "item", _labels_column(columns)
    return Task(
        objectives=(Objective("", Decimal(1), first),),
        kind=kind,
        diagnostics=tuple(dict.fromkeys(others)),
        id_column=columns[0],
        item_column=item_column,
        labels_column=labels_column,
    )


def _kind(metric: str, average: str | None) -> Literal["ranking", "rating"]:
    from podium.scoring.metrics import RATING_METRICS

    if average is not None and metric in RATING_METRICS:
        raise NotConfigured(f"--average: {metric} has none to choose.")
    return "rating" if metric in RATING_METRICS else "ranking"


def _metric(
    given: str, average: str | None, kind: Literal["ranking", "rating"], *, ranks: bool
) -> str:
    """The id of a metric as it is written in an option, with the average where it names none."""
    from podium.core.configuration import nearest_metric
    from podium.scoring.metrics import metric_for

    named = given if average in (None, "macro") or ":" in given else f"{given}:{average}"
    try:
        return metric_for(named, task=kind, ranks=ranks).id
    except ValueError as error:
        hint = nearest_metric(given) or (
            "`podium metrics` lists what there is, for example recall@20:micro."
        )
        raise NotConfigured(f"--metric {given}: {error}. {hint}") from None


def _labels_column(columns: list[str]) -> str:
    """The name of the labels' column in submissions: the ground truth's, if it has their form."""
    has_their_form = len(columns) > 1 and columns[1] not in LONG_COLUMNS
    return columns[1] if has_their_form and "labels" not in columns else "labels"


def _columns(known: Path) -> list[str]:
    """The header of a ground truth or a sample, whatever its container; qrels have none."""
    from podium.scoring.truth.qrels import looks_like_qrels

    if looks_like_qrels(known):
        return list(QRELS_COLUMNS)
    head = _head(known)
    if isinstance(head, bytes):
        raise NotConfigured(
            f"{known} is JSON, which names objectives, and --metric means a single one: use"
            " --preset with otto, or with a file of settings that has the objectives and the"
            ' metric, such as {"objectives": {"clicks": 1, "orders": 2}, "metric": "ndcg@10"}.'
        )
    return head


def _head(known: Path) -> list[str] | bytes:
    """The names of a table's columns, or the first line of JSON."""
    import polars as pl

    from podium.scoring.containers.detection import Container, open_blocks, recognise
    from podium.scoring.problems import FileRejected
    from podium.scoring.task import OTTO

    try:
        if recognise(known) is Container.PARQUET:
            return list(pl.read_parquet_schema(known))
        block = next(open_blocks(known, OTTO, max_rows=0, block_bytes=HEAD_BYTES), b"")
    except (FileRejected, pl.exceptions.PolarsError) as failure:
        raise NotConfigured(f"{known}: its header cannot be read ({failure}).") from None
    line = block.split(b"\n", 1)[0].removeprefix(codecs.BOM_UTF8).strip()
    if line.startswith(b"{"):
        return line
    return [column.strip().strip('"') for column in line.decode("utf-8", "replace").split(",")]


def _one_of(option: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        told = f"{option} {given}: choose {' or '.join(known)}."
        raise NotConfigured(" ".join(filter(None, (told, did_you_mean(given, known)))))
