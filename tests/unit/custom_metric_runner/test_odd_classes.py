"""Metrics whose classes and docstrings get in the way of what looks at them."""

from __future__ import annotations

import pytest

from tests.builders.custom_metric_runner.bench import MEAN, MetricBench

META = """
class Meta(type):
    def __getattribute__(cls, name):
        raise KeyboardInterrupt(name)

class Odd(Exception, metaclass=Meta): ...
"""


def test_the_class_of_a_class_decides_nothing(bench: MetricBench) -> None:
    bench.small()
    call = (
        "def score(solution, submission, row_id_column_name: str) -> float:\n    raise Odd('x')\n"
    )

    ended = bench.run(META + call)

    assert (ended.outcome, ended.text) == ("failed", "")
    assert ended.report == "an exception that tells nothing of itself"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            MEAN.replace("\n    ", "\n") + '\ndef f():\n    """\n    >>> 1\n  1\n    """\n',
            "whitespace",
        ),
        (META + "raise Odd('x')", "an exception that tells nothing of itself"),
    ],
)
def test_a_file_that_cannot_be_looked_at_is_refused(
    bench: MetricBench, source: str, told: str
) -> None:
    (problem,) = bench.check(source).problems

    assert told in problem.detail
