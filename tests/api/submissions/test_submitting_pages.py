"""The pages on which files are sent and looked at, without JavaScript."""

from __future__ import annotations

import html
import re
import time
from dataclasses import dataclass, replace
from typing import Any

import pytest
from sqlalchemy import func

from podium.core.models import Submission
from podium.main import create_app
from tests.builders.installation import Installation, Person
from tests.builders.page import HERE, Browser, Page, compact
from tests.builders.site import Site

HOSTILE = '<img src=x onerror=alert(1)>".csv'


def lines(right: int = 20, *, first: str = "session_type,labels") -> bytes:
    rows = [first]
    for place, session in enumerate(range(100, 160)):
        cart = session + 1 if place < right else 1
        rows += [f"{session}_clicks,1", f"{session}_carts,{cart}", f"{session}_orders,1"]
    return "\n".join(rows).encode()


@dataclass
class Team:
    """A user with a team in a competition of their own, and their browser."""

    browser: Browser
    person: Person
    slug: str

    def at(self, path: str = "") -> str:
        return f"/competitions/{self.slug}{path}"

    def page(self, path: str) -> str:
        answer = self.browser.get(self.at(path))
        assert answer.status_code == 200, answer.text
        return compact(answer.text)

    def send(self, content: bytes, name: str = "sub.csv", note: str = "", **headers: str) -> Any:
        return self.browser.client.post(
            self.at("/submit"),
            files={"file": (name, content)},
            data={"note": note},
            headers={"Origin": HERE} | headers,
        )


def entered(installation: Installation, slug: str, **settings: Any) -> Team:
    installation.launched(slug, **settings)
    person = installation.person(f"ada of {slug}")
    answer = person.post(f"/competitions/{slug}/teams", json={"name": f"Team {slug}"})
    assert answer.status_code == 201, answer.text
    browser = Browser(installation.client.app)
    assert person.token is not None
    browser.sign_in(person.token)
    return Team(browser, person, slug)


@pytest.fixture(scope="module")
def waiting(site: Site) -> Team:
    """A team of a site without a worker."""
    return entered(site.installation, "waiting", daily_limit=50)


@pytest.fixture(scope="module")
def judged(judging: Installation) -> Team:
    """A team whose submissions are all judged."""
    return entered(judging, "judged", daily_limit=50, final_selections=1)


def verdict(team: Team, answer: Any) -> tuple[str, str]:
    """The id and the page of a file that was sent, once it has a verdict."""
    assert answer.status_code == 303, answer.text
    address = answer.headers["location"].partition("?")[0]
    deadline = time.monotonic() + 120
    while True:
        page = team.browser.get(address).text
        if "http-equiv" not in page:
            return address.rpartition("/")[2], compact(page)
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_a_visitor_who_is_not_signed_in_is_led_there_and_back(waiting: Team, site: Site) -> None:
    for path in ("/submit", "/submissions"):
        answer = site.browser().get(waiting.at(path))
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/sign-in?next=")


def test_without_a_team_the_page_tells_how_to_enter(waiting: Team, site: Site) -> None:
    text = site.browser(site.installation.person("nobody's member")).get(waiting.at("/submit")).text
    assert "You have not joined yet." in text
    assert "submit-form" not in text


def test_the_page_tells_what_is_left_and_how_files_look(waiting: Team) -> None:
    text = waiting.page("/submit")
    form = next(attrs for tag, attrs in Page(text).tags if attrs.get("id") == "submit-form")
    assert form["data-columns"] == "session_type,labels"
    assert form["data-objectives"] == "clicks,carts,orders"
    assert form["data-rows"] == "180"
    assert form["enctype"] == "multipart/form-data"
    assert re.search(r"<dd>\d+ <small>of 50</small>", text)
    assert f"{HERE}/api/v1/competitions/waiting/submissions?filename=submission.csv" in text


def test_a_file_of_the_form_waits_on_a_page_that_loads_itself(waiting: Team) -> None:
    answer = waiting.send(lines(), "mine.csv", "first")
    assert answer.status_code == 303
    text = waiting.browser.get(answer.headers["location"]).text
    assert 'http-equiv="refresh"' in text
    assert "File received." in text
    assert re.search(r'step-now" aria-current="step">Queue', text)
    assert "“first”" in text
    assert "mine.csv" in waiting.page("/submissions")


def test_a_waiting_file_can_be_taken_back(waiting: Team) -> None:
    address = waiting.send(lines()).headers["location"].partition("?")[0]
    answer = waiting.browser.send(f"{address}/cancel")
    assert answer.status_code == 303
    assert "Cancelled before it was scored" in waiting.browser.get(address).text
    again = waiting.browser.send(f"{address}/cancel")
    assert (again.status_code, 'role="alert"' in again.text) == (409, True)


def test_a_foreign_page_can_send_nothing(waiting: Team) -> None:
    before = waiting.person.get("/competitions/waiting/submissions").json()["items"]
    assert waiting.send(lines(), Origin="https://evil.example").status_code == 403
    assert waiting.person.get("/competitions/waiting/submissions").json()["items"] == before


def test_names_and_notes_are_text(waiting: Team) -> None:
    answer = waiting.send(lines(), HOSTILE, "<script>alert(2)</script>")
    pages = waiting.browser.get(answer.headers["location"]).text + waiting.page("/submissions")
    assert "<img src=x" not in pages
    assert "<script>alert" not in pages
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in pages


def test_a_refused_file_is_told_on_the_page_of_the_form(site: Site) -> None:
    team = entered(site.installation, "small", daily_limit=1)
    assert team.send(lines()).status_code == 303
    answer = team.send(lines())
    assert answer.status_code == 429
    assert (
        "has used all submissions of today (UTC), 1 in all. 1 of them is not judged yet"
        in answer.text
    )
    again = team.person.post(f"/competitions/{team.slug}/submissions", content=lines())
    assert (again.status_code, again.headers["retry-after"]) == (429, "15")
    assert "submit-form" not in answer.text


def test_an_unfinished_upload_is_listed_and_can_be_discarded(waiting: Team) -> None:
    started = waiting.person.post("/uploads", content=b"abc", headers={"Upload-Length": "9"})
    upload = started.json()["id"]
    page = waiting.page("/submit")
    assert f'data-upload="{upload}"' in page
    assert "3 bytes of 9 bytes" in page
    assert waiting.browser.send(waiting.at(f"/submit/discard/{upload}")).status_code == 303
    assert f'data-upload="{upload}"' not in waiting.page("/submit")
    assert waiting.person.get(f"/uploads/{upload}").status_code == 404


def test_the_page_says_how_long_an_unfinished_upload_is_kept(waiting: Team, site: Site) -> None:
    waiting.person.post("/uploads", content=b"abc", headers={"Upload-Length": "9"})
    application = site.installation.application
    settings = application.settings.model_copy(update={"upload_keep_seconds": 3 * 3600})
    elsewhere = Browser(create_app(replace(application, settings=settings)))
    elsewhere.sign_in(str(waiting.person.token))
    for browser, words in ((waiting.browser, "1 day"), (elsewhere, "3 hours")):
        text = browser.get(waiting.at("/submit")).text
        assert f"Uploads that rest for {words} are removed." in text
        form = next(attrs for tag, attrs in Page(text).tags if attrs.get("id") == "submit-form")
        assert form["data-kept"] == words


def test_others_do_not_find_a_submission(waiting: Team, site: Site) -> None:
    address = waiting.send(lines()).headers["location"].partition("?")[0]
    stranger = site.browser(site.installation.person("a stranger"))
    assert stranger.get(address).status_code == 404
    assert stranger.send(f"{address}/cancel").status_code == 404
    assert waiting.browser.get(address).status_code == 200


def test_a_score_stands_with_rank_and_file(judged: Team) -> None:
    submission, text = verdict(judged, judged.send(lines(30)))
    document = judged.person.get(f"/submissions/{submission}").json()
    assert document["status"] == "scored"
    assert f"<dt>Public score</dt><dd>{document['public_score']:.5f}" in text
    assert "<dt>Your rank</dt><dd>1" in text
    assert "your best" in text
    assert f"/api/v1/submissions/{submission}/receipt" in text
    assert f'download="receipt-{submission}.json"' in text
    assert f"podium verify receipt-{submission}.json --file sub.csv" in text
    assert "<dt>Rows</dt><dd>180</dd>" in text


def test_no_name_of_a_file_runs_in_the_shell_of_who_verifies_it(waiting: Team) -> None:
    sent = waiting.send(lines(), name="a; rm -r $HOME.csv")
    text = html.unescape(waiting.browser.get(sent.headers["location"]).text)
    assert ".json --file 'a; rm -r $HOME.csv'" in text


def test_a_bad_file_is_told_every_problem_with_its_line_and_what_to_do(judged: Team) -> None:
    content = lines().replace(b"101_clicks,1", b"101_clicks,x").replace(b"102_carts", b"102_cart")
    submission, text = verdict(judged, judged.send(content))
    rows = [row for row in Page(text).rows if len(row) == 4][1:]
    problem = judged.person.get(f"/submissions/{submission}").json()["problem"]
    assert rows == [
        [str(each["line"] or "–"), each["id"] or "–", each["detail"], each["hint"] or ""]
        for each in problem["errors"]
    ]
    assert [row[0] for row in rows] == ["5", "9", "–"]
    assert "Doesn't count against your limit." in text
    assert "3 problems" in judged.page("/submissions")


def test_of_two_files_of_one_second_one_is_the_first_score(judging: Installation) -> None:
    team = entered(judging, "second", daily_limit=50)
    (first, _), (second, _) = (verdict(team, team.send(lines(right))) for right in (20, 30))
    with judging.application.database.write() as session:
        moment = session.query(func.min(Submission.submitted_at)).scalar()
        of_both = session.query(Submission).filter(Submission.id.in_((first, second)))
        of_both.update({"submitted_at": moment})
    assert "your first score" in team.page(f"/submissions/{first}")
    text = team.page(f"/submissions/{second}")
    assert "your first score" not in text
    assert "over your best before" in text


def test_the_same_bytes_name_their_twin(judged: Team) -> None:
    first, _ = verdict(judged, judged.send(lines(7)))
    _, text = verdict(judged, judged.send(lines(7)))
    assert f'<a href="/competitions/judged/submissions/{first}">The earlier submission</a>' in text


def ticks(text: str) -> set[str | None]:
    """The submissions whose boxes are ticked on a page."""
    boxes = [attrs for _, attrs in Page(text).tags if attrs.get("name") == "final"]
    return {box["value"] for box in boxes if "checked" in box}


def row_of(text: str, submission: str) -> str:
    """The row of a submission in a page's list."""
    (row,) = [row for row in re.findall(r"<tr.*?</tr>", text, re.DOTALL) if submission in row]
    return str(row)


def test_a_file_that_cannot_be_selected_has_no_box(judged: Team) -> None:
    good, _ = verdict(judged, judged.send(lines(8)))
    bad, _ = verdict(judged, judged.send(lines(first="session_type|labels")))
    text = judged.page("/submissions")
    assert 'type="checkbox"' in row_of(text, good)
    assert 'type="checkbox"' not in row_of(text, bad)
    assert f'submissions/{bad}#problems">1 problem</a>' in row_of(text, bad)
    for each in (good, bad):
        assert f'/api/v1/submissions/{each}/file" download' in row_of(text, each)


def test_a_rejected_file_is_told_nothing_of_scores(judged: Team) -> None:
    _, text = verdict(judged, judged.send(b"what"))
    assert "<dt>Checked</dt>" in text
    for words in ("Scored", "Scored with", "Final selection"):
        assert f"<dt>{words}</dt>" not in text
    _, text = verdict(judged, judged.send(lines(9)))
    for words in ("Scored", "Scored with", "Final selection"):
        assert f"<dt>{words}</dt>" in text
    assert "<dt>Checked</dt>" not in text


def test_where_reading_stopped_and_one_hint_mends_all_the_page_says_so_once(judged: Team) -> None:
    rows = [line.replace(b",1", b',"[1, 2]"') for line in lines(0).splitlines()]
    submission, text = verdict(judged, judged.send(b"\n".join([rows[0], *rows[1:] * 4])))
    problem = judged.person.get(f"/submissions/{submission}").json()["problem"]
    assert problem["reading_stopped"] is True
    assert {each["hint"] for each in problem["errors"]} == {
        "This looks like a Python list. Write ' '.join(map(str, items))."
    }
    assert "<p>1,000 or more problems. Doesn't count" in text
    assert "Reading stopped after 1,000 problems; there may be more." in text
    assert text.count("This looks like a Python list.") == 1
    assert [len(row) for row in Page(text).rows if row] == [3] * 11
    assert "1,000+ problems" in row_of(judged.page("/submissions"), submission)


@pytest.mark.parametrize(("setting", "is_said"), [("after_reveal", True), ("organizers", False)])
def test_scores_by_objective_are_announced_until_the_reveal(
    judging: Installation, setting: str, is_said: bool
) -> None:
    slug = f"objectives-{setting.replace('_', '-')}"
    team = entered(judging, slug, objective_scores=setting)
    submission, text = verdict(team, team.send(lines(20)))
    words = "Scores per objective are shown after the reveal."
    assert (words in text) is is_said
    assert re.search(r'class="number score" data-label="Public">0\.', team.page("/submissions"))
    for act in ("close", "reveal"):
        judging.admin.post(f"/admin/competitions/{slug}/{act}")
    text = team.page(f"/submissions/{submission}")
    assert words not in text
    assert ("By objective" in text) is is_said
    text = team.page("/submissions")
    assert re.search(r'class="number other-score" data-label="Public">0\.', text)
    assert re.search(r'class="number score" data-label="Private">0\.', text)


def test_finals_are_chosen_by_ticking(judged: Team) -> None:
    one, _ = verdict(judged, judged.send(lines(3)))
    other, _ = verdict(judged, judged.send(lines(4)))
    answer = judged.browser.send(judged.at("/submissions/finals"), final=one, shown=[one, other])
    assert answer.status_code == 303
    text = judged.page("/submissions")
    assert "1 of 1 selected" in text
    assert ticks(text) == {one}
    too_many = judged.browser.send(
        judged.at("/submissions/finals"), final=[one, other], shown=[one, other]
    )
    assert too_many.status_code == 422
    assert 'role="alert"' in too_many.text
    assert "2 of 1 selected" in too_many.text
    assert ticks(too_many.text) == {one, other}
    assert ticks(judged.page("/submissions")) == {one}


def test_what_was_chosen_on_another_page_of_the_list_stays_chosen(judged: Team) -> None:
    one, _ = verdict(judged, judged.send(lines(5)))
    other, _ = verdict(judged, judged.send(lines(6)))
    finals = judged.at("/submissions/finals")
    assert judged.browser.send(finals, final=one, shown=one).status_code == 303
    # `one` is not on the page that is sent, `other` is and is not ticked.
    assert judged.browser.send(finals, chosen=one, shown=other).status_code == 303
    assert judged.person.get(f"/submissions/{one}").json()["selected"] is True
    # `one` is on the page and its tick was taken away.
    assert judged.browser.send(finals, chosen=one, shown=[one, other]).status_code == 303
    assert judged.person.get(f"/submissions/{one}").json()["selected"] is False


def test_a_page_of_the_list_shows_what_was_chosen_on_another_one(judged: Team) -> None:
    verdict(judged, judged.send(lines(5)))
    newest, _ = verdict(judged, judged.send(lines(6)))
    finals = judged.at("/submissions/finals")
    assert judged.browser.send(finals, final=newest, shown=newest).status_code == 303
    listed = judged.person.get(f"/competitions/{judged.slug}/submissions?limit=1").json()
    older = judged.page(f"/submissions?cursor={listed['next_cursor']}")
    assert "1 of 1 selected" in older
    assert ticks(older) == {newest}
    assert tags_by_file(older)[0][-1] == "from another page"
    assert "from another page" not in judged.page("/submissions")


def tags_by_file(text: str) -> list[list[str]]:
    """The tags of each row of the list of submissions, from its top."""
    rows = re.findall(r"<tr.*?</tr>", text, re.DOTALL)[1:]
    return [re.findall(r'<span class="tag">([^<]*)</span>', row) for row in rows]


def test_the_list_marks_what_is_on_the_board_and_what_fills_a_free_place(
    judging: Installation,
) -> None:
    team = entered(judging, "marked", final_selections=2, daily_limit=50)
    # So far apart that they are whatever the key of the split draws.
    names = {
        right: verdict(team, team.send(lines(right), f"r{right}.csv"))[0] for right in (60, 20, 40)
    }
    assert tags_by_file(team.page("/submissions")) == [
        ["auto-selected"], [], ["on the board", "auto-selected"],
    ]  # fmt: skip
    choice = team.at(f"/submissions/{names[20]}/final")
    assert "Select for the final ranking" in team.page(f"/submissions/{names[20]}")
    assert team.browser.send(choice, choose="yes").status_code == 303
    assert "Remove from the final selection" in team.page(f"/submissions/{names[20]}")
    best = team.page("/submissions?view=best")
    assert re.findall(r">(r\d+)\.csv<", best) == ["r60", "r40", "r20"]
    assert tags_by_file(best) == [["on the board", "auto-selected"], [], []]
    assert ticks(best) == {names[20]}
    for act in ("close", "reveal"):
        assert judging.admin.post(f"/admin/competitions/marked/{act}").is_success
    after = team.page("/submissions?view=best")
    assert [tags for tags in tags_by_file(after) if tags] == [
        ["in the final ranking", "counted, filled in"], ["counted"],
    ]  # fmt: skip
    assert team.browser.send(choice).status_code == 409


def test_the_page_of_a_file_says_who_sent_it(judged: Team) -> None:
    one, _ = verdict(judged, judged.send(lines(2)))
    assert "by <bdi>ada of judged</bdi>" in judged.page(f"/submissions/{one}")
