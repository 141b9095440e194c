"""Interactions in, a competition out: hidden labels, published ids, participants' files."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from typing import Any

import polars as pl
import pytest

from tests.builders.installation import Installation, problem_of
from tests.builders.preparation.wrong_forms import asked, packed
from tests.builders.rows import keys_by_chance

ADMIN = "/admin/competitions/films"
INTERACTIONS = f"{ADMIN}/interactions"
FILES = "/competitions/films/files"
STATISTICS = "/competitions/films/statistics"
SAMPLE = "/competitions/films/sample-submission"
MADE = ["dataset.json", "items.csv", "report.md", "train.parquet"]

Row = tuple[Any, ...]


def ratings(users: int = 40, each: int = 8) -> list[Row]:
    """User, item, rating and time; the times of a user are all different."""
    drawn = random.Random(7)
    return [
        (user, item, drawn.randint(1, 5), 1_600_000_000 + 1000 * place + user)
        for user in range(1, users + 1)
        for place, item in enumerate(drawn.sample(range(100, 130), each))
    ]


def csv_of(rows: list[Row], header: str = "userId,movieId,rating,timestamp") -> bytes:
    return "\n".join([header, *(",".join(map(str, row)) for row in rows), ""]).encode()


def last_of_each(rows: list[Row]) -> dict[Row, Row]:
    """The user and item of the last interaction of each user, by user."""
    latest = {(row[0],): row for row in sorted(rows, key=lambda row: row[-1])}
    return {user: (row[0], row[1]) for user, row in latest.items()}


def events(users: int = 40) -> list[Row]:
    """User, item, type and time, with texts for ids."""
    drawn = random.Random(5)
    return [
        (f"c{user}", f"p{drawn.randint(1, 60)}", "order" if place % 3 else "view", 1000 * place)
        for user in range(users)
        for place in range(12)
    ]


@pytest.fixture
def draft(installation: Installation) -> Installation:
    made = {"slug": "films", "title": "Films", "split": {"public_fraction": 0.5}}
    assert installation.admin.post("/admin/competitions", json=made).status_code == 201
    return installation


def upload(draft: Installation, content: bytes, query: str = "") -> Any:
    answer = draft.admin.post(f"{INTERACTIONS}?{query}", content=content)
    assert answer.status_code == 201, answer.text
    return answer.json()


def files(draft: Installation) -> dict[str, bytes]:
    names = [file["name"] for file in draft.admin.get(FILES).json()["items"]]
    return {name: draft.admin.get(f"{FILES}/{name}").content for name in names}


def train(draft: Installation) -> pl.DataFrame:
    return pl.read_parquet(io.BytesIO(draft.admin.get(f"{FILES}/train.parquet").content))


def settings(draft: Installation) -> Any:
    return draft.admin.get("/competitions/films").json()["settings"]


def test_ratings_become_a_competition_that_opens(draft: Installation) -> None:
    rows = ratings()
    version = upload(draft, csv_of(rows))
    assert (version["status"], version["version"], version["active"]) == ("stored", 1, True)
    assert version["counts"] == {"sessions": 40, "queries": 40, "labels": 40}
    assert not any("Published ids" in warning for warning in version["warnings"])

    hidden = set(last_of_each(rows).values())
    known = {(user, item): (rating, time) for user, item, rating, time in rows}
    left = {pair: told for pair, told in known.items() if pair not in hidden}
    got = {(user, item): (rating, time) for user, item, rating, time in train(draft).iter_rows()}
    assert got == left

    shown = files(draft)
    assert sorted(shown) == MADE
    items = Counter(item for _, item in left)
    expected = "".join(f"{item},{count}\n" for item, count in sorted(items.items()))
    assert shown["items.csv"].decode() == f"item,users\n{expected}"
    lines = draft.admin.get(SAMPLE).text.splitlines()
    assert lines == ["user,labels", *(f"{user}," for user in range(1, 41))]
    told = draft.admin.get(f"{ADMIN}/items").json()
    assert (told["items"], told["training_users"]) == (len(items), 40)
    assert told["tells"] == ["items", "users"]

    opened = draft.admin.post(f"{ADMIN}/launch")
    assert opened.status_code == 200, opened.text
    problem_of(draft.admin.post(INTERACTIONS, content=csv_of(rows)), 409, "fixed-at-launch")
    problem_of(draft.admin.post(f"{ADMIN}/ground-truth/1/read"), 409, "fixed-at-launch")


def test_settings_of_a_new_draft_become_those_that_the_file_asks_for(draft: Installation) -> None:
    version = upload(draft, csv_of(ratings()))
    assert version["preparation"]["settings"] == {"objectives": {"items": 1}, "id_column": "user"}
    assert settings(draft)["objectives"] == {"items": 1.0}
    assert settings(draft)["id_column"] == "user"
    log = draft.admin.get("/admin/audit?competition=films&action=competition.change").json()
    (entry,) = log["items"]
    assert entry["facts"]["after"]["id_column"] == "user"

    typed = "type=event&protocol=leave-k-out&count=4"
    version = upload(draft, csv_of(events(), "user,item,event,time"), typed)
    made = version["preparation"]["settings"]
    assert made == {
        "query_ids": "string",
        "item_ids": "string",
        "objectives": {"order": 1, "view": 1},
        "id_column": "session_type",
    }
    lines = draft.admin.get(SAMPLE).text.splitlines()
    assert lines[:3] == ["session_type,labels", "c0_order,", "c0_view,"]
    assert draft.admin.post(f"{ADMIN}/launch").status_code == 200


def test_one_type_is_the_only_objective(draft: Installation) -> None:
    query = "type=event&protocol=leave-k-out&count=4&objectives=order=all&format=csv"
    version = upload(draft, csv_of(events(), "user,item,event,time"), query)
    assert version["preparation"]["settings"]["objectives"] == {"order": 1}
    assert draft.admin.get(SAMPLE).text.splitlines()[0] == "user,labels"
    assert "train.csv" in files(draft)
    assert draft.admin.post(f"{ADMIN}/launch").status_code == 200


def test_objectives_that_an_organizer_has_set_are_kept_and_the_refusal_names_them(
    draft: Installation,
) -> None:
    draft.admin.patch(ADMIN, json={"objectives": {"buy": 0.5, "look": 0.5}})
    answer = draft.admin.post(INTERACTIONS, content=csv_of(ratings()))
    detail = problem_of(answer, 422, "bad-preparation")["detail"]
    assert detail.startswith("The setting objectives has buy, look, and these interactions have no")
    typed = csv_of(events(), "user,item,event,time")
    answer = draft.admin.post(f"{INTERACTIONS}?type=event", content=typed)
    detail = problem_of(answer, 422, "bad-preparation")["detail"]
    assert "the types to predict are order, view. Change the setting to these" in detail
    assert draft.admin.get(FILES).json()["items"] == []
    draft.admin.patch(ADMIN, json={"objectives": {"whatever": 1}, "id_column": "customer"})
    version = upload(draft, csv_of(ratings()))
    assert version["preparation"]["settings"] == {}
    assert draft.admin.get(SAMPLE).text.splitlines()[:2] == ["customer,labels", "1,"]


def test_types_that_no_objective_may_be_called_are_refused(draft: Installation) -> None:
    rows = [(user, item, f"{kind}_{kind}", time) for user, item, kind, time in events()]
    answer = draft.admin.post(
        f"{INTERACTIONS}?type=event&protocol=leave-k-out&count=4",
        content=csv_of(rows, "user,item,event,time"),
    )
    assert "an objective" in problem_of(answer, 422, "bad-preparation")["detail"]
    assert list(settings(draft)["objectives"]) == ["clicks", "carts", "orders"]


def test_only_lists_of_items_are_prepared(installation: Installation) -> None:
    made = {"slug": "films", "title": "Films", "preset": "rmse"}
    installation.admin.post("/admin/competitions", json=made)
    answer = installation.admin.post(INTERACTIONS, content=csv_of(ratings()))
    detail = problem_of(answer, 422, "bad-preparation")["detail"]
    assert detail.endswith("The setting task is rating; change it to ranking.")


def test_what_is_kept_and_hidden_follows_the_options(draft: Installation) -> None:
    query = "threshold=3&relevance=true&protocol=share&share=0.5&min_user=4&time=-&pick=random"
    made = upload(draft, csv_of(ratings()), query)["preparation"]
    assert made["dropped"]["below_threshold"] == sum(row[2] < 3 for row in ratings())
    assert made["options"]["share"] == 0.5
    assert made["kept"]["interactions"] - made["train"]["interactions"] == made["labels"]["labels"]
    assert train(draft).columns == ["user", "item", "rating"]
    assert train(draft)["rating"].min() == 3


def test_the_same_upload_is_the_same_version_and_the_same_options_give_the_same_files(
    draft: Installation,
) -> None:
    rows = ratings()
    first = upload(draft, csv_of(rows), "pick=random")
    shown = files(draft)
    again = draft.admin.post(f"{INTERACTIONS}?pick=random", content=csv_of(rows))
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    other = upload(draft, csv_of(rows), "pick=last")
    assert files(draft)["train.parquet"] != shown["train.parquet"]
    third = upload(draft, csv_of(list(reversed(rows))), "pick=random")
    assert files(draft) == shown
    listed = draft.admin.get(f"{ADMIN}/ground-truth").json()["items"]
    assert [row["id"] for row in listed] == [third["id"], other["id"], first["id"]]


def test_an_outdated_version_is_read_again_and_gives_the_same_files(draft: Installation) -> None:
    upload(draft, csv_of(ratings()), "pick=random")
    shown = files(draft)
    draft.admin.patch(ADMIN, json={"metric": "ndcg@10"})
    assert draft.admin.get(f"{ADMIN}/ground-truth/1").json()["status"] == "outdated"
    assert draft.admin.post(f"{ADMIN}/ground-truth/1/read").status_code == 201
    assert files(draft) == shown


def test_another_competition_hides_others(draft: Installation) -> None:
    upload(draft, csv_of(ratings()), "pick=random")
    made = {"slug": "other", "title": "Other", "split": {"public_fraction": 0.5}}
    with keys_by_chance():
        draft.admin.post("/admin/competitions", json=made)
    other = "/admin/competitions/other/interactions?pick=random"
    assert draft.admin.post(other, content=csv_of(ratings())).status_code == 201
    content = draft.admin.get("/competitions/other/files/train.parquet").content
    assert pl.read_parquet(io.BytesIO(content)).height == train(draft).height
    assert content != files(draft)["train.parquet"]


def test_files_of_an_earlier_preparation_go_with_it(draft: Installation) -> None:
    """They show what is hidden now."""
    upload(draft, csv_of(ratings()), "pick=random&format=csv")
    draft.admin.put(f"{ADMIN}/files/train.parquet", content=b"an organizer's own")
    draft.admin.put(f"{ADMIN}/files/notes.md", content=b"an organizer's own")
    upload(draft, csv_of(ratings()), "pick=last")
    assert sorted(files(draft)) == ["dataset.json", "items.csv", "notes.md", *MADE[2:]]
    log = draft.admin.get("/admin/audit?competition=films&action=file.delete").json()["items"]
    assert [entry["facts"]["name"] for entry in log] == ["train.csv"]


def test_an_item_file_of_an_organizer_stays(draft: Installation) -> None:
    upload(draft, csv_of(ratings()), "pick=random")
    upload(draft, csv_of(ratings()), "pick=last")
    items = files(draft)["items.csv"]
    assert draft.admin.get(f"{ADMIN}/items").json()["bytes"] == len(items)
    own = b"item,price\n" + b"".join(b"%d,1\n" % item for item in range(100, 130))
    draft.admin.put(f"{ADMIN}/items", content=own)
    upload(draft, csv_of(ratings()), "protocol=leave-k-out&count=2")
    assert draft.admin.get(f"{ADMIN}/items").json()["features"] == ["price"]


def test_the_audit_log_says_how_it_was_prepared(draft: Installation) -> None:
    upload(draft, csv_of(ratings()), "protocol=share&threshold=2")
    log = draft.admin.get("/admin/audit?competition=films&action=ground-truth.upload").json()
    prepared = log["items"][0]["facts"]["preparation"]
    assert (prepared["recipe"], prepared["protocol"], prepared["threshold"]) == (
        "interactions", "share", 2.0,
    )  # fmt: skip


def test_what_is_wrong_in_interactions_is_named_by_line(draft: Installation) -> None:
    bad = b"1,100,5\n2,1 2,5\n3,101\n4,102,x\n"
    answer = draft.admin.post(INTERACTIONS, content=b"user,item,rating\n" + bad)
    problem = problem_of(answer, 422, "bad-event")
    assert [(each["code"], each["line"]) for each in problem["errors"]] == [
        ("bad-event", 3), ("row-shape", 4), ("bad-event", 5),
    ]  # fmt: skip
    assert draft.admin.get(FILES).json()["items"] == []
    assert draft.admin.get(SAMPLE).status_code == 404
    assert list(settings(draft)["objectives"]) == ["clicks", "carts", "orders"]


def test_forms_that_are_not_read_are_named_with_what_to_do(draft: Installation) -> None:
    lists = io.BytesIO()
    pl.DataFrame({"user": [1, 2], "item": [[1], [2, 3]]}).write_parquet(lists)
    told = {lists.getvalue(): "column item has the type List(Int64), which is not read as item"}
    told |= {form.content: form.told for form in (*packed(), *asked()) if not form.options}
    for content, words in told.items():
        answer = draft.admin.post(INTERACTIONS, content=content)
        (error,) = answer.json()["errors"]
        assert (answer.status_code, words in error["detail"]) == (422, True), answer.text
        assert error["hint"]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("protocol=k-fold", "protocol is leave-one-out, leave-k-out, share or time."),
        ("pick=first", "pick is last or random."),
        ("duplicates=all", "duplicates is last, first, max, sum or refuse."),
        ("cold_items=no", "cold_items is keep or drop."),
        ("time_unit=h", "time_unit is auto, s, ms, us, ns or iso."),
        ("format=xls", "format is parquet or csv."),
        ("share=0", "share: more than 0 and less than 1, such as 0.2."),
        ("share=nan", "share: more than 0 and less than 1, such as 0.2."),
        ("share=1e-10", "share: at most 9 decimals."),
        ("threshold=inf", "threshold: a finite number."),
        ("protocol=time&days=inf", "days: more than 0."),
        ("days=7", "days and at go with the protocol time."),
        ("count=2", "leave-one-out hides one interaction; leave-k-out hides more."),
        ("share=0.3", "share goes with the protocol share or time, and not with leave-one-out."),
        ("protocol=share&count=2", "count goes with the protocol leave-k-out"),
        ("rounding=off", "rounding is down or up."),
        ("min_user=0", "min-user: 1 or more, and at most 2,147,483,647."),
        ("min_item=9999999999999999999999", "min-item: 1 or more, and at most 2,147,483,647."),
        ("objectives=view", "Objectives are TYPE=next or TYPE=all, each type once, and not view."),
        ("objectives=view=all", "Objectives are types of interactions: say which column has them."),
        ("separator=ab", "separator is one character, tab, or ::."),
        ("separator=%22", "separator is not a letter, digit, quote, dot or hyphen."),
        (f"user={'u' * 129}", "user names a column in at most 128 characters."),
    ],
)
def test_options_that_make_no_sense_are_refused_before_the_file_is_read(
    draft: Installation, query: str, told: str
) -> None:
    answer = draft.admin.post(f"{INTERACTIONS}?{query}", content=b"x")
    assert problem_of(answer, 422, "bad-preparation")["detail"].startswith(told)
    assert draft.admin.get(f"{ADMIN}/ground-truth").json()["items"] == []


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("time=-", "This needs times, and the file has none"),
        ("protocol=time&at=--5", "at: --5 is not a date"),
        ("protocol=time&at=99999999999999999999", "at: 99999999999999999999 is not a date"),
        ("protocol=time&at=2040-01-01", "The split by time leaves one side empty."),
        ("threshold=6", "No interaction is left"),
        ("min_train=9", "No user has enough interactions"),
    ],
)
def test_options_that_do_not_fit_the_file_are_refused(
    draft: Installation, query: str, told: str
) -> None:
    answer = draft.admin.post(f"{INTERACTIONS}?{query}", content=csv_of(ratings()))
    assert problem_of(answer, 422, "bad-preparation")["detail"].startswith(told)


@pytest.mark.parametrize("query", ["count=many", "relevance=perhaps", "threshold=good"])
def test_values_of_another_kind_are_invalid(draft: Installation, query: str) -> None:
    name = query.partition("=")[0]
    problem = problem_of(draft.admin.post(f"{INTERACTIONS}?{query}", content=b"x"), 422, "invalid")
    assert problem["errors"][0]["column"] == name


def test_only_organizers_may_upload_interactions(draft: Installation) -> None:
    for user in (draft.person("zoe"), draft.person("oscar", organizer=True)):
        problem_of(user.post(INTERACTIONS, content=b"x"), 404, "not-found")
    problem_of(draft.anonymous.post(INTERACTIONS, content=b"x"), 401, "not-authenticated")


def test_participants_see_figures_of_the_training_set_alone(draft: Installation) -> None:
    """With other hidden items, everything that participants see is the same."""
    problem_of(draft.admin.get(STATISTICS), 404, "not-found")
    rows = ratings()
    hidden = last_of_each(rows)
    # Other items, other ratings, later times and one user's two at once, all of them hidden.
    others: list[Row] = [
        (user, item, rating, time)
        if (user, item) not in hidden.values()
        else (user, 777_000 + int(user), 1, time + 50_000)
        for user, item, rating, time in rows
    ]
    seen = []
    for content in (rows, others):
        version = upload(draft, csv_of(content))
        seen.append(
            (draft.admin.get(STATISTICS).json(), files(draft), draft.admin.get(SAMPLE).text)
        )
        assert version["preparation"]["kept"]["interactions"] == len(rows)
    assert seen[0] == seen[1]
    assert seen[0][0]["interactions"] == len(rows) - len(hidden)
    assert seen[0][0]["per_user"]["histogram"] == [{"from": 4, "to": 7, "count": 40}]
    assert not any(b"777" in content for content in files(draft).values())


def test_nothing_that_participants_can_fetch_holds_a_hidden_item(draft: Installation) -> None:
    rows: list[Row] = [
        (user, 1_999_000 + int(user) if time > 1_600_006_999 else item, rating, time)
        for user, item, rating, time in ratings()
    ]
    upload(draft, csv_of(rows))
    assert draft.admin.post(f"{ADMIN}/launch").status_code == 200
    everybody = draft.person("zoe")
    pages = ("", "/data", "/data/statistics", "/leaderboard", "/rules")
    asked = [everybody.get(path) for path in (STATISTICS, SAMPLE, FILES, "/competitions/films")]
    asked += [everybody.get(f"{FILES}/{name}") for name in MADE]
    asked += [draft.client.get(f"/competitions/films{end}") for end in pages]
    for answer in asked:
        assert answer.status_code == 200, answer.url
        assert b"1999" not in answer.content, answer.url
    assert max(train(draft)["item"].to_list()) < 130
    for end in ("ground-truth", "ground-truth/1", "items"):
        problem_of(everybody.get(f"{ADMIN}/{end}"), 404, "not-found")


def test_the_description_of_the_files_is_enough_for_baselines(draft: Installation) -> None:
    upload(draft, csv_of(ratings()), "protocol=leave-k-out&count=2")
    told = json.loads(files(draft)["dataset.json"])
    assert (told["labels"], told["published"]) == ("", "sample_submission.csv")
    assert (told["train"], told["protocol"]) == ("train.parquet", "leave-k-out")
