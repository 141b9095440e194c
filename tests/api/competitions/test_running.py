"""A whole competition run by its organizer on pages alone: launched, watched, corrected, judged
anew, closed and revealed. A worker judges for real."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.builders.installation import TRUTH, Installation, Person
from tests.builders.organizer import Organizer
from tests.builders.page import compact
from tests.builders.season import until
from tests.builders.site import Site

HERE = "http://testserver"


def file_with(right: int) -> bytes:
    """A file that knows the clicks of the first so many sessions."""
    lines = ["session_type,labels"]
    for place, session in enumerate(range(100, 160)):
        click = session if place < right else 1
        lines += [f"{session}_clicks,{click}", f"{session}_carts,1", f"{session}_orders,1"]
    return "\n".join(lines).encode()


@pytest.fixture
def olga(judging: Installation) -> Organizer:
    """An organizer of the installation that judges."""
    site = Site(judging)
    person = judging.person("olga", organizer=True)
    return Organizer(site, person, site.browser(person))


def team(olga: Organizer, slug: str, name: str) -> Person:
    person = olga.installation.person(name)
    assert person.post(f"/competitions/{slug}/teams", json={"name": name}).status_code == 201
    return person


def submitted(person: Person, slug: str, content: bytes) -> str:
    """The id of a submission that was judged."""
    sent = person.post(f"/competitions/{slug}/submissions", content=content).json()["id"]
    until(lambda: person.get(f"/submissions/{sent}").json()["status"] in ("scored", "rejected"))
    return str(sent)


def scores(olga: Organizer, slug: str) -> dict[str, Any]:
    """The public board: the score of each team that has one."""
    rows = olga.person.get(f"/competitions/{slug}/leaderboard").json()["rows"]
    return {row["team"]["name"]: row["score"] for row in rows}


def test_an_organizer_runs_a_competition_on_pages(olga: Organizer) -> None:
    slug = olga.draft(split={"public_fraction": 0.5})
    base, browser = f"/organize/{slug}", olga.browser

    def act(name: str, **fields: str) -> Any:
        return browser.send(f"{base}/acts/{name}", **fields)

    _launch(olga, slug, act)
    ada, bob = team(olga, slug, "ada"), team(olga, slug, "bob")
    good, better = (
        submitted(ada, slug, file_with(20)),
        submitted(bob, slug, file_with(40)),
    )
    bad = submitted(bob, slug, b"session_type,labels\nx,y z!\n")
    _look(olga, slug, good, better, bad)
    _disqualify(olga, slug, [good, better])
    _rejudge(olga, slug, ada)
    _end(olga, slug, act)


def _launch(olga: Organizer, slug: str, act: Callable[..., Any]) -> None:
    base = f"/organize/{slug}"
    unsure = act("launch")
    assert unsure.status_code == 422
    assert "Nothing was typed." in unsure.text
    early = act("launch", confirm=slug)
    assert early.status_code == 409
    assert "No ground truth that fits the settings is loaded." in early.text
    olga.browser.client.post(
        f"{base}/uploads/ground-truth",
        files={"file": ("truth.jsonl", TRUTH)},
        headers={"Origin": HERE},
    )
    checked = olga.browser.get(f"{base}?check=true").text
    assert "The sample submission is accepted." in checked
    assert olga.look(slug)["phase"] == "draft"
    assert act("launch", confirm=slug).headers["location"] == f"{base}?done=launched"
    assert olga.look(slug)["phase"] == "open"


def _look(olga: Organizer, slug: str, good: str, better: str, bad: str) -> None:
    base = f"/organize/{slug}/submissions"
    everything = olga.browser.get(base).text
    assert all(each in everything for each in (good, better, bad))
    # Ids are looked through as well, and have all letters up to f: "ada" may be in any.
    scored = olga.browser.get(f"{base}?state=scored&text=bob").text
    assert better in scored
    assert good not in scored
    assert bad not in scored
    twin = submitted(team(olga, slug, "copycat"), slug, file_with(20))
    one = olga.browser.get(f"{base}/{good}").text
    assert f'href="{base}/{twin}"' in one
    assert "identical" in one
    assert "ada" in olga.browser.get(f"/organize/{slug}/integrity").text
    assert "Hits, and items that could be found" in one
    assert "Private" in one
    assert "Line" in olga.browser.get(f"{base}/{bad}").text
    assert olga.browser.get(f"{base}/{good}/segments").status_code == 200
    assert bad in olga.browser.get(f"/organize/{slug}").text


def _disqualify(olga: Organizer, slug: str, ids: list[str]) -> None:
    base = f"/organize/{slug}/submissions"
    before = scores(olga, slug)
    many = {"id": ids, "act": "disqualify", "reason": "made by hand"}
    assert olga.browser.send(base, **many).status_code == 422
    assert olga.browser.send(base, act="disqualify", sure="yes").status_code == 422
    assert scores(olga, slug) == before
    assert olga.browser.send(base, **many, sure="yes").status_code == 303
    assert scores(olga, slug).keys() == {"copycat"}
    again = olga.browser.send(base, **many, sure="yes")
    assert again.status_code == 409
    assert "Done with 0 of 2" in again.text
    assert olga.browser.send(f"{base}/{ids[0]}/reinstate").status_code == 303
    assert olga.browser.send(base, id=ids[1], act="reinstate").status_code == 303
    assert scores(olga, slug) == before


def _rejudge(olga: Organizer, slug: str, ada: Person) -> None:
    base = f"/organize/{slug}"
    before = scores(olga, slug)
    fixed = TRUTH.replace(b'"clicks": ', b'"clicks": 1')
    olga.browser.client.post(
        f"{base}/uploads/ground-truth",
        files={"file": ("fixed.jsonl", fixed)},
        headers={"Origin": HERE},
    )
    assert olga.browser.send(f"{base}/rejudgings", reason="").status_code == 422
    fields = {
        "reason": "labels were shifted",
        "ground_truth_version": "2",
        "times": "1",
        "missing_rows": "zero",
        "forms": ["", *olga.look(slug)["settings"]["forms"], "json"],
    }
    begun = olga.browser.send(f"{base}/rejudgings", **fields)
    assert begun.status_code == 303, begun.text
    address = begun.headers["location"].partition("?")[0]
    found = address.rpartition("/")[2]
    until(lambda: olga.person.get(f"/admin/rejudgings/{found}").json()["status"] == "ready")
    page = html.unescape(olga.browser.get(address).text)
    assert "labels were shifted" in page
    assert "<dt>Missing rows</dt><dd>Score 0 for it</dd>" in compact(page)
    assert re.search("<dt>Forms of submissions</dt><dd>Tabs, .* JSON: an object", compact(page))
    assert "→ <b>0.00000</b>" in page
    assert "→ <b>0.00000</b>" in olga.browser.get(f"{address}?only=score").text
    # With equal scores the earlier file is ahead.
    for only, shown, hidden in (("up", "ada", "bob"), ("down", "bob", "ada")):
        text = olga.browser.get(f"{address}?only={only}").text
        assert f"<bdi>{shown}</bdi>" in text
        assert f"<bdi>{hidden}</bdi>" not in text
    assert olga.browser.send(f"{address}/apply", confirm="yes").status_code == 422
    assert scores(olga, slug) == before
    assert olga.browser.send(f"{address}/apply", confirm=slug).status_code == 303
    assert set(scores(olga, slug).values()) == {0.0}
    submitted(ada, slug, file_with(1))


def _end(olga: Organizer, slug: str, act: Callable[..., Any]) -> None:
    assert act("pause-uploads").status_code == 303
    assert olga.look(slug)["accept_uploads"] is False
    assert act("resume-uploads").status_code == 303
    assert act("freeze", reason="the last days").status_code == 303
    assert act("unfreeze").status_code == 303
    assert act("close").status_code == 422
    assert olga.look(slug)["phase"] == "open"
    assert act("close", confirm=f" {slug.capitalize()} ").status_code == 303
    assert act("reopen").status_code == 303
    assert act("close", confirm=slug).status_code == 303
    preview = olga.browser.get(f"/organize/{slug}/finale").text
    assert 'class="podium"' in preview
    assert "Both scores are those of the submission that counts" in preview
    # What a phone's keyboard would make of a slug is not made.
    field = preview.split('name="confirm"')[1].split(">")[0]
    assert 'autocapitalize="none" autocorrect="off" spellcheck="false"' in field
    assert act("reveal", confirm="").status_code == 422
    assert act("reveal", confirm=slug).status_code == 303
    assert olga.look(slug)["phase"] == "revealed"
    board = olga.person.get(f"/competitions/{slug}/leaderboard", params={"split": "private"})
    assert len(board.json()["rows"]) == 3
