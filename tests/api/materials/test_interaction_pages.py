"""The form of interactions, and the pages that show what was made of them."""

from __future__ import annotations

import html
import re
from typing import Any

from tests.builders.organizer import Organizer
from tests.builders.page import HERE, compact, fields_of
from tests.builders.preparation.served import RATINGS


def send(olga: Organizer, slug: str, content: str, **texts: str) -> str:
    """The form as browsers without scripts send it; answers where it leads, or the page."""
    base = f"/organize/{slug}"
    fields = fields_of(olga.browser.get(f"{base}/ground-truth").text)
    told = {name: value for name, value in {**fields, **texts}.items() if name != "file"}
    parts: list[tuple[str, Any]] = [(name, (None, text)) for name, text in told.items()]
    parts += [("file", ("ratings.csv", content.encode()))]
    answer = olga.browser.client.post(
        f"{base}/uploads/interactions", files=parts, headers={"Origin": HERE}
    )
    return str(answer.headers.get("location") or html.unescape(answer.text))


def cells(page: str, row: str) -> list[str]:
    """The numbers of a row of a table."""
    found = re.search(rf'<tr><th scope="row">{row}</th>(.*?)</tr>', page, re.DOTALL)
    assert found is not None, row
    return re.findall(r">([^<>]+)</td>", found[1])


def test_the_form_prepares_and_the_page_of_the_version_reports(olga: Organizer) -> None:
    slug = olga.draft(objectives={"items": 1}, id_column="user", split={"public_fraction": 0.5})
    base = f"/organize/{slug}"
    assert "statistics" not in olga.browser.get(f"/competitions/{slug}/data").text
    to = send(olga, slug, RATINGS, protocol="leave-k-out", count="2", pick="random", threshold="2")
    assert to == f"{base}/ground-truth?done=interactions-prepared"
    assert "The interactions were split into ground truth" in olga.browser.get(to).text
    made = olga.person.get(f"/admin/competitions/{slug}/ground-truth/1").json()["preparation"]
    assert (made["options"]["count"], made["options"]["threshold"]) == (2, 2)
    page = compact(olga.browser.get(f"{base}/ground-truth/1").text)
    sets = [made[name]["interactions"] for name in ("raw", "kept", "train")]
    assert cells(page, "Interactions") == [str(count) for count in sets]
    assert f"<dt>Dropped: below the threshold</dt><dd>{sets[0] - sets[1]}</dd>" in page
    assert f"<dt>Labels</dt><dd>{sets[1] - sets[2]}</dd>" in page


def test_everybody_sees_the_training_set_in_figures(olga: Organizer) -> None:
    slug = olga.draft(objectives={"items": 1}, id_column="user", split={"public_fraction": 0.5})
    send(olga, slug, RATINGS, pick="random")
    data = olga.browser.get(f"/competitions/{slug}/data").text
    assert f'<a href="/competitions/{slug}/data/statistics">' in data
    page = compact(olga.browser.get(f"/competitions/{slug}/data/statistics").text)
    assert cells(page, "Interactions") == [f"{60 * 7}"]
    assert cells(page, "Users") == ["60"]
    assert '<meter aria-label="4 to 7: 60" min="0" max="60" value="60">' in page


def test_a_refusal_stands_above_the_form(olga: Organizer) -> None:
    slug = olga.draft(objectives={"items": 1}, id_column="user")
    page = send(olga, slug, RATINGS, protocol="time", time="-", days="3")
    assert "This needs times, and the file has none" in page
    page = send(olga, slug, "user,item\n1,2\n3\n", pick="random")
    assert "Line 3: 1 fields instead of 2: “3”" in page
    page = send(olga, slug, RATINGS, count="4", pick="random")
    assert "Leave-one-out hides one interaction; leave-k-out hides more." in page
