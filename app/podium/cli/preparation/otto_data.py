"""`podium otto`: prepares a competition's files from raw sessions, splits sessions for use at home,
and generates synthetic ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from podium.cli.outcome import complain
from podium.cli.preparation.making import KeyFile, key_given, made_here
from podium.cli.preparation.otto_options import (
    PreparedTypes,
    Raw,
    SessionOptions,
    To,
    Types,
    stream_of,
    types_named,
)
from podium.cli.preparation.showing import show_made
from podium.cli.printing import AsJson
from podium.cli.written import Force, fetched_into
from podium.errors import NotConfigured
from podium.otto.synthetic import synthesize, synthesize_raw
from podium.preparation.clickstreams import StreamOptions
from podium.preparation.options import CutOptions, TestDays, scopes_named

if TYPE_CHECKING:
    from collections.abc import Sequence


def prepare(
    raw: Raw,
    to: To,
    days: TestDays = CutOptions.days,
    seed: Annotated[
        int | None, typer.Option(help="For experiments: cut by a seed instead of a secret.")
    ] = None,
    key_file: KeyFile = None,
    types: Types = None,
    *,
    stream: StreamOptions,
    sessions: SessionOptions,
) -> None:
    """Prepare a competition's files from raw sessions: training set, cut test sessions, hidden
    labels.

    Participants get train_sessions.jsonl, test_sessions.jsonl and sample_submission.csv;
    test_labels.jsonl is the ground truth and published_ids.csv the list of its sessions. The
    sessions are cut by a keyed hash. Its key is random and is stored in cut.key: it reveals where
    hidden sessions end, so keep it secret. With the same key, the same sessions give the same
    bytes, in whatever order and files. The report is for organizers only. If the ids of a
    clickstream are texts, item_names.csv tells participants which number stands for which item, and
    user_names.csv tells organizers which session belongs to whom.
    """
    if seed is not None and key_file is None:
        complain("Cut by a seed: whoever guesses it knows how long the hidden sessions are.")
    _prepare(raw, to, days, types, key_given(seed, key_file), stream, sessions)


def split(
    raw: Raw,
    to: To,
    days: TestDays = 2,
    seed: Annotated[int, typer.Option(help="Another seed cuts elsewhere.")] = 42,
    types: PreparedTypes = None,
    *,
    stream: StreamOptions,
    sessions: SessionOptions,
) -> None:
    """Split training sessions as the organizer did, to score at home: the same files, with labels.

    The code is that of `podium otto prepare`. Give test_labels.jsonl to `podium score --truth`.
    """
    _prepare(raw, to, days, types, key_given(seed, None), stream, sessions, prepared=raw)


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
    """Generate synthetic sessions that look like OTTO's: none of it is real data.

    Lengths of sessions, shares of types, popularity, carts that follow clicks, orders that follow
    carts and repeated clicks resemble the published figures of the OTTO data set, so that popular
    items score below recent ones, and those below co-visitation. Scores on it say nothing about
    scores on the real data. The same options give the same bytes.
    """
    if sessions + (train or 0) > 2**31 - 1:
        raise NotConfigured("There are no more than 2,147,483,647 session ids.")
    with fetched_into(to, force=force) as fresh:
        every: tuple[Path | None, ...]
        if raw:
            every = (synthesize_raw(fresh, sessions=sessions, seed=seed, items=items, train=train),)
        else:
            sets = synthesize(fresh, sessions=sessions, seed=seed, items=items, train=train)
            every = sets.train_sessions, sets.test_sessions, sets.test_labels
    found = [path for path in every if path is not None]
    show_made(
        {"synthetic": True, "files": [str(to / path.name) for path in found]}, as_json=as_json
    )


def _prepare(
    raw: Sequence[Path],
    to: Path,
    days: float,
    types: str | None,
    key: tuple[bytes, str] | None,
    stream: StreamOptions,
    sessions: SessionOptions,
    *,
    prepared: Sequence[Path] = (),
) -> None:
    """Writes a dataset, and prints its files and numbers of sessions; files that are `prepared` may
    contain their types. Raises `NotConfigured`."""
    columns = stream_of(stream, raw, types)
    if columns is not None and types is not None:
        raise NotConfigured("--types is for JSON lines; a clickstream has its own types.")
    named = types_named(types, prepared=prepared if columns is None else ())
    scopes = scopes_named(sessions.objective or ())
    options = CutOptions(days, columns, named, scopes, sessions.container)
    report, files = made_here(raw, to, options, key, force=sessions.force)
    parts = {f"{name}_sessions": report[name] for name in ("train", "test")}
    facts = {name: part["sessions"] if part else 0 for name, part in parts.items()}
    show_made({**facts, "files": files}, as_json=sessions.as_json)
