"""`podium baseline`: simple recommenders, to compare with and to begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from podium.baselines.sessions import NAMES, baseline_rows
from podium.cli.configuration import connect_as_organizer
from podium.cli.extras import Extra, require
from podium.cli.offline.tasks import metric_id
from podium.cli.outcome import Exit, complain
from podium.cli.preparation import baseline_options as of
from podium.cli.preparation.evaluating import METRICS, Scores, train_and_test
from podium.cli.preparation.otto_options import PreparedTypes, types_named
from podium.cli.preparation.users_items import (
    UsersItems,
    free_memory,
    in_files,
    in_folder,
    sessions_in,
)
from podium.cli.printing import AsJson, Timeout, print_facts, print_json
from podium.cli.written import Force, Out, Top, fetched
from podium.errors import NotConfigured
from podium.scoring.kinds import DEFAULT
from podium.scoring.writing import container_of, write_rows


def baseline(
    name: of.Name,
    out: Out,
    train: of.Train = None,
    test: of.Test = None,
    data: of.Data = None,
    published: of.Published = None,
    top: Top = 20,
    types: PreparedTypes = None,
    user: of.UserColumn = None,
    item: of.ItemColumn = None,
    rating: of.RatingColumn = None,
    timestamp: of.TimeColumn = None,
    type_: of.TypeColumn = None,
    keep_seen: of.KeepSeen = False,
    binary: of.Binary = False,
    newest: of.Newest = None,
    neighbors: of.Neighbors = None,
    popular_items: of.PopularItems = None,
    factors: of.Factors = None,
    alpha: of.Alpha = None,
    regularization: of.Regularization = None,
    iterations: of.Iterations = None,
    learning_rate: of.LearningRate = None,
    seed: of.Seed = None,
    evaluate_train: of.EvaluateTrain = False,
    metric: of.Metrics = None,
    labels: of.Labels = None,
    submit: of.Submit = None,
    team: of.Team = None,
    timeout: Timeout = None,
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
    if team is not None and submit is None:
        raise NotConfigured("--team goes with --submit.")
    own = {"binary": binary or None, "newest": newest, "neighbors": neighbors, "seed": seed}
    own |= {"popular_items": popular_items, "factors": factors, "alpha": alpha}
    own |= {"regularization": regularization, "iterations": iterations}
    own |= {"learning_rate": learning_rate}
    evaluated = {"evaluate_train": evaluate_train or None, "metric": metric or None}
    columns = {"user": user, "item": item, "rating": rating, "timestamp": timestamp, "type": type_}
    if data is not None and train is None and test is None and (found := sessions_in(data)):
        data, (train, test) = None, found
    if test is not None:
        further = {"data": data, "published": published, "labels": labels}
        _refuse(
            {**own, **evaluated, **columns, **further, "keep_seen": keep_seen or None}, "--test"
        )
        facts = _for_sessions(name, train, test, out, top=top, types=types, force=force)
    else:
        files = _users_items(name, data, train, published, columns, types, labels)
        facts = _for_users(
            name,
            files,
            out,
            own,
            top=top,
            keep_seen=keep_seen,
            metrics=_metrics_of(files, evaluate_train, metric),
            force=force,
        )
    if submit is not None:
        facts |= _submitted(submit, out, team or name.capitalize(), timeout)
    _print(facts, as_json=as_json)
    if facts.get("status", "scored") != "scored":
        raise typer.Exit(Exit.SERVER)


def _for_sessions(
    name: str,
    train: Path | None,
    test: Path,
    out: Path,
    *,
    top: int,
    types: str | None,
    force: bool,
) -> dict[str, Any]:
    """Writes a baseline for sessions."""
    if train is None:
        raise NotConfigured("--test goes with --train.")
    known = next((each for each in NAMES if each == name), None)
    if known is None:
        raise NotConfigured(f"{name} is for users × items, and --test for sessions: give --data.")
    if known == "als":
        require(Extra.ALS, "podium baseline als")
    objectives = types_named(types, prepared=[test, train])
    with fetched(out, force=force) as fresh:
        rows = baseline_rows(known, train=train, test=test, length=top, types=objectives)
        count = write_rows(rows, fresh, container_of(out))
    return {"file": str(out), "rows": count}


def _users_items(
    name: str,
    data: Path | None,
    train: Path | None,
    published: Path | None,
    columns: Mapping[str, str | None],
    types: str | None,
    labels: Path | None,
) -> UsersItems:
    """The files that options name. Raises `NotConfigured` where they do not fit together."""
    if name == "covisitation":
        raise NotConfigured("covisitation is for sessions: give --train and --test.")
    require(Extra.BASELINES, f"podium baseline {name} for users × items")
    if name in ("als", "bpr"):
        require(Extra.ALS, f"podium baseline {name}")
    if data is not None:
        _refuse({**columns, "train": train, "published": published, "types": types}, "--data")
        return in_folder(data, labels)
    if train is None or published is None:
        raise NotConfigured(
            "Give --data, a folder made by `podium prepare`; or --train and --published for users ×"
            " items; or --train and --test for sessions."
        )
    names = None if types is None else types_named(types)
    return in_files(train, published, columns=columns, types=names, labels=labels)


def _metrics_of(
    files: UsersItems, evaluate_train: bool, metrics: Sequence[str] | None
) -> Sequence[str]:
    """The metrics to compute; none without --evaluate-train."""
    if not evaluate_train:
        if metrics:
            raise NotConfigured("--metric goes with --evaluate-train.")
        return ()
    if files.labels is None:
        raise NotConfigured("--evaluate-train needs a ground truth: give --labels.")
    chosen = metrics or METRICS
    for place, name in enumerate(chosen):
        # Learning takes long: a slip of the pen is told before.
        metric_id(name, None, DEFAULT, ranks=place == 0)
    return chosen


def _for_users(
    name: str,
    files: UsersItems,
    out: Path,
    own: Mapping[str, Any],
    *,
    top: int,
    keep_seen: bool,
    metrics: Sequence[str],
    force: bool,
) -> dict[str, Any]:
    """Writes a baseline for users × items, and scores it by `metrics` if there are any."""
    from podium.baselines.matrix.algorithms import ALGORITHMS, hyperparameters_for
    from podium.baselines.matrix.recommending import Learned

    known = next(each for each in ALGORITHMS if each == name)
    settings = hyperparameters_for(known, own, length=top, memory=free_memory())
    learned = Learned.of(
        known, files.interactions, objectives=files.published.objectives, settings=settings
    )
    with fetched(out, force=force) as fresh:
        rows = learned.rows(files.published, keep_seen=keep_seen)
        count = write_rows(rows, fresh, container_of(out))
    facts: dict[str, Any] = {"file": str(out), "rows": count}
    if metrics:
        facts["scores"] = train_and_test(out, learned, files, metrics)
    return facts


def _refuse(options: Mapping[str, object], beside: str) -> None:
    """Refuses options that mean nothing beside this one."""
    for name, value in options.items():
        if value is not None:
            raise NotConfigured(f"--{name.replace('_', '-')} does not go with {beside}.")


def _print(facts: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(facts)
        return
    scores: Scores = facts.get("scores", {})
    shown = {name.replace("_", " "): value for name, value in facts.items() if name != "scores"}
    for metric, each in scores.items():
        shown[metric] = f"train {each['train']:.4f}  test {each['test']:.4f}"
    print_facts(shown)


def _submitted(slug: str, file: Path, name: str, timeout: float | None) -> dict[str, Any]:
    """Uploads a file for a team that is tagged as a baseline, made where there is none yet."""
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
