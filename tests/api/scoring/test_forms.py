"""Submissions in the forms that a competition takes, from the setting to the board."""

from __future__ import annotations

import pytest

from tests.builders.competing import Competition, verdict
from tests.builders.installation import Installation
from tests.builders.site import Site
from tests.builders.uploads.packing import FURTHER

TRUTH = "user,item,Usage\n1,7,Public\n2,8,Public\n3,9,Private\n4,5,Private\n"
LISTS = {"objectives": {"items": 1}, "metric": "recall@2", "id_column": "user", "split": "usage"}
FORMS = ["separators", "no-header", "item-rows", "json", "cell-lists"]
AS_SAMPLE = "user,labels\n1,7 1\n2,1 8\n3,1\n4,5\n"

SAME = {
    "user;labels\n1;7 1\n2;1 8\n3;1\n4;5\n": "separated by semicolons",
    "1\t7 1\n2\t1 8\n3\t1\n4\t5\n": "separated by tabs; no header",
    "user,item\n1,7\n1,1\n2,1\n2,8\n3,1\n4,5\n": "one item per row, in the order of the file",
    "user,item,rank\n1,1,2\n2,8,2\n3,1,1\n1,7,1\n4,5,1\n2,1,1\n": "one item per row, by rank",
    "user,item,score\n2,8,.25e0\n".replace(".25", "0.25")
    + "1,7,0.5\n1,1,0.1\n2,1,9\n3,1,0\n4,5,-1\n": "one item per row, by score",
    '{"user": 1, "labels": [7, 1]}\n{"user": 2, "labels": [1, 8]}\n'
    '{"labels": ["1"], "user": "3"}\n{"user": 4, "labels": "5"}\n': "JSON lines",
    '{"1": [7, 1], "2": [1, 8], "3": [1], "4": [5]}': "one JSON object",
    '[{"user": 1, "labels": [7, 1]}, {"user": 2, "labels": [1, 8]},\n'
    '{"user": 3, "labels": [1]}, {"user": 4, "labels": [5]}]': "a JSON array",
    'user,labels\n1,"7,1"\n2,"1,8"\n3,1\n4,5\n': "lists with commas",
    "1;[7, 1]\n2;[1, 8]\n3;[1]\n4;[5]\n": "lists as in JSON; separated by semicolons; no header",
}


@pytest.fixture(scope="module")
def lists(judging: Installation) -> Competition:
    return Competition.opened(judging, TRUTH, **LISTS, forms=FORMS)


@pytest.mark.parametrize("text", SAME, ids=SAME.values())
def test_a_file_of_a_form_scores_like_the_same_in_the_form_of_the_sample(
    lists: Competition, text: str
) -> None:
    person = lists.team()
    sample, other = lists.judged(person, AS_SAMPLE), lists.judged(person, text)
    assert other["status"] == "scored"
    assert other["public_score"] == sample["public_score"] == 1.0
    assert other["counts"] == {**sample["counts"], "form": SAME[text]}
    assert "form" not in sample["counts"]


def test_a_bad_file_of_a_form_is_rejected_with_its_own_line(lists: Competition) -> None:
    person = lists.team()
    seen = verdict(person, lists.slug, b"1\t7 1\n2\t1,8\n3\t1\n4\t5\n")
    assert seen["status"] == "rejected"
    assert (seen["problem"]["code"], seen["problem"]["line"]) == ("bad-label", 2)
    seen = verdict(person, lists.slug, b'{"1": [7, 1], "2": [1, null], "3": [], "4": []}')
    first = seen["problem"]["errors"][0]
    assert (first["code"], first["line"], first["row"], first["column"]) == (
        *("bad-label", None, 1, "labels"),
    )
    seen = verdict(person, lists.slug, b'1,"7,1"\n2,"1,8"\n3,1;8\n4,5\n')
    assert (seen["problem"]["code"], seen["problem"]["line"]) == ("bad-label", 3)


@pytest.mark.parametrize("container", FURTHER)
def test_further_containers_are_read_where_the_competition_takes_them(
    judging: Installation, container: str
) -> None:
    pack = FURTHER[container]
    contest = Competition.opened(judging, pack(TRUTH.encode()), **LISTS, forms=["containers"])
    person = contest.team()
    assert verdict(person, contest.slug, pack(AS_SAMPLE.encode()))["public_score"] == 1.0
    other = Competition.opened(judging, TRUTH, **LISTS, forms=[])
    refused = verdict(other.team(), other.slug, pack(AS_SAMPLE.encode()))["problem"]["code"]
    assert refused == (
        "archive-members" if container.startswith("zip") else "unsupported-media-type"
    )


def test_excels_unicode_text_is_read_where_the_competition_takes_it(judging: Installation) -> None:
    forms = ["utf-16", "separators"]
    contest = Competition.opened(judging, TRUTH.encode("utf-16"), **LISTS, forms=forms)
    text = AS_SAMPLE.replace(",", "\t").replace("\n", "\r\n").encode("utf-16")
    seen = verdict(contest.team(), contest.slug, text)
    assert (seen["public_score"], seen["counts"]["form"]) == (1.0, "UTF-16; separated by tabs")
    bad = verdict(contest.team(), contest.slug, text.replace(b"8\0", b"8\xd8"))
    assert (bad["problem"]["code"], bad["problem"]["line"]) == ("encoding", 3)


def test_files_in_the_encoding_of_the_competition_are_read(judging: Installation) -> None:
    settings = {**LISTS, "id_column": "고객", "item_column": "상품", "labels_column": "추천"}
    truth = TRUTH.replace("user,item", "고객,상품").encode("cp949")
    contest = Competition.opened(judging, truth, **settings, forms=["cp949"])
    person, text = contest.team(), AS_SAMPLE.replace("user,labels", "고객,추천")
    for encoding in ("cp949", "utf-8", "utf-8-sig"):
        assert verdict(person, contest.slug, text.encode(encoding))["public_score"] == 1.0
    bad = verdict(person, contest.slug, text.encode("cp949") + b"5,\xff\n")
    assert (bad["problem"]["code"], bad["problem"]["line"]) == ("encoding", 6)
    other = Competition.opened(judging, TRUTH, **LISTS)
    refused = verdict(other.team(), other.slug, text.encode("cp949"))["problem"]
    assert (refused["code"], refused["line"]) == ("encoding", 1)
    assert "looks like CP949" in refused["errors"][0]["hint"]
    asked = {"slug": "two-encodings", "title": "T", "forms": ["cp949", "latin-1"]}
    assert judging.admin.post("/admin/competitions", json=asked).status_code == 422


def test_forms_are_settings_that_documents_name_only_where_there_are_any(
    judging: Installation, lists: Competition
) -> None:
    document = judging.admin.get(f"/competitions/{lists.slug}").json()
    assert document["forms"] == FORMS
    page = judging.anonymous.client.get(f"/competitions/{lists.slug}").text
    assert "Tabs, semicolons or :: between the columns" in page
    other = Competition.opened(judging, TRUTH, **LISTS, forms=[])
    assert "forms" not in judging.admin.get(f"/competitions/{other.slug}").json()
    person = other.team()
    assert (
        verdict(person, other.slug, next(iter(SAME)).encode())["problem"]["code"]
        == "header-mismatch"
    )
    asked = {"slug": "forms-of-tables", "title": "T", "task": "table", "forms": ["item-rows"]}
    refused = judging.admin.post("/admin/competitions", json=asked)
    assert refused.status_code == 422


def test_a_rejection_names_the_form_that_would_be_read(judging: Installation) -> None:
    contest = Competition.opened(judging, TRUTH, **LISTS, forms=["separators"])
    person = contest.team()
    by_rank = "user;item;rank\n1;1;2\n2;8;2\n3;1;1\n1;7;1\n4;5;1\n2;1;1\n"
    seen = verdict(person, contest.slug, by_rank.encode())
    form = {"form": "one item per row, by rank; separated by semicolons", "forms": ["item-rows"]}
    assert seen["problem"]["readable_as"] == form
    site = Site(judging)
    page = site.browser(person).get(f"/competitions/{contest.slug}/submissions/{seen['id']}").text
    assert f"podium convert FILE -c {contest.slug} --out NEW" in page
    assert "<code>forms</code>: item-rows" in page
    route = f"/organize/{contest.slug}/submissions/{seen['id']}"
    assert "<code>forms</code>: item-rows" in site.browser(judging.admin).get(route).text
    bad = verdict(person, contest.slug, b"user;labels\n1;x\n2;1 8\n3;1\n4;5\n")
    assert bad["problem"]["readable_as"] is None


def test_a_new_competition_takes_what_cannot_change_a_score(judging: Installation) -> None:
    contest = Competition.opened(judging, TRUTH, **LISTS)
    document = judging.admin.get(f"/competitions/{contest.slug}").json()
    plain = ["separators", "no-header", "containers", "utf-16"]
    assert document["forms"] == plain
    person = contest.team()
    for text, form in list(SAME.items())[:2]:
        seen = contest.judged(person, text)
        assert (seen["public_score"], seen["counts"]["form"]) == (1.0, form)
    rows = verdict(person, contest.slug, b"user,item\n1,7\n1,1\n2,1\n2,8\n3,1\n4,5\n")
    assert rows["problem"]["code"] == "header-mismatch"
    # Where ids are texts, a wrong header looks like a row.
    asked = {"slug": "of-texts", "title": "T", **LISTS, "query_ids": "string"}
    assert judging.admin.post("/admin/competitions", json=asked).json()["forms"] == [
        plain[0],
        *plain[2:],
    ]
    # A preset has the forms of its contest.
    asked = {"slug": "of-2022", "title": "T", "preset": "recsys-2022"}
    assert judging.admin.post("/admin/competitions", json=asked).json()["forms"] == ["item-rows"]


PAIRS = "impression,item\n1,9\n1,8\n1,7\n2,7\n2,8\n"
CLICKS = "impression,item,click,Usage\n1,7,0,Public\n1,8,1,Public\n1,9,0,Public\n"
CLICKS += "2,7,1,Private\n2,8,0,Private\n"
RERANK = {
    "task": "rerank",
    "objectives": {"clicks": 1},
    "metric": "mrr",
    "id_column": "impression",
    "labels_column": "click",
    "split": "usage",
    "forms": ["candidate-ranks"],
}


def test_ranks_of_candidates_are_in_the_order_of_a_list(judging: Installation) -> None:
    asked = {"slug": "ranks", "title": "Ranks", **RERANK}
    assert judging.admin.post("/admin/competitions", json=asked).status_code == 201
    route = "/admin/competitions/ranks"
    truth = judging.admin.post(f"{route}/ground-truth", content=CLICKS.encode())
    assert truth.status_code == 201, truth.text
    refused = judging.admin.post(f"{route}/launch")
    assert refused.status_code == 409
    assert "order-of-candidates" in [each["code"] for each in refused.json()["errors"]]

    listed = judging.admin.put(f"{route}/published-ids", content=PAIRS.encode())
    assert listed.status_code == 200, listed.text
    truth = judging.admin.post(f"{route}/ground-truth", content=CLICKS.encode())
    assert truth.status_code in (200, 201), truth.text
    assert judging.admin.post(f"{route}/launch").status_code == 200
    person = judging.person("ranker")
    assert person.post("/competitions/ranks/teams", json={"name": "R"}).status_code == 201
    # Item 8 is the second of three candidates, and here the third one.
    seen = verdict(person, "ranks", b"2 [1,2]\n1 [1,3,2]\n")
    assert seen["public_score"] == round(1 / 3, 5)
    assert seen["counts"]["form"] == "ranks of the candidates in published order"


def test_a_rejudging_does_not_add_ranks_of_candidates(judging: Installation) -> None:
    contest = Competition.opened(judging, CLICKS, **{**RERANK, "forms": []})
    asked = {"reason": "Ranks", "settings": {"forms": ["candidate-ranks"]}}
    refused = judging.admin.post(f"/admin/competitions/{contest.slug}/rejudgings", json=asked)
    assert refused.status_code == 422
    assert "a rejudging does not add the form candidate-ranks" in refused.text
