"""Costs of tests are summed by folder and by function, and known to later runs."""

from __future__ import annotations

from pathlib import Path

from tests.costs import Recorded, lines, read

REPORT = """<testsuites><testsuite name="pytest" time="9.5">
<testcase classname="tests.unit.mail.test_smtp" name="test_a_letter[smtp]" time="4.25"/>
<testcase classname="tests.unit.mail.test_smtp" name="test_a_letter[smtps]" time="2.5"/>
<testcase classname="tests.unit.house.test_words" name="test_a_word" time="0.5"/>
</testsuite></testsuites>"""


def test_seconds_are_summed_by_folder_and_by_function(tmp_path: Path) -> None:
    report = tmp_path / "tests.xml"
    report.write_text(REPORT)
    page = list(lines(*read(report)))
    assert "- 3 tests in 0.2 minutes; their own times add up to" in page
    assert [line for line in page if line.startswith("| `")] == [
        "| `tests/unit/mail` | 2 | 7 |",
        "| `1 others` | 1 | 0 |",
        "| `tests/unit/mail/test_smtp.py::test_a_letter` | 2 | 6.8 |",
        "| `tests/unit/house/test_words.py::test_a_word` | 1 | 0.5 |",
    ]


def test_later_runs_know_the_costs(tmp_path: Path) -> None:
    report = tmp_path / "tests.xml"
    report.write_text(REPORT)
    recorded = Recorded("\n".join(lines(*read(report))))
    mail = "tests/unit/mail/test_smtp.py"
    assert recorded.seconds(f"{mail}::test_a_letter[smtps]") == 3.4
    assert recorded.seconds(f"{mail}::test_new[1]") == 3.5
    assert recorded.seconds("tests/unit/new/test_new.py::test_new") == 0.1
    assert recorded.seconds("tests/system/new/test_new.py::test_new") == 5.0
    assert recorded.seconds("test_0.py::test_new") == 0.0
