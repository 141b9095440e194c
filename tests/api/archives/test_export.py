"""The contents of an export for each reader, and what it never holds."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from podium.archives.service.tables import LEFT_OUT, TABLES
from podium.cli.commands import build
from podium.core.models import Competition, CompetitionSecret, Team
from podium.core.models.base import Base
from podium.storage import Area
from tests.builders.archives.season import (
    BOARD,
    EXPORT,
    PRIVATE,
    START,
    Season,
    exported,
    lines_of,
    members_of,
)
from tests.builders.installation import TRUTH, problem_of
from tests.builders.page import compact


def organizer_of(season: Season) -> Any:
    person = season.installation.person("Olga", organizer=True)
    answer = season.installation.admin.post(
        "/admin/competitions/otto/organizers", json={"user_id": person.id}
    )
    assert answer.status_code == 201
    return person


def secrets_of(season: Season) -> dict[str, bytes]:
    """Texts of which none may occur in what an organizer takes out before the reveal."""
    with season.installation.application.database.read() as session:
        key = session.query(CompetitionSecret).one().split_key
        codes = [team.invite_code for team in session.query(Team)]
    digits = PRIVATE.partition(".")[2]
    found = {
        "private score": digits[:7].encode(),
        "rounded private score": b"0.81235",
        "split key": key.encode(),
        "label": b'"carts"',
        "password": b"password",
        "address": b"192.0.2.77",
        "token": season.people["Ada"].token.encode() if season.people["Ada"].token else b"?",
    }
    return found | {f"code {number}": code.encode() for number, code in enumerate(codes)}


def test_an_organizers_export_holds_settings_teams_submissions_and_boards(season: Season) -> None:
    members = members_of(exported(organizer_of(season)))
    assert list(members) == [
        "competition.json",
        "teams.jsonl",
        "submissions.jsonl",
        "receipts.jsonl",
        "signing-keys.json",
        "boards/public.json",
        "boards/public.csv",
        "manifest.json",
    ]
    assert json.loads(members["competition.json"])["slug"] == "otto"
    teams = {team["name"]: team for team in lines_of(members["teams.jsonl"])}
    assert teams["Team Ada"]["members"] == ["Ada"]
    submissions = lines_of(members["submissions.jsonl"])
    first = submissions[0]
    assert first == {
        "team": {"id": season.teams["Ada"], "name": "Team Ada"},
        "id": first["id"],
        "filename": "s.csv",
        "note": "note 1",
        "bytes": 10,
        "sha256": hashlib.sha256(b"file Ada 1").hexdigest(),
        "submitted_at": "2026-01-01T12:31:15.123456+00:00",
        "is_late": False,
        "is_selected": False,
        "disqualified_at": None,
        "disqualified_because": None,
        "state": "scored",
        "judged_at": "2026-01-01T12:31:22.123456+00:00",
        "ground_truth_version": 1,
        "scorer_version": "test",
        "public_score": 0.5,
        "private_score": None,
    }
    board = json.loads(members["boards/public.json"])
    assert board == season.installation.anonymous.get(f"{BOARD}?limit=1000").json()


def test_an_archive_holds_the_receipt_of_every_submission_as_its_team_gets_it(
    season: Season,
) -> None:
    organizer = organizer_of(season)
    season.reveal()
    members = members_of(exported(organizer))
    receipts = members["receipts.jsonl"].splitlines()
    ids = [one["id"] for one in lines_of(members["submissions.jsonl"])]
    assert [json.loads(receipt)["submission"] for receipt in reversed(receipts)] == ids
    for receipt in receipts:
        path = f"/submissions/{json.loads(receipt)['submission']}/receipt"
        assert season.installation.admin.get(path).content == receipt
    assert json.loads(receipts[-1])["final"]["private_score"] == "0.81235"
    keys = season.installation.anonymous.get("/signing-key")
    assert json.loads(members["signing-keys.json"]) == keys.json()


def test_a_receipt_of_an_archive_is_verified_without_a_server(
    season: Season, tmp_path: Path
) -> None:
    members = members_of(exported(season.installation.admin, "?full=true"))
    for name in ("receipts.jsonl", "signing-keys.json"):
        (tmp_path / name).write_bytes(members[name])
    first = lines_of(members["submissions.jsonl"])[0]
    (tmp_path / "s.csv").write_bytes(members[f"files/submissions/{first['sha256']}"])

    def verified(*given: str) -> tuple[int, str]:
        command = ["verify", str(tmp_path / "receipts.jsonl"), *given]
        command += ["--key", str(tmp_path / "signing-keys.json")]
        ended = CliRunner().invoke(build(), command)
        return ended.exit_code, ended.stdout

    one = ("--submission", first["id"], "--file", str(tmp_path / "s.csv"))
    code, told = verified(*one)
    assert code == 0
    assert first["sha256"] in told
    code, told = verified("--json")
    assert (code, json.loads(told)) == (0, {"valid": True, "problems": [], "receipts": 6})
    forged = members["receipts.jsonl"].replace(b'"0.50000"', b'"0.90000"')
    (tmp_path / "receipts.jsonl").write_bytes(forged)
    assert verified(*one)[0] == 3
    code, told = verified("--json")
    assert (code, json.loads(told)["valid"]) == (3, False)


def test_before_the_reveal_an_organizers_export_tells_no_secret(season: Season) -> None:
    everything = b"\n".join(members_of(exported(organizer_of(season))).values())
    found = {name: text for name, text in secrets_of(season).items() if text in everything}
    # The names of objectives are settings; labels are never beside them.
    assert set(found) == {"label"}
    for line in TRUTH.splitlines():
        assert line not in everything
    assert b'"hits"' not in everything


def test_the_full_archive_would_be_caught_by_that_search(season: Season) -> None:
    everything = b"\n".join(members_of(exported(season.installation.admin, "?full=true")).values())
    missing = {name for name, text in secrets_of(season).items() if text not in everything}
    assert missing == {"rounded private score", "password", "address", "token"}


def test_after_the_reveal_private_scores_and_the_final_ranking_are_there(season: Season) -> None:
    season.reveal()
    members = members_of(exported(organizer_of(season)))
    final = json.loads(members["boards/private.json"])
    assert final == season.installation.anonymous.get(f"{BOARD}?limit=1000&split=private").json()
    first = lines_of(members["submissions.jsonl"])[0]
    assert (first["public_score"], first["private_score"]) == (0.5, 0.81235)


def test_the_manifest_names_every_member_with_its_hash(season: Season) -> None:
    for query in ("", "?full=true"):
        members = members_of(exported(season.installation.admin, query))
        manifest = json.loads(members.pop("manifest.json"))
        assert manifest["version"] == 3
        assert manifest["full"] is bool(query)
        assert manifest["members"] == {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in members.items()
        }


def test_the_full_archive_holds_the_bytes_of_every_file(season: Season) -> None:
    members = members_of(exported(season.installation.admin, "?full=true"))
    files = {name: content for name, content in members.items() if name.startswith("files/")}
    for name, content in files.items():
        assert name.endswith(hashlib.sha256(content).hexdigest())
    assert {content for name, content in files.items() if "/submissions/" in name} == {
        f"file {who} {minute}".encode()
        for who, minute in (
            ("Ada", 1), ("Bob", 2), ("Ada", 3), ("Cleo", 4), ("<Eve>", 5), ("Bob", 6),
        )
    }  # fmt: skip
    assert sum("/hits/" in name for name in files) == 6
    assert TRUTH in files.values()
    assert b"a,b\n" in files.values()


def test_equal_rows_make_equal_archives(season: Season) -> None:
    first, second = (members_of(exported(season.installation.admin)) for _ in range(2))
    for members in (first, second):
        del members["manifest.json"]
    assert first == second


@pytest.mark.parametrize("query", ["", "?full=true", "?static=true"])
def test_no_other_user_takes_a_competition_out(season: Season, query: str) -> None:
    other = season.installation.person("Otto", organizer=True)
    problem_of(season.installation.anonymous.get(f"{EXPORT}{query}"), 401, "not-authenticated")
    for person in (other, season.people["Ada"]):
        problem_of(person.get(f"{EXPORT}{query}"), 404, "not-found")


def test_an_organizer_gets_no_ground_truth_and_that_leaves_no_entry(season: Season) -> None:
    problem_of(organizer_of(season).get(f"{EXPORT}?full=true"), 403, "not-allowed")
    acts = season.installation.admin.get("/admin/audit?limit=1000").json()["items"]
    assert "competition.export" not in {entry["action"] for entry in acts}
    problem_of(
        season.installation.admin.get(f"{EXPORT}?full=true&static=true"), 422, "full-or-static"
    )


def test_a_missing_file_is_told_before_the_first_byte(season: Season) -> None:
    storage = season.installation.application.storage
    storage.delete(Area.SUBMISSIONS, hashlib.sha256(b"file Ada 1").hexdigest())
    answer = season.installation.admin.get(f"{EXPORT}?full=true")
    problem_of(answer, 503, "stored-file-corrupt")


def test_every_table_is_in_the_archive_or_left_out_with_a_reason() -> None:
    known = {table.model for table in TABLES}
    for mapper in Base.registry.mappers:
        assert (mapper.class_ in known) != (mapper.class_ in LEFT_OUT), mapper.class_.__name__


def test_what_is_left_out_of_a_table_is_a_column_of_it() -> None:
    for table in TABLES:
        columns = {column.name for column in sa.inspect(table.model).local_table.columns}
        assert set(table.left_out) <= columns, table.name


def test_no_column_of_an_archive_is_called_like_a_credential() -> None:
    for table in TABLES:
        for column in table.columns:
            assert not re.search("password|token|address|private_key|user_agent", column), column


def test_every_foreign_key_is_followed() -> None:
    for table in TABLES:
        for key in sa.inspect(table.model).local_table.foreign_keys:
            column = key.parent.name
            if column in table.columns and column != "competition_id":
                assert table.references[column] == key.column.table.name, (table.name, column)


def test_every_hash_of_a_stored_file_is_followed() -> None:
    """A hash that is not a file's is that of a text (rules)."""
    for table in TABLES:
        hashes = {column for column in table.columns if column.endswith("sha256")}
        named = set(table.files) - {"parts"}
        assert hashes == named or table.name == "rules_acceptances", table.name


# The static archive.


def site_of(season: Season) -> dict[str, bytes]:
    return members_of(exported(season.installation.admin, "?static=true"))


def test_a_static_archive_is_made_of_a_finished_competition_only(season: Season) -> None:
    answer = season.installation.admin.get(f"{EXPORT}?static=true")
    problem_of(answer, 409, "not-revealed")


def test_a_static_archive_needs_nothing_but_itself(season: Season) -> None:
    season.reveal()
    site = site_of(season)
    pages = {name: content.decode() for name, content in site.items() if name.endswith(".html")}
    assert set(pages) == {f"otto/{name}.html" for name in ("index", "public", "private", "files")}
    for page in pages.values():
        assert re.findall(r"<(?:script|iframe|form)|\son\w+=|style=|https?:|\"//", page) == []
        for target in re.findall(r'(?:href|src)="([^"#]+)"', page):
            assert f"otto/{target}" in site, target
    for target in re.findall(r"url\(([^)]+)\)", site["otto/podium.css"].decode()):
        assert target.startswith("data:")


def test_a_static_archive_shows_boards_texts_and_files(season: Season) -> None:
    season.reveal()
    with season.installation.application.database.write() as session:
        competition = session.query(Competition).one()
        competition.description = "All <i>about</i> it"
        competition.settings = competition.settings | {"id_column": "user"}
    site = site_of(season)
    index = compact(site["otto/index.html"].decode())
    assert "All &lt;i&gt;about&lt;/i&gt; it" in index
    assert "A &lt;b&gt;fix&lt;/b&gt;" in index
    assert "Scores have changed." in index
    assert f"{START:%d %b %Y}".replace("01 ", "02 ", 1) in index
    assert '<th scope="row">Users</th>' in index
    assert "Based on a part of the users." in site["otto/public.html"].decode()
    assert "Team &lt;Eve&gt;" in site["otto/private.html"].decode()
    for name, page in site.items():
        if name.endswith(".html"):
            policy = "Content-Security-Policy\" content=\"script-src 'none';"
            assert policy in compact(page.decode()), name
    assert "0.81235" in site["otto/private.html"].decode()
    assert "train.csv" in site["otto/files.html"].decode()
    for split in ("public", "private"):
        path = f"{BOARD}?limit=1000&split={split}"
        served = season.installation.anonymous.get(path).content
        assert site[f"otto/boards/{split}.json"] == served


def test_a_static_archive_holds_only_what_everybody_may_see(season: Season) -> None:
    season.reveal()
    everything = b"\n".join(site_of(season).values())
    with season.installation.application.database.read() as session:
        hidden = [team.invite_code for team in session.query(Team)]
        hidden.append(session.query(CompetitionSecret).one().split_key)
    assert [text for text in hidden if text.encode() in everything] == []
