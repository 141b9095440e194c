"""`podium submit`, `submission`, `submissions`, `select`, `cancel` and `receipt`: one's own
submissions."""

from __future__ import annotations

import re
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.advice import advised
from podium.cli.completing import ConfiguredSlug
from podium.cli.configuration import (
    competition_named,
    configuration,
    connect,
    connect_as_organizer,
    slug_of,
)
from podium.cli.history.entries import History, keep_submissions, scoring_of
from podium.cli.outcome import Exit, complain, print_if_interrupted, report_rejection
from podium.cli.parameters.files import file_option
from podium.cli.participant.unfinished import RememberedUploads, interruption_message
from podium.cli.printing import (
    AsCsv,
    AsJson,
    Columns,
    Quiet,
    Timeout,
    bar,
    facts_of_lists,
    members,
    print_facts,
    print_json,
    print_rows,
    waiting,
    with_decimals,
)
from podium.cli.written import Force, fetched
from podium.errors import NotConfigured, NotFound
from podium.errors.codes import ErrorCode

if TYPE_CHECKING:
    from podium.client import Podium

ID_LENGTH = 36

SHORT_ID = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,27}")
"""The beginning of a submission's id, shorter than an id."""

OUTCOMES = {"scored": Exit.OK, "rejected": Exit.REJECTED}
"""Exit codes of final states; in every other one we or the organizer ended the judging."""

QUEUE_SECONDS = 60.0
"""Seconds in the queue after which a message is printed."""

STILL_QUEUED = (
    "Still in the queue. Files are judged in turn as soon as a worker is there; you can stop here,"
    " the file is kept: `podium submission ID` shows it."
)

SCORES = ("public_score", "private_score")

TITLES = {"rank": "team's rank"}
"""Names of facts that are about more than the file."""

SUBMISSIONS: Columns = (
    ("id", lambda row: row["id"]),
    ("submitted", lambda row: row["submitted_at"]),
    ("file", lambda row: row["filename"]),
    *members("note", "status"),
    ("public", lambda row: row["public_score"]),
    ("private", lambda row: row["private_score"]),
    ("selected", lambda row: "yes" if row["selected"] else ""),
    ("late", lambda row: "yes" if row["late"] else ""),
    ("by", lambda row: row["submitted_by"]["name"]),
)

OF_ALL_TEAMS: Columns = (("team", lambda row: row["team"]["name"]), *SUBMISSIONS)

BELOW = ("submitted", "file", "note", "by")

SubmissionId = Annotated[
    str, typer.Argument(metavar="ID", help="The submission's id, as `podium submissions` lists it.")
]


def submit(
    slug: ConfiguredSlug = None,
    file: Annotated[
        Path,
        file_option("The submission: CSV (plain, gzip, zstd or zip) or Parquet.", "-f", "--file"),
    ] = ...,  # type: ignore[assignment]
    note: Annotated[str, typer.Option("-m", "--message", help="A note for yourself.")] = "",
    wait: Annotated[bool, typer.Option(help="Wait for the score.")] = True,
    timeout: Timeout = None,
    quiet: Quiet = False,
    history: History = True,
    as_json: AsJson = False,
) -> None:
    """Upload a submission and wait for its score.

    An interrupted upload is retried, and running the same command again resumes it. Exit code 0:
    scored (or uploaded, with --no-wait); 3: the file was rejected; 4: the network or the server
    failed; 5: not signed in; 6: limit reached, or the competition is closed; 7: not scored within
    --timeout.
    """
    name = competition_named(slug)
    with connect() as podium:
        submission = _uploaded(podium, name, file, note=note, quiet=quiet)
        if submission["identical_to"] and not quiet:
            complain(
                f"You have submitted this file before, as {submission['identical_to']}. Unless it"
                " is rejected, it counts against your limit again."
            )
        if history:
            scoring = scoring_of(podium, name)
            keep_submissions(podium.connection.url, scoring, submission)
        if wait:
            goes_on = f"Judging goes on: `podium submission {submission['id']}` shows the score."
            with waiting(quiet=quiet, goes_on=goes_on) as say:
                watched = _watched(say, quiet=quiet)
                submission = podium.wait(submission["id"], timeout=timeout, on_change=watched)
            if history:
                keep_submissions(podium.connection.url, scoring, submission)
        rank = _rank(podium, name, submission)
        shown = {**submission, "rank": rank, "page": _page(podium, submission)}
        _print_submission(podium, shown, as_json=as_json, file=str(file))
    if submission["status"] == "rejected":
        counts = "counts" if submission["charged"] else "doesn't count"
        complain(f"The file was rejected. It {counts} against your limit.")
    if wait:
        raise typer.Exit(OUTCOMES.get(submission["status"], Exit.SERVER))


def _watched(say: Callable[[str], None], *, quiet: bool) -> Callable[[dict[str, Any]], None]:
    """Returns a function that shows the states of a submission, and prints a message if it stays
    queued."""
    since, is_reported = time.monotonic(), quiet

    def look(seen: dict[str, Any]) -> None:
        nonlocal is_reported
        place = seen.get("queue_position")
        say(f"{seen['status']}, place {place}" if place else str(seen["status"]))
        waits_long = time.monotonic() - since > QUEUE_SECONDS
        if seen["status"] == "queued" and waits_long and not is_reported:
            complain(seen["notice"] if seen.get("waits") else STILL_QUEUED)
            is_reported = True

    return look


def _uploaded(podium: Podium, slug: str, file: Path, *, note: str, quiet: bool) -> dict[str, Any]:
    """Uploads a submission; returns it as it was accepted. Reports what delays the upload."""
    with (
        print_if_interrupted(interruption_message(file)),
        bar("Upload", quiet=quiet) as moved,
    ):
        submission = podium.submit(
            slug,
            file,
            note=note,
            on_progress=moved,
            memory=RememberedUploads(),
            on_retry=complain,
        )
    if not quiet:
        complain(f"Uploaded: {_page(podium, submission)}")
    return submission


def _page(podium: Podium, submission: dict[str, Any]) -> str:
    """Returns the address of a submission's page."""
    slug = submission["competition"]
    return f"{podium.connection.url}/competitions/{slug}/submissions/{submission['id']}"


def submission(submission_id: SubmissionId, as_json: AsJson = False) -> None:
    """Show one submission: its status, its scores, or its problems."""
    with connect() as podium:
        document = podium.submission(submission_id)
        document["page"] = _page(podium, document)
        _print_submission(podium, document, as_json=as_json, file=document["filename"])


def submissions(
    slug: ConfiguredSlug = None,
    every: Annotated[
        bool, typer.Option("--all", help="Those of all teams, for organizers.")
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """List your team's submissions, newest first; an organizer without a team sees those of all."""
    name = competition_named(slug)
    with connect_as_organizer() as organizer:
        competition = organizer.competition(name)
        refusal = None if every else _teamless(organizer, name)
        is_of_all = every or (refusal is not None and "settings" in competition)
        rows = organizer.all_submissions(name) if is_of_all else organizer.submissions(name)
        if not as_json:
            rows = (with_decimals(row, competition["decimals"], *SCORES) for row in rows)
        columns = OF_ALL_TEAMS if is_of_all else SUBMISSIONS
        print_rows(rows, columns, as_json=as_json, as_csv=as_csv, below=BELOW)
        if refusal is not None and not is_of_all:
            complain(advised(refusal))


def _teamless(podium: Podium, slug: str) -> NotFound | None:
    """Returns the refusal if this account has no team in a competition."""
    try:
        podium.team(slug)
    except NotFound as refusal:
        if refusal.code != ErrorCode.NO_TEAM:
            raise
        return refusal
    return None


def select(
    given: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SLUG] ID…", help="The slug, unless configured, and the ids."),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Select none.")] = False,
    as_json: AsJson = False,
) -> None:
    """Choose the submissions that count for the final ranking.

    They replace those selected before: name all of them. Free places, all of them with --clear, are
    filled with your best public ones.
    """
    slug, words = _slug_and_ids(given or [], clear=clear)
    with connect() as podium:
        submission_ids = _whole_ids(podium, slug, words)
        selection = podium.select(slug, submission_ids)
        places = podium.competition(slug)["final_selections"]
    if as_json:
        print_json(selection)
    chosen = len(selection["submission_ids"])
    free = " Free places are filled with your best public ones." if chosen < places else ""
    complain(f"{chosen} of {places} selected.{free}")


def _slug_and_ids(given: list[str], *, clear: bool) -> tuple[str, list[str]]:
    """Splits the arguments of `select`: a slug comes before the ids, or is left out."""
    has_slug = _begins_with_slug(given, clear=clear)
    slug = competition_named(slug_of(given[0]) if has_slug else None)
    ids = given[has_slug:]
    if clear and ids:
        raise NotConfigured("Give either ids or --clear.")
    if not ids and not clear:
        raise NotConfigured(
            f"Which submissions? `podium submissions {slug}` shows their ids; --clear selects none."
        )
    return slug, ids


def _begins_with_slug(given: list[str], *, clear: bool) -> bool:
    """True if the first word is a slug. One that looks like the beginning of an id is a slug if it
    cannot be an id, if it is the configured one, or if the ids after it are complete."""
    if not given or _is_id(given[0]):
        return False
    if clear or not SHORT_ID.fullmatch(given[0]):
        return True
    configured, ids = configuration().competition, given[1:]
    if given[0] == configured:
        return True
    return bool(ids) and (configured is None or all(map(_is_id, ids)))


def _whole_ids(podium: Podium, slug: str, words: list[str]) -> list[str]:
    """Returns the ids that words name; for one's own submissions their beginning is enough."""
    words = [str(uuid.UUID(word)) if _is_id(word) else word for word in words]
    short = [word for word in words if SHORT_ID.fullmatch(word)]
    known = [row["id"] for row in podium.submissions(slug)] if short else []
    ids = []
    for word in words:
        begun = [each for each in known if each.startswith(word)] if word in short else [word]
        if len(begun) != 1:
            count = "More than one" if begun else "None"
            raise NotConfigured(
                f"{count} of your submissions of {slug} has an id that begins with {word}. `podium"
                f" submissions {slug}` shows the ids, of {ID_LENGTH} characters."
            )
        ids.append(begun[0])
    return ids


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def cancel(submission_id: SubmissionId, as_json: AsJson = False) -> None:
    """Cancel a submission that is still queued. It doesn't count against your limit."""
    with connect() as podium:
        document = podium.cancel(submission_id)
        _print_submission(podium, document, as_json=as_json, file=document["filename"])


def receipt(
    submission_id: SubmissionId,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", dir_okay=False, help="File to write, instead of printing it."),
    ] = None,
    force: Force = False,
) -> None:
    """Download the signed receipt of a submission, for `podium verify`."""
    if not submission_id.strip():
        raise typer.BadParameter(
            "This is empty. `podium submissions` shows the ids.", param_hint="ID"
        )
    with connect() as podium:
        content = podium.receipt(submission_id)
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    else:
        with fetched(out, force=force) as fresh:
            fresh.write_bytes(content)
        complain(f"Wrote {out}.")


def _rank(podium: Podium, slug: str, submission: dict[str, Any]) -> int | None:
    """Returns the team's rank on the public board once the submission is scored."""
    if submission["status"] != "scored":
        return None
    team = submission["team"]["id"]
    return next((row["rank"] for row in podium.leaderboard(slug, team=team)), None)


def _print_submission(
    podium: Podium, document: dict[str, Any], *, as_json: bool, file: str
) -> None:
    if as_json:
        print_json(document)
    else:
        decimals = podium.competition(document["competition"])["decimals"]
        full = with_decimals(document, decimals, *SCORES)
        shown = (
            "id",
            "status",
            "public_score",
            "private_score",
            "notice",
            "rank",
            "submitted_at",
            "note",
            "page",
        )
        facts = {TITLES.get(key, key.replace("_", " ")): full.get(key) for key in shown}
        facts |= facts_of_lists(document)
        print_facts({key: value for key, value in facts.items() if value not in (None, "")})
    if document.get("problem"):
        report_rejection(file, document["problem"])
