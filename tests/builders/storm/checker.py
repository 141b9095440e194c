"""Invariants after every fault: acknowledged files are there, judged once, and rightly.

Reads tables and files itself, after the server has stopped, and collects every violation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from tests.builders.storm.files import TRUTH, File, Truth, exact_scores

PUBLIC_FRACTION = Fraction(33, 100)


def violations(
    database_url: str,
    data: Path,
    files: Sequence[File],
    acknowledged: Mapping[str, str],
    *,
    truth: Truth = TRUTH,
    child_deaths: int = 0,
    read: Callable[[str], bytes | None] | None = None,
) -> list[str]:
    """Everything that is wrong; an empty list after a harmless storm. `child_deaths` is how many
    a good file may have seen, where it was not itself that killed them; `read` answers a stored
    submission by its hash, where they are not in the data folder."""
    engine = sa.create_engine(database_url)
    with engine.connect() as connection:
        tables = sa.MetaData()
        tables.reflect(connection)
        check = _Checker(connection, tables, data, truth, child_deaths, read)
        check.submissions(files, acknowledged)
        check.slots()
        check.board()
        check.leftovers()
    engine.dispose()
    return check.found


class _Checker:
    def __init__(
        self,
        connection: sa.Connection,
        tables: sa.MetaData,
        data: Path,
        truth: Truth,
        child_deaths: int,
        read: Callable[[str], bytes | None] | None,
    ) -> None:
        self.found: list[str] = []
        self._read = read or self._in_folder
        self._truth = truth
        self._child_deaths = child_deaths
        self._connection = connection
        self._tables = tables.tables
        self._data = data
        self._split_key = self._rows("competition_secrets")[0].split_key
        self._public = {row.judging_id: row for row in self._rows("public_scores")}
        self._runs = {row.id: row for row in self._rows("runs")}
        self._private = {row.judging_id: row for row in self._rows("private_scores")}

    def submissions(self, files: Sequence[File], acknowledged: Mapping[str, str]) -> None:
        stored = {row.id: row for row in self._rows("submissions")}
        judgings: dict[str, list[sa.Row[Any]]] = {}
        for row in self._rows("judgings"):
            judgings.setdefault(row.submission_id, []).append(row)
        self._expect(set(stored) == set(acknowledged.values()), "other submissions than 202s")
        for file in files:
            submission = stored.get(acknowledged.get(file.key, ""))
            if submission is None:
                self.found.append(f"{file.key} was acknowledged and is lost")
                continue
            sha256 = hashlib.sha256(file.content).hexdigest()
            self._expect(submission.sha256 == sha256, f"{file.key} has another hash")
            self._expect(self._read(sha256) == file.content, f"{file.key} has no bytes")
            own = judgings.get(submission.id, [])
            self._expect(len(own) == 1, f"{file.key} has {len(own)} judgings")
            for judging in own:
                self._judging(file, judging)

    def slots(self) -> None:
        charged = {
            row.submission_id
            for row in self._rows("judgings")
            if row.state == "scored" or (row.problem or {}).get("code") == "resource-limit"
        }
        used = [row.submission_id for row in self._rows("quota_slots")]
        self._expect(set(used) == charged and len(used) == len(charged), "slots do not fit")

    def board(self) -> None:
        best: dict[str, Fraction] = {}
        submissions = {row.id: row for row in self._rows("submissions")}
        for row in self._rows("judgings"):
            if row.id in self._public and row.submission_id in submissions:
                team = submissions[row.submission_id].team_id
                score = Fraction(self._public[row.id].score)
                best[team] = max(best.get(team, score), score)
        shown = {row.team_id: row.shown for row in self._rows("standings")}
        expected = {team: round(score * 10**5) for team, score in best.items()}
        self._expect(shown == expected, f"the board shows {shown}, not {expected}")

    def leftovers(self) -> None:
        scratch = list((self._data / "scratch" / "judgings").glob("*"))
        self._expect(scratch == [], f"scratch of dead workers: {scratch}")

    def _judging(self, file: File, judging: sa.Row[Any]) -> None:
        code = (judging.problem or {}).get("code")
        what = f"{file.key} is {judging.state} ({code}; {judging.failure})"
        self._expect((judging.state, code) == (file.status, file.code), what)
        scored = judging.id in self._public, judging.id in self._private
        self._expect(scored == (file.status == "scored",) * 2, f"{file.key}: scores {scored}")
        if file.status == "scored" and all(scored):
            exact = exact_scores(file.content, self._split_key, PUBLIC_FRACTION, self._truth)
            self._expect(
                Fraction(self._public[judging.id].score) == exact["public"]
                and Fraction(self._private[judging.id].score) == exact["private"],
                f"{file.key} has a wrong score",
            )
            deaths = self._runs[judging.id].child_deaths
            self._expect(deaths <= self._child_deaths, f"{file.key} was blamed for a death")

    def _in_folder(self, sha256: str) -> bytes | None:
        path = self._data / "storage/submissions" / sha256[:2] / sha256[2:4] / sha256
        return path.read_bytes() if path.is_file() else None

    def _rows(self, table: str) -> Sequence[sa.Row[Any]]:
        return self._connection.execute(self._tables[table].select()).all()

    def _expect(self, is_met: bool, violation: str) -> None:
        if not is_met:
            self.found.append(violation)
