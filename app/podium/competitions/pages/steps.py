"""The next steps of an organizer: open points of a draft, people who wait, phases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from fastapi import Request
from pydantic import BaseModel

from podium.competitions.pages.sections import address_of
from podium.competitions.schemas.competitions import ManagedCompetitionOut
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import is_scored_by_custom_metric
from podium.http.html.texts import count_of
from podium.http.pages.api_calls import at, document_of
from podium.http.paging import Listed

MAX_COUNTED = 100
"""Maximum count of waiting people that is shown exactly."""


PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
"""Suffixes of images, which appear in texts and lists and are not data."""


@dataclass(frozen=True, slots=True)
class ToDo:
    """A point of the checklist, with the section where it is done."""

    words: str
    is_done: bool
    section: str
    is_must: bool = False


@dataclass(frozen=True, slots=True)
class NextStep:
    """The thing that an organizer most likely does next, and the address of the page for it."""

    title: str
    text: str
    button: str
    address: str


class RequestAtAGlance(BaseModel):
    """A request to be let in: the dashboard counts them."""

    id: str


async def requests_to_join(request: Request, competition: ManagedCompetitionOut) -> NextStep | None:
    """Counts the people who wait until an organizer lets them join this competition."""
    if competition.phase in ("closed", "revealed"):
        return None
    slug = competition.slug
    path = at("/admin/competitions/{}/join-requests", slug)
    text = "They asked to join this competition, and cannot submit before you approve them."
    step = NextStep("", text, "Requests to join", address_of(slug, "/people#requests"))
    return await _waiting(request, path, step, state="pending")


async def requests_for_accounts(request: Request) -> NextStep | None:
    """Counts the people who wait for an account of the installation: not a step of one
    competition."""
    text = "They asked for an account, and cannot sign in before an organizer approves them."
    step = NextStep("", text, "Requests for an account", "/organizers/sign-ups")
    return await _waiting(request, "/api/v1/admin/sign-up/requests", step)


async def _waiting(
    request: Request, path: str, step: NextStep, **parameters: str
) -> NextStep | None:
    listed = Listed[RequestAtAGlance]
    found = await document_of(request, path, listed, limit=MAX_COUNTED, **parameters)
    count = len(found.items)
    if not count:
        return None
    people = count_of(count, "person waits", "people wait")
    if found.next_cursor:
        people = f"more than {people}"
    return replace(step, title=f"{people} for approval")


def is_picture(name: str) -> bool:
    """True for the name of a file that is a picture.

    >>> is_picture("Cover.PNG"), is_picture("train.csv")
    (True, False)
    """
    return name.lower().endswith(PICTURES)


def lacks_custom_metric(competition: ManagedCompetitionOut) -> bool | None:
    """True where a custom metric is required and none is in force; None where none is required."""
    settings = CompetitionSettings.model_validate(competition.settings)
    return settings.own_metric is None if is_scored_by_custom_metric(settings) else None


def todo_of(competition: ManagedCompetitionOut, *, has_files: bool) -> list[ToDo]:
    """Lists the open points of a draft, and what participants will look for."""
    lacks_metric = lacks_custom_metric(competition)
    metric = ToDo("Write the metric", not lacks_metric, "metric", is_must=True)
    return [
        ToDo(
            "Upload the ground truth",
            competition.ground_truth.active_version is not None,
            "ground-truth",
            is_must=True,
        ),
        *([] if lacks_metric is None else [metric]),
        ToDo("Describe the task", bool(competition.description), "texts"),
        ToDo("Add the data for participants", has_files, "files"),
        ToDo("Write rules", bool(competition.rules), "texts"),
        ToDo(
            "Set a closing date",
            competition.ends_at is not None and competition.ends_at > datetime.now(UTC),
            "settings",
        ),
    ]


def next_step_of(competition: ManagedCompetitionOut, *, has_files: bool) -> NextStep | None:
    """Chooses the most likely next step in this phase; None where there is nothing to do but to
    wait."""
    match competition.phase:
        case "draft":
            return _step_of_draft(competition, has_files=has_files)
        case "upcoming" | "open" if not competition.counts.submissions:
            return _step_of_start(competition)
        case "frozen":
            return NextStep(
                "see who is ahead",
                "The public board stands still. Only organizers see the preview, where all scores"
                " count, and each look is an entry in the log.",
                "Preview the final ranking",
                address_of(competition.slug, "/finale"),
            )
        case "closed":
            return NextStep(
                "publish the final ranking",
                "Look at it first: only organizers see the preview.",
                "Preview the final ranking",
                address_of(competition.slug, "/finale"),
            )
        case "revealed":
            return NextStep(
                "celebrate",
                "Everybody sees the final ranking now. “Teams” has the results by person for marks;"
                " “Archive” keeps boards, submissions and receipts as one file.",
                "Show the podium",
                f"/competitions/{competition.slug}/finale",
            )
    return None


WAYS_IN: Mapping[str, str] = {
    "open": "Share its address, or make links for participants.",
    "code": "Share its address and the class code, or make links for participants.",
    "approval": "Share its address, and approve those who ask; or make links for participants.",
    "invite": "Only people whom you invite can join: make links for them, or a roster.",
}
"""The ways for an organizer to let people in, by registration."""


def _step_of_start(competition: ManagedCompetitionOut) -> NextStep:
    """Chooses the step before the first submission: to invite people, or to see who has joined."""
    address = address_of(competition.slug, "/people")
    if competition.counts.teams:
        text = (
            "There is no submission yet. A roster says who has not signed in, and makes another"
            " card."
        )
        return NextStep("see who is in", text, "People and links", address)
    text = f"The competition is launched. {WAYS_IN[competition.registration]}"
    return NextStep("invite people", text, "Invite people", address)


def _step_of_draft(competition: ManagedCompetitionOut, *, has_files: bool) -> NextStep:
    if competition.ground_truth.active_version is None and competition.ground_truth.latest_version:
        text = "Settings have changed since it was read. Its file is kept, a button reads it again."
        address = address_of(competition.slug, "/ground-truth")
        return NextStep("read the ground truth again", text, "Read it again", address)
    if competition.ground_truth.active_version is None:
        text = "The right answers. They are never shown to anybody, and checked when you upload."
        return NextStep(
            "upload the ground truth",
            text,
            "Upload",
            address_of(competition.slug, "/ground-truth#upload"),
        )
    if lacks_custom_metric(competition):
        text = "A Python file of yours that scores. Its doctests run before it is kept."
        address = address_of(competition.slug, "/metric")
        return NextStep("write the metric", text, "Write", address)
    if not competition.description:
        text = "Participants read it first: what is predicted, and from what."
        return NextStep("describe the task", text, "Write", address_of(competition.slug, "/texts"))
    if not has_files:
        text = "Whatever participants need to train. The sample submission is made for you."
        return NextStep("add the data", text, "Add files", address_of(competition.slug, "/files"))
    text = "Everything is checked first, and you see the result before anybody else."
    return NextStep(
        "launch", text, "Check everything", address_of(competition.slug, "?check=true#todo")
    )
