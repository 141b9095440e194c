"""The strict reader against the obvious one, on many small files."""

import io
from typing import Any

import pytest

from podium.scoring.lists.lines import normalize
from podium.scoring.problems import FileRejected
from tests.builders.scoring import obvious_reader
from tests.builders.scoring.mutations import Case, cases
from tests.builders.scoring.submissions import blocks

SEEDS = 12
FILES_PER_SEED = 1000


def strict_verdict(case: Case) -> tuple[Any, ...]:
    """The strict reader's answer, in the shape of the obvious reader's answers."""
    sink = io.BytesIO()
    try:
        counts = normalize(
            blocks(case.text, 40), task=case.task, published=case.published, sink=sink
        )
    except FileRejected as rejected:
        found = rejected.rejection
        return ("rejected", [(p.line, str(p.code)) for p in found.problems], found.count)
    return ("accepted", canonical_answers(sink.getvalue(), case), vars_of(counts))


def canonical_answers(text: bytes, case: Case) -> dict[int, list[Any]]:
    """Query numbers and items of canonical text, taken literally."""
    header, *rows = text.decode().removesuffix("\n").split("\n")
    assert header == f"{case.task.id_column},{case.task.labels_column}"
    ids = [f"{s}_{name}" if name else str(s) for s in case.sessions for name in case.task.names]
    answers: dict[int, list[Any]] = {}
    for row in rows:
        row_id, labels = row.split(",")
        items = labels.split(" ") if labels else []
        number = ids.index(row_id)
        if case.task.item_ids == "integer":
            assert [str(int(item)) for item in items] == items
            answers[number] = [int(item) for item in items]
        else:
            answers[number] = items
    assert len(answers) == len(rows)
    return answers


def vars_of(counts: Any) -> dict[str, int]:
    return {"rows": counts.rows, "missing": counts.missing, "empty": counts.empty}


def obvious_verdict(case: Case) -> tuple[Any, ...]:
    verdict = obvious_reader.read(case.text, task=case.task, sessions=case.sessions)
    if verdict[0] == "accepted":
        return verdict
    return ("rejected", verdict[1][:10], len(verdict[1]))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_strict_and_obvious_reader_agree_on_decision_problems_and_predictions(seed: int) -> None:
    accepted = 0
    for case in cases(seed, FILES_PER_SEED):
        strict, obvious = strict_verdict(case), obvious_verdict(case)
        assert strict == obvious, (case.seed, case.text)
        accepted += strict[0] == "accepted"
    assert FILES_PER_SEED * 0.15 < accepted < FILES_PER_SEED * 0.6, accepted


def test_files_that_were_not_damaged_are_accepted() -> None:
    for case in cases(1_000_000, 500, damaged=0.0):
        assert strict_verdict(case)[0] == "accepted", (case.seed, case.text)
