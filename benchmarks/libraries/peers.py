"""Other libraries' NDCG@20 on one data set, run by an interpreter that has them: JSON to stdout.

    python library_peers.py DATA.npz LISTS.csv ROUNDS

Every library gets the input that it is fastest with, made beforehand and not timed, and one round
to warm up. Stands alone: the environments of these libraries clash with ours.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

K = 20


def main() -> None:
    """Times all libraries, and prints seconds, values and versions."""
    path, text, rounds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    data = np.load(path)
    labels = data["user"], data["item"]
    found = {}
    for name, prepare in LIBRARIES.items():
        evaluate = prepare(data["lists"], *labels)
        found[name] = timed(evaluate, rounds) | {"version": version(name)}
    with_reading = timed(lambda: with_implicit(lists_of(text), *labels)(), rounds)
    found["implicit, from the same CSV"] = with_reading | {"version": version("implicit")}
    print(json.dumps(found))


def lists_of(text: Path) -> np.ndarray:
    """The lists of a CSV, read as the numbers it is known to hold, without any check."""
    _, _, rows = text.read_bytes().partition(b"\n")
    numbers = np.fromstring(rows.replace(b",", b" "), dtype=np.int32, sep=" ")
    return numbers.reshape(-1, K + 1)[:, 1:]


def timed(evaluate: Callable[[], float], rounds: int) -> dict[str, object]:
    """The value, and the seconds of each call after the first."""
    value, seconds = float(evaluate()), []
    for _ in range(rounds):
        start = time.perf_counter()
        evaluate()
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds, "value": value}


def dictionaries(
    lists: np.ndarray, user: np.ndarray, item: np.ndarray
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Qrels and run as dictionaries of text, which the tools of information retrieval take."""
    names = [str(number) for number in range(int(max(lists.max(), item.max())) + 1)]
    scores = [float(K - rank) for rank in range(K)]
    qrels: dict[str, dict[str, int]] = {str(one): {} for one in range(len(lists))}
    for one, label in zip(user.tolist(), item.tolist(), strict=True):
        qrels[str(one)][names[label]] = 1
    run = {
        str(one): dict(zip([names[label] for label in row], scores, strict=True))
        for one, row in enumerate(lists.tolist())
    }
    return qrels, run


def with_pytrec_eval(lists: np.ndarray, user: np.ndarray, item: np.ndarray) -> Callable[[], float]:
    """trec_eval's own code, bound to Python."""
    import pytrec_eval

    qrels, run = dictionaries(lists, user, item)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {f"ndcg_cut.{K}"})
    name = f"ndcg_cut_{K}"

    def evaluate() -> float:
        return float(np.mean([each[name] for each in evaluator.evaluate(run).values()]))

    return evaluate


def with_ir_measures(lists: np.ndarray, user: np.ndarray, item: np.ndarray) -> Callable[[], float]:
    """The common interface of the measures of information retrieval."""
    import ir_measures

    qrels, run = dictionaries(lists, user, item)
    measure = ir_measures.nDCG @ K
    evaluator = ir_measures.evaluator([measure], qrels)
    return lambda: evaluator.calc_aggregate(run)[measure]


def with_ranx(lists: np.ndarray, user: np.ndarray, item: np.ndarray) -> Callable[[], float]:
    """Compiled by numba, on all threads."""
    from ranx import Qrels, Run, evaluate

    qrels, run = dictionaries(lists, user, item)
    labels, answers = Qrels(qrels), Run(run)
    return lambda: evaluate(labels, answers, f"ndcg@{K}", make_comparable=False)


def with_rectools(lists: np.ndarray, user: np.ndarray, item: np.ndarray) -> Callable[[], float]:
    """Metrics of recommenders over pandas frames."""
    import pandas as pd
    from rectools import Columns
    from rectools.metrics import NDCG

    answers = pd.DataFrame(
        {
            Columns.User: np.repeat(np.arange(len(lists)), K),
            Columns.Item: lists.ravel(),
            Columns.Rank: np.tile(np.arange(1, K + 1), len(lists)),
        }
    )
    labels = pd.DataFrame({Columns.User: user, Columns.Item: item})
    metric = NDCG(k=K, divide_by_achievable=True)
    return lambda: metric.calc(answers, labels)


def with_implicit(lists: np.ndarray, user: np.ndarray, item: np.ndarray) -> Callable[[], float]:
    """Its evaluation of models, with a model that knows its answers by heart."""
    from implicit.evaluation import ranking_metrics_at_k
    from scipy.sparse import csr_matrix

    class Answers:
        """The lists, as its own models give them."""

        def recommend(
            self,
            users: np.ndarray,
            *_: object,
            N: int,  # noqa: N803 - the library's own name
            **__: object,
        ) -> tuple[np.ndarray, np.ndarray]:
            return lists[users, :N], scores[: len(users), :N]

    scores = np.ones(lists.shape, dtype=np.float32)
    shape = (len(lists), int(max(lists.max(), item.max())) + 1)
    labels = csr_matrix((np.ones(len(user), dtype=np.float32), (user, item)), shape=shape)
    seen = csr_matrix(shape, dtype=np.float32)
    return lambda: ranking_metrics_at_k(Answers(), seen, labels, K=K, show_progress=False)["ndcg"]


LIBRARIES: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], Callable[[], float]]] = {
    "implicit": with_implicit,
    "ranx": with_ranx,
    "pytrec_eval-terrier": with_pytrec_eval,
    "ir_measures": with_ir_measures,
    "RecTools": with_rectools,
}

if __name__ == "__main__":
    main()
