"""Local scores beside a competition's: those against the ground truth that pairs with it."""

from __future__ import annotations

import hashlib
import json
from itertools import chain
from typing import Any

import pytest

from tests.builders.processes.commands import Person

HISTORY = ".local/share/podium/runs.jsonl"

CV, FOLD = b"the labels of cv", b"the labels of another fold"


def scored(
    file: str,
    truth: bytes,
    *,
    name: str = "labels.jsonl",
    metric: str = "ndcg@10",
    note: str = "",
    further: dict[str, float] | None = None,
) -> dict[str, Any]:
    """A file that was scored here; its content is its name."""
    given = {"measure": " ".join([metric, *(further or ())]), "metric": metric}
    figures = {**given, "note": note, "score": 0.5, "further": further or {}}
    against = {"truth": name, "truth_sha256": hashlib.sha256(truth).hexdigest(), **figures}
    return {"kind": "score", "file": file, "sha256": _hash(file), **against}


HERE, THERE = "http://podium.test", "http://other.test"


def sent(
    file: str,
    slug: str = "shop",
    *,
    note: str = "",
    url: str = HERE,
    metric: str | None = None,
    status: str = "scored",
) -> dict[str, Any]:
    """A file that was submitted and judged."""
    known = {"id": f"{url}-{slug}-{file}", "url": url, "competition": slug, "metric": metric}
    score = 0.4 if status == "scored" else None
    scores = {"status": status, "public_score": score, "private_score": None, "note": note}
    return {"kind": "submission", "file": file, "sha256": _hash(file), **known, **scores}


def remember(person: Person, *entries: dict[str, Any]) -> None:
    """Writes a history, an entry a minute."""
    path = person.home / HISTORY
    path.parent.mkdir(parents=True)
    lines = [
        json.dumps({"at": f"2026-11-20T12:{minute:02}:00Z", **entry})
        for minute, entry in enumerate(entries)
    ]
    path.write_text("\n".join(lines) + "\n")


def shown(person: Person, *arguments: str) -> list[tuple[str, float | None]]:
    """The files of the rows with their local scores."""
    document = person.types("runs", *arguments, "--json").document
    return [(row["file"], row["local"]) for row in document["runs"]]


def _hash(file: str) -> str:
    return hashlib.sha256(file.encode()).hexdigest()


def test_the_rows_are_those_of_the_server_one_is_signed_in_to(person: Person) -> None:
    remember(person, sent("a.csv"), sent("b.csv"), sent("x.csv", url=THERE))
    ran = person.types("runs", "shop", "--csv", PODIUM_URL=HERE)
    assert [line.split(",")[1] for line in ran.out.splitlines()[1:]] == ["a.csv", "b.csv"]
    told = person.types("runs", "shop", PODIUM_URL=HERE).err
    assert f"Of shop not shown: 1 submission at {THERE}. `PODIUM_URL={THERE} podium runs" in told
    other = person.types("runs", "shop", PODIUM_URL=THERE)
    assert "x.csv" in other.out
    assert "a.csv" not in other.out
    assert f"2 submissions at {HERE}." in other.err
    none = person.types("runs", "shop", PODIUM_URL="http://third.test")
    assert (none.code, "no submission to shop at http://third.test." in none.err) == (2, True)


def test_signed_out_the_rows_are_those_of_the_last_server_and_others_are_named(
    person: Person,
) -> None:
    remember(person, sent("a.csv"), sent("x.csv", url=THERE))
    ran = person.types("runs", "shop")
    assert ("x.csv" in ran.out, "a.csv" in ran.out) == (True, False)
    assert f"1 submission at {HERE}." in ran.err


@pytest.mark.parametrize(
    ("metric", "end"),
    [
        ("ndcg@10", "3 pairs, Pearson –, Spearman –"),
        ("map@12", "3 pairs, not correlated: the metrics differ (ndcg@10 here, map@12 there)"),
    ],
)
def test_scores_by_different_metrics_are_not_correlated(
    person: Person, metric: str, end: str
) -> None:
    files = ("a.csv", "b.csv", "c.csv")
    pairs = [(scored(file, CV), sent(file, metric=metric)) for file in files]
    remember(person, *chain.from_iterable(pairs))
    assert person.types("runs", "shop").out.splitlines()[-1].endswith(end)


def test_further_metrics_hide_no_run_and_have_columns_of_their_own(person: Person) -> None:
    both = scored("c.csv", CV, further={"recall@5": 0.25})
    by_recall = {**scored("d.csv", CV, metric="recall@5"), "score": 0.75}
    remember(person, scored("a.csv", CV), scored("b.csv", CV, name="copy.jsonl"), by_recall, both)
    title, *rows = [line.split() for line in person.types("runs").out.splitlines()]
    assert title[4:8] == ["local", "ndcg@10", "local", "recall@5"]
    assert [(row[1], *row[3:5]) for row in rows] == [
        ("a.csv", "0.500000", "–"),
        ("b.csv", "0.500000", "–"),
        ("d.csv", "–", "0.750000"),
        ("c.csv", "0.500000", "0.250000"),
    ]
    document = person.types("runs", "--json").document
    figures = [row["metrics"] for row in document["runs"]]
    assert figures[2:] == [{"recall@5": 0.75}, {"ndcg@10": 0.5, "recall@5": 0.25}]
    assert (document["metric"], document["metrics"]) == ("ndcg@10", ["recall@5"])


def by_preset(
    file: str, preset: str, *objectives: tuple[str, str], score: float = 0.5, metric: str = "hr@5"
) -> dict[str, Any]:
    """A file that was scored here by a preset with these names and weights of objectives; none is
    an old line, which did not hold them."""
    read = [{"name": name, "weight": weight, "metric": metric} for name, weight in objectives]
    known = {**scored(file, CV, metric=metric), "measure": preset, "score": score}
    return {**known, "objectives": read} if read else known


def titles(person: Person, *arguments: str) -> list[str]:
    """The titles of the columns of local scores."""
    head = person.types("runs", "shop", "--csv", *arguments).out.splitlines()[0].split(",")
    return [title for title in head if title.startswith("local")]


def test_one_scoring_is_one_column_whatever_it_was_called(person: Person) -> None:
    files = ("a.csv", "b.csv", "c.csv", "d.csv")
    remember(
        person,
        scored("a.csv", CV, metric="hr@5"),
        by_preset("b.csv", "m.yaml", ("", "1"), score=0.6),
        by_preset("c.csv", "shop.json", ("items", "1.0"), score=0.7),
        # Its preset had no objectives in the history then; the same one has them since.
        by_preset("d.csv", "shop.json", score=0.8),
        *({**sent(file), "public_score": 0.1 * place} for place, file in enumerate(files)),
    )
    assert titles(person) == ["local hr@5"]
    assert person.types("runs", "shop").out.splitlines()[0].split()[4:6] == ["local", "hr@5"]
    assert [local for _, local in shown(person, "shop")] == [0.5, 0.6, 0.7, 0.8]
    ran = person.types("runs", "shop", "--plot", "plot.svg")
    assert "4 pairs, Pearson 1.000" in ran.out
    assert (person.home / "plot.svg").read_text().count("<circle") == 4


def test_other_scorings_have_columns_of_other_titles(person: Person) -> None:
    remember(
        person,
        by_preset("a.csv", "m.yaml", ("clicks", "1"), ("orders", "2")),
        by_preset("b.csv", "m.yaml", ("orders", "2.0"), ("clicks", "1")),
        by_preset("c.csv", "m.yaml", ("clicks", "1"), ("orders", "3")),
        by_preset("d.csv", "old.yaml"),
        scored("e.csv", CV, metric="hr@5"),
        sent("a.csv"),
        sent("b.csv"),
    )
    assert sorted(titles(person)) == [
        "local hr@5",
        "local hr@5 (clicks 1 hr@5 + orders 2 hr@5)",
        "local hr@5 (clicks 1 hr@5 + orders 3 hr@5)",
        "local hr@5 (old.yaml)",
    ]
    assert person.types("runs", "shop", "--json").document["correlation"]["pairs"] == 2


def test_what_a_named_truth_hides_is_counted_in_every_form(person: Person) -> None:
    remember(person, scored("a.csv", CV), scored("b.csv", FOLD))
    for form in ((), ("--csv",), ("--json",)):
        ran = person.types("runs", "--truth", "labels.jsonl", *form)
        assert "a.csv" not in ran.out
        assert "Not shown: 1 local score against labels.jsonl (" in ran.err


def test_files_of_one_message_have_a_row_each_while_none_is_submitted(person: Person) -> None:
    remember(person, scored("a.csv", CV, note="v1"), scored("b.csv", CV, note="v1"))
    assert shown(person) == [("a.csv", 0.5), ("b.csv", 0.5)]


@pytest.mark.parametrize("status", ["rejected", "cancelled"])
def test_a_file_that_was_not_taken_is_no_pair(person: Person, status: str) -> None:
    wrong = sent("a.csv", "otto", status=status)
    remember(person, scored("a.csv", CV), wrong, sent("a.csv"), sent("x.csv", "otto"))
    assert shown(person, "otto") == [("a.csv", None), ("x.csv", None)]
    assert "Not shown: 1 local score against" in person.types("runs", "otto").err
    assert shown(person, "shop") == [("a.csv", 0.5)]


def test_the_metric_of_the_competition_counts_before_others(person: Person) -> None:
    own = scored("a.csv", CV, metric="map@12", further={"ndcg@10": 0.125})
    others = [scored(file, FOLD, metric="map@12") for file in ("a.csv", "b.csv")]
    remember(person, own, *others, *(sent(file, metric="ndcg@10") for file in ("a.csv", "b.csv")))
    document = person.types("runs", "shop", "--json").document
    assert document["truth_sha256"] == own["truth_sha256"]
    assert [row["local"] for row in document["runs"]] == [0.125, None]
    assert document["metrics_differ"] is False


def test_scores_of_one_column_have_equally_many_decimals(person: Person) -> None:
    for_a, for_b = sent("a.csv"), sent("b.csv")
    remember(person, {**for_a, "public_score": 0.0089}, {**for_b, "public_score": 0.01482})
    table = [line.split()[4] for line in person.types("runs").out.splitlines()[1:]]
    as_csv = [line.split(",")[5] for line in person.types("runs", "-v").out.splitlines()[1:]]
    assert as_csv == ["0.00890", "0.01482"]
    assert table == ["0.00890", "0.01482"]


FOREIGN = scored("run.txt", b"qrels", name="qrels.txt", metric="map@1000")


def test_a_file_of_another_task_hides_no_local_score_and_is_no_row(person: Person) -> None:
    remember(person, scored("a.csv", CV), scored("draft.csv", CV), sent("a.csv"), FOREIGN)
    assert shown(person, "shop") == [("draft.csv", 0.5), ("a.csv", 0.5)]
    ran = person.types("runs", "shop")
    assert "local ndcg@10" in ran.out.splitlines()[0]
    assert "Not shown: 1 local score against qrels.txt." in ran.err


def test_messages_pair_as_files_do(person: Person) -> None:
    remember(person, scored("cv.csv", CV, note="v1"), sent("all.csv", note="v1"), FOREIGN)
    assert shown(person, "shop") == [("all.csv", 0.5)]


def test_the_truth_with_the_most_pairs_counts_and_of_equals_the_latest(person: Person) -> None:
    remember(
        person,
        *(scored("a.csv", CV), scored("b.csv", CV), sent("a.csv"), sent("b.csv")),
        scored("a.csv", FOLD, name="fold.jsonl"),
    )
    assert person.types("runs", "--json").document["truth"] == "labels.jsonl"
    with (person.home / HISTORY).open("a") as history:
        history.write(json.dumps({"at": "2026-11-21", **scored("b.csv", FOLD, name="fold.jsonl")}))
    assert person.types("runs", "--json").document["truth"] == "fold.jsonl"


def test_what_pairs_with_another_competition_is_not_shown_beside_this_one(person: Person) -> None:
    remember(person, scored("a.csv", CV), sent("a.csv"), sent("x.csv", "books"))
    assert shown(person, "books") == [("x.csv", None)]
    assert shown(person, "shop") == [("a.csv", 0.5)]


def test_scores_are_shown_without_any_submission_and_before_the_first_pair(
    person: Person,
) -> None:
    remember(person, scored("a.csv", CV), sent("x.csv"))
    assert shown(person) == [("a.csv", 0.5), ("x.csv", None)]
    (person.home / HISTORY).write_text(json.dumps({"at": "2026", **scored("a.csv", CV)}))
    assert shown(person) == [("a.csv", 0.5)]


def test_a_truth_is_named_by_its_path_its_name_or_its_hash(person: Person) -> None:
    remember(person, scored("a.csv", CV), sent("a.csv"), scored("b.csv", FOLD))
    for folder, content in (("cv", CV), ("fold", FOLD)):
        (person.home / folder).mkdir()
        (person.home / folder / "labels.jsonl").write_bytes(content)
    fold = hashlib.sha256(FOLD).hexdigest()[:8]
    for named in ("fold/labels.jsonl", fold):
        assert shown(person, "--truth", named) == [("a.csv", None), ("b.csv", 0.5)]
        told = person.types("runs", "--truth", named, "--json").document["truth"]
        assert told == f"labels.jsonl ({fold})"
    for named in ("cv/labels.jsonl", "labels.jsonl"):
        assert shown(person, "--truth", named) == [("a.csv", 0.5)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--truth", "nofile"), "Your history has labels.jsonl."),
        (("--truth", "lables.jsonl"), "Did you mean labels.jsonl?"),
        (("shpo",), "no submission to shpo. Did you mean shop?"),
        (("books",), "`podium runs books --refresh` asks the server."),
    ],
)
def test_what_the_history_does_not_hold_is_an_error(
    person: Person, arguments: tuple[str, ...], told: str
) -> None:
    remember(person, scored("a.csv", CV), sent("a.csv"))
    ran = person.types("runs", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
