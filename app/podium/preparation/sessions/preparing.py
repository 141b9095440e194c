"""Prepares sessions: read once, split by time, filter, cut, write by session id."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from podium.otto.jsonl import (
    NEXT,
    Scope,
    hidden_labels,
    label_lines,
    visible_events,
    write_lines,
    write_sessions,
)
from podium.otto.shape import TYPES
from podium.preparation.clickstreams import Columns
from podium.preparation.files.findings import RawFileCode, refuse
from podium.preparation.files.text import MAX_BYTES, Container, named, writing
from podium.preparation.moments import SECONDS_FROM, question_about_unit
from podium.preparation.sessions.clickstream import clickstream_chunks, numbers_of
from podium.preparation.sessions.counting import PreparationCounts, lengths_of
from podium.preparation.sessions.cutting import Cuts
from podium.preparation.sessions.raw import raw_chunks
from podium.preparation.sessions.spool import EventSpool
from podium.preparation.sessions.text_ids import ITEM_NAMES, USER_NAMES, IdNumbers
from podium.scoring.turns import in_turn

DAY_MS = 86_400_000

SHORTEST = 2
"""The fewest events of a session: one to be seen, and one to be predicted."""

TRAIN, TEST, LABELS = "train_sessions.jsonl", "test_sessions.jsonl", "test_labels.jsonl"


@dataclass(frozen=True, slots=True)
class PreparedSessions:
    """The files of a preparation. `train` is None where nothing was split off; `sessions` are the
    test sessions in the order of the files, which is ascending; `types` are those of the labels.
    `names` map numbers to items, and to users, where ids were texts: the first is for
    participants."""

    train: Path | None
    test: Path
    labels: Path
    sessions: pl.Series
    types: tuple[str, ...]
    counts: PreparationCounts
    names: tuple[Path, ...] = ()


def prepare(
    files: Sequence[Path],
    to: Path,
    *,
    cuts: Cuts,
    days: float | None,
    clickstream: Columns | None = None,
    types: Sequence[str] = TYPES,
    scopes: Mapping[str, Scope] | None = None,
    container: Container = "plain",
    most_bytes: int = MAX_BYTES,
) -> PreparedSessions:
    """Writes `train_sessions.jsonl`, `test_sessions.jsonl` and `test_labels.jsonl` to `to`.

    Sessions that start less than `days` before the last event of all are the test set. Of the
    others, the training set, events from that moment on are dropped. Test events of items that the
    training set lacks are dropped, then sessions of fewer than two events. Each test session is cut
    by `cuts`: the events before the cut are published, those after it become labels. Without `days`
    all sessions are the test set, and nothing is filtered but short sessions.

    `scopes` define for types whether the next event counts or all later ones; by default, the next
    click and all events of other types.

    `files` are in OTTO's raw format, with events of these `types`, or, with `clickstream`, tables
    of events; each holds at most `most_bytes` of text. Raises `RawFileRefused` with the lines that
    cannot be read, and where no test session is left.
    """
    to.mkdir(parents=True, exist_ok=True)
    # In the same folder, so that finished files are moved at once, and only if all went well.
    with tempfile.TemporaryDirectory(dir=to, prefix=".preparing-") as made:
        work = Path(made)
        spool, numbers = _spooled(files, work, clickstream, tuple(types), most_bytes)
        if days is not None:
            _check_unit(files[0], spool, clickstream)
        split = None if days is None else spool.latest - round(days * DAY_MS)
        counts = PreparationCounts.of(len(files), spool, split)
        run = _PreparationRun(
            work, spool, split, container, counts, _next_only(files[0], spool.types, scopes or {})
        )
        sessions = run.write(cuts, by_time=clickstream is not None)
        if not len(sessions):
            detail = "no session of two events or more is left for the test set"
            raise refuse(files[0], RawFileCode.EMPTY_TEST_SET, detail)
        train, test = (_moved(work, to, name, container) for name in (TRAIN, TEST))
        labels = _moved(work, to, LABELS, "plain")
        names = () if numbers is None else _named_ids(numbers, work, to)
        shown = train if split is not None else None
        return PreparedSessions(shown, test, labels, sessions, spool.types, run.counts, names)


def _next_only(file: Path, types: tuple[str, ...], scopes: Mapping[str, Scope]) -> frozenset[str]:
    """Finds the types of which only the next event counts. Raises `RawFileRefused` for a type that
    the files lack."""
    for name in scopes:
        if name not in types:
            detail = f"no event is of the type {name}; the types are {', '.join(types)}"
            raise refuse(file, RawFileCode.BAD_EVENT, detail)
    is_next = {name: scope == "next" for name, scope in scopes.items()}
    return frozenset(name for name in types if is_next.get(name, name in NEXT))


def _spooled(
    files: Sequence[Path],
    work: Path,
    clickstream: Columns | None,
    types: tuple[str, ...],
    most_bytes: int,
) -> tuple[EventSpool, IdNumbers | None]:
    """Spools all events to disk, and numbers the ids that are texts."""
    spool = EventSpool(work, types if clickstream is None else ())
    numbers = None
    if clickstream is not None and clickstream.text_ids:
        numbers = numbers_of(files, clickstream, most_bytes=most_bytes)
    for file in files:
        chunks = raw_chunks(file, most_bytes=most_bytes, types=types)
        if clickstream is not None:
            chunks = clickstream_chunks(file, clickstream, most_bytes=most_bytes, numbers=numbers)
        for chunk in chunks:
            spool.add(chunk)
    spool.refuse_repeated()
    if not spool.events:
        raise refuse(files[0], RawFileCode.EMPTY_FILE, "there is no event")
    return spool, numbers


def _named_ids(numbers: IdNumbers, work: Path, to: Path) -> tuple[Path, ...]:
    numbers.write(work)
    return tuple(_moved(work, to, name, "plain") for name in (ITEM_NAMES, USER_NAMES))


def _check_unit(file: Path, spool: EventSpool, clickstream: Columns | None) -> None:
    """Raises `RawFileRefused` where all times are read in the wrong unit."""
    unit = "ms" if clickstream is None else clickstream.unit
    question = question_about_unit(spool.earliest, spool.latest, unit)
    if question and clickstream is not None:
        raise refuse(file, RawFileCode.BAD_EVENT, question)
    if question and spool.earliest >= SECONDS_FROM:
        detail = "these times are in January 1970 as milliseconds, which sessions count in"
        made = f"`jq -c '.events[].ts *= 1000' {shlex.quote(file.name)} > milliseconds.jsonl`"
        hint = f"Are they seconds? Prepare what {made} makes."
        raise refuse(file, RawFileCode.BAD_EVENT, detail, hint=hint)


def _moved(work: Path, to: Path, name: str, container: Container) -> Path:
    target = named(to / name, container)
    made = named(work / name, container)
    if made.exists():
        # The first version of Landlock forbids a child to move files between folders: it copies
        # then.
        shutil.move(made, target, copy_function=shutil.copyfile)
    return target


@dataclass
class _PreparationRun:
    """The second half of a preparation, when all events are on disk."""

    folder: Path
    spool: EventSpool
    split: int | None
    container: Container
    counts: PreparationCounts
    next_only: frozenset[str]

    def write(self, cuts: Cuts, *, by_time: bool) -> pl.Series:
        """Writes the files, and returns the test sessions."""
        known = self._train(by_time=by_time)
        found = []
        with ExitStack() as stack:
            seen = stack.enter_context(writing(self.folder / TEST, self.container))
            hidden = stack.enter_context(writing(self.folder / LABELS, "plain"))
            for path in sorted(self.folder.glob("test-*.arrow")):
                events = self._cut(pl.read_ipc(path), known, cuts)
                labels = hidden_labels(events, self.spool.types, self.next_only)
                write_sessions(visible_events(events), seen, self.spool.types)
                write_lines(label_lines(labels, self.next_only), hidden)
                self.counts.add_test(events, labels, self.spool.types)
                found.append(labels["session"])
        return pl.concat(found) if found else pl.Series(dtype=pl.Int32)

    def _train(self, *, by_time: bool) -> pl.Series | None:
        """Writes the training set, stores the other events in files, and returns the items trained
        on."""
        if self.split is None:
            for number, events in enumerate(self.spool.ranges(by_time=by_time)):
                events.write_ipc(self._kept(number))
            return None
        with writing(self.folder / TRAIN, self.container) as sink:

            def written(train: pl.DataFrame) -> pl.Series:
                write_sessions(train, sink, self.spool.types)
                return train["aid"].unique()

            # A range is written while the next one is divided.
            early = self._early(self.split, by_time=by_time)
            known = list(in_turn(written, early, threads=1))
        return pl.concat(known).unique() if known else pl.Series(dtype=pl.Int32)

    def _early(self, split: int, *, by_time: bool) -> Iterator[pl.DataFrame]:
        """Yields the training events range by range; those of the test set are stored in files."""
        for number, events in enumerate(self.spool.ranges(by_time=by_time)):
            runs = lengths_of(events)
            first = runs["events"].cum_sum() - runs["events"]
            test = (events["ts"].gather(first) > split).gather(events["session"].rle_id())
            events.filter(test).write_ipc(self._kept(number))
            train = _long_enough(events.filter(~test & (events["ts"] < split)))
            self.counts.add_train(events.filter(~test), train, self.spool.types)
            yield train

    def _kept(self, number: int) -> Path:
        """Returns the path for the events of a range that are not in the training set."""
        return self.folder / f"test-{number:06}.arrow"

    def _cut(self, events: pl.DataFrame, known: pl.Series | None, cuts: Cuts) -> pl.DataFrame:
        """Filters the test events, and adds `position` and `cut`."""
        whole = events
        if known is not None:
            events = events.filter(pl.col("aid").is_in(known.implode()))
        kept = _long_enough(events)
        self.counts.add_dropped(whole, events, kept)
        runs = lengths_of(kept)
        cut = cuts(runs["session"], runs["events"]).cast(pl.Int32)
        run = kept["session"].rle_id()
        first = (runs["events"].cum_sum() - runs["events"]).gather(run)
        row = pl.int_range(kept.height, dtype=pl.Int64, eager=True)
        return kept.with_columns(
            position=(row - first).cast(pl.Int32), cut=cut.gather(run).cast(pl.Int32)
        )


def _long_enough(events: pl.DataFrame) -> pl.DataFrame:
    runs = lengths_of(events)
    if events.is_empty() or (runs["events"] >= SHORTEST).all():
        return events
    return events.filter((runs["events"] >= SHORTEST).gather(events["session"].rle_id()))
