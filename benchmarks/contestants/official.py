"""The organizer's own script of evaluation, unmodified and in an environment of its own.

It is no part of this repository (MIT License, Otto GmbH & Co KG): it has to lie in the folder of
the benchmark's files, and takes part if it is, byte for byte, the version that is named here.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from subprocess import CalledProcessError

from benchmarks.contest import Contestant, Told
from benchmarks.environments import interpreter

COMMIT = "f404284240ac654d0b924b2fabec0aea7b23f168"
ADDRESS = f"github.com/otto-de/recsys-dataset/blob/{COMMIT}/src/evaluate.py"
SHA256 = "0eef54dc8fc173d5da7d036667c1e411f14eef9cc217778cf74d2285b14744cc"
REQUIREMENTS = Path(__file__).with_suffix(".txt")

CHECKS = "that ids and items are numbers, by failing; keeps the last of two equal rows"

SCORES = re.compile(rb"Scores: (\{.*\})")


class NotThere(Exception):
    """The script cannot take part; the text is the reason."""


@dataclass(frozen=True, slots=True)
class OfficialScript:
    """The script, and the interpreter that has what it needs."""

    path: Path
    python: Path

    @classmethod
    def found(cls, folder: Path) -> OfficialScript:
        """The script in a folder. Raises `NotThere`."""
        path = folder / "evaluate.py"
        if not path.exists():
            raise NotThere(f"save {ADDRESS} as {path}")
        if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
            raise NotThere(f"{path} is not {ADDRESS}, whose SHA-256 begins with {SHA256[:8]}")
        try:
            return cls(path, interpreter(folder / "official", REQUIREMENTS))
        except CalledProcessError as error:
            raise NotThere(f"what {REQUIREMENTS.name} names was not installed") from error

    def contestant(self, name: str, files: Path, question: str) -> Contestant:
        """The script on the files of a folder."""
        labels, predictions = files / "test_labels.jsonl", files / "interleaved.csv"
        command = (str(self.python), str(self.path), "--test-labels", str(labels))
        told: Callable[[bytes, bytes], Told] = partial(scores_told, files / "official.json")
        return Contestant(
            name, (*command, "--predictions", str(predictions)), CHECKS, question, told
        )


def scores_told(counted: Path, _: bytes, log: bytes) -> Told:
    """The hits that its recalls stand for. `counted` says how many labels it divides by (`labels`)
    and how many hits it passes over (`passed_over`): it takes item 0, where it is the label of a
    click, for no label."""
    found = SCORES.search(log)
    assert found is not None
    recalls, counts = ast.literal_eval(found[1].decode()), json.loads(counted.read_text())
    hits = {
        name: round(recalls[name] * labels) + counts["passed_over"][name]
        for name, labels in counts["labels"].items()
    }
    return Told(hits=hits)
