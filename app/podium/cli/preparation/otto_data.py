"""`podium otto`: raw sessions → a competition's files, a local split, synthetic sessions."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.outcome import complain
from podium.cli.preparation.interaction_options import objectives_told
from podium.cli.preparation.keys import KeyFile, files_in, key_for, show_made
from podium.cli.preparation.otto_options import (
    PreparedTypes,
    Raw,
    SessionOptions,
    StreamOptions,
    To,
    Types,
    types_named,
)
from podium.cli.printing import AsJson
from podium.cli.written import Force, fetched_into
from podium.errors import NotConfigured
from podium.otto import preparation
from podium.otto.jsonl import NEXT
from podium.otto.synthetic import synthesize, synthesize_raw
from podium.preparation.dataset import Dataset
from podium.preparation.sessions import keyed_cuts, seeded_key
from podium.preparation.sessions.report import write_report
from podium.scoring.engine import sample_submission
from podium.scoring.published import PublishedIds
from podium.scoring.task import Objective, Task

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from podium.otto.jsonl import Scope
    from podium.preparation.clickstreams import Columns
    from podium.preparation.sessions import PreparedSessions


def prepare(
    raw: Raw,
    to: To,
    days: Annotated[
        float, typer.Option(min=0.0, help="Sessions that start in the last days are the test set.")
    ] = 7,
    seed: Annotated[
        int | None, typer.Option(help="For experiments: cut by a seed instead of a secret.")
    ] = None,
    key_file: KeyFile = None,
    types: Types = None,
    *,
    stream: StreamOptions,
    sessions: SessionOptions,
) -> None:
    """Make a competition's files of raw sessions: training set, cut test sessions, hidden labels.

    Participants get train_sessions.jsonl, test_sessions.jsonl and sample_submission.csv;
    test_labels.jsonl is the ground truth and published_ids.csv the list of its sessions. The
    sessions are cut by a keyed hash. Its key is random and is kept in cut.key: it tells where
    hidden sessions end, so keep it secret. With the same key, the same sessions give the same
    bytes, in whatever order and files. The report is for organizers only. Where the ids of a
    clickstream are texts, item_names.csv tells participants which number stands for which item, and
    user_names.csv tells organizers which session is whose.
    """
    if seed is not None and key_file is None:
        complain("Cut by a seed: whoever guesses it knows how long the hidden sessions are.")
    columns = stream.stream(raw, types)
    key, cut_by, kept = key_for(to, seed, key_file)
    with fetched_into(to, force=sessions.force) as fresh:
        made = _made(raw, fresh, key, days, columns, sessions, types)
        facts, written = _finish(made, fresh, days, columns, sessions.objective, cut_by=cut_by)
    show_made({**facts, "files": files_in(to, (*written, *kept))}, as_json=sessions.as_json)


def split(
    raw: Raw,
    to: To,
    days: Annotated[
        float, typer.Option(min=0.0, help="Sessions that start in the last days are the test set.")
    ] = 2,
    seed: Annotated[int, typer.Option(help="Another seed cuts elsewhere.")] = 42,
    types: PreparedTypes = None,
    *,
    stream: StreamOptions,
    sessions: SessionOptions,
) -> None:
    """Split training sessions as the organizer did, to score at home: the same files, with labels.

    The code is that of `podium otto prepare`. Give test_labels.jsonl to `podium score --truth`.
    """
    key, columns = seeded_key(seed), stream.stream(raw, types)
    prepared, drawn = raw if columns is None else (), f"seed {seed}"
    with fetched_into(to, force=sessions.force) as fresh:
        made = _made(raw, fresh, key, days, columns, sessions, types, prepared=prepared)
        facts, written = _finish(made, fresh, days, columns, sessions.objective, cut_by=drawn)
    show_made({**facts, "files": files_in(to, written)}, as_json=sessions.as_json)


def synth(
    sessions: Annotated[int, typer.Option(min=1, help="Test sessions.")],
    to: To,
    train: Annotated[
        int | None, typer.Option(min=1, help="Training sessions; else four for each test session.")
    ] = None,
    items: Annotated[
        int | None, typer.Option(min=1, help="Size of the catalogue; else as in the real data.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed makes another shop.")] = 42,
    raw: Annotated[
        bool, typer.Option("--raw", help="Whole sessions, for `podium otto prepare` to cut.")
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make synthetic sessions that look like OTTO's: none of it is real data.

    Lengths of sessions, shares of types, popularity, carts that follow clicks, orders that follow
    carts and repeated clicks resemble the published figures of the OTTO data set, so that popular
    items score below recent ones, and those below co-visitation. Scores on it say nothing of
    scores on the real data. The same options give the same bytes.
    """
    if sessions + (train or 0) > 2**31 - 1:
        raise NotConfigured("There are no more than 2,147,483,647 session ids.")
    with fetched_into(to, force=force) as fresh:
        every: tuple[Path | None, ...]
        if raw:
            every = (synthesize_raw(fresh, sessions=sessions, seed=seed, items=items, train=train),)
        else:
            made = synthesize(fresh, sessions=sessions, seed=seed, items=items, train=train)
            every = made.train_sessions, made.test_sessions, made.test_labels
    found = [path for path in every if path is not None]
    show_made({"synthetic": True, "files": files_in(to, found)}, as_json=as_json)


def _made(
    raw: Sequence[Path],
    to: Path,
    key: bytes,
    days: float,
    columns: Columns | None,
    sessions: SessionOptions,
    types: str | None,
    *,
    prepared: Sequence[Path] = (),
) -> PreparedSessions:

    if columns is not None and types is not None:
        raise NotConfigured("--types is for JSON lines; a clickstream has its own types.")
    return preparation.prepare(
        raw,
        to,
        cuts=keyed_cuts(key),
        days=days,
        clickstream=columns,
        types=types_named(types, prepared=prepared),
        scopes=objectives_told(sessions.objective),
        container=sessions.container,
    )


def _finish(
    made: PreparedSessions,
    to: Path,
    days: float,
    columns: Columns | None,
    objective: list[str] | None,
    *,
    cut_by: str,
) -> tuple[dict[str, Any], list[Path]]:
    """Writes what goes with the sessions; answers what was made, in numbers, and its files."""
    ids, sample = to / "published_ids.csv", to / "sample_submission.csv"
    made.sessions.alias("session").to_frame().write_csv(ids)
    task = _task(made.types)
    published = PublishedIds(made.sessions, task.names)
    with sample.open("wb") as sink:
        sink.writelines(sample_submission(published, task))
    reports = write_report(to, made.counts, cut_by=cut_by)
    for secret in (made.labels, *made.names[1:], *reports):
        secret.chmod(0o600)
    counts = made.counts.to_dict()
    sessions = [path for path in (made.train, made.test) if path is not None]
    train = counts["train"]["sessions"] if counts["train"] else 0
    facts = {"train_sessions": train, "test_sessions": counts["test"]["sessions"]}
    described = _described(made, to, days, columns, objectives_told(objective))
    return facts, [*sessions, made.labels, ids, sample, *made.names, *reports, described]


def _described(
    made: PreparedSessions,
    to: Path,
    days: float,
    columns: Columns | None,
    scopes: Mapping[str, Scope],
) -> Path:
    """Writes `dataset.json`."""
    usual: dict[str, Scope] = {name: "next" if name in NEXT else "all" for name in made.types}
    return Dataset(
        folder=to,
        user="session",
        item="aid",
        rating="",
        timestamp="ts",
        type="type",
        protocol="otto",
        settings={"days": days, "columns": None if columns is None else asdict(columns)},
        objectives=usual | dict(scopes),
        train="" if made.train is None else made.train.name,
        test=made.test.name,
        labels=made.labels.name,
        published="published_ids.csv",
        items="",
    ).write(to)


def _task(types: tuple[str, ...]) -> Task:
    """The task of the sample: the columns of the preset `otto`; for one type, `otto-clicks`."""
    if len(types) == 1:
        return Task((Objective("", Decimal(1), key=types[0]),), id_column="session")
    return Task(tuple(Objective(name, Decimal(1)) for name in types))
