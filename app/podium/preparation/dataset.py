"""Reads and writes `dataset.json`, the description of prepared files that lies beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Self

import polars as pl

from podium.errors import InvalidInput
from podium.otto.jsonl import Scope, read_events

NAME = "dataset.json"

_KINDS = {"integer": pl.Int64, "string": pl.String, "number": pl.Float64}


@dataclass(frozen=True)
class Dataset:
    """Prepared files and the settings that produced them.

    `user`, `item`, `rating`, `timestamp` and `type` name the columns of `train` and `test`; "" for
    one that they lack. Sessions in OTTO's JSON lines are read as one row per event. `objectives`
    map types to their labels; plain users × items have one objective without a name. Paths are
    relative to `folder`; `items` is "" where there is no item file. `kinds` say for each column
    whether it holds an `integer`, a `string` or a `number`, so that CSV is read as it was written.
    """

    folder: Path
    user: str
    item: str
    rating: str
    timestamp: str
    type: str
    protocol: str
    settings: Mapping[str, Any]
    objectives: Mapping[str, Scope]
    train: str
    test: str | None
    labels: str
    published: str
    items: str
    kinds: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Reads the dataset of a folder. Raises `InvalidInput` where there is none."""
        file = folder / NAME
        try:
            document = json.loads(file.read_text())
            known = {each.name for each in fields(cls)} - {"folder"}
            return cls(folder, **{name: document[name] for name in known})
        except FileNotFoundError:
            raise InvalidInput(
                f"{folder} has no {NAME}: make the folder with `podium prepare`."
            ) from None
        except (ValueError, KeyError, TypeError):
            raise InvalidInput(f"{file} does not describe prepared files.") from None

    def write(self, folder: Path) -> Path:
        """Writes `dataset.json`; equal content gives equal bytes."""
        document = asdict(self)
        del document["folder"]
        file = folder / NAME
        file.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")
        return file

    def scan_train(self) -> pl.LazyFrame:
        """Scans the training interactions, one per row."""
        return self._scan(self.train)

    def scan_test(self) -> pl.LazyFrame | None:
        """Scans the interactions of test users that are published beside the training set; None
        without any."""
        return None if self.test is None else self._scan(self.test)

    def _scan(self, name: str) -> pl.LazyFrame:
        file = self.folder / name
        if ".jsonl" in file.suffixes:
            return read_events(file)
        if file.name.endswith(".parquet"):
            return pl.scan_parquet(file)
        kinds = {name: _KINDS[kind] for name, kind in self.kinds.items()}
        # No id or type in these files contains a quote.
        return pl.scan_csv(file, schema_overrides=kinds, quote_char=None)


@dataclass
class Prepared:
    """A finished preparation: its datasets (several folds, or one), its report, and its files;
    `secrets` are those of them that participants must not see."""

    datasets: list[Dataset] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)
    secrets: list[Path] = field(default_factory=list)
