"""`podium create`: creates a competition, and opens it if wanted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.completing import metrics, presets
from podium.cli.configuration import connect_as_organizer
from podium.cli.extras import Extra, require
from podium.cli.organizer.acting import launched
from podium.cli.organizer.given_settings import SETTINGS_HELP, settings_given
from podium.cli.organizer.uploading import OwnFiles, hint_at, is_about, send_files
from podium.cli.outcome import complain
from podium.cli.printing import AsJson, Timeout, print_outcome
from podium.errors import NotConfigured, PodiumError
from podium.scoring.kinds import KINDS

if TYPE_CHECKING:
    from podium.client import Organizer


@dataclass(frozen=True)
class AskedSettings:
    """The settings that options of `podium create` contain."""

    title: Annotated[
        str | None, typer.Option(help="Title that people see; by default the slug.")
    ] = None
    preset: Annotated[
        str | None,
        typer.Option(
            autocompletion=presets,
            help="otto (the default), h-and-m, ndcg@10, movielens-leave-one-out, rmse or another"
            " (`podium metrics` lists all). With --metric and --truth, and without this, the first"
            " rows of the ground truth tell columns, objectives and kinds of ids that --settings"
            " leaves open.",
        ),
    ] = None
    metric: Annotated[
        str | None,
        typer.Option(
            autocompletion=metrics,
            help="Metric, instead of the preset's, such as ndcg@20. `podium metrics` lists all.",
        ),
    ] = None
    task: Annotated[
        str | None,
        typer.Option(
            help=f"With --metric and --truth: {', '.join(KINDS)}, where the"
            " metric suits several, as in `podium score`."
        ),
    ] = None
    diagnostic: Annotated[
        list[str] | None,
        typer.Option(
            autocompletion=metrics, help="Metric computed beside the score; may be repeated."
        ),
    ] = None
    settings: Annotated[
        str | None, typer.Option(metavar="JSON|FILE", help=f"Further settings: {SETTINGS_HELP}")
    ] = None


def create(
    slug: Annotated[str, typer.Argument(help="URL slug, such as shop-2026.")],
    *,
    asked: AskedSettings,
    files: OwnFiles,
    launch: Annotated[
        bool, typer.Option("--launch", help="Run the launch checklist, and open it.")
    ] = False,
    timeout: Timeout = None,
    as_json: AsJson = False,
) -> None:
    """Create a competition; --truth and --launch open it.

    Without them it is a draft, which only organizers see. Warnings about the ground truth and the
    launch checklist go to standard error.
    """
    truth = files.truth
    if launch and truth is None:
        raise NotConfigured("--launch needs a ground truth: add --truth FILE.")
    files.refuse_labels()
    explicit = settings_given(asked.settings) or {}
    given = _chosen(slug, explicit, asked, truth)
    named = given.pop("title", None)
    given |= {"diagnostics": asked.diagnostic} if asked.diagnostic else {}
    with connect_as_organizer() as organizer:
        made = organizer.create_competition(slug, asked.title or named or slug, **given)
        try:
            sent = send_files(organizer, slug, files, timeout=timeout, quiet=as_json)
            made = (
                launched(organizer, slug, timeout, sent) if launch else organizer.competition(slug)
            )
        except (KeyboardInterrupt, PodiumError) as failure:
            _undo_or_tell(organizer, slug, failure, explicit, files)
            raise
    facts = {name: made[name] for name in ("slug", "title", "phase")}
    print_outcome(made, {**facts, **_metrics(made)}, as_json=as_json)
    if not (launch or as_json):
        complain(_next_step(slug, has_truth=truth is not None))


def _chosen(
    slug: str, explicit: dict[str, Any], asked: AskedSettings, truth: Path | None
) -> dict[str, Any]:
    """Returns all settings but the slug: the `explicit` ones take precedence over those of a preset
    or of a guess, and the metric and the kind of task over both."""
    metric, task = asked.metric, asked.task
    base: dict[str, Any] = {"preset": asked.preset or "otto"}
    if not (truth is None or metric is None or asked.preset is not None or "preset" in explicit):
        base = _guessed(truth, explicit, metric, task)
    elif task is not None:
        raise NotConfigured("--task goes with --metric and --truth; a preset has its own.")
    named = {"metric": metric, "task": task}
    given = base | explicit | {name: value for name, value in named.items() if value is not None}
    if (other := given.pop("slug", slug)) != slug:
        complain(f"The settings name the slug {other}. It is created as {slug}, as you asked.")
    return given


def _guessed(
    truth: Path, explicit: dict[str, Any], metric: str, task: str | None
) -> dict[str, Any]:
    """Guesses and shows the settings that are not `explicit`, from a ground truth and a metric."""
    require(Extra.SCORE, "podium create --truth --metric")
    from podium.cli.organizer.guessing import guess_message, settings_guessed

    found = settings_guessed(truth, explicit, metric, task)
    left = {name: value for name, value in found.items() if name not in explicit}
    if left or not found:
        complain(guess_message(truth, left))
    return left


def _undo_or_tell(
    organizer: Organizer,
    slug: str,
    failure: BaseException,
    explicit: dict[str, Any],
    files: OwnFiles,
) -> None:
    """Deletes a new draft whose ground truth is refused, unless data files were sent with it;
    reports that any other exists. `explicit` are the settings that were given."""
    truth = files.truth
    if truth is not None and is_about(failure, truth):
        present = organizer.competition(slug)["settings"]
        if hint := hint_at(truth, failure, by="--settings", explicit=explicit, present=present):
            complain(hint)
        if not files.data:
            organizer.delete_competition(slug)
            complain(f"The ground truth was refused, and the draft {slug} deleted again.")
            return
    complain(
        f"The draft {slug} is made. `podium upload {slug}` sends it further files,"
        f" `podium launch {slug}` opens it; its dashboard has a button that deletes it."
    )


def _next_step(slug: str, *, has_truth: bool) -> str:
    opens = f"`podium launch {slug}` opens it."
    if has_truth:
        return f"It is a draft: {opens}"
    truth = f"`podium upload {slug} --truth FILE`"
    return f"It is a draft: {truth} gives it the hidden labels, and then {opens}"


def _metrics(made: dict[str, Any]) -> dict[str, str]:
    ids = {name: metric["full_id"] for name, metric in made["objective_metrics"].items()}
    lines = {name: f"{weight} · {ids[name]}" for name, weight in made["objectives"].items()}
    beside = " ".join(metric["full_id"] for metric in made["diagnostics"])
    return {**lines, **({"diagnostics": beside} if beside else {})}
