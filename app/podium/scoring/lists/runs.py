"""Reads TREC runs as submissions: lines `topic Q0 docno rank score tag` → canonical text.

A list is ordered as trec_eval orders it: by score in single precision, the highest first, then by
docno as bytes, the last first; the rank in the file is ignored. The usual rules of submissions
follow: the list is cut, and a docno that occurs twice occupies two positions.

Blocks are read as columns; one that is not proven valid is read again line by line, and only that
reading reports problems. Of each topic only the scored depth is retained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import polars as pl

from podium.scoring.lists.lines import LineCounts, missing_ids
from podium.scoring.lists.rows import ListLayout, check_id, read_labels
from podium.scoring.problems import SHOWN_PROBLEMS, Code, FileRejected, Problem, quoted
from podium.scoring.published import PublishedIds
from podium.scoring.task import MAX_SURPLUS_ROWS, Task
from podium.scoring.text.fields import RowProblem, check_line
from podium.scoring.text.findings import Findings
from podium.scoring.text.header import BOM
from podium.scoring.text.trec import NUMBER, RUN_FIELDS, fields_of, is_number

MAX_TOPIC_LINES = 10_000
"""The most lines of a run, on average, for each published topic."""

_PENDING_ROWS = 1 << 21
_LONGEST = 64  # Bytes of a topic, a docno and a score.
_SCHEMA = {"place": pl.UInt32, "score": pl.Float32, "docno": pl.String}
_TEXT = r"([!#-+\--~]+)"
_ITEM = {"integer": "(0|[1-9][0-9]{0,8})", "string": _TEXT}


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


@dataclass
class RunReader:
    """Reads a TREC run line by line. `kept` has the docnos of each topic in order, down to the
    task's depth; `pending` has the lines since."""

    task: Task
    published: PublishedIds
    findings: Findings = field(default_factory=Findings)
    line: int = 0
    kept: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=_SCHEMA))
    pending: list[pl.DataFrame] = field(default_factory=list)
    unknown: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.numbers = self.published.numbers()
        self.form = ListLayout.of(self.task, labels_first=False)
        blank = "[ \\t]+"
        other = "[!-~]+"
        columns = (_TEXT, other, _ITEM[self.task.item_ids], other, f"({NUMBER})", other)
        self.pattern = f"^[ \\t]*{blank.join(columns)}[ \\t]*$"

    def read(self, block: bytes) -> None:
        """Reads a block of whole lines."""
        text = block.replace(b"\r\n", b"\n").removesuffix(b"\n")
        count = text.count(b"\n") + 1
        if self.line + count > self.published.count * MAX_TOPIC_LINES + MAX_SURPLUS_ROWS:
            raise self._too_many()
        rows = self.columns(text)
        if rows is None:
            rows = self.lines(text)
        self.line += count
        self.pending.append(rows)
        if sum(len(each) for each in self.pending) > _PENDING_ROWS:
            self._prune()

    def finish(self, sink: BinaryIO) -> LineCounts:
        """Writes the lists of a valid file; raises `FileRejected` for any other."""
        self._prune()
        answered = self.kept["place"].unique()
        missing = self.published.count - len(answered)
        if self.unknown and not len(answered):
            hint = f"None of its topics is one of the {self.published.count:,} published ones: is "
            self.findings.add_hint(hint + "this a run for other topics?", Code.UNKNOWN_ID)
        elif missing and self.task.missing_rows == "reject":
            everything = pl.int_range(self.published.count, dtype=pl.UInt32, eager=True)
            places = everything.filter(~everything.is_in(answered)).head(SHOWN_PROBLEMS)
            self.findings.add(missing_ids(self.published, self.task, missing, iter(places)))
        if self.task.submission_duplicates == "reject":
            self._refuse_repetitions()
        if self.findings.count:
            raise self.findings.rejected()
        self._write(sink)
        return LineCounts(rows=len(answered), missing=missing, empty=0)

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
        if topic.null_count() or not score.is_finite().all() or long > _LONGEST:
            return None
        sessions = topic if self.task.query_ids == "string" else topic.cast(pl.Int32, strict=False)
        if sessions.null_count() or (sessions.cast(pl.String) != topic).any():
            return None
        place = self.numbers.number(sessions)
        if place.null_count():
            return None
        return _rows(place, score, docno)

    def lines(self, text: bytes) -> pl.DataFrame:
        """Parses the valid rows of a block; problems of the others go to the findings."""
        topics, scores, docnos = [], [], []
        for number, raw in enumerate(text.split(b"\n"), start=self.line + 1):
            try:
                check_line(raw, self.task)
                fields = fields_of(raw)
                if fields:
                    topic, score, docno = self._line(fields, raw)
                    topics.append((topic, number))
                    scores.append(score)
                    docnos.append(docno)
            except RowProblem as wrong:
                self._note(Problem(wrong.code, wrong.detail, number, hint=wrong.hint))
        sessions = pl.Series([topic for topic, _ in topics], dtype=pl.String)
        if self.task.query_ids == "integer":
            sessions = sessions.cast(pl.Int32)
        place = self.numbers.number(sessions)
        known = place.is_not_null()
        for row in (~known).arg_true():
            self._unknown(*topics[row])
        rows = _rows(place, pl.Series(scores, dtype=pl.Float64), pl.Series(docnos, dtype=pl.String))
        return rows.filter(known)

    def _line(self, fields: list[bytes], raw: bytes) -> tuple[str, float, str]:
        """Parses topic, score and docno of a line. Raises RowProblem."""
        if len(fields) != len(RUN_FIELDS):
            detail = f"{quoted(raw)} has {len(fields)} fields instead of {len(RUN_FIELDS)}"
            raise RowProblem(Code.ROW_SHAPE, detail, f"A line is: {' '.join(RUN_FIELDS)}.")
        topic, _, docno, _, score, _ = fields
        check_id(topic, b"", self.form, shown=topic)
        item = read_labels(docno, self.task)
        if not is_number(score) or abs(float(score)) == float("inf"):
            hint = "A score is a decimal number, for example 12.75 or 1.5e-3."
            raise RowProblem(Code.BAD_NUMBER, f"{quoted(score)} is not a score", hint)
        return topic.decode(), float(score), item.decode()

    def _unknown(self, topic: str, line: int) -> None:
        if topic.encode() in self.unknown:
            return
        self.unknown.add(topic.encode())
        detail = f"{quoted(topic)} is not among the published topics"
        hint = "Send the topics of the sample submission and no others."
        self._note(Problem(Code.UNKNOWN_ID, detail, line, None, topic, "topic", hint))

    def _note(self, problem: Problem) -> None:
        self.findings.add(problem)
        if self.findings.enough:
            self.findings.stopped = True
            raise self.findings.rejected()

    def _too_many(self) -> FileRejected:
        detail = f"more than {MAX_TOPIC_LINES:,} lines for each published topic"
        hint = f"Send the best {self.task.depth:,} documents of each topic; no others count."
        return FileRejected.because(Code.TOO_MANY_ROWS, detail, hint=hint)

    def _refuse_repetitions(self) -> None:
        columns = ["place", "docno"]
        twice = self.kept.filter(self.kept.select(columns).is_duplicated()).unique(columns)
        for place, docno in twice.sort(columns).select(columns).iter_rows():
            topic = self.published.id_of(place)
            detail = (
                f"{quoted(docno)} occurs twice among the first {self.task.depth:,} items of {topic}"
            )
            hint = "Name each document of a topic once."
            self.findings.add(Problem(Code.DUPLICATE_LABEL, detail, id=topic, hint=hint))

    def _prune(self) -> None:
        """Sorts all rows, and drops those below the scored depth."""
        rows = pl.concat([self.kept, *self.pending])
        rows = rows.sort("place", "score", "docno", descending=[False, True, True])
        number = pl.int_range(rows.height, dtype=pl.UInt32, eager=True)
        sizes = rows["place"].rle().struct.field("len").cast(pl.UInt32)
        first = (sizes.cum_sum() - sizes).gather(rows["place"].rle_id())
        self.kept = rows.filter(number - first < self.task.depth)
        self.pending = []

    def _write(self, sink: BinaryIO) -> None:
        sink.write(f"{self.task.id_column},{self.task.labels_column}\n".encode())
        lists = self.kept.group_by("place", maintain_order=True).agg(pl.col("docno").str.join(" "))
        lists = lists.with_columns(self.published.sessions.gather(lists["place"]).alias("place"))
        lists.write_csv(sink, include_header=False, quote_style="never")


def _rows(place: pl.Series, score: pl.Series, docno: pl.Series) -> pl.DataFrame:
    # trec_eval stores scores in single precision, so that close ones tie.
    single = score.cast(pl.Float32)
    return pl.DataFrame({"place": place, "score": single, "docno": docno}, schema=_SCHEMA)
