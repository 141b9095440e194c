"""Writes cut sessions as a dataset: published ids, sample submission, reports and `dataset.json`
beside the sessions and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path

from podium.otto.jsonl import NEXT, Scope
from podium.preparation.dataset import Dataset, Prepared
from podium.preparation.options import CutOptions
from podium.preparation.sessions.cutting import keyed_cuts
from podium.preparation.sessions.preparing import PreparedSessions, prepare
from podium.preparation.sessions.report import write_report
from podium.preparation.writing import PUBLISHED, write_asked
from podium.scoring.task import Objective, Task


def prepare_sessions(
    files: Sequence[Path],
    out: Path,
    options: CutOptions,
    key: bytes,
    drawn_by: str,
    most_bytes: int,
) -> Prepared:
    """Writes the dataset of the protocol `otto`. Raises `RawFileRefused`."""
    made = prepare(
        files,
        out,
        cuts=keyed_cuts(key),
        days=options.days,
        clickstream=options.columns,
        types=options.types,
        scopes=options.scopes,
        container=options.container,
        most_bytes=most_bytes,
    )
    asked = write_asked(out, made.sessions, "session", _task(made.types))
    reports = write_report(out, made.counts, cut_by=drawn_by)
    dataset = _dataset(made, out, options)
    sessions = [path for path in (made.train, made.test) if path is not None]
    described = [*made.names, *reports, dataset.write(out)]
    return Prepared(
        datasets=[dataset],
        report=made.counts.to_dict(),
        files=[*sessions, made.labels, *asked, *described],
        # The names of items are for participants.
        secrets=[made.labels, *made.names[1:], *reports],
    )


def _dataset(made: PreparedSessions, to: Path, options: CutOptions) -> Dataset:
    usual: dict[str, Scope] = {name: "next" if name in NEXT else "all" for name in made.types}
    columns = None if options.columns is None else asdict(options.columns)
    return Dataset(
        folder=to,
        user="session",
        item="aid",
        rating="",
        timestamp="ts",
        type="type",
        protocol="otto",
        settings={"days": options.days, "columns": columns},
        objectives=usual | dict(options.scopes),
        train="" if made.train is None else made.train.name,
        test=made.test.name,
        labels=made.labels.name,
        published=PUBLISHED,
        items="",
    )


def _task(types: tuple[str, ...]) -> Task:
    """Builds the task of the sample: the columns of the preset `otto`; for one type,
    `otto-clicks`."""
    if len(types) == 1:
        return Task((Objective("", Decimal(1), key=types[0]),), id_column="session")
    return Task(tuple(Objective(name, Decimal(1)) for name in types))
