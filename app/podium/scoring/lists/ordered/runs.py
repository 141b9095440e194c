"""Reads TREC runs as submissions: lines `topic Q0 docno rank score tag` → canonical text.

A list is ordered as trec_eval orders it: by score in single precision, the highest first, then by
docno as bytes, the last first; the rank in the file is ignored. The usual rules of submissions
follow: the list is cut, and a docno that occurs twice occupies two positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import polars as pl

from podium.scoring.lists.lines import LineCounts
from podium.scoring.lists.ordered.reader import (
    ITEM,
    LONGEST_FIELD,
    MAX_LIST_LINES,
    TEXT,
    OrderedReader,
)
from podium.scoring.lists.rows import check_id, read_labels
from podium.scoring.problems import Code, Problem, quoted
from podium.scoring.published import PublishedIds
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem, check_line
from podium.scoring.text.header import BOM
from podium.scoring.text.trec import NUMBER, RUN_FIELDS, fields_of, is_number


def normalize_run(
    blocks: Iterator[bytes], *, task: Task, published: PublishedIds, sink: BinaryIO
) -> LineCounts:
    """Checks a whole run and writes it to `sink` as canonical text, in published order.

    Each block must end right after an LF, except the last. Raises `FileRejected` with all problems;
    the contents of `sink` are then meaningless.
    """
    reader = RunReader(task, published)
    for number, block in enumerate(blocks):
        reader.read(block.removeprefix(BOM) if not number else block)
    return reader.finish(sink)


class RunReader(OrderedReader):
    """Reads a TREC run; an item is a docno."""

    limit = f"more than {MAX_LIST_LINES:,} lines for each published topic"

    def __init__(self, task: Task, published: PublishedIds) -> None:
        schema = pl.Schema({"place": pl.UInt32, "score": pl.Float32, "item": pl.String})
        super().__init__(task, published, schema=schema, order={"score": True, "item": True})
        self.unknown: set[str] = set()
        self.fewer = f"Send the best {task.depth:,} documents of each topic; no others count."
        blank, other = "[ \\t]+", "[!-~]+"
        columns = (TEXT, other, ITEM[task.item_ids], other, f"({NUMBER})", other)
        self.pattern = f"^[ \\t]*{blank.join(columns)}[ \\t]*$"

    def columns(self, text: bytes) -> pl.DataFrame | None:
        """Parses the rows of a block; None unless each of its lines is proven valid."""
        if not text.isascii():
            return None
        lines = pl.Series([text.decode("ascii")]).str.split("\n").explode()
        if int(lines.str.len_bytes().max() or 0) > self.task.max_line_bytes:  # type: ignore[arg-type]
            return None
        topic, docno, number = lines.str.extract_groups(self.pattern).struct.unnest()
        score = number.cast(pl.Float64, strict=False)
        long = max(int(each.str.len_bytes().max() or 0) for each in (topic, docno, number))  # type: ignore[arg-type]
        if topic.null_count() or not score.is_finite().all() or long > LONGEST_FIELD:
            return None
        sessions = topic if self.task.query_ids == "string" else topic.cast(pl.Int32, strict=False)
        if sessions.null_count() or (sessions.cast(pl.String) != topic).any():
            return None
        place = self.numbers.number(sessions)
        if place.null_count():
            return None
        # trec_eval stores scores in single precision, so that close ones tie.
        rows = {"place": place, "score": score.cast(pl.Float32), "item": docno}
        return pl.DataFrame(rows, schema=self.schema)

    def _parse(self, raw: bytes, line: int) -> tuple[str, tuple[object, ...]] | None:
        del line
        check_line(raw, self.task)
        fields = fields_of(raw)
        if not fields:
            return None
        if len(fields) != len(RUN_FIELDS):
            detail = f"{quoted(raw)} has {len(fields)} fields instead of {len(RUN_FIELDS)}"
            raise RowProblem(Code.ROW_SHAPE, detail, f"A line is: {' '.join(RUN_FIELDS)}.")
        topic, _, docno, _, score, _ = fields
        check_id(topic, b"", self.form, shown=topic)
        item = read_labels(docno, self.task)
        if not is_number(score) or abs(float(score)) == float("inf"):
            hint = "A score is a decimal number, for example 12.75 or 1.5e-3."
            raise RowProblem(Code.BAD_NUMBER, f"{quoted(score)} is not a score", hint)
        return topic.decode(), (float(score), item.decode())

    def _unknown(self, name: str, line: int) -> None:
        if name in self.unknown:
            return
        self.unknown.add(name)
        detail = f"{quoted(name)} is not among the published topics"
        hint = "Send the topics of the sample submission and no others."
        self.note(Problem(Code.UNKNOWN_ID, detail, line, None, name, "topic", hint))

    def _conclude(self, *, found: int) -> None:
        if self.unknown and not found:
            hint = f"None of its topics is one of the {self.published.count:,} published ones: is "
            self.findings.add_hint(hint + "this a run for other topics?", Code.UNKNOWN_ID)

    def _is_foreign(self, found: int) -> bool:
        return bool(self.unknown) and not found

    def _problems_of_lists(self) -> Iterator[Problem]:
        if self.task.submission_duplicates != "reject":
            return
        columns = ["place", "item"]
        cut = self.kept.group_by("place", maintain_order=True).head(self.task.depth)
        twice = cut.filter(cut.select(columns).is_duplicated()).unique(columns)
        for place, docno in twice.sort(columns).select(columns).iter_rows():
            topic = self.published.id_of(place)
            detail = (
                f"{quoted(docno)} occurs twice among the first {self.task.depth:,} items of {topic}"
            )
            hint = "Name each document of a topic once."
            yield Problem(Code.DUPLICATE_LABEL, detail, id=topic, hint=hint)
