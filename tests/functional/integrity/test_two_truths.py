"""No answer depends on the ground truth, released public scores and ranks apart.

The same competitor sends the same files to two installations whose ground truths differ in every
label and in which rows are labelled at all; whatever comes back is compared byte for byte.
"""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.bootstrap import build
from app.db.migrate import migrate
from app.main import create_app
from app.services.accounts_start import ensure_administrator
from app.settings import Settings
from app.worker.service import start
from tests.functional.api.installation import ADMIN_TOKEN, API, Installation, Person

SESSIONS = range(100, 160)
OBJECTIVES = ("clicks", "carts", "orders")
IDS = [f"{session}_{objective}" for session in SESSIONS for objective in OBJECTIVES]

UNEQUAL_BY_CHANCE = [
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?"), "<time>"),
    (re.compile(r"\d\d [A-Z][a-z]{2}, \d\d:\d\d"), "<time>"),
    (re.compile(r'"invite_code":"[^"]+"'), '"invite_code":"<code>"'),
    (re.compile(r"^id: [0-9a-f]{16}$", re.MULTILINE), "id: <event>"),
]
"""Ids, times, invite codes, and the fingerprints that are made of them."""

RELEASED = [
    (re.compile(r'"(public_score|score)":-?\d[\d.e+-]*'), r'"\1":"<score>"'),
    (re.compile(r"\b[01]\.\d{5}\b"), "<score>"),
]
"""Public scores: in JSON, and with all their digits in CSV and on pages."""

COMPARED_HEADERS = ("content-type", "location", "retry-after", "cache-control", "vary", "link")


def _truth(*, is_other: bool) -> bytes:
    """Labels for two objectives of each session: which two, and all labels, differ."""
    lines = []
    for session in SESSIONS:
        first = (session + is_other) % 3
        labelled = {OBJECTIVES[(first + step) % 3] for step in (0, 1)}
        base = 5000 if is_other else 1000
        labels: dict[str, Any] = {
            "clicks": base + session,
            "carts": [base + 300, base + session],
            "orders": [base + 600 + session % 7],
        }
        kept = {name: labels[name] for name in OBJECTIVES if name in labelled}
        lines.append(json.dumps({"session": session, "labels": kept}))
    return "\n".join(lines).encode()


def _file(labels: Any = lambda id_: "7", ids: list[str] = IDS) -> bytes:
    rows = [f"{id_},{labels(id_)}" for id_ in ids]
    return "\n".join(["session_type,labels", *rows, ""]).encode()


def _guess(base: int) -> bytes:
    """Hits most of one truth and nothing of the other."""

    def labels(id_: str) -> str:
        session = int(id_.split("_")[0])
        return f"{base + session} {base + 300} {base + 600 + session % 7}"

    return _file(labels)


GOOD = _file()
LINES = GOOD.decode().splitlines()

FILES: dict[str, bytes] = {
    "good": GOOD,
    "guess of one": _guess(1000),
    "guess of the other": _guess(5000),
    "all empty": _file(lambda id_: ""),
    "more than twenty": _file(lambda id_: " ".join(str(n) for n in range(1290, 1330))),
    "gzip": gzip.compress(GOOD, mtime=0),
    "turned around": "\n".join([LINES[0], *reversed(LINES[1:])]).encode(),
    "nothing": b"",
    "header only": b"session_type,labels\n",
    "other header": GOOD.replace(b"labels", b"lables"),
    "a session missing": _file(ids=IDS[3:]),
    "an objective missing": _file(ids=[id_ for id_ in IDS if not id_.endswith("orders")]),
    "unknown sessions": _file(ids=[*IDS[3:], "99_clicks", "99_carts", "99_orders"]),
    "unknown objective": GOOD.replace(b"100_clicks", b"100_views"),
    "twice": GOOD + b"100_clicks,7\n101_carts,7\n",
    "bad labels": GOOD.replace(b"110_carts,7", b"110_carts,7.0").replace(
        b"111_orders,7", b"111_orders,-1"
    ),
    "quote": GOOD.replace(b"120_carts,7", b'120_carts,"7'),
    "not text": GOOD.replace(b"130_clicks,7", b"130_clicks,\xff"),
    "cut": GOOD[:-6],
    "cut archive": gzip.compress(GOOD, mtime=0)[:-9],
    "seven zip": b"7z\xbc\xaf\x27\x1c" + bytes(100),
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
}


@contextmanager
def _competing(folder: Path, truth: bytes) -> Iterator[tuple[Installation, Person]]:
    """An installation with a worker, one open competition over this truth, and a competitor."""
    settings = Settings(data_dir=folder, min_free_bytes=0, reconcile_seconds=0.2)
    migrate(settings.database)
    application = build(settings)
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    service = start(application)
    try:
        with TestClient(create_app(application)) as client:
            installation = Installation(client, application)
            installation.draft(
                split={"public_fraction": 0.5},
                daily_limit=100,
                objective_scores="organizers",
                diagnostics=["mrr@20", "ndcg@5", "recall@20:micro"],
            )
            installation.upload_truth(truth=truth)
            launched = installation.admin.post("/admin/competitions/otto/launch")
            assert launched.status_code == 200, launched.text
            competitor = installation.person("ada")
            competitor.post("/competitions/otto/teams", json={"name": "Team Ada"})
            yield installation, competitor
    finally:
        service.stop()
        application.close()


def _seen(installation: Installation, competitor: Person) -> dict[str, str]:
    """Everything that a competitor gets to see, by what was asked."""
    seen = {}
    sent = {}
    for name, content in FILES.items():
        answer = competitor.post("/competitions/otto/submissions", content=content)
        seen[f"sending {name}"] = _normalised(answer)
        sent[name] = answer.json()["id"]
    _wait_for_verdicts(competitor)
    for name, submission in sent.items():
        for part in ("", "/events", "/file"):
            answer = competitor.get(f"/submissions/{submission}{part}")
            seen[f"{name} {part}"] = _normalised(answer)
        chosen = competitor.put(
            "/competitions/otto/selection", json={"submission_ids": [submission]}
        )
        seen[f"choosing {name}"] = _normalised(chosen)
    for path in (
        "",
        "/team",
        "/submissions",
        "/leaderboard",
        "/leaderboard?split=private",
        "/leaderboard.csv",
        "/files",
        "/sample-submission",
    ):
        seen[path] = _normalised(competitor.get(f"/competitions/otto{path}"))
    for path in ("", "/ground-truth", "/ground-truth/1", "/submissions"):
        seen[f"admin {path}"] = _normalised(competitor.get(f"/admin/competitions/otto{path}"))
    for path in ("/", "/competitions/otto", "/readyz", f"{API}/competitions", f"{API}/me"):
        seen[f"page {path}"] = _normalised(installation.client.get(path))
    return seen


def _wait_for_verdicts(competitor: Person) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        items = competitor.get("/competitions/otto/submissions").json()["items"]
        if all(item["judged_at"] for item in items):
            return
        time.sleep(0.2)
    raise TimeoutError("not all files were judged")


def _normalised(answer: Any) -> str:
    head = [f"{name}: {answer.headers.get(name)}" for name in COMPARED_HEADERS]
    text = "\n".join([str(answer.status_code), *head, answer.text])
    for pattern, replacement in [*UNEQUAL_BY_CHANCE, *RELEASED]:
        text = pattern.sub(replacement, text)
    return text


def _all_seen(folder: Path, *, is_other: bool) -> tuple[dict[str, str], list[Any]]:
    with _competing(folder, _truth(is_other=is_other)) as (installation, competitor):
        seen = _seen(installation, competitor)
        items = competitor.get("/competitions/otto/submissions").json()["items"]
    return seen, items


@pytest.fixture
def both(tmp_path: Path) -> list[tuple[dict[str, str], list[Any]]]:
    return [
        _all_seen(tmp_path / name, is_other=is_other)
        for name, is_other in (("one", False), ("other", True))
    ]


def test_nothing_that_a_competitor_sees_tells_one_ground_truth_from_another(
    both: list[tuple[dict[str, str], list[Any]]],
) -> None:
    (one, one_items), (other, other_items) = both
    different = {name: (one[name], other[name]) for name in one if one[name] != other[name]}
    assert different == {}
    # The comparison would see a difference: the files were judged, and against different labels.
    statuses = [item["status"] for item in one_items]
    assert (statuses.count("scored"), statuses.count("rejected")) == (7, 15)
    scores = [[item["public_score"] for item in items] for items in (one_items, other_items)]
    assert scores[0] != scores[1]
