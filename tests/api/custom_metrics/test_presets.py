"""Presets that bring a custom metric: a draft that is made with one has it as its first version."""

from __future__ import annotations

import hashlib
from itertools import count
from typing import Any

import pytest

from podium.custom_metric_runner.catalogue import file_of
from tests.builders.installation import Installation, Person, problem_of
from tests.builders.page import fields_of
from tests.builders.site import Site

PRESET = "spooky-authors"

_numbers = count()


@pytest.fixture
def olga(running: Installation) -> Person:
    """An organizer whom no other test knows."""
    return running.person(f"olga of presets {next(_numbers)}", organizer=True)


def made(person: Person, **settings: Any) -> Any:
    """The answer to a new competition of the preset."""
    slug = f"authors-{next(_numbers)}"
    body = {"slug": slug, "title": "Authors", "preset": PRESET, **settings}
    return person.post("/admin/competitions", json=body)


def versions(person: Person, slug: str) -> Any:
    """The uploads of its metric."""
    return person.get(f"/admin/competitions/{slug}/metric-files").json()["items"]


def test_a_draft_has_the_metric_file_of_its_preset(olga: Person) -> None:
    answer = made(olga)
    assert answer.status_code == 201, answer.text
    slug = answer.json()["slug"]
    assert answer.headers["location"] == f"/api/v1/competitions/{slug}"
    assert answer.headers["etag"]
    (version,) = versions(olga, slug)
    file = file_of(PRESET)
    assert file is not None
    assert version["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    shown = {name: version[name] for name in ("version", "status", "in_force", "file_name", "note")}
    assert shown == {
        "version": 1,
        "status": "stored",
        "in_force": True,
        "file_name": "spooky_authors.py",
        "note": f"The custom metric of the preset {PRESET}.",
    }
    source = olga.get(f"/competitions/{slug}/metric-files/1/source")
    assert source.content == file.read_bytes()


def test_the_audit_log_names_the_preset(olga: Person, running: Installation) -> None:
    slug = made(olga).json()["slug"]
    log = running.admin.get(f"/admin/audit?competition={slug}").json()["items"]
    acts = {entry["action"]: entry for entry in log}
    assert acts.keys() == {"competition.create", "metric-file.upload", "metric-file.store"}
    assert f"preset {PRESET}" in str(acts["metric-file.upload"])


def test_the_form_of_a_new_competition_brings_it_too(olga: Person, running: Installation) -> None:
    browser = Site(running).browser(olga)
    page = browser.get(f"/organizers/new/form?preset={PRESET}").text
    assert "brings its custom metric" in page
    slug = f"authors-{next(_numbers)}"
    sent = browser.send("/organizers/new/form", **fields_of(page) | {"slug": slug, "title": "A"})
    assert sent.status_code == 303, sent.text
    assert [each["version"] for each in versions(olga, slug)] == [1]


def test_a_built_in_metric_instead_needs_no_file(olga: Person) -> None:
    answer = made(olga, metric="log_loss_normalized", own_metric=None)
    assert answer.status_code == 201, answer.text
    assert versions(olga, answer.json()["slug"]) == []


def test_participants_make_none(running: Installation) -> None:
    problem_of(made(running.person(f"ada of presets {next(_numbers)}")), 403, "not-allowed")
