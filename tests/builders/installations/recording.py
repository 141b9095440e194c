"""The answers of an installation: documents by person and path, and exact scores."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Protocol

Asked = tuple[str, str]
"""The name of a person, and the path below `/api/v1`."""

FINAL = ("scored", "rejected", "failed", "cancelled")

SCORES = {
    "submissions": "judging_id",
    "judgings": "id",
    "public_scores": "judging_id",
    "private_scores": "judging_id",
}
"""Members of a full archive in which verdicts are exact, and which judging a row is about; of a
submission it is the one that counts."""


class Answering(Protocol):
    """An installation that answers requests of people by name; other names are anonymous."""

    def get(self, who: str, path: str) -> Any:
        """The answer to a GET."""


def recorded(source: Answering, slugs: list[str]) -> list[dict[str, Any]]:
    """The answers to all that there is to ask for."""
    kept = [answered(source, who, path) for who, path in questions(source, slugs)]
    # A version that cannot be asked for something has nothing to be held to.
    return [each for each in kept if each["status"] != 405]


def answered(source: Answering, who: str, path: str) -> dict[str, Any]:
    """An answer as it is kept: JSON whole, of anything else the hash."""
    answer = source.get(who, path)
    kept: dict[str, Any] = {"who": who, "path": path, "status": answer.status_code}
    if path.endswith("/receipt"):
        # A signature is over the bytes.
        kept["text"] = answer.text
    elif answer.headers.get("content-type", "").startswith("application/json"):
        kept["document"] = answer.json()
    elif answer.status_code == 200:
        kept["sha256"] = sha256(answer.content).hexdigest()
    return kept


def questions(source: Answering, slugs: list[str]) -> Iterator[Asked]:
    """Everything that is asked."""
    yield "anonymous", "/competitions"
    yield "anonymous", "/signing-key"
    for path in ("/me", "/me/tokens", "/competitions/lists/team/merge-requests"):
        yield "ada", path
    yield "ada", "/competitions/ended/selection"
    yield "olga", "/admin/invites"
    yield "admin", "/admin/users"
    for slug in slugs:
        yield from _of_competition(source, slug)


def _of_competition(source: Answering, slug: str) -> Iterator[Asked]:
    for path in (
        "",
        "/leaderboard?limit=1000",
        "/leaderboard?limit=1000&split=private",
        "/leaderboard.csv",
        "/leaderboard.csv?split=private",
        "/commitments",
        "/announcements",
        "/files",
        "/sample-submission",
        "/charts",
    ):
        yield "anonymous", f"/competitions/{slug}{path}"
    yield "olga", f"/competitions/{slug}"
    for path in ("/ground-truth", "/teams?limit=1000", "/rejudgings"):
        yield "olga", f"/admin/competitions/{slug}{path}"
    if slug == "customized":
        yield "olga", f"/admin/competitions/{slug}/metric-files"
        yield "ada", f"/competitions/{slug}/metric-file"
    for who in ("ada", "bob", "carl"):
        yield who, f"/competitions/{slug}/team"
        yield who, f"/competitions/{slug}/submissions?limit=1000"
    rejudgings = source.get("olga", f"/admin/competitions/{slug}/rejudgings").json()
    for rejudging in rejudgings["items"]:
        yield "olga", f"/admin/rejudgings/{rejudging['id']}"
    submissions = source.get("olga", f"/admin/competitions/{slug}/submissions?limit=1000").json()
    for submission in submissions["items"]:
        path = f"/submissions/{submission['id']}"
        for way in ("", "/receipt", "/file"):
            yield "olga", f"{path}{way}"


def exact_scores(source: Answering, slug: str) -> dict[str, dict[str, Any]]:
    """Every verdict of a competition, whole and exact, by judging."""
    answer = source.get("admin", f"/admin/competitions/{slug}/export?full=true")
    assert answer.status_code == 200, answer.text
    found: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        for member, key in SCORES.items():
            (name,) = [each for each in archive.namelist() if each.endswith(f"/{member}.jsonl")]
            for line in archive.read(name).splitlines():
                row = json.loads(line)
                found.setdefault(row.pop(key), {})[member] = row
    return found


def wait_for_all(source: Answering, slugs: list[str], *, seconds: float = 400) -> None:
    """Waits until nothing is under way any more, in one competition after the other: asking for
    all of them again and again would take the processor from what is waited for."""
    deadline = time.monotonic() + seconds
    for slug in slugs:
        while waiting := unfinished(source, slug):
            assert time.monotonic() < deadline, waiting
            time.sleep(0.5)


def unfinished(source: Answering, slug: str) -> list[str]:
    """Submissions, private runs, rejudgings and files that have no end yet, by their paths."""
    path = f"/admin/competitions/{slug}"
    found = []
    for each in source.get("olga", f"{path}/submissions?limit=1000").json()["items"]:
        is_scored = each["status"] == "scored"
        if each["status"] not in FINAL or (is_scored and each["private_score"] is None):
            found.append(f"/submissions/{each['id']}")
    for way in ("ground-truth", "metric-files"):
        answer = source.get("olga", f"{path}/{way}")
        read = answer.json()["items"] if answer.status_code == 200 else []
        found += [f"{path}/{way}" for each in read if each["status"] == "checking"]
    anew = source.get("olga", f"{path}/rejudgings").json()["items"]
    found += [f"/admin/rejudgings/{each['id']}" for each in anew if each["status"] == "running"]
    return found
