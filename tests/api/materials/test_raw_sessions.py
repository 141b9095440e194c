"""Raw sessions in, a competition out: hidden labels, published ids, participants' files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from podium.otto.synthetic import synthesize_raw
from podium.preparation.sessions import keyed_cuts, prepare, seeded_key
from tests.builders.installation import Installation, problem_of
from tests.builders.rows import keys_by_chance

ADMIN = "/admin/competitions/otto"
RAW = f"{ADMIN}/raw-sessions"
FILES = "/competitions/otto/files"
DAY = 86_400_000


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("raw")
    return synthesize_raw(folder, sessions=400, train=800, items=3_000).read_bytes()


@pytest.fixture
def draft(installation: Installation) -> Installation:
    installation.draft(split={"public_fraction": 0.5})
    return installation


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_raw_sessions_become_a_competition_that_opens(
    draft: Installation, raw: bytes, tmp_path: Path
) -> None:
    answer = draft.admin.post(f"{RAW}?days=7", content=raw)
    assert answer.status_code == 201, answer.text
    version = answer.json()
    assert answer.headers["location"] == f"/api/v1{ADMIN}/ground-truth/1"
    assert (version["status"], version["active"]) == ("stored", True)

    # The same preparation elsewhere differs in the cuts alone.
    (tmp_path / "raw.jsonl").write_bytes(raw)
    cuts = keyed_cuts(seeded_key(1))
    here = prepare([tmp_path / "raw.jsonl"], tmp_path / "out", cuts=cuts, days=7)
    counts = here.counts.to_dict()
    assert version["counts"]["sessions"] == len(here.sessions) > 300
    told = version["preparation"]
    assert told["test"]["sessions"] == len(here.sessions)
    assert told["train"] == json.loads(json.dumps(counts["train"]))

    names = [file["name"] for file in draft.admin.get(FILES).json()["items"]]
    assert names == ["test_sessions.jsonl", "train_sessions.jsonl"]
    assert here.train is not None
    train = draft.admin.get(f"{FILES}/train_sessions.jsonl")
    assert train.content == here.train.read_bytes()
    seen = rows(draft.admin.get(f"{FILES}/test_sessions.jsonl").text)
    assert [line["session"] for line in seen] == here.sessions.to_list()
    sample = draft.admin.get("/competitions/otto/sample-submission").text
    assert sample.splitlines()[1] == f"{here.sessions[0]}_clicks,"
    assert len(sample.splitlines()) == 1 + 3 * len(here.sessions)

    assert draft.admin.post(f"{ADMIN}/launch").status_code == 200
    late = draft.admin.post(f"{RAW}?days=7", content=raw)
    problem_of(late, 409, "fixed-at-launch")


def test_sessions_are_cut_by_a_secret_of_the_competition(
    draft: Installation, raw: bytes, tmp_path: Path
) -> None:
    draft.admin.post(RAW, content=raw)
    shown = {
        line["session"]: len(line["events"])
        for line in rows(draft.admin.get(f"{FILES}/test_sessions.jsonl").text)
    }
    made = {"slug": "other", "title": "T", "preset": "otto"}
    with keys_by_chance():
        draft.admin.post("/admin/competitions", json=made)
    draft.admin.post("/admin/competitions/other/raw-sessions", content=raw)
    text = draft.admin.get("/competitions/other/files/test_sessions.jsonl").text
    other = {line["session"]: len(line["events"]) for line in rows(text)}
    assert shown.keys() == other.keys()
    assert shown != other


def test_the_same_upload_is_the_same_version_unless_it_is_split_otherwise(
    draft: Installation, raw: bytes
) -> None:
    first = draft.admin.post(f"{RAW}?days=7", content=raw).json()
    again = draft.admin.post(f"{RAW}?days=7", content=raw)
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    other = draft.admin.post(f"{RAW}?days=3", content=raw)
    assert other.status_code == 201, other.text
    assert (other.json()["version"], other.json()["active"]) == (2, True)
    assert other.json()["counts"]["sessions"] < first["counts"]["sessions"]
    sample = draft.admin.get("/competitions/otto/sample-submission").text
    assert len(sample.splitlines()) == 1 + 3 * other.json()["counts"]["sessions"]
    states = {
        row["id"]: row["status"] for row in draft.admin.get(f"{ADMIN}/ground-truth").json()["items"]
    }
    assert states == {first["id"]: "outdated", other.json()["id"]: "stored"}


def test_prepared_ids_take_the_place_of_a_given_list(draft: Installation, raw: bytes) -> None:
    draft.admin.put(f"{ADMIN}/published-ids", content=b"session\n1\n2\n")
    version = draft.admin.post(RAW, content=raw).json()
    sample = draft.admin.get("/competitions/otto/sample-submission").text
    assert len(sample.splitlines()) == 1 + 3 * version["counts"]["sessions"]


def test_whole_sessions_as_ground_truth_are_cut_without_a_split_by_time(
    draft: Installation,
) -> None:
    raw = b"".join(
        b'{"session": %d, "events": [%s]}\n'
        % (
            session,
            b", ".join(
                b'{"aid": %d, "ts": %d, "type": "%s"}' % (aid, aid, kind)
                for aid, kind in enumerate([b"clicks"] + [b"clicks", b"carts", b"orders"] * 3)
            ),
        )
        for session in range(60)
    )
    answer = draft.admin.post(f"{ADMIN}/ground-truth", content=raw)
    assert answer.status_code == 201, answer.text
    assert answer.json()["counts"]["sessions"] == 60
    names = [file["name"] for file in draft.admin.get(FILES).json()["items"]]
    assert names == ["test_sessions.jsonl"]
    seen = rows(draft.admin.get(f"{FILES}/test_sessions.jsonl").text)
    lengths = {len(line["events"]) for line in seen}
    assert lengths <= set(range(1, 10))
    assert len(lengths) > 3
    hidden = sum(kind["labels"] for kind in answer.json()["preparation"]["labels"].values())
    assert answer.json()["counts"]["labels"] == hidden


def test_other_forms_of_ground_truth_are_refused_as_ever(draft: Installation) -> None:
    cut_off = gzip.compress(b'{"session": 1, "labels": {}}\n' * 1000)[:-9]
    problem = problem_of(
        draft.admin.post(f"{ADMIN}/ground-truth", content=cut_off), 422, "archive-truncated"
    )
    assert problem["errors"][0]["line"] is None


def test_after_the_launch_whole_sessions_are_no_ground_truth(installation: Installation) -> None:
    installation.launched()
    answer = installation.admin.post(
        f"{ADMIN}/ground-truth",
        content=b'{"session": 1, "events": [{"aid": 1, "ts": 1, "type": "clicks"}]}\n',
    )
    problem = problem_of(answer, 422, "bad-json")
    assert "full sessions hold no labels" in problem["errors"][0]["detail"]
    assert installation.admin.get(FILES).json()["items"] == []


def test_a_clickstream_becomes_a_competition(installation: Installation) -> None:
    split = {"public_fraction": 0.5}
    draft = {"slug": "otto", "title": "T", "preset": "otto-clicks", "split": split}
    installation.admin.post("/admin/competitions", json=draft)
    lines = ["who,what,when"]
    for user in range(80):
        start = 0 if user < 20 else 9 * DAY // 1000
        lines += [f"{user},{item},{start + item}" for item in range(5)]
    answer = installation.admin.post(
        f"{RAW}?days=7&columns=who,what,when&time_unit=s", content="\n".join(lines).encode()
    )
    assert answer.status_code == 201, answer.text
    assert answer.json()["counts"] == {"sessions": 60, "queries": 60, "labels": 60}
    seen = rows(installation.admin.get(f"{FILES}/test_sessions.jsonl").text)
    assert [line["session"] for line in seen] == list(range(20, 80))
    sample = installation.admin.get("/competitions/otto/sample-submission").text
    assert sample.splitlines()[:2] == ["session,labels", "20,"]


def test_a_clickstream_of_names_and_dates_becomes_one_too(installation: Installation) -> None:
    split = {"public_fraction": 0.5}
    draft = {"slug": "otto", "title": "T", "preset": "otto-clicks", "split": split}
    installation.admin.post("/admin/competitions", json=draft)
    lines = ["who,what,when"]
    for user in range(80):
        day = "2026-01-01" if user < 20 else "2026-02-01"
        lines += [f"user {user:02},item {item},{day}T00:00:0{item}Z" for item in range(5)]
    answer = installation.admin.post(
        f"{RAW}?columns=who,what,when&time_unit=iso&ids=text", content="\n".join(lines).encode()
    )
    assert answer.status_code == 201, answer.text
    assert answer.json()["counts"] == {"sessions": 60, "queries": 60, "labels": 60}
    names = [file["name"] for file in installation.admin.get(FILES).json()["items"]]
    assert sorted(names) == ["item_names.csv", "test_sessions.jsonl", "train_sessions.jsonl"]
    told = installation.admin.get(f"{FILES}/item_names.csv").text
    assert told.splitlines() == ["aid,item", *(f"{n},item {n}" for n in range(5))]


def test_what_is_wrong_in_raw_sessions_is_named_by_line(draft: Installation) -> None:
    good = b'{"session": 1, "events": [{"aid": 1, "ts": 1, "type": "clicks"}]}\n'
    answer = draft.admin.post(RAW, content=good + b'{"session": 2}\n')
    problem = problem_of(answer, 422, "bad-json")
    assert problem["errors"][0]["line"] == 2
    assert draft.admin.get(FILES).json()["items"] == []
    assert draft.admin.get("/competitions/otto/sample-submission").status_code == 404


@pytest.mark.parametrize(
    "query", ["days=0", "days=-1", "days=nan", "days=1e9", "columns=a,b", "columns=a,b,b",
              "columns=a,b,c&time_unit=h", "columns=a,b,c&ids=word"]
)  # fmt: skip
def test_a_preparation_that_makes_no_sense_is_refused(draft: Installation, query: str) -> None:
    answer = draft.admin.post(f"{RAW}?{query}", content=b"x")
    problem_of(answer, 422, "bad-preparation")


def test_only_organizers_may_upload_raw_sessions(draft: Installation, raw: bytes) -> None:
    for user in (draft.person("zoe"), draft.person("oscar", organizer=True)):
        problem_of(user.post(RAW, content=raw), 404, "not-found")
    problem_of(draft.anonymous.post(RAW, content=raw), 401, "not-authenticated")
