"""Scores against oracles that share no code with ours: the organizer's figures, a library, and a
slow reference in plain Python."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix

from podium.scoring.engine import judge
from podium.scoring.published import PublishedIds
from podium.scoring.task import OTTO, Objective, Task
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.scoring.competitions import WHOLE, score, submission, truth_of
from tests.builders.scoring.reference import Recommender
from tests.places import ROOT

SAMPLE = ROOT.parent / "shared" / "fixtures" / "otto-sample"
SINGLE = dataclasses.replace(OTTO, objectives=(Objective("", Decimal(1)),), id_column="session")


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the sample of real OTTO sessions is not here")
@pytest.mark.parametrize("name", ["last20_unique", "last20_with_duplicates"])
def test_real_sessions_score_what_the_organizers_script_prints(tmp_path: Path, name: str) -> None:
    task = dataclasses.replace(OTTO, missing_rows="zero")
    truth, published = read_ground_truth(
        SAMPLE / "cut42.test_labels.jsonl", task=task, published=None, split=WHOLE
    )
    file = SAMPLE / f"cut42.{name}.csv"
    scored = judge(file, task=task, published=published, truth=truth, scratch=tmp_path)
    expected = json.loads((SAMPLE / "cut42.expected.official_evaluate.json").read_text())[name]
    split = scored.splits["all"]
    assert split.denominators == expected["denominators"]
    found = {objective: float(split.values[objective]) for objective in task.names}
    assert found | {"total": float(split.score(task))} == pytest.approx(expected["scores"])


@pytest.mark.parametrize("k", [1, 5, 20])
def test_micro_capped_recall_is_what_implicit_calls_precision(tmp_path: Path, k: int) -> None:
    rng = np.random.default_rng(k)
    users, items = 300, 60
    relevant = rng.random((users, items)) < rng.choice([0.02, 0.1, 0.5], (users, 1))
    lists = np.array([rng.permutation(items)[:20] for _ in range(users)], dtype=np.int32)
    test = csr_matrix(relevant.astype(np.float32))
    theirs = ranking_metrics_at_k(
        Recommender(lists), csr_matrix((users, items)), test, K=k, show_progress=False
    )
    task = SINGLE.scored_by(f"recall_capped@{k}:micro")
    labels = {user: {"": np.flatnonzero(relevant[user]).tolist()} for user in range(users)}
    rows = [f"{user},{' '.join(map(str, lists[user]))}" for user in range(users)]
    truth = truth_of(tmp_path, labels, task=task)
    ours = score(tmp_path, "\n".join(["session,labels", *rows]), truth, task)
    assert float(ours.splits["all"].values[""]) == pytest.approx(theirs["precision"], abs=1e-12)


@dataclass(frozen=True)
class Tiny:
    """A competition of a few sessions: labels and predictions by (session, objective)."""

    labels: dict[tuple[int, str], list[int]]
    predictions: dict[tuple[int, str], list[int]]

    def recalls(self, k: int) -> dict[str, tuple[int, int]]:
        """Hits and denominator by objective, straight from the definition."""
        sums = dict.fromkeys(OTTO.names, (0, 0))
        for (session, name), relevant in self.labels.items():
            predicted = self.predictions.get((session, name), [])[:k]
            hits, denominator = sums[name]
            hits += len(set(predicted) & set(relevant))
            sums[name] = (hits, denominator + min(k, len(relevant)))
        return sums


def tiny_competitions(rng: random.Random, count: int) -> Iterator[Tiny]:
    """Competitions with sessions numbered through, small items, duplicates and gaps."""
    session = 0
    for _ in range(count):
        tiny = Tiny({}, {})
        for _ in range(rng.randint(1, 3)):
            session += rng.choice((1, 1, 1, 5))
            for name in OTTO.names:
                if rng.random() < 0.7:
                    size = rng.choice((1, 1, 2, 5, 25))
                    tiny.labels[session, name] = rng.sample(range(40), size)
                if rng.random() < 0.9:
                    length = rng.choice((0, 1, 3, 21, 30))
                    low, high = rng.choice(((0, 5), (0, 40), (1, 140)))
                    predicted = [rng.randint(low, high) for _ in range(length)]
                    tiny.predictions[session, name] = predicted
        yield tiny


COMPETITIONS = 1000


@pytest.mark.parametrize("seed", range(6))
def test_a_slow_reference_finds_the_same_hits_in_many_tiny_competitions(
    tmp_path: Path, seed: int
) -> None:
    """They are judged together, and compared one by one through the hits of their queries."""
    rng = random.Random(seed)
    k = rng.choice((1, 2, 3, 20))
    task = dataclasses.replace(OTTO, missing_rows="zero").scored_by(f"recall_capped@{k}:micro")
    tinies = list(tiny_competitions(rng, COMPETITIONS))
    truth, published, rows = together(tmp_path, tinies, task, rng)
    hits_to = tmp_path / "hits.parquet"
    path = tmp_path / "submission.csv"
    path.write_text(submission(rows))
    scored = judge(
        path, task=task, published=published, truth=truth, scratch=tmp_path, hits_to=hits_to
    )
    found = hits_by_id(hits_to, published)
    totals = {name: [0, 0] for name in OTTO.names}
    for tiny in tinies:
        for name, (hits, denominator) in tiny.recalls(k).items():
            sessions = {session for session, _ in tiny.labels}
            assert sum(found.get(f"{s}_{name}", 0) for s in sessions) == hits
            totals[name][0] += hits
            totals[name][1] += denominator
    split = scored.splits["all"]
    assert {n: [split.hits[n], split.denominators[n]] for n in OTTO.names} == totals


def together(
    folder: Path, tinies: list[Tiny], task: Task, rng: random.Random
) -> tuple[GroundTruth, PublishedIds, dict[str, list[int]]]:
    """One ground truth and one submission, rows shuffled, of all the competitions."""
    sessions: dict[int, dict[str, list[int]]] = {}
    rows: dict[str, list[int]] = {}
    for tiny in tinies:
        for session, _ in [*tiny.labels, *tiny.predictions]:
            sessions.setdefault(session, {})
        for (session, name), items in tiny.labels.items():
            sessions[session][name] = items
        for (session, name), items in tiny.predictions.items():
            rows[f"{session}_{name}"] = items
    ids = list(rows)
    rng.shuffle(ids)
    truth, published = truth_of(folder, sessions, task=task)
    return truth, published, {row_id: rows[row_id] for row_id in ids}


def hits_by_id(path: Path, published: PublishedIds) -> dict[str, int]:
    counts = pl.read_parquet(path)["query"].value_counts()
    return {published.id_of(query): count for query, count in counts.iter_rows()}


ONE_VERDICT = """
import json, sys
from pathlib import Path
from podium.scoring.task import OTTO
from tests.builders.scoring.competitions import HALVES, score, truth_of
folder = Path(sys.argv[1])
labels = {s: {"clicks": s % 7, "carts": [s % 5, 50], "orders": [s % 3, s + 3]} for s in range(900)}
rows = [f"{s}_{n},{s % 7} {s % 4} {s + 3} {s % 3}" for s in range(900) for n in OTTO.names]
truth = truth_of(folder, labels, split=HALVES)
scored = score(folder, "\\n".join(["session_type,labels", *rows]), truth)
print(json.dumps([scored.to_dict(), truth[0].write(folder / "truth.parquet")]))
"""


def test_the_number_of_threads_never_changes_a_bit(tmp_path: Path) -> None:
    def verdict(threads: int) -> bytes:
        folder = tmp_path / str(threads)
        folder.mkdir()
        return subprocess.run(
            [sys.executable, "-c", ONE_VERDICT, str(folder)],
            env={**os.environ, "POLARS_MAX_THREADS": str(threads)},
            cwd=ROOT,
            check=True,
            capture_output=True,
        ).stdout

    first = verdict(1)
    assert json.loads(first)[0]["counts"]["rows"] == 2700
    assert verdict(2) == first
    assert verdict(16) == first
