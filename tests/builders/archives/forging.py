"""Tampered archives, and taking them in below the routes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from podium.accounts.service.accounts import authenticate
from podium.accounts.service.bootstrap import ensure_administrator
from podium.application import Application
from podium.archives.service.people import People
from podium.archives.service.restoring import Restored, import_archive
from podium.core.models import Competition, Submission, Team
from podium.errors import InvalidInput
from tests.builders.installation import ADMIN_TOKEN

Members = dict[str, bytes]


def signed(members: Members) -> Members:
    """The members with a manifest that fits them."""
    manifest = json.loads(members["manifest.json"])
    manifest["members"] = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in members.items()
        if name != "manifest.json"
    }
    return members | {"manifest.json": json.dumps(manifest).encode()}


def edited(members: Members, table: str, change: Callable[[list[Any]], Any]) -> Members:
    """The members with other rows in one table."""
    name = f"tables/{table}.jsonl"
    rows = [json.loads(line) for line in members[name].splitlines()]
    change(rows)
    return signed(members | {name: b"".join(json.dumps(row).encode() + b"\n" for row in rows)})


def of_version(members: Members, version: int) -> Members:
    """The same archive as an earlier version made it: what runs hold, a judging held."""
    manifest = json.loads(members["manifest.json"]) | {"version": version}
    runs: dict[str, dict[bool, Any]] = {}
    for line in members["tables/runs.jsonl"].splitlines():
        run = json.loads(line)
        runs.setdefault(run["judging_id"], {})[run["is_private"]] = run

    def give_back(judgings: list[Any]) -> None:
        for judging in judgings:
            judging.update(_former(runs[judging["id"]]))

    members = members | {"manifest.json": json.dumps(manifest).encode()}
    members = {name: content for name, content in members.items() if name != "tables/runs.jsonl"}
    return edited(members, "judgings", give_back)


def _former(runs: dict[bool, Any]) -> dict[str, Any]:
    """The columns that a judging had instead of its runs."""
    run, private = runs[False], runs.get(True)
    kept = ("priority", "started_at", "cancel_requested", "child_deaths", "worker_deaths")
    notes = {"processor": run["note"]["processor"], "public": run["note"]} if run["note"] else {}
    if private is not None and private["note"] is not None:
        notes["private"] = private["note"]
    states = {"done": None, "queued": "pending", "failed": "failed"}
    return {
        **{name: run[name] for name in (*kept, "own_failures")},
        "private_run": None if private is None else states[private["state"]],
        "metric_notes": notes or None,
    }


def setting(column: str, value: Any, row: int = 0) -> Callable[[list[Any]], Any]:
    return lambda rows: rows[row].update({column: value})


def taken_in(application: Application, archive: bytes) -> Restored:
    """Imports as the administrator, below the routes."""
    path = application.settings.data_dir / "archive.zip"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(archive)
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
        actor = authenticate(session, token=ADMIN_TOKEN, address=None)
    return import_archive(application, actor=actor, path=path, slug=None, people=People.REFUSE)


def refused(application: Application, archive: bytes, code: str) -> None:
    before = counts_of(application)
    with pytest.raises(InvalidInput) as refusal:
        taken_in(application, archive)
    assert refusal.value.code == code, refusal.value.detail
    assert counts_of(application) == before


def counts_of(application: Application) -> list[int]:
    with application.database.read() as session:
        tables = (Competition, Team, Submission)
        return [session.query(table).count() for table in tables]
