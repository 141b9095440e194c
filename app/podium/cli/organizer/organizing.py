"""`podium rejudge` and `rejudgings`: corrects the scores of a competition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.configuration import connect_as_organizer
from podium.cli.organizer.acting import Slug
from podium.cli.organizer.given_settings import SETTINGS_HELP, settings_given
from podium.cli.outcome import Exit, complain
from podium.cli.printing import (
    AsCsv,
    AsJson,
    Columns,
    Quiet,
    Timeout,
    members,
    print_json,
    print_rows,
    waiting,
    with_decimals,
)
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.client import Organizer

SCORES = ("public", "private")

REJUDGED = (
    "objectives",
    "metric",
    "objective_metrics",
    "diagnostics",
    "missing_rows",
    "submission_duplicates",
    "forms",
    "objective_columns",
    "own_metric",
)
"""Settings that a rejudging may change."""

CHANGES: Columns = (
    ("team", lambda row: row["team"]["name"]),
    ("rank", lambda row: _moved(row, "rank")),
    ("public", lambda row: _moved(row, "public")),
    ("private", lambda row: _moved(row, "private")),
    ("final rank", lambda row: _moved(row, "private_rank")),
)

REJUDGINGS: Columns = (
    *members("id", "status"),
    ("ground truth", lambda row: row["ground_truth_version"]),
    ("judged", lambda row: f"{row['done']} of {row['total']}"),
    ("started", lambda row: row["created_at"]),
    ("reason", lambda row: row["reason"]),
)


def rejudge(
    slug: Slug,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept in the audit log.")],
    ground_truth_version: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Ground truth version to judge against; by default the newest."
        ),
    ] = None,
    times: Annotated[
        int,
        typer.Option(
            min=1,
            max=3,
            metavar="N",
            help="Judge each file this many times, to check determinism.",
        ),
    ] = 1,
    settings: Annotated[
        str | None,
        typer.Option(
            metavar="JSON|FILE",
            help=f"Changed settings: {', '.join(REJUDGED)}. {SETTINGS_HELP}",
        ),
    ] = None,
    submission: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Rejudge only this submission; may be repeated."),
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Apply the changes when everything is judged.")
    ] = False,
    timeout: Timeout = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Rejudge submissions, and show what would change.

    Nothing that others see changes before the rejudging is applied: with --apply, or later by
    `podium rejudgings` or on its page. Exit code 3: judging the same file again gave other numbers.
    """
    changed = _rejudged(settings_given(settings))
    with connect_as_organizer() as organizer:
        # Other users see no ground truth, and the next call refuses them.
        truths = organizer.competition(slug).get("ground_truth", {})
        version = ground_truth_version or truths.get("latest_version")
        begun = organizer.start_rejudging(
            slug,
            reason,
            ground_truth_version=version,
            submission_ids=submission,
            times=times,
            settings=changed,
        )
        if not quiet:
            is_new = "" if version == truths["active_version"] else ", which is not in use yet"
            complain(f"Rejudging {begun['id']}, with ground truth version {version}{is_new}.")
        goes_on = f"The rejudging goes on: `podium rejudgings {slug}` shows how far it is."
        with waiting(quiet=quiet, goes_on=goes_on) as say:
            found = organizer.wait_for_rejudging(
                begun["id"],
                timeout=timeout,
                on_change=lambda seen: say(f"{seen['done']} of {seen['total']}"),
            )
        rows = list(organizer.rejudging_changes(begun["id"]))
        found = _applied(organizer, found) if apply else found
        decimals = organizer.competition(slug)["decimals"]
    _print(found, rows, decimals, as_json=as_json)
    if found["status"] == "ready":
        command = f"podium rejudgings {slug}"
        complain(
            f"Nothing has changed yet: `{command} --apply {found['id']}` publishes it, and"
            f" `{command} --cancel {found['id']}` gives it up."
        )
    if found["deterministic"] is False:
        raise typer.Exit(Exit.REJECTED)


def rejudgings(
    slug: Slug,
    apply: Annotated[
        str | None, typer.Option(metavar="ID", help="Apply the changes of this one.")
    ] = None,
    cancel: Annotated[
        str | None, typer.Option(metavar="ID", help="Give this one up; everything stays as it was.")
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List the rejudgings of a competition, newest first; apply or cancel one that is ready."""
    with connect_as_organizer() as organizer:
        if apply is not None:
            organizer.apply_rejudging(apply)
        if cancel is not None:
            organizer.cancel_rejudging(cancel)
        rows = list(organizer.rejudgings(slug))
    print_rows(rows, REJUDGINGS, as_json=as_json, as_csv=as_csv, below=("started", "reason"))


def _rejudged(changed: dict[str, Any] | None) -> dict[str, Any] | None:
    """Returns the settings if a rejudging can change them. Raises `NotConfigured` for others."""
    others = [str(name) for name in changed or {} if name not in REJUDGED]
    if others:
        raise NotConfigured(
            f"A rejudging takes only the settings {', '.join(REJUDGED)}. Leave out"
            f" {', '.join(others)}."
        )
    return changed


def _applied(organizer: Organizer, found: dict[str, Any]) -> dict[str, Any]:
    if found["status"] != "ready" or found["deterministic"] is False:
        return found
    return found | {"status": organizer.apply_rejudging(found["id"])["status"]}


def _print(
    found: dict[str, Any], rows: list[dict[str, Any]], decimals: int, *, as_json: bool
) -> None:
    if as_json:
        print_json(found | {"changes": rows, "next_cursor": None})
        return
    full = [
        {**row, **{side: with_decimals(row[side], decimals, *SCORES) for side in ("old", "new")}}
        for row in rows
    ]
    print_rows(full, CHANGES, as_json=False)
    for lost in found["lost_scores"]:
        complain(f"{lost['submission_id']} of {lost['team']['name']}: {lost['status']}.")
    same = {True: " The same in every repeat.", False: " Not the same in every repeat!", None: ""}
    complain(
        f"{found['status']}. Files judged: {found['done']}. Teams that change:"
        f" {found['changed_teams']}. Files that lose their score: {found['lost_score_count']}."
        f"{same[found['deterministic']]}"
    )


def _moved(row: dict[str, Any], what: str) -> str:
    old, new = row["old"][what], row["new"][what]
    if old == new:
        return "" if old is None else str(old)
    return f"{'-' if old is None else old} → {'-' if new is None else new}"
