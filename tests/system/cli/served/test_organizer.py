"""Commands of an organizer while a competition runs."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from podium.client import Podium
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import LABELS, Installation, launch, serving, submission

# One process starts the server for all tests of this file.
pytestmark = pytest.mark.xdist_group("organizer")

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A server on which each test has a competition of its own."""
    with serving(tmp_path_factory.mktemp("server")) as installation:
        yield installation


@pytest.fixture
def shop(server: Installation) -> str:
    """A competition that no other test knows, with a scored file of one team."""
    slug = f"shop-{next(numbers)}"
    with server.organizer() as organizer:
        launch(organizer, slug, server.folder)
        token = organizer.create_user(f"ada of {slug}")["token"]
    file = server.folder / "good.csv"
    file.write_text(submission(clicks="3"))
    with Podium(server.url, token) as podium:
        podium.create_team(slug, "Team Ada")
        assert podium.wait(podium.submit(slug, file)["id"])["public_score"] == 0.05
    return slug


def test_rejudging_shows_what_would_change_and_publishes_when_asked(
    person: Person, server: Installation, shop: str
) -> None:
    here = server.as_administrator
    weights = '{"objectives": {"clicks": 1, "carts": 1, "orders": 2}}'
    arguments = ("rejudge", shop, "--reason", "new weights", "--times", 2, "--settings", weights)
    ran = person.types(*arguments, "--json", **here)
    assert ran.code == 0, ran.err
    (change,) = ran.document["changes"]
    assert (ran.document["status"], ran.document["deterministic"]) == ("ready", True)
    assert (change["old"]["public"], change["new"]["public"]) == (0.05, 0.5)

    with server.organizer() as organizer:
        assert [row["score"] for row in organizer.leaderboard(shop)] == [0.05]
        organizer.cancel_rejudging(ran.document["id"])

    ran = person.types(*arguments, "--apply", **here)
    assert ran.code == 0, ran.err
    assert "0.05000 → 0.50000" in ran.out
    assert "applied. Files judged: 2. Teams that change: 1." in ran.err
    with server.organizer() as organizer:
        assert [row["score"] for row in organizer.leaderboard(shop)] == [0.5]


def test_a_corrected_ground_truth_is_what_rejudging_is_for_unless_another_is_named(
    person: Person, server: Installation, shop: str
) -> None:
    here = server.as_administrator
    corrected = server.folder / "corrected.csv"
    labels = (server.folder / f"{shop}.csv").read_text()
    corrected.write_text(labels.replace("_clicks,3", "_clicks,9"))
    assert person.types("upload", shop, "--truth", corrected, **here).code == 0
    ran = person.types("rejudge", shop, "--reason", "wrong clicks", **here)
    assert "with ground truth version 2, which is not in use yet." in ran.err, ran.err
    assert "ready. Files judged: 1. Teams that change: 1." in ran.err
    again = person.types("rejudge", shop, "--reason", "once more", **here)
    assert again.code == 6
    next_step = re.search(r"Nothing has changed yet: (`.* --apply \S+`)", ran.err)
    assert next_step is not None, ran.err
    assert next_step[1] in again.err
    preview = person.types("reveal", shop, "--yes", **here)
    assert next_step[1] in preview.err
    identifier = re.search(rf"podium rejudgings {shop} --apply (\S+)`", again.err)
    assert identifier is not None, again.err
    applied = person.types("rejudgings", shop, "--apply", identifier[1], "--csv", **here)
    rows = applied.out.splitlines()
    assert rows[0] == "id,status,ground truth,judged,started,reason"
    assert rows[1].startswith(f"{identifier[1]},applied,2,1 of 1,")
    named = ("rejudge", shop, "--reason", "back", "--ground-truth-version", 1)
    assert "with ground truth version 1, which" in person.types(*named, **here).err
    (ready,) = [
        row
        for row in person.types("rejudgings", shop, "--json", **here).document
        if row["status"] == "ready"
    ]
    cancelled = person.types("rejudgings", shop, "--cancel", ready["id"], "--json", **here)
    assert [row["status"] for row in cancelled.document] == ["cancelled", "applied"]


def test_who_does_not_organize_is_refused(person: Person, server: Installation, shop: str) -> None:
    ran = person.types("rejudge", shop, "--reason", "r", PODIUM_URL=server.url)
    assert ran.code == 5


def test_a_ground_truth_that_is_rejected_is_told_with_its_name_and_each_line_once(
    person: Person, server: Installation, shop: str
) -> None:
    here = server.as_administrator
    (person.home / "bad.csv").write_text("session_type,labels,Usage\n1_clicks,3,Pubic\n")
    ran = person.types("upload", shop, "--truth", "bad.csv", **here)
    assert (ran.code, ran.out) == (3, "")
    lines = ran.err.splitlines()
    assert lines[0].startswith("bad.csv:2: Usage must be Public, Private or Ignored")
    assert len(lines) == len(set(lines))


def test_a_roster_is_shown_first_and_made_when_asked(
    person: Person, server: Installation, shop: str, tmp_path: Path
) -> None:
    here = server.as_administrator
    file = tmp_path / "class.csv"
    file.write_text(f"name,team\nada of {shop},Engines\nCharles,Engines,\n")
    command = ("users", "roster", file, "-c", shop)
    refused = person.types(*command, "--create", **here)
    assert (refused.code, refused.out) == (3, "")
    assert f"{file}:2: There is an account “ada of {shop}”." in refused.err
    file.write_text("name,team\nGrace,Engines\nCharles,Engines\n")
    shown = person.types(*command, **here)
    hint = "Nothing was made yet. The same command with --create makes it.\n"
    assert (shown.code, shown.err) == (0, hint)
    assert "Grace  Engines  new" in shown.out.replace("    ", "  ")
    with server.organizer() as organizer:
        assert "Grace" not in {user["name"] for user in organizer.users()}
    made = person.types(*command, "--create", "--csv", **here)
    assert made.code == 0, made.err
    first = made.out.splitlines()[1].split(",")
    assert first[:3] == ["Grace", "Engines", "new"]
    assert first[3].startswith(f"{server.url}/links/")
    file.write_bytes("name\nJürgen\n".encode("latin-1"))
    refused = person.types(*command, **here)
    assert (refused.code, "save as “CSV UTF-8”" in refused.err) == (2, True)
    missing = person.types("users", "roster", tmp_path / "none.csv", **here)
    assert missing.code == 2


def test_sizes_of_files_are_in_words_for_people_and_in_bytes_for_programs(
    person: Person, server: Installation, shop: str
) -> None:
    here = server.as_administrator
    (person.home / "views.bin").write_bytes(bytes(1536))
    ran = person.types("upload", shop, "--data", "views.bin", "-q", **here)
    assert (ran.code, ran.out) == (0, "views.bin  1.5 KB\n"), ran.err
    table = person.types("competitions", "files", shop, **here).out.splitlines()
    assert table[0].split() == ["name", "size", "sha256"]
    assert table[1].split()[:3] == ["views.bin", "1.5", "KB"]
    rows = person.types("competitions", "files", shop, "--csv", **here).out.splitlines()
    assert rows[0] == "name,bytes,sha256"
    assert rows[1].startswith("views.bin,1536,")


def test_a_ground_truth_is_read_again_after_the_split_of_a_draft_has_changed(
    server: Installation,
) -> None:
    file = server.folder / "hidden.csv"
    rows = [f"{session}_{name},3\n" for session in range(100) for name in LABELS]
    file.write_text("session_type,labels\n" + "".join(rows))
    with server.organizer() as organizer:
        organizer.create_competition("books", "Books", preset="otto")
        first = organizer.upload_ground_truth("books", file)
        organizer.change_competition("books", split={"public_fraction": 0.9})
        assert organizer.ground_truth("books", 1)["status"] == "outdated"
        again = organizer.read_ground_truth_again("books", 1)
        assert (again["status"], again["active"]) == ("stored", True)
        assert again["objectives"] != first["objectives"]


def test_a_competition_goes_from_its_draft_to_its_end_at_the_command_line(
    person: Person, server: Installation, shop: str
) -> None:
    here = server.as_administrator

    def organizer(*words: object) -> Any:
        return person.types(*words, **here)

    kept = organizer("settings", shop, "-o", "shop.yaml")
    assert (kept.code, kept.out, kept.err) == (0, "", "Wrote shop.yaml.\n")
    draft = organizer("create", "empty")
    assert draft.err.startswith(
        "It is a draft: `podium upload empty --truth FILE` gives it the hid"
    )
    made = organizer(
        "create", "again", "--settings", "shop.yaml", "--launch", "--truth", "shop.yaml"
    )
    assert made.code != 0
    assert "The ground truth was refused, and the draft again deleted again." in made.err
    assert organizer("create", "again", "--settings", "shop.yaml").code == 0
    labels = server.folder / "labels.csv"
    sides = ("Public", "Private")
    rows = [f"{row}_{name},3,{sides[row % 2]}\n" for row in range(100) for name in LABELS]
    labels.write_text("session_type,labels,Usage\n" + "".join(rows))
    early = organizer("launch", "again")
    assert early.code == 2
    assert "No ground truth that fits the settings is loaded." in early.err
    assert "`podium upload again --truth FILE` does." in early.err
    none = organizer("rejudge", "again", "--reason", "too early")
    assert (none.code, "This competition has no ground truth yet." in none.err) == (2, True)
    assert organizer("upload", "again", "--truth", labels).code == 0
    assert organizer("launch", "again", "--yes").out.splitlines()[2].split() == ["phase", "open"]
    changed = organizer("settings", "again", "--change", '{"daily_limit": 3}')
    assert json.loads(changed.out) == {"daily_limit": 3}
    told = organizer("announce", "again", "Welcome", "**Good** luck!")
    assert told.out.splitlines()[0].split() == ["announced", "Welcome"]
    for act, phase in (
        ("freeze", "frozen"),
        ("unfreeze", "open"),
        ("close", "closed"),
        ("reopen", "open"),
        ("close", "closed"),
    ):
        ran = organizer(act, "again", "--reason", "a try", "--yes")
        assert ran.out.splitlines()[2].split() == ["phase", phase], ran.err
    asked = organizer("reveal", "again")
    assert asked.code == 2
    assert "If it is meant, add --yes." in asked.err
    assert json.loads(organizer("reveal", "again", "--yes", "--json").out)["phase"] == "revealed"
    with server.organizer() as client:
        first, second = (client.competition(slug)["settings"] for slug in (shop, "again"))
    assert {**first, "daily_limit": 3} == second


def test_a_competition_takes_its_settings_from_its_ground_truth_as_score_does(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    rows = "".join(f"u{user},a{user % 7}\nu{user},b{user}\n" for user in range(50))
    (person.home / "plain.csv").write_text("user,item\n" + rows)
    ran = person.types("create", "plain", "--metric", "map@12", "--truth", "plain.csv", **here)
    assert ran.code == 0, ran.err
    assert (
        'by its first rows the settings are {"id_column": "user", "item_column": "item"' in ran.err
    )
    page = f"{server.url}/organize/plain"
    settings = json.loads(person.types("settings", page, **here).out)
    assert settings["objectives"] == {"items": 1}
    assert (settings["query_ids"], settings["item_ids"]) == ("string", "string")

    few = ("--settings", '{"daily_limit": 3, "item_column": "item"}')
    ran = person.types("create", "some", "--metric", "map@12", *few, "--truth", "plain.csv", **here)
    assert ran.code == 0, ran.err
    assert 'by its first rows the settings are {"id_column": "user", "objectives": ' in ran.err
    assert json.loads(person.types("settings", "some", **here).out)["daily_limit"] == 3

    preset = ("--preset", "ndcg@10", *few)
    refused = person.types("create", "mine", *preset, "--truth", "plain.csv", **here)
    assert refused.code == 3
    assert "these settings are not: query_ids." in refused.err
    assert '--settings \'{"daily_limit": 3, "item_column": "item", "id_column": ' in refused.err
    gone = person.types("settings", "mine", **here)
    assert (gone.code, "There is no competition mine" in gone.err) == (2, True)


def test_a_header_that_no_settings_name_is_refused_before_a_draft_is_made(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    rows = "".join(f"u{user},b{user}\n" for user in range(50))
    (person.home / "named.csv").write_text(" User-ID,Item\n" + rows)
    (person.home / "bare.csv").write_text(rows)
    ran = person.types("create", "named", "--metric", "mrr@5", "--truth", "named.csv", **here)
    assert ran.code == 2
    assert "rename “ User-ID” to “User-ID”" in " ".join(ran.err.split())
    ran = person.types("create", "bare", "--metric", "mrr@5", "--truth", "bare.csv", **here)
    assert ran.code == 2
    told = " ".join(ran.err.split())
    assert "The first row looks like data: “u0,b0”." in told
    assert person.types("settings", "bare", **here).code == 2
    _, printed = told.removesuffix(".").split("If it is the header, add ")
    option, given = shlex.split(printed)
    command = ("create", "bare", "--metric", "mrr@5", "--truth", "bare.csv")
    made = person.types(*command, option, given, "--launch", **here)
    assert (made.code, person.types("settings", "bare", **here).document["id_column"]) == (0, "u0")


def test_the_settings_for_a_header_that_looks_like_data_keep_those_that_were_given(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    rows = "".join(f"u{user},b{user}\n" for user in range(50))
    (person.home / "quotes.csv").write_text(rows)
    command = ("create", "quotes", "--metric", "mrr@5", "--truth", "quotes.csv", "--settings")
    ran = person.types(*command, '{"title": "It\\u0027s on"}', **here)
    assert ran.code == 2
    _, given = shlex.split(ran.err.strip().removesuffix(".").split("add ")[1])
    found = json.loads(given)
    assert {"title": "It's on", "id_column": "u0"}.items() <= found.items()


def test_a_file_of_settings_is_overwritten_only_by_force(
    person: Person, server: Installation, shop: str
) -> None:
    here = server.as_administrator
    command, file = ("settings", shop, "-o", "shop.yaml"), person.home / "shop.yaml"
    assert person.types(*command, **here).code == 0
    kept = file.read_text()
    assert person.types("settings", shop, "--change", '{"daily_limit": 7}', **here).code == 0
    refused = person.types(*command, **here)
    assert (refused.code, "overwrite it with --force" in refused.err) == (2, True)
    assert file.read_text() == kept
    assert person.types(*command, "--force", **here).code == 0
    assert "daily_limit: 7" in file.read_text()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("none.yaml", "There is no file none.yaml. --settings takes one, or a JSON object, such"),
        ("{daily_limit: 3}", "--settings is not JSON:"),
        ("[3]", "--settings is not a JSON object, such as"),
        ("list.yaml", "list.yaml: Line 1: The file must hold names with values"),
        ("bytes.yaml", "bytes.yaml is not text."),
    ],
)
def test_settings_that_are_none_are_refused_before_anything_is_made(
    person: Person, tmp_path: Path, given: str, told: str
) -> None:
    (person.home / "list.yaml").write_text("- 1\n- 2\n")
    (person.home / "bytes.yaml").write_bytes(b"\xff\xfe")
    ran = person.types("create", "shop", "--settings", given, PODIUM_URL="http://127.0.0.1:9")
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_whole_sessions_in_place_of_labels_are_cut_and_that_is_told(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    made = person.types("otto", "synth", "--sessions", 300, "--raw", "--to", "raw")
    assert made.code == 0, made.err
    ran = person.types("create", "cut", "--truth", "raw/raw_sessions.jsonl", "--json", **here)
    assert ran.code == 0, ran.err
    assert ran.err.startswith("raw/raw_sessions.jsonl: these are whole sessions. They were cut:")
    assert ".." not in ran.err
    assert ran.document["ground_truth"]["latest_version"] == 1
    taken = person.types("create", "cut", **here)
    assert (taken.code, taken.err.count("hoose another")) == (2, 1)
    shown = json.loads(person.types("settings", "cut", **here).out)
    assert (shown["title"], shown["ends_at"], shown["daily_limit"]) == ("cut", None, 5)
    assert shown["visibility"] == "public"


def test_an_organizer_without_a_team_sees_the_submissions_of_all(
    person: Person, server: Installation, shop: str
) -> None:
    here = server.as_administrator
    rows = person.types("submissions", shop, "--csv", **here).out.splitlines()
    assert rows[0].startswith("team,id,submitted,file,")
    assert rows[1].startswith("Team Ada,")
    assert rows[1].endswith(f",ada of {shop}")
    assert person.types("submissions", shop, "--all", "--csv", **here).out.splitlines() == rows


def test_a_warning_about_the_ground_truth_is_told_once(
    person: Person, server: Installation
) -> None:
    here = server.as_administrator
    # Few labels on either side, whatever the key of the competition is.
    rows = ("1,3,Public", "2,4,Public", "3,5,Private", "4,6 7,Private", "5,8,Public", "6,1,Private")
    (person.home / "few.csv").write_text("\n".join(("user,labels,Usage", *rows, "")))
    settings = ("--preset", "ndcg@10", "--settings", '{"id_column": "user", "split": "usage"}')
    ran = person.types("create", "few", *settings, "--truth", "few.csv", "--launch", **here)
    assert (ran.code, ran.err.count("few public labels.")) == (0, 1), ran.err
    assert ".." not in ran.err


def test_after_the_reveal_the_board_is_the_final_one_with_its_intervals(
    person: Person, server: Installation, shop: str
) -> None:
    here = server.as_administrator
    before = person.types("leaderboard", shop, "--csv", **here)
    assert before.out.splitlines()[0] == "rank,team,score,submissions,last,tags"
    with server.organizer() as organizer:
        organizer.close(shop)
        organizer.reveal(shop)
    final = person.types("leaderboard", shop, "--csv", **here).out.splitlines()
    assert final[0] == "rank,team,score,submissions,last,tags,95 % interval,tied with #1"
    assert re.match(r"1,Team Ada,0\.\d{5},1,\S+,,-?\d\.\d{5} to \d\.\d{5},$", final[1]), final[1]
    public = person.types("leaderboard", shop, "--split", "public", "--csv", **here)
    assert public.out == before.out
    assert (
        person.types("leaderboard", shop, "-d", **here).out == f"{shop}-private-leaderboard.csv\n"
    )
