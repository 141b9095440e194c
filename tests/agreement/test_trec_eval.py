"""Runs and qrels of TREC, judged, against trec_eval."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
import pytrec_eval

from podium.scoring.engine import judge, validate
from tests.builders.scoring.spelled.trec_files import TASK, truth_of
from tests.builders.zstd import zstd


def zipped(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.txt", data)
    return buffer.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress, zipped])
def test_a_run_is_judged_in_any_container(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    truth, published = truth_of(tmp_path, "a 0 d1 1\nb 0 d9 1\n")
    path = tmp_path / "run"
    path.write_bytes(pack(b"a Q0 d2 1 3 me\nb Q0 d9 1 2 me\na Q0 d1 2 3 me\n"))
    scored = judge(path, task=TASK, published=published, truth=truth, scratch=tmp_path)
    assert scored.splits["all"].diagnostics["mrr@1000"][""] == Decimal("0.75")
    counts = validate(path, task=TASK, published=published, scratch=tmp_path)
    assert counts == {"rows": 2, "missing": 0, "empty": 0}


NAMES = {
    "ndcg@5": "ndcg_cut_5",
    "map@1000": "map_cut_1000",
    "recall@3": "recall_3",
    "precision@3": "P_3",
    "mrr@1000": "recip_rank",
}
SCORES = ("1", "1.0", "1e0", "0", "-2.5", "16777216", "16777217", "0.1", "0.10000000149", "3.25")
DOCNOS = [f"{prefix}{n}" for prefix in ("d", "D-", "0") for n in range(8)]


@pytest.mark.parametrize("seed", range(40))
def test_runs_full_of_ties_score_what_trec_eval_gives(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    topics = [f"t{number}" for number in range(30)]
    judged: dict[str, dict[str, int]] = {
        topic: {d: rng.choice((0, 0, 1, 2, 3)) for d in rng.sample(DOCNOS, rng.randint(1, 9))}
        for topic in topics
    }
    for found in judged.values():
        found[rng.choice(DOCNOS)] = 1
    run = {
        topic: {d: rng.choice(SCORES) for d in rng.sample(DOCNOS, rng.randint(1, 24))}
        for topic in topics
    }
    rows = [
        f"{t} Q0 {d} {rng.randint(0, 99)} {s} me" for t, of in run.items() for d, s in of.items()
    ]
    rng.shuffle(rows)
    qrels = [f"{t} 0 {d} {rel}" for t, of in judged.items() for d, rel in of.items()]
    truth, published = truth_of(tmp_path, "\n".join(qrels) + "\n")
    path = tmp_path / "run.txt"
    path.write_text("\n".join(rows) + "\n")
    split = judge(path, task=TASK, published=published, truth=truth, scratch=tmp_path).splits["all"]
    numbers = {t: {d: float(s) for d, s in of.items()} for t, of in run.items()}
    theirs = pytrec_eval.RelevanceEvaluator(judged, set(NAMES.values())).evaluate(numbers)
    ours = {m: float(of[""]) for m, of in split.diagnostics.items()}
    ours["ndcg@5"] = float(split.values[""])
    for metric, name in NAMES.items():
        expected = sum(of[name] for of in theirs.values()) / len(topics)
        assert ours[metric] == pytest.approx(expected, abs=1e-12), metric
