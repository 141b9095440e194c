"""The page to submit leaves files of other forms to the server."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.builders.competing import Competition
from tests.builders.installation import Installation
from tests.builders.page import Browser
from tests.builders.scoring.spelled.forms import LIST_FORMS
from tests.builders.wrong_files.browser import facts_in, looked_at

TRUTH = "user,item,Usage\n1,7,Public\n2,8,Public\n3,9,Private\n4,5,Private\n"
LISTS = {"objectives": {"items": 1}, "metric": "recall@2", "id_column": "user", "split": "usage"}
FILES = (
    "user;labels\n1;7 1\n",
    "1\t7 1\n",
    "user,item,rank\n1,7,1\n1,8,2\n",
    "n,user,labels\n1,1,7 8\n",
    '{"user": 1, "labels": [7, 8]}\n{"user": 2, "labels": [7, 8]}\n',
    '\ufeff{"1": [7, 8], "2": [7, 8]}',
    '\n[\n  {\n    "user": 1,\n    "labels": [\n      7,\n      8\n    ]\n  }\n]\n',
    'user,labels\n1,"7,8"\n2,\n',
    "user,labels\n1,7;8\n2,[]\n",
    'user,labels\n1,"[7, 8]"\n2,[]\n',
    "user;labels\n1;['7', '8']\n2;[]\n",
    '1,"[""7"", 8]"\n2,[]\n',
)


def test_the_page_says_nothing_of_a_file_of_another_form(
    judging: Installation, tmp_path: Path
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on this machine: it runs the scripts of the page")
    competition = Competition.opened(judging, TRUTH, **LISTS, forms=list(LIST_FORMS))
    browser = Browser(competition.installation.client.app)
    browser.sign_in(str(competition.team().token))
    facts = facts_in(browser.get(f"/competitions/{competition.slug}/submit").text)
    seen = looked_at(node, [(facts, text.encode()) for text in FILES], tmp_path)
    assert dict(zip(FILES, seen, strict=True)) == {text: [] for text in FILES}
