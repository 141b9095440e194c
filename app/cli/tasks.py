"""Which scoring task the options of an offline command mean."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.errors import NotConfigured

if TYPE_CHECKING:
    from app.scoring.task import Task

OTTO_COLUMN = "session_type"
HEAD_BYTES = 64 << 10


def task_for(
    known: Path,
    preset: str | None,
    metrics: list[str] | None,
    average: str | None,
    missing_rows: str,
) -> Task:
    """The task that options mean: the preset `otto` if nothing is named. The first of several
    metrics makes the score, the others are diagnostics.

    `known` is the ground truth or the sample: without a preset, the first column of its header is
    the id column. Raises `NotConfigured` for options that do not fit together.
    """
    from dataclasses import replace

    from app.domain.competition_settings import PRESETS, CompetitionSettings
    from app.services.tasks import task_of

    _one_of("--missing-rows", missing_rows, ("reject", "zero"))
    _one_of("--average", average or "macro", ("macro", "micro"))
    if metrics and preset:
        raise NotConfigured("Give either --preset or --metric, not both.")
    missing: Any = missing_rows
    if metrics:
        named = [_metric(metric, average or "macro") for metric in metrics]
        return _single(named, missing, _columns(known)[0])
    if average is not None:
        raise NotConfigured("--average goes with --metric; a preset has its own.")
    _one_of("--preset", preset or "otto", tuple(PRESETS))
    settings = CompetitionSettings.model_validate(PRESETS[preset or "otto"])
    return replace(task_of(settings), missing_rows=missing)


def task_to_validate(
    known: Path, preset: str | None, metrics: list[str] | None, missing_rows: str
) -> Task:
    """The task of a competition of which only the sample submission or the ground truth is known.

    Without options the header tells: columns of the preset `otto`, or else one objective.
    """
    if preset is None and not metrics and not _is_otto(known):
        metrics = ["recall_capped@20"]
    return task_for(known, preset, metrics, None, missing_rows)


def _is_otto(known: Path) -> bool:
    head = _head(known)
    return isinstance(head, bytes) or OTTO_COLUMN in head or "type" in head


def _metric(given: str, average: str) -> str:
    """The id of a metric as it is written in an option, with the average where it has a choice."""
    from app.scoring.metrics import metric_of

    try:
        return metric_of(given if average == "macro" else f"{given}:{average}").id
    except ValueError as error:
        raise NotConfigured(f"--metric {given}: {error}.") from None


def _single(metrics: list[str], missing_rows: Any, id_column: str) -> Task:
    from decimal import Decimal

    from app.scoring.task import Objective, Task

    return Task(
        objectives=(Objective("", Decimal(1), metrics[0]),),
        diagnostics=tuple(metrics[1:]),
        id_column=id_column,
        missing_rows=missing_rows,
    )


def _columns(known: Path) -> list[str]:
    """The header of a ground truth or a sample, whatever its container."""
    head = _head(known)
    if isinstance(head, bytes):
        raise NotConfigured(f"{known} is JSON, which has named objectives: use --preset.")
    return head


def _head(known: Path) -> list[str] | bytes:
    """The names of a table's columns, or the first line of JSON."""
    import polars as pl

    from app.scoring.problems import FileRejected
    from app.scoring.reading.containers import Container, open_blocks, recognise
    from app.scoring.task import OTTO

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
        raise NotConfigured(f"{option} {given}: choose {' or '.join(known)}.")
