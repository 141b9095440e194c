"""The rules for a submission, written down a second time: slow, obvious, and on its own.

It reads a whole small text at once, one character after the other where that is clearer, and
shares nothing with the readers that it judges but the names of the codes and the limits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from podium.scoring.task import Task

Problems = list[tuple[int | None, str]]
Verdict = tuple[Any, ...]

DIGITS = "0123456789"


class Wrong(Exception):
    """Carries the code of what is wrong."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read(text: bytes, *, task: Task, sessions: Sequence[int] | Sequence[str]) -> Verdict:
    """`("accepted", {query number: items}, counts)` or `("rejected", [(line, code), …])`.

    Items are ints, or strings where the task compares them as text. The problems are all there
    are, in the order of their lines; missing ids come last and are one entry.
    """
    rest = text[3:] if text.startswith(b"\xef\xbb\xbf") else text
    if all(byte in b"\r\n" for byte in rest):
        return ("rejected", [(1 if text else None, "empty-file")])
    lines = split_lines(rest)
    try:
        labels_first = read_header(rest, lines[0], task)
    except Wrong as wrong:
        return ("rejected", [(1, wrong.code)])
    last = max(number for number, line in enumerate(lines, start=1) if line != b"")
    rows_allowed = len(sessions) * len(task.names) + 1000
    if last > rows_allowed + 1:
        return ("rejected", [(rows_allowed + 2, "too-many-rows")])
    return read_rows(lines[1:last], labels_first, task, sessions)


def read_rows(
    lines: list[bytes], labels_first: bool, task: Task, sessions: Sequence[int] | Sequence[str]
) -> Verdict:
    """Judges the lines after the header; blank ones at the end are gone already."""
    ids = [(session, name) for session in sessions for name in task.names]
    numbers = {row_id: number for number, row_id in enumerate(ids)}
    problems: Problems = []
    answers: dict[int, list[Any]] = {}
    answered: set[int] = set()
    lists: list[tuple[int, str]] = []
    for line_number, line in enumerate(lines, start=2):
        try:
            fields = read_fields(line, task)
        except Wrong as wrong:
            problems.append((line_number, wrong.code))
            continue
        row_id, labels = reversed(fields) if labels_first else fields
        query = None
        try:
            query = read_query(row_id, task, numbers, answered)
        except Wrong as wrong:
            problems.append((line_number, wrong.code))
        try:
            items = read_items(labels, task)
        except Wrong as wrong:
            problems.append((line_number, wrong.code))
            continue
        lists.append((line_number, labels.strip(" ")))
        if query is not None:
            answers[query] = items
        if has_repetition(items, task):
            problems.append((line_number, "duplicate-label"))
    problems += joined(lists, task)
    # By line; several of a line as they were found.
    problems.sort(key=lambda problem: problem[0] or 0)
    missing = len(ids) - len(answered)
    if missing and task.missing_rows == "reject":
        problems.append((None, "missing-ids"))
    if problems:
        return ("rejected", problems)
    empty = sum(1 for items in answers.values() if not items)
    return ("accepted", answers, {"rows": len(answers), "missing": missing, "empty": empty})


def read_query(
    row_id: str, task: Task, numbers: dict[tuple[Any, str], int], answered: set[int]
) -> int | None:
    """The number of the query that a row answers, which is `answered` then."""
    query = numbers.get(read_id(row_id, task))
    if query is None:
        raise Wrong("unknown-id")
    if query in answered:
        raise Wrong("duplicate-id")
    answered.add(query)
    return query


def joined(lists: list[tuple[int, str]], task: Task) -> Problems:
    """A problem for each list that looks as if other signs than spaces separate its items, if
    nearly all do; `lists` have their lines."""
    filled = [text for _, text in lists if text]
    wrong = [line_number for line_number, text in lists if is_joined(text, task)]
    if 100 * len(wrong) < 95 * len(filled):
        return []
    return [(line_number, "bad-label") for line_number in wrong]


def split_lines(text: bytes) -> list[bytes]:
    """The lines between the LFs, each without the one CR that may stand before its LF."""
    *ended, rest = text.split(b"\n")
    lines = [line[:-1] if line.endswith(b"\r") else line for line in ended]
    return [*lines, rest] if rest else lines


def read_header(text: bytes, line: bytes, task: Task) -> bool:
    """True if the labels come first; raises what is wrong with line 1."""
    columns = [task.id_column, task.labels_column]
    try:
        fields = split_fields(decoded(line, task))
    except Wrong:
        fields = []
    if fields == columns:
        return False
    if fields == columns[::-1]:
        return True
    sample = text[:4096]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        raise Wrong("encoding")
    start = sample[:64]
    even_zero = all(byte == 0 for byte in start[0::2])
    odd_zero = all(byte == 0 for byte in start[1::2])
    if len(start) >= 4 and even_zero != odd_zero:
        raise Wrong("encoding")
    if any(byte < 32 and byte not in b"\t\r\n" for byte in sample):
        raise Wrong("not-csv")
    if sample.strip().startswith(b"<"):
        raise Wrong("not-csv")
    if b"\r" in line[:4096]:
        raise Wrong("line-endings")
    headed = any(line.startswith(",".join(c).encode()) for c in (columns, columns[::-1]))
    if len(line) > task.max_line_bytes and not headed and line[:4096].count(b",") >= 2:
        raise Wrong("header-mismatch")
    decoded(line, task)
    raise Wrong("header-mismatch")


def decoded(line: bytes, task: Task) -> str:
    """A line as text, if it is short enough, UTF-8, and without a stray carriage return."""
    if len(line) > task.max_line_bytes:
        raise Wrong("line-too-long")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Wrong("encoding") from None
    if "\r" in text:
        raise Wrong("line-endings")
    return text


def read_fields(line: bytes, task: Task) -> list[str]:
    """The two fields of a row."""
    text = decoded(line, task)
    if all(character in " \t" for character in text):
        raise Wrong("blank-line")
    if "\x1a" in text:
        raise Wrong("bad-character")
    fields = split_fields(text)
    if len(fields) != 2:
        raise Wrong("row-shape")
    return fields


def split_fields(text: str) -> list[str]:
    """Fields by RFC 4180, one character at a time, where a quoted field must be quoted whole."""
    fields = [""]
    state = "start"
    for character in text:
        if state == "quoted":
            if character == '"':
                state = "closed"
            else:
                fields[-1] += character
        elif character == ",":
            fields.append("")
            state = "start"
        elif character == '"' and state == "start":
            state = "quoted"
        elif character == '"' and state == "closed":
            fields[-1] += '"'
            state = "quoted"
        elif character == '"' or state == "closed":
            raise Wrong("bad-quote")
        else:
            fields[-1] += character
            state = "plain"
    if state == "quoted":
        raise Wrong("bad-quote")
    return fields


def read_id(text: str, task: Task) -> tuple[int | str, str]:
    """Session and objective name."""
    if task.query_ids == "string":
        session, _, name = text.rpartition("_") if task.names != ("",) else (text, "", "")
        if name not in task.names or not is_text_id(session):
            raise Wrong("bad-id")
        return session, name
    for name in task.names:
        suffix = f"_{name}" if name else ""
        if not text.endswith(suffix):
            continue
        digits = text[: len(text) - len(suffix)]
        if digits == "" or any(character not in DIGITS for character in digits):
            continue
        if digits != "0" and digits.startswith("0"):
            continue
        if len(digits) <= 10 and int(digits) <= 2147483647:
            return int(digits), name
    raise Wrong("bad-id")


def read_items(text: str, task: Task) -> list[Any]:
    """The items of a row, in order."""
    items: list[Any] = []
    for word in text.split(" "):
        if word == "":
            continue
        if task.item_ids == "string":
            if not is_text_id(word):
                raise Wrong("bad-label")
            items.append(word)
            continue
        if len(word) > 10 or any(character not in DIGITS for character in word):
            raise Wrong("bad-label")
        if int(word) > 2147483647:
            raise Wrong("bad-label")
        items.append(int(word))
    return items


def has_repetition(items: list[Any], task: Task) -> bool:
    """True if one of the items that count occurs twice, and must not."""
    counted = items[: task.depth]
    return task.submission_duplicates == "reject" and len(set(counted)) < len(counted)


def is_joined(text: str, task: Task) -> bool:
    """True if a list looks as if other signs than spaces separate its items."""
    if task.item_ids != "string" or task.depth < 2:
        return False
    if text.startswith("[") and text.endswith("]"):
        return True
    return " " not in text and len([part for part in re.split("[|;]", text) if part]) > 1


def is_text_id(word: str) -> bool:
    """True if a word may be a session or an item that is compared as text."""
    return 1 <= len(word) <= 64 and all("!" <= c <= "~" and c not in ',"' for c in word)
