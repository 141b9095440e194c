"""Settings and files as an organizer gives them at the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from podium.cli.organizer.organizing import REJUDGED
from podium.core.competition_settings import ONLY_BY_REJUDGING
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, launch, serving

# One server for all tests of this file.
pytestmark = pytest.mark.xdist_group("given-settings")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("server")
    with serving(folder) as installation:
        with installation.organizer() as organizer:
            launch(organizer, "shop", folder)
        yield installation


def test_the_file_of_all_settings_changes_nothing_and_another_slug_in_it_renames_a_draft(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    assert person.types("create", "films", **here).code == 0
    for slug in ("shop", "films"):
        assert person.types("settings", slug, "--out", f"{slug}.yaml", **here).code == 0
        same = person.types("settings", slug, "--change", f"{slug}.yaml", **here)
        assert (same.code, same.err) == (0, "")
    moved = person.types("settings", "films", "--change", '{"slug": "movies"}', **here)
    assert (moved.code, json.loads(moved.out)) == (0, {"slug": "movies"})
    made = person.types("create", "films", "--settings", "shop.yaml", **here)
    assert made.code == 0
    assert made.err.startswith("The settings name the slug shop. It is created as films, as you")


def test_an_end_in_the_past_that_closes_a_competition_is_told(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    with server.organizer() as organizer:
        launch(organizer, "ended", server.folder)
    now = datetime.now(UTC)
    for ends, told in (
        (now + timedelta(days=3), ""),
        (now - timedelta(seconds=1), "The competition is closed now: ends_at lies in the past.\n"),
        (now - timedelta(seconds=2), ""),
    ):
        given = json.dumps({"ends_at": ends.isoformat()})
        ran = person.types("settings", "ended", "--change", given, **here)
        assert (ran.code, list(json.loads(ran.out)), ran.err) == (0, ["ends_at"], told)


def test_labels_among_the_files_for_participants_are_refused_before_anything_is_made(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    labels = (server.folder / "shop.csv").read_bytes()
    for name in ("truth.csv", "train.csv"):
        (person.home / name).write_bytes(labels)
    files = ("--truth", "truth.csv", "--data", "train.csv")
    told = "train.csv is the ground truth itself. Participants could download it.\n"
    for command in ("create", "upload"):
        ran = person.types(command, "secret", *files, **here)
        assert (ran.code, ran.out, ran.err) == (2, "", told)
    assert person.types("settings", "secret", **here).code == 2


@pytest.mark.parametrize("name", ["self", "if_match"])
def test_a_setting_that_is_none_is_refused_whatever_it_is_called(
    person: Person, server: Installation, name: str
) -> None:
    here = server.as_administrator
    given = json.dumps({name: 1})
    for command in (("settings", "shop", "--change"), ("create", "none", "--settings")):
        ran = person.types(*command, given, **here)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"{name}: "), ran.err


def test_a_rejudging_says_at_once_which_settings_it_takes(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    given = ("--settings", '{"title": "Shop", "daily_limit": 3, "missing_rows": "zero"}')
    ran = person.types("rejudge", "shop", "--reason", "zeros", *given, **here)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("A rejudging takes only the settings objectives, metric, ")
    assert ran.err.endswith(" Leave out title, daily_limit.\n")
    assert set(REJUDGED) == ONLY_BY_REJUDGING


def test_a_file_that_cannot_be_written_is_named_as_it_was_asked_for(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    ran = person.types("settings", "shop", "--out", "/proc/shop.yaml", **here)
    assert ran.code == 2
    assert ("/proc/shop.yaml" in ran.err, ".new" in ran.err) == (True, False), ran.err
