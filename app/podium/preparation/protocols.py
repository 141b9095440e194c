"""Protocols that choose the hidden interactions. All take a frame in the order of users and
items."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from podium.errors import InvalidInput
from podium.preparation.keyed import Ids, KeyedHash, Words
from podium.preparation.moments import milliseconds
from podium.preparation.options import UNITS, Options
from podium.preparation.ordering import Runs, TimeOrder
from podium.scoring.repeating import repeat

_SECONDS_A_DAY = 86_400
_TOP = 1 << 32
_NEVER = (1 << 63) - 1
"""A time at which no interaction happened."""
_WHOLE = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True)
class Draw:
    """Keyed randomness for the interactions of one frame: the key, and the ids of its codes."""

    key: KeyedHash
    users: Ids
    items: Ids

    def of(self, frame: pl.DataFrame) -> pl.Series:
        """Draws 64 bits for each interaction, by user and item."""
        users = Words(self.key, "user", frame["user"], self.users)
        items = Words(self.key, "item", frame["item"], self.items)
        return self.key.pairs(users, items)

    def of_users(self, users: pl.Series, purpose: str) -> pl.Series:
        """Draws 64 bits for each user, by the purpose of the draw."""
        return Words(self.key, purpose, users, self.users).bits


@dataclass(frozen=True)
class Hidden:
    """The result of a protocol: `rows` are the indices of hidden interactions, ascending (UInt32).

    `tied_users` had to be cut between interactions of the same time. `after` is the last time of
    the training set, where the protocol cuts at a time.
    """

    rows: pl.Series
    tied_users: int = 0
    after: int | None = None


def hidden_rows(
    frame: pl.DataFrame,
    runs: Runs,
    options: Options,
    draw: Draw,
    *,
    order: TimeOrder | None,
    unit: str,
) -> Hidden:
    """Chooses the hidden interactions by any protocol except k-fold. Raises `InvalidInput` where
    the frame lacks times and they are needed."""
    if options.protocol == "time":
        return _after_a_time(frame, runs, options, draw, unit)
    if options.protocol == "share":
        wanted = options.shared(runs.count).clip(1)
    else:
        wanted = repeat(options.count, len(runs.count), pl.Int64)
    enough = runs.count - wanted >= options.min_train
    wanted = _of_test_users(wanted * enough.cast(pl.Int64), runs, options, draw)
    if options.pick == "random":
        last = runs.rows(runs.count - wanted, runs.count)["row"]
        return Hidden(_by_draw(frame, runs, draw).gather(last).sort())
    if order is None:
        raise InvalidInput("What came last is told by times, and the file has none.")
    return _latest(frame, runs, wanted, draw, order)


def fold_rows(frame: pl.DataFrame, runs: Runs, options: Options, draw: Draw) -> pl.Series:
    """Assigns every interaction its fold, 0 … folds-1, or `folds` for those that always stay in the
    training set because their users have too few, or are not test users. A user's interactions are
    spread evenly."""
    folds = options.folds
    enough = (runs.count >= 2) & (
        runs.count - (runs.count + folds - 1) // folds >= options.min_train
    )
    wanted = _of_test_users(runs.count * enough.cast(pl.Int64), runs, options, draw)
    order = _by_draw(frame, runs, draw)
    first = draw.of_users(runs.user, "first fold") % folds
    run = frame["user"].rle_id()
    place = pl.int_range(frame.height, dtype=pl.Int64, eager=True) - runs.start.gather(run)
    fold = (place.cast(pl.UInt64) + first.gather(run)) % folds
    fold = fold.zip_with(wanted.gather(run) > 0, pl.Series([folds], dtype=pl.UInt64))
    # `fold` is in the order of the draw, where users have the same runs as in the frame.
    empty = repeat(0, frame.height, pl.UInt64)
    return empty.scatter(order, fold)


def _of_test_users(wanted: pl.Series, runs: Runs, options: Options, draw: Draw) -> pl.Series:
    """Limits the counts to the test users: 0 for all others, where `test_users` is set."""
    if options.test_users is None:
        return wanted
    able = pl.DataFrame({"user": runs.user, "wanted": wanted}).filter(pl.col("wanted") > 0)
    drawn = able.select("user", bits=draw.of_users(able["user"], "test user"))
    chosen = drawn.sort("bits", "user").head(options.test_users)["user"]
    return wanted * runs.user.is_in(chosen.implode()).cast(pl.Int64)


def _latest(
    frame: pl.DataFrame, runs: Runs, wanted: pl.Series, draw: Draw, order: TimeOrder
) -> Hidden:
    """Hides the last interactions of each user. Among equal times at the cut, the draw decides."""
    some = wanted > 0
    cut = (runs.start + runs.count - wanted).filter(some)
    if cut.is_empty():
        return Hidden(pl.Series(dtype=pl.UInt32))
    moment, before = order.at(cut), order.at((cut - 1).clip(0))
    # A cut at the very first interaction has no earlier time before it.
    tied = (moment == before) & (cut > runs.start.filter(some))
    users = some.arg_true()
    never = repeat(_NEVER, len(wanted), pl.Int64)
    moments = never.scatter(users, moment)
    run = frame["user"].rle_id()
    rows = (frame["timestamp"] >= moments.gather(run)).arg_true().cast(pl.UInt32)
    if not tied.any():
        return Hidden(rows)
    at_cut = pl.DataFrame({"run": users.filter(tied), "moment": moment.filter(tied)})
    late = pl.DataFrame({"run": run.gather(rows), "row": rows}).with_columns(
        timestamp=frame["timestamp"].gather(rows)
    )
    late = late.join(at_cut.cast({"run": pl.UInt32}), on="run", how="left", maintain_order="left")
    is_open = (late["timestamp"] == late["moment"]).fill_null(value=False)
    sure, equal = late.filter(~is_open), late.filter(is_open)
    chosen = _of_equal_times(frame, equal, sure, wanted, draw)
    return Hidden(pl.concat([sure["row"], chosen]).sort(), int(tied.sum()))


def _of_equal_times(
    frame: pl.DataFrame, equal: pl.DataFrame, sure: pl.DataFrame, wanted: pl.Series, draw: Draw
) -> pl.Series:
    """Draws among the rows in `equal`, as many as each user still needs."""
    bits = draw.of(frame.select("user", "item")[equal["row"]])
    known = pl.DataFrame({"run": pl.int_range(len(wanted), dtype=pl.UInt32, eager=True)})
    hidden = sure.group_by("run").agg(sure=pl.len().cast(pl.Int64))
    places = known.with_columns(wanted=wanted).join(hidden, on="run", how="left")
    still = pl.col("wanted") - pl.col("sure").fill_null(0)
    return (
        equal.with_columns(bits=bits)
        .sort("run", "bits", "row", descending=[False, True, False])
        .with_columns(nth=pl.int_range(pl.len()).over("run"))
        .join(places, on="run", maintain_order="left")
        .filter(pl.col("nth") < still)["row"]
    )


def _by_draw(frame: pl.DataFrame, runs: Runs, draw: Draw) -> pl.Series:
    """Sorts the indices of all rows (UInt32) by user and, within users, by the draw."""
    bits = draw.of(frame)
    run = frame["user"].rle_id()
    packed = run.cast(pl.UInt64) * _TOP + bits // _TOP
    order = packed.arg_sort()
    sorted_keys = packed.gather(order)
    if (sorted_keys == sorted_keys.shift()).any():
        # Half of the bits may not distinguish two pairs: then all bits decide, and then the index.
        rows = pl.int_range(frame.height, dtype=pl.UInt32, eager=True)
        whole = pl.DataFrame({"run": run, "bits": bits, "row": rows})
        return whole.sort("run", "bits", "row")["row"]
    return order


def _after_a_time(
    frame: pl.DataFrame, runs: Runs, options: Options, draw: Draw, unit: str
) -> Hidden:
    """Hides all interactions after one time, of users who have enough before it."""
    if "timestamp" not in frame.columns:
        raise InvalidInput("A split by time needs times, and the file has none.")
    after = _moment(frame["timestamp"], options, unit)
    run = frame["user"].rle_id()
    late = frame["timestamp"] > after
    sides = pl.DataFrame({"run": run, "early": (~late).cast(pl.Int64)})
    early = sides.group_by("run").agg(pl.col("early").sum()).sort("run")["early"]
    has_late = (runs.count - early).clip(0, 1)
    able = has_late * (early >= options.min_train).cast(pl.Int64)
    chosen = _of_test_users(able, runs, options, draw) > 0
    rows = (late & chosen.gather(run)).arg_true()
    return Hidden(rows.cast(pl.UInt32), after=after)


def _moment(times: pl.Series, options: Options, unit: str) -> int:
    """Finds the last time of the training set."""
    latest, earliest = int(times.max()), int(times.min())  # type: ignore[arg-type]
    if options.days is not None:
        if not unit:
            raise InvalidInput("These times are not moments since 1970: give a share, not days.")
        seconds = options.days * _SECONDS_A_DAY
        moment = latest - round(seconds * UNITS[unit])
    elif options.at is not None:
        moment = _moment_given(options.at, unit) - 1
    else:
        hidden = options.shared(len(times))
        moment = int(times.sort()[len(times) - hidden - 1])
    if not earliest <= moment < latest:
        raise InvalidInput("The split by time leaves one side empty.")
    return moment


def _moment_given(at: str, unit: str) -> int:
    """Parses the start of the test period in the unit of the times: a whole number, or a date."""
    if _WHOLE.fullmatch(at):
        return int(at)
    moment = milliseconds(pl.Series([at]), "iso").item()
    if moment is None:
        raise InvalidInput(f"at: {at} is not a date such as 2026-11-20, nor a whole number.")
    if not unit:
        raise InvalidInput("These times are not moments since 1970: give a number, not a date.")
    return -(-int(moment) * UNITS[unit] // 1000)
