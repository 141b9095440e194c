"""The page to submit refuses no file of a form that the competition takes, and all others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from podium.scoring.forms import CONTAINERS, UTF_16
from tests.builders.competing import Competition
from tests.builders.installation import Installation
from tests.builders.page import Browser
from tests.builders.uploads.packing import FURTHER
from tests.builders.wrong_files.browser import facts_in, looked_at

TRUTH = "user,item,Usage\n1,7,Public\n2,8,Private\n"
SETTINGS = {"objectives": {"items": 1}, "metric": "recall@2", "id_column": "user"}
GOOD = b"user,labels\n1,7\n2,8\n"
FILES = {
    "xz": (CONTAINERS, FURTHER["xz"](GOOD), "unsupported-media-type"),
    "bzip2": (CONTAINERS, FURTHER["bzip2"](GOOD), "unsupported-media-type"),
    "UTF-16": (UTF_16, GOOD.decode().encode("utf-16"), "encoding"),
}
"""Files by name, each with its form and the code for which it is refused without that."""


def facts_of(contest: Competition) -> dict[str, str]:
    browser, person = Browser(contest.installation.client.app), contest.team()
    browser.sign_in(str(person.token))
    return facts_in(browser.get(f"/competitions/{contest.slug}/submit").text)


def test_files_of_a_form_are_refused_only_where_it_is_not_taken(
    judging: Installation, tmp_path: Path
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on this machine: it runs the scripts of the page")
    without = facts_of(Competition.opened(judging, TRUTH, **SETTINGS, forms=[]))
    forms = {form.key for form, _, _ in FILES.values()}
    facts = {
        form: facts_of(Competition.opened(judging, TRUTH, **SETTINGS, forms=[form]))
        for form in forms
    }
    taken = [(facts[form.key], content) for form, content, _ in FILES.values()]
    others = [(without, content) for _, content, _ in FILES.values()]
    seen = looked_at(node, [*taken, *others], tmp_path)
    assert seen[: len(FILES)] == [[]] * len(FILES)
    codes = [[each["code"] for each in problems] for problems in seen[len(FILES) :]]
    assert codes == [[code] for _, _, code in FILES.values()]
