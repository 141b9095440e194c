"""Names of columns and objectives of any text: the same at home, on the server, on pages and in
archives."""

from __future__ import annotations

import csv
import html
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from podium.settings import Settings
from tests.builders.archives.season import restored, served
from tests.builders.competing import Competition
from tests.builders.installation import Installation, problem_of
from tests.builders.page import Browser
from tests.builders.processes.typed import typed
from tests.builders.sandbox.in_process import build_in_process
from tests.builders.wrong_files.odd_names import ODD_CONTESTS
from tests.builders.wrong_files.shape import Contest

pytestmark = pytest.mark.xdist_group("odd names")


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path) -> Iterator[Any]:
    """Another installation, to import to."""
    folder = tmp_path_factory.mktemp("there")
    shutil.copyfile(migrated_sqlite_file, folder / "podium.sqlite3")
    application = build_in_process(Settings(data_dir=folder, min_free_bytes=0))
    with served(application) as installation:
        yield installation
    application.close()


def scored_at_home(folder: Path, contest: Contest, side: str) -> float:
    """The score of the good file on one side of the split."""
    other = {"Public": "Private", "Private": "Public"}[side]
    (folder / "t.csv").write_text(contest.truth.replace(other, "Ignored"))
    (folder / "s.csv").write_text(contest.good)
    (folder / "c.json").write_text(json.dumps(contest.settings))
    options = ["--truth", folder / "t.csv", "--preset", folder / "c.json", "--no-history"]
    return float(typed("score", folder / "s.csv", *options, "--json").document["score"])


@pytest.mark.parametrize("name", ODD_CONTESTS)
def test_any_names_are_scored_shown_and_moved(
    judging: Installation, there: Installation, tmp_path: Path, name: str
) -> None:
    contest = ODD_CONTESTS[name]
    competition = Competition.opened(
        judging, contest.truth, objective_scores="always", **contest.settings
    )
    path = f"/competitions/{competition.slug}"
    found = judging.anonymous.get(path).json()
    for member, given in contest.settings.items():
        if member.endswith("_column"):
            assert found[member] == given
    assert set(found["objectives"]) == set(contest.settings["objectives"])

    (header, *_), (first, *_) = (
        list(csv.reader(io.StringIO(text)))
        for text in (judging.anonymous.get(f"{path}/sample-submission").text, contest.good)
    )
    assert header == first

    team = competition.team()
    competition.judged(team, judging.anonymous.get(f"{path}/sample-submission").text)
    seen = competition.judged(team, contest.good)
    assert seen["public_score"] == pytest.approx(
        scored_at_home(tmp_path, contest, "Public"), abs=6e-6
    )
    organized = judging.admin.get(f"/admin{path}/submissions").json()["items"]
    private = next(each["private_score"] for each in organized if each["id"] == seen["id"])
    assert private == pytest.approx(scored_at_home(tmp_path, contest, "Private"), abs=6e-6)

    browser = Browser(judging.client.app)
    browser.sign_in(str(team.token))
    pages = "".join(
        browser.get(f"{path}{page}").text
        for page in ("", "/submit", "/leaderboard", f"/submissions/{seen['id']}")
    )
    assert "<b>&amp;" not in pages
    assert "“<b>”" not in pages
    for column in (*first, *contest.settings["objectives"]):
        assert (
            str(html.escape(column)).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in pages
        ), column

    archive = judging.admin.get(f"/admin{path}/export?full=true")
    assert archive.status_code == 200
    moved = restored(there, archive.content)
    assert moved.status_code == 201, moved.text
    for same in (path, f"{path}/sample-submission"):
        before, after = (one.anonymous.get(same) for one in (judging, there))
        assert (after.status_code, after.content) == (before.status_code, before.content), same


@pytest.mark.parametrize(
    ("settings", "place", "words"),
    [
        ({"id_column": "a\u200bb"}, "id_column", "U+200B"),
        ({"id_column": "a\nb"}, "id_column", "on one line"),
        ({"id_column": " user"}, "id_column", "without spaces around them"),
        ({"id_column": "\u3000user"}, "id_column", "spaces around the name"),
        ({"id_column": "x" * 65}, "id_column", "1 to 64 characters"),
        ({"id_column": "^user$"}, "id_column", "begin with ^"),
        ({"objectives": {"a_b": 1, "c": 1}}, "objectives", "would be ambiguous"),
        ({"objectives": {"구매": 1, "c": 1}}, "objectives", "would be ambiguous"),
    ],
)
def test_what_no_file_could_name_is_refused(
    judging: Installation, settings: dict[str, Any], place: str, words: str
) -> None:
    body = {"slug": "refused", "title": "x", "metric": "ndcg@5", "objectives": {"items": 1}}
    refused = judging.admin.post("/admin/competitions", json={**body, **settings})
    first = problem_of(refused, 422, "invalid")["errors"][0]
    assert place in str(first)
    assert words in str(first)
