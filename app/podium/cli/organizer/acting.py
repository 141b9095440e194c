"""`podium launch`, `announce`, `close`, `reveal` and others: a competition from its draft to its
end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.completing import slugs
from podium.cli.configuration import connect_as_organizer, slug_of
from podium.cli.outcome import complain
from podium.cli.printing import AsJson, Timeout, print_outcome
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.client import Organizer

Slug = Annotated[
    str,
    typer.Argument(help="The competition's slug.", callback=slug_of, autocompletion=slugs),
]
UNFINISHED = ("running", "ready")
"""States of a rejudging that has changed nothing yet."""

Yes = Annotated[bool, typer.Option("--yes", help="Don't ask; only `reveal` does.")]
"""Accepted by every such command, so that scripts need not know which of them asks."""


@dataclass(frozen=True)
class ActOptions:
    """The options of acts that change the phase of a competition, or the state of its board."""

    reason: Annotated[str, typer.Option("--reason", help="Why; kept in the audit log.")] = ""
    yes: Yes = False
    as_json: AsJson = False


def launch(
    slug: Slug,
    timeout: Timeout = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Run the launch checklist, and open a draft.

    Warnings of the checklist go to standard error; if an item fails, it is reported, and nothing is
    opened.
    """
    _carry_out(lambda organizer: launched(organizer, slug, timeout), as_json=as_json)


def launched(
    organizer: Organizer, slug: str, timeout: float | None, sent: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Launches a draft, and reports the warnings of its checklist, except those already reported
    with the files that were just `sent`."""
    launched_document = organizer.launch(slug, timeout=timeout)
    reported = [
        warning for document in (sent or {}).values() for warning in document.get("warnings", ())
    ]
    known = {warning.rstrip(".") for warning in reported}
    for warning in launched_document["warnings"]:
        if warning.rstrip(".") not in known:
            complain(f"{warning.rstrip('.')}.")
    return launched_document


def announce(
    slug: Slug,
    title: Annotated[str, typer.Argument(help="The title.")],
    text: Annotated[
        str, typer.Argument(help="The text in Markdown; - reads it from standard input.")
    ],
    as_json: AsJson = False,
) -> None:
    """Publish an announcement: on the page, in the API and as a feed."""
    with connect_as_organizer() as organizer:
        announcement = organizer.announce(slug, title, sys.stdin.read() if text == "-" else text)
        address = f"{organizer.connection.url}/competitions/{slug}"
    facts = {"announced": announcement["title"], "page": address}
    print_outcome(announcement, facts, as_json=as_json)


def freeze(slug: Slug, *, options: ActOptions) -> None:
    """Freeze the public board, while submissions go on."""
    _carry_out(lambda organizer: organizer.freeze(slug, options.reason), as_json=options.as_json)


def unfreeze(slug: Slug, *, options: ActOptions) -> None:
    """Unfreeze the public board."""
    _carry_out(lambda organizer: organizer.unfreeze(slug, options.reason), as_json=options.as_json)


def close(slug: Slug, *, options: ActOptions) -> None:
    """Close the competition to submissions now. `podium reopen` reopens it."""
    _carry_out(lambda organizer: organizer.close(slug, options.reason), as_json=options.as_json)


def reopen(slug: Slug, *, options: ActOptions) -> None:
    """Reopen a closed competition, before the reveal."""
    _carry_out(lambda organizer: organizer.reopen(slug, options.reason), as_json=options.as_json)


def reveal(slug: Slug, *, options: ActOptions) -> None:
    """Publish the final ranking of a closed competition. This cannot be undone.

    Organizers can preview it on the page *Preview the final ranking*.
    """
    with connect_as_organizer() as organizer:
        for rejudging in organizer.rejudgings(slug):
            if rejudging["status"] in UNFINISHED:
                complain(
                    f"The rejudging {rejudging['id']} is {rejudging['status']} and not applied: the"
                    f" final ranking is made without it. `podium rejudgings {slug} --apply"
                    f" {rejudging['id']}` applies it, before the reveal or after."
                )
    if not options.yes:
        if not sys.stdin.isatty():
            raise NotConfigured("A reveal cannot be taken back. If it is meant, add --yes.")
        typer.confirm(
            f"Publish the final ranking of {slug}? It cannot be taken back.", abort=True, err=True
        )
    _carry_out(lambda organizer: organizer.reveal(slug, options.reason), as_json=options.as_json)


def _carry_out(act: Callable[[Organizer], dict[str, Any]], *, as_json: bool) -> None:
    """Calls `act`, and prints the competition with its new phase."""
    with connect_as_organizer() as organizer:
        competition = act(organizer)
    facts = {name: competition[name] for name in ("slug", "title", "phase")}
    print_outcome(competition, facts, as_json=as_json)
