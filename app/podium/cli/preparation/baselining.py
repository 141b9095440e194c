"""`podium baseline`: simple recommenders, to compare with and to start from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from podium.baselines.registry import SESSIONS, USERS_ITEMS, Baseline
from podium.baselines.sessions.rows import SessionFiles
from podium.cli.configuration import connect_as_organizer
from podium.cli.extras import Extra, require
from podium.cli.offline.tasks import metric_id
from podium.cli.outcome import Exit, complain
from podium.cli.preparation import baseline_options as of
from podium.cli.preparation.evaluating import METRICS, Scores, train_and_test
from podium.cli.preparation.otto_options import PreparedTypes, types_named
from podium.cli.preparation.users_items import (
    UsersItemsFiles,
    free_memory,
    in_files,
    in_folder,
    sessions_in,
)
from podium.cli.printing import AsJson, print_outcome
from podium.cli.written import Force, Out, Top, fetched
from podium.errors import NotConfigured
from podium.otto.shape import LIST_LENGTH
from podium.scoring.kinds import DEFAULT
from podium.scoring.writing import container_of, write_rows

if TYPE_CHECKING:
    import polars as pl


def baseline(
    name: of.Name,
    out: Out,
    *,
    files: of.FileOptions,
    top: Top = LIST_LENGTH,
    types: PreparedTypes = None,
    roles: of.RoleOptions,
    keep_seen: of.KeepSeen = False,
    learning: of.LearningOptions,
    evaluation: of.EvaluationOptions,
    board: of.BoardOptions,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Recommend items for truncated sessions, or for users, and write a valid submission.

    Sessions (--data, or --train and --test): popular: what has most events of a type. recent: the
    items of the session, the last first. covisitation: these, then what is seen together with them,
    weighted by closeness, time and type, then popular items; clicks, or else the most frequent
    type, count as looks. als: matrix factorization (needs the extra `als`). random: any items.

    Users × items (--data, or --train and --published; needs the extra `baselines`): what a user
    has in the training set is left out. popular: what has most interactions. recent: what has most
    of the newest; with --keep-seen first the user's own items, the last first. random: any items.
    item-knn, user-knn: what is near to the user's items, or liked by users near to them, by cosine.
    als, bpr: factorizations (need the extra `als`). ease: a linear model with a closed form. Behind
    short lists stand popular items. docs/baselines.md helps to choose.

    The same files give the same bytes.
    """
    if board.team is not None and board.submit is None:
        raise NotConfigured("--team goes with --submit.")
    facts: dict[str, Any] = {"file": str(out)}
    files = _unfolded(files)
    if files.test is not None:
        further = _given(learning) | _given(evaluation) | _given(roles) | _given(files)
        further |= {"keep_seen": keep_seen} if keep_seen else {}
        _refuse(further, "--test", but=("train", "test"))
        chosen, data = _for_sessions(name, files.train, files.test, types)
        rows = chosen.learned(data, length=top).rows()
        facts["rows"] = _written(rows, out, force=force)
    else:
        refusal = f"{name} is for sessions: give --train and --test."
        chosen = _found(name, USERS_ITEMS, refusal, " for users × items")
        known = _users_items(files, roles, types, evaluation.labels)
        metrics = _metrics_of(known, evaluation)
        given, memory = _given(learning), free_memory()
        learned = chosen.learned(known.data, given, length=top, memory=memory)
        facts["rows"] = _written(learned.rows(keep_seen=keep_seen), out, force=force)
        if metrics:
            facts["scores"] = train_and_test(out, learned, known, metrics)
    if board.submit is not None:
        facts |= _submitted(board.submit, out, board.team or name.capitalize(), board.timeout)
    _print(facts, as_json=as_json)
    if facts.get("status", "scored") != "scored":
        raise typer.Exit(Exit.SERVER)


def _unfolded(files: of.FileOptions) -> of.FileOptions:
    """Returns the files, with a folder of sessions replaced by its files."""
    if files.data is None or files.train is not None or files.test is not None:
        return files
    train, test = sessions_in(files.data) or (None, None)
    return files if test is None else replace(files, data=None, train=train, test=test)


def _for_sessions(
    name: str, train: Path | None, test: Path, types: str | None
) -> tuple[Baseline, SessionFiles]:
    """Returns a baseline for sessions, and the files that options name. Raises `NotConfigured`."""
    if train is None:
        raise NotConfigured("--test goes with --train.")
    refusal = f"{name} is for users × items, and --test for sessions: give --data."
    chosen = _found(name, SESSIONS, refusal)
    return chosen, SessionFiles(train, test, types_named(types, prepared=[test, train]))


def _found(name: str, known: Mapping[str, Baseline], other: str, more: str = "") -> Baseline:
    """Finds a baseline among those of a kind. Raises `NotConfigured` with the sentence `other` for
    one of the other kind, and for one whose libraries are not installed."""
    if name not in known:
        raise NotConfigured(other)
    require(Extra(known[name].extra), f"podium baseline {name}{more}")
    return known[name]


def _written(rows: Iterable[pl.DataFrame], out: Path, *, force: bool) -> int:
    """Writes a submission; returns its number of rows."""
    with fetched(out, force=force) as fresh:
        return write_rows(rows, fresh, container_of(out))


def _users_items(
    files: of.FileOptions, roles: of.RoleOptions, types: str | None, labels: Path | None
) -> UsersItemsFiles:
    """Returns the files that options name. Raises `NotConfigured` if they do not fit together."""
    if files.data is not None:
        further = _given(roles) | _given(files) | ({"types": types} if types is not None else {})
        _refuse(further, "--data", but=("data",))
        return in_folder(files.data, labels)
    if files.train is None or files.published is None:
        raise NotConfigured(
            "Give --data, a folder made by `podium prepare`; or --train and --published for users ×"
            " items; or --train and --test for sessions."
        )
    names = None if types is None else types_named(types)
    columns = _given(roles)
    return in_files(files.train, files.published, columns=columns, types=names, labels=labels)


def _metrics_of(files: UsersItemsFiles, evaluation: of.EvaluationOptions) -> Sequence[str]:
    """Returns the metrics to compute; none without --evaluate-train."""
    if not evaluation.evaluate_train:
        if evaluation.metric:
            raise NotConfigured("--metric goes with --evaluate-train.")
        return ()
    if files.labels is None:
        raise NotConfigured("--evaluate-train needs a ground truth: give --labels.")
    chosen = evaluation.metric or METRICS
    for place, name in enumerate(chosen):
        # Checked before learning, which takes long.
        metric_id(name, None, DEFAULT, ranks=place == 0)
    return chosen


def _given(options: object) -> dict[str, Any]:
    """Returns the options of a group that were given."""
    named = vars(options).items()
    return {name: value for name, value in named if value is not None and value is not False}


def _refuse(options: Mapping[str, object], beside: str, *, but: Sequence[str]) -> None:
    """Refuses all options except `but` that make no sense with the option `beside`."""
    for name in options:
        if name not in but:
            raise NotConfigured(f"--{name.replace('_', '-')} does not go with {beside}.")


def _print(facts: dict[str, Any], *, as_json: bool) -> None:
    scores: Scores = facts.get("scores", {})
    shown = {name.replace("_", " "): value for name, value in facts.items() if name != "scores"}
    for metric, each in scores.items():
        shown[metric] = f"train {each['train']:.4f}  test {each['test']:.4f}"
    print_outcome(facts, shown, as_json=as_json)


def _submitted(slug: str, file: Path, name: str, timeout: float | None) -> dict[str, Any]:
    """Submits a file for a team that is tagged as a baseline, which is created if it does not
    exist."""
    with connect_as_organizer() as organizer:
        known = (team for team in organizer.teams(slug) if team["name"] == name)
        team = next(known, None)
        if team is None:
            team = organizer.make_baseline(slug, name)
        elif "baseline" not in team["tags"]:
            raise NotConfigured(f"{name} is a team of participants: choose another --team.")
        sent = organizer.submit(slug, file, note="podium baseline", team=team["id"])
        complain(f"Uploaded as {sent['id']}.")
        ended = organizer.wait(sent["id"], timeout=timeout)
    shown = {"team": name, "submission": sent["id"], "status": ended["status"]}
    return shown | {"public_score": ended["public_score"]}
