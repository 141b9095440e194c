"""Reads TREC qrels as ground truth: lines `topic iteration docno relevance`, with graded relevance.

Every topic that is listed is published, in the order of the file. A document of relevance 0 or less
is judged and not relevant. A topic without a relevant document is published and not counted,
whereas trec_eval would count it as 0. Relevances may be decimal numbers, which trec_eval
truncates.
"""

from __future__ import annotations

from collections.abc import Iterator

from podium.scoring.lists.rows import ListLayout, check_id, read_labels
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.trec import QRELS_FIELDS, fields_of, is_number
from podium.scoring.truth.collecting import Collector

MAX_RELEVANCE = 1000
"""Beyond it, the gain 2**relevance of the exponential metrics would overflow a float64."""

MIN_RELEVANCE = 1e-6
"""Far below it, that gain is rounded to 0, and an ideal list of such labels would have no gain."""


def collect_qrels(lines: Iterator[tuple[int, bytes]], collector: Collector) -> None:
    """Reads numbered lines into the collector, which records their problems."""
    task = collector.task
    if task.names != ("",):
        detail = "these are qrels of TREC, which have one objective; the competition has several"
        raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1)
    form = ListLayout.of(task, labels_first=False)
    for number, line in lines:
        fields = fields_of(line)
        if not fields:
            continue
        try:
            topic, item, relevance = _judgment(fields, line, form)
        except RowProblem as wrong:
            collector.refuse(wrong, number, fields[0])
            continue
        place = collector.session(topic, number)
        if place is not None:
            labelled = item if task.item_ids == "string" else int(item)
            collector.graded_label(place, labelled, relevance, number)


def _judgment(fields: list[bytes], line: bytes, form: ListLayout) -> tuple[str, str, float]:
    if len(fields) != len(QRELS_FIELDS):
        detail = f"{quoted(line)} has {len(fields)} fields instead of {len(QRELS_FIELDS)}"
        raise RowProblem(Code.ROW_SHAPE, detail)
    topic, _, docno, relevance = fields
    check_id(topic, b"", form, shown=topic)
    item = read_labels(docno, form.task)
    return topic.decode(), item.decode(), read_relevance(relevance, least=-MAX_RELEVANCE)


def read_relevance(text: bytes, *, least: float) -> float:
    """Parses a relevance, whole or decimal, from `least` to `MAX_RELEVANCE`; above 0, it is at
    least `MIN_RELEVANCE`. Raises RowProblem."""
    if not is_number(text) or not least <= float(text) <= MAX_RELEVANCE:
        detail = f"{quoted(text)} is not a relevance of {least:,} to {MAX_RELEVANCE:,}"
        raise RowProblem(Code.BAD_LABEL, detail)
    if 0 < float(text) < MIN_RELEVANCE:
        detail = f"{quoted(text)} is a relevance below {MIN_RELEVANCE:f}; write 0 for none"
        raise RowProblem(Code.BAD_LABEL, detail)
    return float(text)
