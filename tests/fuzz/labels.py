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

from podium.scoring.kernel.structures import LabelForm, LabelsFound
from podium.scoring.task import MAX_ITEM, Task
from podium.scoring.truth.forms import json_keys
from podium.scoring.truth.well_formed import form_of
from tests.builders.scoring.label_files import KINDS, SPLICES, TASKS, label_file
from tests.fuzz.blocks import BLOCKS_OF_A_TASK, mutated, placed
from tests.fuzz.cells import Memory

LONGEST_LINE = 120
MAX_OTHERS = 16
NASTY = tuple(splice.encode() for splice in SPLICES)

NUMBER = "(?:0|[1-9][0-9]{0,9})"
ITEMS = rf"(?:{NUMBER}|\[(?:{NUMBER}(?:, ?{NUMBER})*)?\])"
ANY_KEY = r"[ !#-\[\]-~]*"

Line = tuple[int, list[tuple[int, int]], int]
"""The session of a line, its labels as (objective, item), and how many entries are left out."""


class Subject:
    """The reader under test, with the form of a text."""

    def __init__(self, library: ctypes.CDLL, form: LabelForm) -> None:
        self._library, self._form = library, form
        form.longest_line = LONGEST_LINE

    def read(self, block: bytes) -> tuple[Any, ...]:
        """The number of bytes that are plain, and all that they say."""
        with placed(block) as text, Memory() as memory:
            # As much room as the product gives, and not a byte more.
            rows, labels = bytes(4 * (len(block) // 3 + 1)), bytes(4 * (len(block) // 2 + 1))
            arrays = {"sessions": rows, "queries": labels, "items": labels}
            if not self._form.is_json and not self._form.is_long:
                arrays["rows"] = rows
            places = {name: memory.place(room) for name, room in arrays.items()}
            found = LabelsFound(**places)
            done = self._library.podium_read_labels(
                ctypes.byref(self._form), text, len(block), ctypes.byref(found)
            )
            counts = {"sessions": found.session_count, "rows": found.row_count}
            numbers = {
                name: _numbers(place, counts.get(name, found.label_count))
                for name, place in places.items()
            }
        labels_found = list(zip(numbers["queries"], numbers["items"], strict=True))
        return done, numbers["sessions"], numbers.get("rows"), labels_found, found.ignored


def _numbers(place: int, count: int) -> list[int]:
    return memoryview(ctypes.string_at(place, 4 * count)).cast("I").tolist()


def json_line(task: Task) -> Callable[[bytes], Line | None]:
    """The meaning of a line, without its end; None where it does not have the pattern."""
    keys, is_only = json_keys(task), task.names == ("",)
    known = "|".join((*map(re.escape, keys), *([ANY_KEY] if is_only else ())))
    entry = rf'"(?:{known})": ?{ITEMS}'
    labels = rf"\{{(?:{entry}(?:, ?{entry})*)?\}}" + (f"|{ITEMS}" if is_only else "")
    pattern = re.compile(
        rf'\{{"session": ?(?P<session>{NUMBER}), ?"labels": ?(?:{labels})\}}'.encode()
    )

    @lru_cache(1 << 14)
    def read(line: bytes) -> Line | None:
        found = pattern.fullmatch(line)
        if found is None or int(found["session"]) > MAX_ITEM:
            return None
        of = json.loads(line.partition(b'"labels":')[2][:-1], object_pairs_hook=list)
        if b'"labels": {' not in line and b'"labels":{' not in line:
            of = [(keys[0], of)]
        entries = [(key, items if isinstance(items, list) else [items]) for key, items in of]
        others = sum(key not in keys for key, _ in entries)
        if len(dict(entries)) < len(entries) or others > MAX_OTHERS:
            return None
        if any(item > MAX_ITEM for _, items in entries for item in items):
            return None
        meant = [(keys.index(key), item) for key, items in entries if key in keys for item in items]
        return int(found["session"]), meant, others

    return read


def csv_line(task: Task, kind: str) -> Callable[[bytes], Line | None]:
    """The same for a row; its objective stands beside no item, too."""
    between, more = ("_", f"(?: {NUMBER})*") if kind == "submission" else (",", "")
    endings = [f"{between}{name}" if name else "" for name in task.names]
    known = "|".join(map(re.escape, endings))
    pattern = re.compile(f"({NUMBER})({known}),((?:{NUMBER}{more})?)".encode())

    @lru_cache(1 << 14)
    def read(line: bytes) -> Line | None:
        found = pattern.fullmatch(line)
        if found is None or int(found[1]) > MAX_ITEM:
            return None
        objective, items = endings.index(found[2].decode()), list(map(int, found[3].split()))
        if any(item > MAX_ITEM for item in items):
            return None
        return int(found[1]), [(objective, item) for item in items], objective

    return read


def expected(
    block: bytes, line_reader: Callable[[bytes], Line | None], task: Task, kind: str
) -> tuple[Any, ...]:
    """The answer by the patterns: up to the first line that has none."""
    done, ignored, width = 0, 0, len(task.names)
    sessions: list[int] = []
    rows, labels = [], []
    for text in block.split(b"\n")[:-1]:
        line = text.removesuffix(b"\r")
        meant = line_reader(line) if len(line) <= LONGEST_LINE else None
        if meant is None:
            break
        session, items, third = meant
        if kind == "jsonl" or sessions[-1:] != [session]:
            sessions.append(session)
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
    ways = list(product(TASKS, KINDS))
    while done < blocks:
        task, kind = ways[done // BLOCKS_OF_A_TASK % len(ways)]
        text = label_file(rng, task, kind).rstrip("\r\n").encode() + b"\n"
        form, start = form_of(task, text)
        line_reader = json_line(task) if kind == "jsonl" else csv_line(task, kind)
        subject = Subject(library, form)
        library.podium_forget_edges()
        corpus = [text[start:] or b"\n"]
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
