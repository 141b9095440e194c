"""Custom metrics: a file of Python, or a zip with one package; and problems with their lines."""

from __future__ import annotations

import io
import json
import stat
import subprocess
import zipfile
from collections.abc import Iterable, Mapping

import pytest

from podium.custom_metric_runner import package
from podium.custom_metric_runner.values import CodeProblem
from tests.builders.custom_metric_runner.bench import MEAN, MetricBench

GOOD = "def score(solution, submission, row_id_column_name: str) -> float:\n    return HALF\n"


def zipped(files: Mapping[str, str] | Iterable[tuple[str, str]], *, mode: int = 0) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items() if isinstance(files, Mapping) else files:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "files",
    [
        {"metric.py": f"from helper import HALF\n{GOOD}", "helper.py": "HALF = 0.5"},
        {"mine/__init__.py": f"from .inner import HALF\n{GOOD}", "mine/inner.py": "HALF = 0.5"},
        {"metric/__init__.py": f"HALF = 0.5\n{GOOD}", "other.py": ""},
        {"folder/metric.py": f"HALF = 0.5\n{GOOD}", "folder/read.md": "", "folder/helper.py": ""},
        {"mine.py": f"HALF = 0.5\n{GOOD}", "__MACOSX/mine.so": "x", "notes.txt": ""},
        {
            "metric.py": "from pathlib import Path\n"
            f"HALF = float(Path(__file__).with_name('half.txt').read_text())\n{GOOD}",
            "half.txt": "0.5",
        },
    ],
)
def test_a_zip_has_one_module_or_package(bench: MetricBench, files: dict[str, str]) -> None:
    bench.small()

    assert bench.score(zipped(files)) == 0.5


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"/etc/metric.py": GOOD}, "a zip has no file named '/etc/metric.py'"),
        ({"../metric.py": GOOD}, "a zip has no file named '../metric.py'"),
        ({"a/../../metric.py": GOOD}, "a zip has no file named 'a/../../metric.py'"),
        ({"a\\metric.py": GOOD}, "a zip has no file named 'a\\\\metric.py'"),
        ({"C:metric.py": GOOD}, "a zip has no file named 'C:metric.py'"),
        ({"metric.py": GOOD, "fast.so": ""}, "fast.so is neither Python nor plain data: a zip has"),
        ({"one.py": GOOD, "two.py": GOOD}, "a zip has metric.py, or a single module or package"),
        ({"data.csv": ""}, "a zip has metric.py, or a single module or package at its top"),
        ({"metric.py": GOOD, "numpy.py": ""}, "numpy is the name of an installed module"),
        ({"metric.py": GOOD, "metric.py/x.py": GOOD}, "metric.py/x.py is there twice, as a file"),
        ({"metric.py": "x" * (21 << 20)}, "the files of a zip have at most 20 MiB together"),
        ({f"m/f{at}.txt": "" for at in range(501)}, "a zip holds at most 500 files"),
        ([("metric.py", GOOD), ("metric.py", "other")], "metric.py is there twice"),
        ([("a/metric.py", GOOD), ("a/x.txt", ""), ("a/x.txt", "")], "a/x.txt is there twice"),
        (
            {f"{'m/' * 17}x.txt": "", "metric.py": GOOD},
            "m/m/m/m/m/m/m/m/m/m/m/m/m/m/m/m/m/x.txt is",
        ),
        ({f"{'m/' * 300}": "", "metric.py": GOOD}, "m/m/m/m"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_other_zips_are_refused(
    bench: MetricBench, files: Mapping[str, str] | list[tuple[str, str]], words: str
) -> None:
    checked = bench.check(zipped(files))

    assert [problem.code for problem in checked.problems] == ["package"]
    assert checked.problems[0].detail.startswith(words)
    assert checked.shape is None


def test_a_zip_has_folders_to_some_depth(bench: MetricBench) -> None:
    assert bench.check(zipped({"metric.py": GOOD, f"{'m/' * 16}x.txt": ""})).problems == ()


@pytest.mark.parametrize("source", [["HALF = 0.5\n", "\n"], "HALF = 0.5"])
def test_a_notebook_is_named_with_the_command_that_takes_its_code_out(
    bench: MetricBench, source: str | list[str]
) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A metric"]},
        {"cell_type": "code", "source": source, "outputs": []},
        {"cell_type": "code", "source": GOOD.splitlines(keepends=True), "outputs": []},
    ]
    notebook = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    (problem,) = bench.check(f"\n{notebook}".encode()).problems
    told, _, command = problem.detail.partition(": ")
    (bench.folder / "metric.ipynb").write_text(notebook)
    subprocess.run(["sh", "-c", command], cwd=bench.folder, check=True)

    assert problem.code == "notebook"
    assert told.startswith("this is a notebook, not a file of Python.")
    bench.small()
    assert bench.score((bench.folder / "metric.py").read_bytes()) == 0.5


@pytest.mark.parametrize("content", ["{}\n", "{1: 2}", '{"cells": []}'])
def test_python_that_looks_like_json_is_python(bench: MetricBench, content: str) -> None:
    assert [each.code for each in bench.check(content).problems] != ["notebook"]


def test_a_link_is_refused(bench: MetricBench) -> None:
    checked = bench.check(zipped({"metric.py": "/etc/passwd"}, mode=stat.S_IFLNK | 0o777))

    assert checked.problems[0].detail == "metric.py is not a plain file: links are not taken"


@pytest.mark.parametrize("content", [zipped({"metric.py": GOOD})[:-30], b"PK\x03\x04damaged"])
def test_a_damaged_zip_is_refused(bench: MetricBench, content: bytes) -> None:
    assert bench.check(content).problems[0].detail.startswith("the zip cannot be read")


def test_a_file_that_is_too_large_is_refused(bench: MetricBench) -> None:
    checked = bench.check(b"#" * (package.MAX_BYTES + 1))

    assert checked.problems[0].detail == "a metric has at most 5 MiB; this has 5.0"


def test_the_zips_folder_never_hides_an_installed_module(bench: MetricBench) -> None:
    bench.small()
    files = {"metric.py": f"import sub.json, json\nHALF = float(json.loads('0.5'))\n{GOOD}"}

    assert bench.score(zipped({**files, "sub/__init__.py": "", "sub/json.py": ""})) == 0.5


def test_syntax_errors_of_all_files_have_lines(bench: MetricBench) -> None:
    checked = bench.check(zipped({"metric.py": "x = 1\ndef f(:\n", "helper.py": "\n\nif\n"}))

    assert [(each.code, each.file, each.line) for each in checked.problems] == [
        ("syntax", "helper.py", 3),
        ("syntax", "metric.py", 2),
    ]
    assert checked.problems[0].detail == "SyntaxError: invalid syntax"


@pytest.mark.parametrize("source", [b"x = '\xff'\n", b"x = 0\x00\n", b"x = " + b"(" * 5000])
def test_what_is_no_python_is_a_problem(bench: MetricBench, source: bytes) -> None:
    assert [each.code for each in bench.check(source).problems] == ["syntax"]


def test_a_failing_import_has_the_line_of_the_file(bench: MetricBench) -> None:
    checked = bench.check("import json\n\njson.loads('{')\n")

    (problem,) = checked.problems
    assert (problem.code, problem.line, problem.file) == ("import", 3, None)
    assert problem.detail.startswith("json.decoder.JSONDecodeError: Expecting property name")


def test_a_file_that_leaves_while_it_is_imported_is_a_problem(bench: MetricBench) -> None:
    checked = bench.check("print('leaving')\nraise SystemExit(0)\n")

    assert checked.problems == (CodeProblem(code="import", detail="SystemExit: 0", line=2),)
    assert checked.output == "leaving\n"


def test_a_good_file_is_described(bench: MetricBench) -> None:
    checked = bench.check(
        '"""About the file."""\n'
        "def score(solution, submission, row_id_column_name: str, k: int = 3) -> float:\n"
        '    """How far off.\n\n    Further.\n    """\n    return 0.5\n'
        "def per_row(solution, submission, row_id_column_name: str): ...\n"
    )

    assert checked.problems == ()
    assert (checked.shape, checked.has_per_row, checked.doctests) == ("kaggle", True, 0)
    assert checked.description == "How far off.\n\nFurther."
    assert {"numpy", "pandas", "polars", "scipy", "scikit-learn"} == checked.packages.keys()


def test_examples_are_run_with_the_notation_of_older_numpy(bench: MetricBench) -> None:
    source = '''
    import numpy as np

    class ParticipantVisibleError(Exception): ...

    def score(solution, submission, row_id_column_name: str) -> float:
        """
        >>> score([1.0], [0.052], "id")
        0.948...
        >>> np.float64(2)
        2.0
        >>> score([], [], "id")
        Traceback (most recent call last):
        ParticipantVisibleError: no rows
        """
        if not solution:
            raise ParticipantVisibleError("no rows")
        return np.float64(solution[0] - submission[0])
    '''

    checked = bench.check(source)

    assert checked.problems == ()
    assert checked.doctests == 3


def test_failing_examples_say_where_what_was_expected_and_what_came(bench: MetricBench) -> None:
    source = '''"""A file.

>>> 1 + 1
3
"""
def score(solution, submission, row_id_column_name: str) -> float:
    """A score.

    >>> 1 / 0
    1
    """
'''

    checked = bench.check(source)

    assert checked.doctests == 2
    assert checked.problems == (
        CodeProblem(code="doctest", detail="1 + 1: expected 3, got 2", line=3),
        CodeProblem(
            code="doctest",
            detail="1 / 0: expected 1, it raised ZeroDivisionError: division by zero",
            line=9,
        ),
    )


@pytest.mark.parametrize(
    ("expected", "got"), [("2.0", "1.0"), ("0.75", "5.75"), ("1.5e-07", "2.5e-07")]
)
def test_an_example_with_another_number_fails(bench: MetricBench, expected: str, got: str) -> None:
    checked = bench.check(
        "def score(solution, submission, row_id_column_name: str) -> float:\n"
        f'    """A score.\n\n    >>> {got}\n    {expected}\n    """\n'
    )

    assert [each.code for each in checked.problems] == ["doctest"]
    assert checked.problems[0].detail.endswith(f"expected {expected}, got {got}")


def test_examples_of_what_is_imported_are_not_run(bench: MetricBench) -> None:
    assert bench.check(f"from fractions import *\nfrom doctest import *\n{MEAN[1:]}").doctests == 0


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_that_was_taken_before_goes_on(bench: MetricBench) -> None:
    bench.small()
    twice = zipped([("metric.py", "x"), ("metric.py", f"HALF = 0.5\n{GOOD}")])

    run = bench.run(twice, is_lenient=True)

    assert (run.score, run.warnings) == ((0.5).hex(), ("metric.py is there twice",))
    assert bench.run(twice).report == "metric.py is there twice"
