"""Metrics in real children: clumsy and hostile ones end as a verdict, and reach no further."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from podium.custom_metric_runner.values import MetricChecked, MetricRun
from podium.sandbox import FailureReason, Limits, Rejected, Result
from podium.sandbox.children import ChildSandbox
from podium.sandbox.definitions.custom_metrics import TERMS, CheckMetric
from tests.builders.custom_metric_runner.bench import MEAN, MetricBench

LIMITS = Limits(memory_bytes=1 << 30, wall_seconds=30, file_bytes=16 << 20)


@pytest.fixture
def bench(tmp_path: Path) -> MetricBench:
    bench = MetricBench(tmp_path)
    bench.small()
    (tmp_path / "scratch").mkdir()
    return bench


def run(
    bench: MetricBench, source: str | bytes, *, limits: Limits = LIMITS, **changes: Any
) -> Result[MetricRun | Rejected]:
    bench.write(source)
    scratch = bench.folder / "scratch"
    return ChildSandbox(threads=1, custom_metrics="on").run(
        bench.task(**changes), limits=limits, scratch=scratch
    )


def good(result: Result[MetricRun | Rejected]) -> MetricRun:
    assert isinstance(result.answer, MetricRun), result
    return result.answer


def doing(body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"def score(solution, submission, row_id_column_name: str) -> float:\n{lines}\n"


def test_a_metric_scores_in_a_child(bench: MetricBench) -> None:
    result = run(bench, MEAN, resamples=20)
    scored = good(result)

    assert (scored.outcome, scored.score, scored.rows) == ("measured", (1.5).hex(), 4)
    assert scored.terms == "resamples"
    assert result.files[TERMS].stat().st_size == 20 * 8
    assert "; Python 3." in scored.processor
    assert ", pandas 3." in scored.processor


def test_every_package_of_the_extra_can_be_used(bench: MetricBench) -> None:
    source = """
    import numpy, pandas, polars, scipy.stats, sklearn.metrics
    import kaggle_metric_utilities as utilities

    def score(solution, submission, row_id_column_name: str) -> float:
        high = (solution[["y"]] > 2).astype(int).values
        return utilities.safe_call_score(
            sklearn.metrics.roc_auc_score, high, submission[["p"]].values
        )
    """

    assert good(run(bench, source)).score == (1.0).hex()


def test_a_file_is_checked_in_a_child(bench: MetricBench) -> None:
    bench.write(f'"""\n>>> 1\n2\n"""{MEAN}'.replace("\n    ", "\n"))
    scratch = bench.folder / "scratch"

    result = ChildSandbox(threads=1, custom_metrics="on").run(
        CheckMetric(metric=bench.metric), limits=LIMITS, scratch=scratch
    )

    assert isinstance(result.answer, MetricChecked), result
    checked = result.answer
    assert [(each.code, each.line) for each in checked.problems] == [("doctest", 2)]
    assert (checked.shape, checked.doctests) == ("kaggle", 1)


@pytest.mark.parametrize(
    "body",
    [
        "import sys\nsys.exit(0)",
        "def deeper(): return deeper()\nreturn deeper()",
        "raise type('Odd', (BaseException,), {'__str__': lambda self: 1 / 0})()",
        "import polars as pl\npl.DataFrame({'a': [1]}).select(pl.col('b'))",
        "open('/etc/passwd').read()",
        "import socket\nsocket.create_connection(('127.0.0.1', 80), 1)",
        "import pyarrow",
    ],
)
def test_clumsy_metrics_have_failed_with_a_report(bench: MetricBench, body: str) -> None:
    ended = good(run(bench, doing(body)))

    assert (ended.outcome, ended.score, ended.text) == ("failed", None, "")
    assert "in score" in ended.report


@pytest.mark.parametrize(
    ("body", "failures"),
    [
        ("import os\nos._exit(0)", {FailureReason.NO_ANSWER}),
        ("import os\nos.closerange(3, 99)\nos._exit(0)", {FailureReason.NO_ANSWER}),
        ("import ctypes\nctypes.string_at(0)", {FailureReason.CRASH}),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", {FailureReason.CRASH}),
        ("x = [0]\nwhile True: x += x", {FailureReason.MEMORY}),
        (
            "f = open('large', 'wb')\nwhile True: f.write(bytes(1 << 20)); f.flush()",
            {FailureReason.FILE_SIZE},
        ),
    ],
)
def test_a_process_that_ends_itself_has_no_answer(
    bench: MetricBench, body: str, failures: set[FailureReason]
) -> None:
    result = run(bench, doing(body))

    assert result.answer is None or good(result).outcome == "failed"
    assert result.failure in failures | {None}


def test_a_metric_that_never_ends_is_ended(bench: MetricBench) -> None:
    limits = Limits(memory_bytes=1 << 30, wall_seconds=4, file_bytes=1 << 20)
    body = "import signal\nfor n in (2, 15): signal.signal(n, signal.SIG_IGN)\nwhile True: pass"

    result = run(bench, doing(body), limits=limits)

    assert result.failure in (FailureReason.WALL_TIME, FailureReason.CPU_TIME)


@pytest.mark.parametrize(
    "trick",
    [
        "import json\njson.dumps = lambda *_, **__: '{}'",
        "import podium.custom_metric_runner.running as r\nr.MetricRun = dict",
        "import os\nos.symlink('/etc/passwd', 'terms.bin')",
        "import os\nos.mkdir('terms.bin')",
        "import sys\nsys.modules.clear()",
        "import builtins\nbuiltins.float = str",
        "import os\nfor n in range(3, 30):\n  try: os.write(n, b'{\"document\": {}}\\n')\n"
        "  except OSError: pass",
    ],
)
def test_a_metric_that_changes_what_runs_it_harms_itself_alone(
    bench: MetricBench, trick: str
) -> None:
    result = run(bench, doing(f"{trick}\nreturn 0.25"), resamples=3)

    if result.answer is not None:
        assert good(result).score in ((0.25).hex(), None)
    else:
        assert result.failure is not None
    assert all(not file.is_symlink() for file in result.files.values())


def test_a_million_lines_are_cut(bench: MetricBench) -> None:
    ended = good(run(bench, doing("for n in range(1_000_000): print('line', n)\nreturn 0.5")))

    assert (ended.outcome, len(ended.output) < 66_000) == ("measured", True)
    assert ended.output.endswith("line 999999\n")


def test_a_metric_cannot_forge_more_than_its_own_answer(bench: MetricBench) -> None:
    body = """
class ParticipantVisibleError(Exception): ...
raise ParticipantVisibleError("\\u202e\\x1b[2J" + "truth " * 100_000)
"""

    ended = good(run(bench, doing(body.strip())))

    assert (ended.outcome, ended.text[:14]) == ("refused", "[2Jtruth truth")
    assert len(ended.text) == 280
