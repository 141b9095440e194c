"""Archives that are damaged or of a wrong shape: refused whole, and nothing stays."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from podium.application import Application
from podium.core.models import Competition, Run
from tests.builders.archives.forging import (
    Members,
    edited,
    of_version,
    refused,
    setting,
    signed,
    taken_in,
)
from tests.builders.archives.season import lines_of, packed, restored
from tests.builders.installation import Installation, problem_of


def member(name: str, content: bytes = b"x") -> Callable[[Members], Members]:
    return lambda members: signed(members | {name: content})


def first_file(members: Members) -> str:
    return next(name for name in members if name.startswith("files/submissions/"))


SHAPES: dict[str, tuple[Callable[[Members], Members], str]] = {
    "a path that climbs": (member("../../etc/passwd"), "archive-corrupt"),
    "a path that climbs below files": (member("files/hits/../../x"), "archive-corrupt"),
    "an absolute path": (member("/etc/passwd"), "archive-corrupt"),
    "a backslash": (member("files\\hits\\x"), "archive-corrupt"),
    "an unknown table": (member("tables/access_tokens.jsonl", b"{}"), "archive-corrupt"),
    "an unknown area": (member(f"files/secret/{'0' * 64}"), "archive-corrupt"),
    "a folder": (member("files/hits/", b""), "archive-corrupt"),
    "a file under another's hash": (member(f"files/hits/{'0' * 64}"), "archive-corrupt"),
    "no manifest": (
        lambda members: {name: members[name] for name in members if name != "manifest.json"},
        "archive-corrupt",
    ),
    "a manifest that is not JSON": (
        lambda members: members | {"manifest.json": b"{"},
        "archive-corrupt",
    ),
    "a member that the manifest does not name": (
        lambda members: members | {"tables/workers.jsonl": b""},
        "archive-corrupt",
    ),
    "a member that is missing": (
        lambda members: {n: members[n] for n in members if n != first_file(members)},
        "archive-corrupt",
    ),
    "other bytes in a table": (
        lambda members: (
            members | {"tables/teams.jsonl": members["tables/teams.jsonl"].replace(b"Ada", b"Bda")}
        ),
        "archive-corrupt",
    ),
    "other bytes in a file": (
        lambda members: members | {first_file(members): b"file Adb 1"},
        "archive-corrupt",
    ),
    "a line without an end": (
        lambda members: edited(members, "teams", setting("name", "x" * (5 << 20))),
        "archive-corrupt",
    ),
    "a format of the future": (
        lambda members: (
            members
            | {"manifest.json": members["manifest.json"].replace(b'"version": 3', b'"version": 4')}
        ),
        "archive-too-new",
    ),
}
"""Faults of the archive as a whole."""


@pytest.mark.parametrize("case", SHAPES)
def test_archives_of_a_wrong_shape_are_refused(
    application: Application, full: Members, case: str
) -> None:
    change, code = SHAPES[case]
    refused(application, packed(change(full)), code)


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_zip_file_is_refused(application: Application, content: bytes) -> None:
    refused(application, content, "archive-corrupt")


@pytest.mark.parametrize(
    ("version", "visibility", "registration"),
    [(1, "private", "invite"), (1, "public", "open"), (2, "private", "open")],
)
def test_a_private_competition_of_an_older_archive_stays_closed(
    application: Application, full: Members, version: int, visibility: str, registration: str
) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        rows[0]["visibility"] = visibility
        rows[0]["settings"]["registration"] = "open"

    members = edited(of_version(full, version), "competitions", change)
    taken_in(application, packed(members))
    with application.database.read() as session:
        competition = session.query(Competition).one()
        assert competition.visibility == visibility
        assert competition.settings["registration"] == registration


def test_an_archive_that_needs_an_add_on_is_taken_in_without_it(
    application: Application, full: Members
) -> None:
    metric = {"name": "podium_acme__near", "k": None, "average": "macro"}

    def change(rows: list[dict[str, Any]]) -> None:
        rows[0]["settings"] |= {"metric": metric, "task": "podium_acme__prices"}

    taken_in(application, packed(edited(full, "competitions", change)))
    with application.database.read() as session:
        competition = session.query(Competition).one()
        assert competition.settings["metric"] == metric


@pytest.mark.parametrize("version", [1, 2])
def test_runs_of_an_older_archive_are_what_its_judgings_held(
    application: Application, full: Members, version: int
) -> None:
    taken_in(application, packed(of_version(full, version)))
    columns = ("judging_id", "is_private", "state", "note", "priority", "started_at", "created_at")
    with application.database.read() as session:
        found = [
            {name: getattr(run, name) for name in columns}
            | {"has_its_id": run.id == run.judging_id}
            for run in session.query(Run)
        ]
    expected = [
        {name: run[name] for name in columns}
        | {
            "created_at": datetime.fromisoformat(run["created_at"]),
            "has_its_id": not run["is_private"],
        }
        for run in lines_of(full["tables/runs.jsonl"])
    ]
    assert {run["state"] for run in found if run["is_private"]} == {"done", "failed", "queued"}
    assert sorted(found, key=_place) == sorted(expected, key=_place)


def _place(run: dict[str, Any]) -> tuple[str, bool]:
    return run["judging_id"], run["is_private"]


def test_an_archive_for_people_cannot_be_imported(application: Application, full: Members) -> None:
    manifest = full["manifest.json"].replace(b'"full": true', b'"full": false')
    refused(application, packed(full | {"manifest.json": manifest}), "archive-not-full")


def test_a_cut_archive_is_refused(application: Application, full: Members) -> None:
    whole = packed(full)
    for length in (len(whole) // 2, len(whole) - 1):
        refused(application, whole[:length], "archive-corrupt")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_occurs_twice_is_refused(application: Application, full: Members) -> None:
    sink = io.BytesIO(packed(full))
    with zipfile.ZipFile(sink, "a") as archive:
        archive.writestr("tables/teams.jsonl", full["tables/teams.jsonl"])
    refused(application, sink.getvalue(), "archive-corrupt")


def test_a_deflated_file_is_refused_so_that_none_can_be_a_bomb(
    application: Application, full: Members
) -> None:
    name = first_file(full)
    refused(application, packed(full, **{name: zipfile.ZIP_DEFLATED}), "archive-corrupt")


def test_a_symbolic_link_is_refused(application: Application, full: Members) -> None:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, content in full.items():
            entry = zipfile.ZipInfo(name)
            if name == first_file(full):
                entry.external_attr = 0o120777 << 16
            archive.writestr(entry, content)
    refused(application, sink.getvalue(), "archive-corrupt")


def test_a_table_that_claims_to_be_endless_is_refused(
    application: Application, full: Members
) -> None:
    name = "tables/teams.jsonl"
    bomb = signed(full | {name: full[name] + b" " * (64 << 20)})
    refused(application, packed(bomb), "archive-corrupt")


def test_only_the_administrator_imports(installation: Installation, full: Members) -> None:
    organizer = installation.person("Olga", organizer=True)
    for person, status, code in (
        (installation.anonymous, 401, "not-authenticated"),
        (installation.person("Otto"), 403, "not-allowed"),
        (organizer, 403, "not-allowed"),
    ):
        answer = person.post("/admin/competitions/import?slug=copy", content=packed(full))
        problem_of(answer, status, code)


def test_a_refused_archive_leaves_no_copy_of_itself(
    installation: Installation, full: Members
) -> None:
    archive = packed(edited(full, "teams", setting("color", "red")))
    problem_of(restored(installation, archive), 422, "archive-too-new")
    store = installation.application.settings.data_dir / "storage"
    digest = hashlib.sha256(archive).hexdigest()
    assert [path for path in store.rglob("*") if path.name == digest] == []
