"""The compiled reader of labels on mutated blocks, beside patterns of its lines.

A block that takes a way through the code which none has taken before is kept, and mutated further.
"""

from __future__ import annotations

import ctypes
import json
import random
import re
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any

from podium.scoring.kernel.places import TextNumbers
from podium.scoring.kernel.structures import LabelsFound
from podium.scoring.splits import USAGE_SIDES
from podium.scoring.task import MAX_ITEM, Task
from podium.scoring.truth.compiled import TextForm
from podium.scoring.truth.forms import json_keys
from podium.scoring.truth.qrels import MAX_RELEVANCE, MIN_RELEVANCE
from podium.scoring.truth.well_formed import form_of
from tests.builders.scoring.label_files import KINDS, SPLICES, TASKS, TEXT_TASKS, Id, label_file
from tests.fuzz.blocks import BLOCKS_OF_A_TASK, mutated, placed
from tests.fuzz.cells import Memory

LONGEST_LINE = 120
MAX_OTHERS = 16
NASTY = tuple(splice.encode() for splice in SPLICES)

NUMBER = "(?:0|[1-9][0-9]{0,9})"
CHARACTER = r"[!#-+\--~]"
TOKEN = CHARACTER + "{1,64}"
STRING = rf'(?:{NUMBER}|"(?:(?!\\){CHARACTER}){{1,64}}")'
RELEVANCE = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
ANY_KEY = r"[ !#-\[\]-~]*"

_KNOWN = ("known_sessions", "known_items")

Line = tuple[Id, list[tuple[int, Id]], int, str]
"""The session of a line, its labels as (objective, item), how many entries are left out, or the
objective of the row, and the word for its side."""


class Subject:
    """The reader under test, with the form of a text."""

    def __init__(self, library: ctypes.CDLL, form: TextForm) -> None:
        self._library, self._form = library, form
        form.c.longest_line = LONGEST_LINE

    def read(self, block: bytes) -> tuple[Any, ...]:
        """The number of bytes that are plain, and all that they say."""
        form, known = self._form, (TextNumbers(self._library), TextNumbers(self._library))
        with placed(block) as text, Memory() as memory:
            # As much room as the product gives, and not a byte more.
            rows, labels = bytes(4 * (len(block) // 3 + 1)), bytes(4 * (len(block) // 2 + 1))
            arrays = {"sessions": rows, "queries": labels, "items": labels}
            if "labels" in form.columns:
                arrays["rows"] = rows
            if "side" in form.columns:
                arrays["sides"] = bytes(len(block) // 3 + 1)
            if form.is_graded:
                arrays["relevances"] = labels * 2
            places = {name: memory.place(room) for name, room in arrays.items()}
            given = {name: ctypes.pointer(each.c) for name, each in zip(_KNOWN, known, strict=True)}
            found = LabelsFound(**places, **given)
            done = self._library.podium_read_labels(
                ctypes.byref(form.c), text, len(block), ctypes.byref(found)
            )
            counts = {"sessions": found.session_count, "rows": found.row_count}
            numbers = {
                name: _numbers(place, counts.get(name, found.label_count))
                for name, place in places.items()
                if name not in ("sides", "relevances")
            }
        sessions = _named(numbers["sessions"], known[0], are_texts=form.c.are_texts)
        items = _named(numbers["items"], known[1], are_texts=form.c.are_text_items)
        labels_found = list(zip(numbers["queries"], items, strict=True))
        return done, sessions, numbers.get("rows"), labels_found, found.ignored


def _named(numbers: list[int], known: TextNumbers, *, are_texts: int) -> list[int] | list[str]:
    if not are_texts:
        return numbers
    texts = known.texts().to_list()
    return [texts[number] for number in numbers]


def _numbers(place: int, count: int) -> list[int]:
    return memoryview(ctypes.string_at(place, 4 * count)).cast("I").tolist()


def json_line(task: Task) -> Callable[[bytes], Line | None]:
    """The meaning of a line, without its end; None where it does not have the pattern."""
    keys, is_only = json_keys(task), task.names == ("",)
    session, item = (STRING if of == "string" else NUMBER for of in (task.query_ids, task.item_ids))
    items = rf"(?:{item}|\[(?:{item}(?:, ?{item})*)?\])"
    known = "|".join((*map(re.escape, keys), *([ANY_KEY] if is_only else ())))
    entry = rf'"(?:{known})": ?{items}'
    labels = rf"\{{(?:{entry}(?:, ?{entry})*)?\}}" + (f"|{items}" if is_only else "")
    pattern = re.compile(
        rf'\{{"session": ?(?P<session>{session}), ?"labels": ?(?P<labels>{labels})\}}'.encode()
    )

    def meant(value: object, *, is_text: bool) -> Id:
        assert isinstance(value, int | str)
        return str(value) if is_text else int(value)

    @lru_cache(1 << 14)
    def read(line: bytes) -> Line | None:
        found = pattern.fullmatch(line)
        if found is None:
            return None
        of = json.loads(found["labels"], object_pairs_hook=list)
        if not found["labels"].startswith(b"{"):
            of = [(keys[0], of)]
        entries = [(key, each if isinstance(each, list) else [each]) for key, each in of]
        others = sum(key not in keys for key, _ in entries)
        if len(dict(entries)) < len(entries) or others > MAX_OTHERS:
            return None
        session = json.loads(found["session"])
        given = [session, *(each for _, all_of in entries for each in all_of)]
        if any(isinstance(each, int) and each > MAX_ITEM for each in given):
            return None
        labels = [
            (keys.index(key), meant(each, is_text=task.item_ids == "string"))
            for key, all_of in entries
            if key in keys
            for each in all_of
        ]
        return meant(session, is_text=task.query_ids == "string"), labels, others, ""

    return read


class TableLine:
    """The same for a row of a table; its objective stands beside no item, too."""

    def __init__(self, task: Task, form: TextForm, text: bytes) -> None:
        self._task, self._columns = task, form.columns
        head = text.partition(b"\n")[0].decode().rstrip("\r").replace('"', "").split(",")
        names = dict(zip(form.columns, head, strict=True))
        self._id_name = names.get("id") or names["session"]
        self._row = re.compile(",".join(['(?:"([^"]*)"|([^",]*))'] * len(head)))

    def __call__(self, line: bytes) -> Line | None:
        """Reads a line."""
        found = self._row.fullmatch(line.decode("latin-1"))
        if found is None:
            return None
        groups = found.groups()
        texts = [a if a is not None else b for a, b in zip(groups[::2], groups[1::2], strict=True)]
        fields = dict(zip(self._columns, texts, strict=True))
        session, name = self._session(fields)
        listed = fields.get("labels", fields.get("item", ""))
        items = [self._item(text) for text in listed.split(" ") if text]
        side = fields.get("side", "public").lower()
        known = [item for item in items if item is not None]
        if session is None or name not in self._task.names or len(known) < len(items):
            return None
        if side not in USAGE_SIDES or ("item" in fields and len(items) > 1):
            return None
        if "relevance" in fields and not _is_relevance(fields["relevance"], may_lack=not items):
            return None
        objective = self._task.names.index(name)
        return session, [(objective, item) for item in known], objective, side

    def _session(self, fields: dict[str, str]) -> tuple[Id | None, str]:
        whole, is_text = fields.get("id", fields.get("session", "")), self._task.query_ids
        session, name = whole, fields.get("type", "")
        if "id" in fields and self._task.names != ("",):
            parts = whole.rpartition("_") if is_text == "string" else whole.partition("_")
            session, _, name = parts
        if is_text == "string":
            good = re.fullmatch(TOKEN, session) and whole != self._id_name
            return (session if good else None), name
        good = re.fullmatch(NUMBER, session) and int(session) <= MAX_ITEM
        return (int(session) if good else None), name

    def _item(self, text: str) -> Id | None:
        if self._task.item_ids == "string":
            return text if re.fullmatch(TOKEN, text) and text[0] != "[" else None
        return int(text) if re.fullmatch("[0-9]{1,10}", text) and int(text) <= MAX_ITEM else None


def _is_relevance(text: str, *, may_lack: bool) -> bool:
    if not text:
        return may_lack
    good = RELEVANCE.fullmatch(text) and len(text) <= 64 and 0 <= float(text) <= MAX_RELEVANCE
    return bool(good) and not 0 < float(text) < MIN_RELEVANCE


def expected(
    block: bytes, line_reader: Callable[[bytes], Line | None], task: Task, kind: str
) -> tuple[Any, ...]:
    """The answer by the patterns: up to the first line that has none."""
    done, ignored, width = 0, 0, len(task.names)
    sessions: list[Id] = []
    rows, labels, last_side = [], [], ""
    for text in block.split(b"\n")[:-1]:
        line = text.removesuffix(b"\r")
        meant = line_reader(line) if len(line) <= LONGEST_LINE else None
        if meant is None:
            break
        session, items, third, side = meant
        if kind == "jsonl" or sessions[-1:] != [session]:
            sessions.append(session)
        elif side != last_side:
            break
        last_side = side
        query = width * (len(sessions) - 1)
        labels += [(query + objective, item) for objective, item in items]
        if kind == "jsonl":
            ignored += third
        else:
            rows.append(query + third)
        done += len(text) + 1
    return done, sessions, rows if kind == "submission" else None, labels, ignored


def run(library: ctypes.CDLL, *, blocks: int, seed: int) -> tuple[int, int]:
    """Tries so many blocks; returns how many of them had a plain line, and how many were kept.
    Raises AssertionError with the block for which the answers differ."""
    rng = random.Random(seed)
    edges = ctypes.c_uint64.in_dll(library, "podium_new_edges")
    accepted = kept = done = 0
    ways = list(product((*TASKS, *TEXT_TASKS), (*KINDS, "graded")))
    while done < blocks:
        task, kind = ways[done // BLOCKS_OF_A_TASK % len(ways)]
        text = label_file(rng, task, kind).rstrip("\r\n").encode() + b"\n"
        form = form_of(task, text)
        line_reader = json_line(task) if form.is_json else TableLine(task, form, text)
        subject = Subject(library, form)
        library.podium_forget_edges()
        corpus = [text[form.start :] or b"\n"]
        for _ in range(min(BLOCKS_OF_A_TASK, blocks - done)):
            done += 1
            block = mutated(rng, rng.choice(corpus), rng.choice(corpus), NASTY)
            edges.value = 0
            answer = subject.read(block)
            if edges.value:
                corpus.append(block)
                kept += 1
            accepted += answer[0] > 0
            lines = expected(block, line_reader, task, kind)
            assert answer == lines, (task.names, kind, block, answer, lines)
    return accepted, kept
