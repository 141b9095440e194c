"""Competitions of sessions: a running one and a finished one."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.baselines import registry
from podium.baselines.sessions.rows import SessionFiles
from podium.cli.operator.demo.sending import (
    NEWCOMER,
    Submission,
    account,
    deadline,
    submit_as,
    wait_for_verdicts,
)
from podium.cli.outcome import complain
from podium.otto.shape import TYPES
from podium.otto.submissions import write_submission
from podium.otto.synthetic import synthesize
from podium.scoring.writing import write_rows

if TYPE_CHECKING:
    from podium.client import Organizer, Podium
    from podium.otto.synthetic import SyntheticFiles

RUNNING, FINISHED = "otto-demo", "otto-last-season"

SESSIONS = {RUNNING: 3_000, FINISHED: 900}

SEEDS = {RUNNING: 42, FINISHED: 7}

BASELINES: Mapping[str, str] = {
    "Popular items": "popular",
    "Recent items": "recent",
    "Co-visitation": "covisitation",
    "Random items": "random",
}
"""Teams of the running competition, and the baseline that each of them submits."""

EXAMPLE_RECALLS = {"clicks": 0.62, "carts": 0.5, "orders": 0.52}
"""Shares of the hidden labels in the example file: better than recent items, but not the best."""

RECALLS = {
    "Nearest neighbors": (0.80, 0.70, 0.56),
    NEWCOMER: (0.60, 0.74, 0.58),
    "Late bloomers": (0.80, 0.50, 0.66),
    "Serendipity": (0.85, 0.42, 0.68),
    "Matrix reloaded": (0.30, 0.58, 0.66),
    "Long tail": (0.50, 0.34, 0.70),
    "Two towers": (0.40, 0.62, 0.56),
    "Cold start": (0.20, 0.30, 0.66),
}
"""Teams of the finished competition in their final order, and the recalls of their files: chosen so
that the public third ranks them differently, the winner climbs from the sixth place, and a paired
test cannot distinguish it from the next three teams."""

TIES_SECONDS = 60.0

TRIES = (("first_try", 0.85, "one model"), ("blend", 1.0, "two models, blended"))
"""Files of each of these teams: the name, the share of its recalls, and the note."""

RULES = """\
1. One team a person, and one account a person.
2. Use any method and any data, except the hidden labels.
3. The winners describe their solution in a page of text.
"""

DESCRIPTION = """\
Predict what a visitor of a shop does next: which item they **click**, which they put into the
**cart** and which they **order**. The sessions are synthetic and look like those of the OTTO
Recommender Systems Dataset.

## The data

`train_sessions.jsonl` and `test_sessions.jsonl` hold a session per line: its number and its events
in order, each with the item (`aid`), the time in milliseconds since 1970 (`ts`, UTC) and the type
(`clicks`, `carts` or `orders`).

The test sessions are from the week after the training sessions. Each is cut at a random event: you
have what came before, and predict what came after.
"""

SUMMARY = "Which item does a visitor of a shop click, put into the cart and order next?"


def running(
    organizer: Organizer, address: str, ada: Podium, files: Path
) -> tuple[Path, list[Submission]]:
    """Creates the running competition, and submits baselines; returns the file to submit, and their
    submissions."""
    ends_at = deadline()
    made = _open(organizer, RUNNING, "OTTO demo", files, ends_at=ends_at, rules=RULES)
    organizer.announce(
        RUNNING,
        "Welcome",
        "The data is on the **Data** page. Beat the file of the team `Co-visitation`.",
    )
    data = SessionFiles(files / "train_sessions.jsonl", files / "test_sessions.jsonl")
    sent = {}
    for team, baseline in BASELINES.items():
        file = files / f"{baseline}.csv"
        write_rows(registry.SESSIONS[baseline].learned(data).rows(), file, "plain")
        sent[team] = (file, f"baseline {baseline}")
    ada.create_team(RUNNING, NEWCOMER, accept_rules=True)
    example = made.test_labels.parent / "example_submission.csv"
    submitted = submit_as(organizer, address, RUNNING, sent)
    return _planted(example, RUNNING, EXAMPLE_RECALLS), submitted


def finished(organizer: Organizer, address: str, ada: Podium, files: Path) -> None:
    """Creates the finished competition, with its final ranking."""
    _open(organizer, FINISHED, "OTTO demo, last season", files, split="usage")
    complain(f"Submitting for {len(RECALLS)} teams, and revealing the final ranking …")
    sent = []
    for number, (team, recalls) in enumerate(RECALLS.items()):
        with ExitStack() as stack:
            is_own = team == NEWCOMER
            one = ada if is_own else stack.enter_context(account(organizer, address, team))
            one.create_team(FINISHED, team)
            for name, share, note in TRIES:
                planted = {of: share * recall for of, recall in zip(TYPES, recalls, strict=True)}
                file = _planted(files / f"{name}.csv", FINISHED, planted, variant=number)
                sent.append(one.submit(FINISHED, file, note=note))
    wait_for_verdicts(organizer, sent)
    organizer.close(FINISHED)
    organizer.reveal(FINISHED)
    # The demo works without its winner's ties, so it does not wait for them forever.
    deadline = time.monotonic() + TIES_SECONDS
    while time.monotonic() < deadline:
        rows = list(ada.leaderboard(FINISHED, split="private"))
        if all(row["tied_with_first"] is not None for row in rows[1:]):
            break
        time.sleep(0.2)
    organizer.announce(
        FINISHED,
        "The final ranking is out",
        "Thank you for taking part! The ranking, the climbs and who is tied with the winner are"
        " on the page **Finale**.",
    )


def _open(organizer: Organizer, slug: str, title: str, files: Path, **more: Any) -> SyntheticFiles:

    complain(f"Making a competition of {SESSIONS[slug]} sessions …")
    made = synthesize(files, sessions=SESSIONS[slug], seed=SEEDS[slug])
    organizer.create_competition(
        slug,
        title,
        preset="otto",
        summary=SUMMARY,
        description=DESCRIPTION,
        daily_limit=50,
        objective_scores="always",
        **more,
    )
    is_split = more.get("split") == "usage"
    truth = _split(made.test_labels) if is_split else made.test_labels
    organizer.upload_ground_truth(slug, truth)
    for file in filter(None, (made.train_sessions, made.test_sessions)):
        organizer.add_file(slug, file.name, file)
    organizer.launch(slug)
    return made


def _split(labels: Path) -> Path:
    """Writes the labels as a table with its own split, every third session being public, so that
    each demo has the same boards. A secret key would draw others each time."""
    table = labels.with_suffix(".csv")
    with labels.open(encoding="utf-8") as lines, table.open("w", encoding="utf-8") as sink:
        sink.write("session_type,labels,Usage\n")
        for line in lines:
            session = json.loads(line)
            usage = "Public" if session["session"] % 3 == 1 else "Private"
            for name, found in session["labels"].items():
                items = found if isinstance(found, list) else [found]
                sink.write(f"{session['session']}_{name},{' '.join(map(str, items))},{usage}\n")
    return table


def _planted(file: Path, slug: str, recalls: Mapping[str, float], *, variant: int = 0) -> Path:
    """Writes a submission with these shares of the hidden labels, among other items."""
    write_submission(
        file, sessions=SESSIONS[slug], seed=SEEDS[slug], recalls=recalls, variant=variant
    )
    return file
