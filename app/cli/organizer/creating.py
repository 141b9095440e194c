"""`podium create`: from nothing to an open competition."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from podium.cli.configuration import connect_as_organizer
from podium.cli.organizer.acting import launched
from podium.cli.organizer.given_settings import SETTINGS_HELP, settings_given
from podium.cli.organizer.uploading import Data, PublishedIds, Truth, send_files
from podium.cli.outcome import complain
from podium.cli.printing import AsJson, Timeout, print_facts, print_json
from podium.errors import NotConfigured, PodiumError


def create(
    slug: Annotated[str, typer.Argument(help="URL slug, such as shop-2026.")],
    title: Annotated[
        str | None, typer.Option(help="Title that people see; by default the slug.")
    ] = None,
    preset: Annotated[
        str, typer.Option(help="otto, otto-clicks, map@12, h-and-m, ndcg@10 or rmse.")
    ] = "otto",
    metric: Annotated[
        str | None,
        typer.Option(
            help="Metric, instead of the preset's, such as ndcg@20. `podium metrics` lists all."
        ),
    ] = None,
    diagnostic: Annotated[
        list[str] | None, typer.Option(help="Metric computed beside the score; may be repeated.")
    ] = None,
    settings: Annotated[
        str | None,
        typer.Option(metavar="JSON|FILE", help=f"Further settings: {SETTINGS_HELP}"),
    ] = None,
    truth: Truth = None,
    published_ids: PublishedIds = None,
    data: Data = None,
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
    if launch and truth is None:
        raise NotConfigured("--launch needs a ground truth: add --truth FILE.")
    given = {"preset": preset, **(settings_given(settings) or {})}
    named = given.pop("title", None)
    given.pop("slug", None)
    given |= {"metric": metric} if metric is not None else {}
    given |= {"diagnostics": diagnostic} if diagnostic else {}
    with connect_as_organizer() as organizer:
        made = organizer.create_competition(slug, title or named or slug, **given)
        try:
            sent = send_files(
                organizer,
                slug,
                truth=truth,
                ids=published_ids,
                data=data or [],
                timeout=timeout,
                quiet=as_json,
            )
            made = (
                launched(organizer, slug, timeout, sent) if launch else organizer.competition(slug)
            )
        except (KeyboardInterrupt, PodiumError):
            complain(
                f"The draft {slug} is made. `podium upload {slug}` sends it further files,"
                f" `podium launch {slug}` opens it."
            )
            raise
    if as_json:
        print_json(made)
        return
    shown = ("slug", "title", "phase")
    print_facts({**{name: made[name] for name in shown}, **_metrics(made)})
    if not launch:
        complain(_next_step(slug, has_truth=truth is not None))


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
