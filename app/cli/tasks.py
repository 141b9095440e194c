"""Which scoring task the options of an offline command mean."""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.errors import NotConfigured

if TYPE_CHECKING:
    from app.scoring.task import Task

KNOWN_METRICS = ("recall_capped",)
MAX_K = 100
OTTO_COLUMN = "session_type"
HEAD_BYTES = 64 << 10


def tasks_for(
    known: Path,
    preset: str | None,
    metrics: list[str] | None,
    average: str | None,
    missing_rows: str,
) -> list[Task]:
    """One task per metric; the preset `otto` if no metric is named.

    `known` is the ground truth or the sample: without a preset, the first column of its header is
    the id column. Raises `NotConfigured` for options that do not fit together.
    """
    from dataclasses import replace

    from app.scoring.task import OTTO

    _one_of("--missing-rows", missing_rows, ("reject", "zero"))
    _one_of("--average", average or "macro", ("macro", "micro"))
    if metrics and preset:
        raise NotConfigured("Give either --preset or --metric, not both.")
    if not metrics:
        _one_of("--preset", preset or "otto", ("otto",))
        if average is not None:
            raise NotConfigured("--average goes with --metric; the preset has its own.")
        missing: Any = missing_rows
        return [replace(OTTO, missing_rows=missing)]
    named = [_metric(metric) for metric in metrics]
    id_column = _columns(known)[0]
    return [_single(name, k, average or "macro", missing_rows, id_column) for name, k in named]


def task_to_validate(
    known: Path, preset: str | None, metrics: list[str] | None, missing_rows: str
) -> Task:
    """The task of a competition of which only the sample submission or the ground truth is known.

    Without options the header tells: columns of the preset `otto`, or else one objective.
    """
    if preset is None and not metrics and not _is_otto(known):
        metrics = ["recall_capped@20"]
    return tasks_for(known, preset, metrics, None, missing_rows)[0]


def _is_otto(known: Path) -> bool:
    head = _head(known)
    return isinstance(head, bytes) or OTTO_COLUMN in head or "type" in head


def _metric(metric: str) -> tuple[str, int]:
    """Name and K of a metric as it is written in an option."""
    found = re.fullmatch(r"([a-z_]+)@([1-9][0-9]{0,2})", metric)
    if found is None or int(found[2]) > MAX_K:
        raise NotConfigured(
            f"--metric {metric}: write it as name@K with K from 1 to {MAX_K}, as recall_capped@20."
        )
    if found[1] not in KNOWN_METRICS:
        raise NotConfigured(
            f"--metric {metric}: this version computes {', '.join(KNOWN_METRICS)}@K only."
        )
    return found[1], int(found[2])


def _single(name: str, k: int, average: Any, missing_rows: Any, id_column: str) -> Task:
    from decimal import Decimal

    from app.scoring.task import Objective, Task

    return Task(
        objectives=(Objective("", Decimal(1)),),
        metric=name,
        k=k,
        average=average,
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
