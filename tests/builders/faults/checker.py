"""Invariants after every fault, read from the database, the storage and the answers.

`lost` is asked after each single fault, while the installation lives; `violations` at the end, when
every file has been sent again under its key until it was acknowledged, and all are judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import sqlalchemy as sa

from podium.core.database.engine import Database
from podium.submissions.service.retention import remove_ended, tidy
from tests.builders.faults.history import History
from tests.builders.faults.stores import Store, is_whole
from tests.builders.storm import checker
from tests.builders.storm.files import TRUTH, Truth

CANARY = 1_999_000_001
"""A relevant item that no file of a participant names: only organizers may ever read it."""

SECRET_TRUTH: Truth = TRUTH | {(139, "carts"): [CANARY]}

LETTERS_OF_A_SECRET = 9
"""A shorter text can stand somewhere by chance."""

NAMED = (
    ("submissions", "SELECT sha256 FROM submissions"),
    ("secret/ground-truth", "SELECT sha256 FROM ground_truth_versions"),
    ("secret/hits", "SELECT hits_sha256 FROM judgings UNION SELECT hits_sha256 FROM runs"),
    ("files", "SELECT sha256 FROM published_id_lists"),
    ("uploads", "SELECT sha256 FROM upload_pieces"),
)
"""Areas, and the hashes of their files that rows name."""


def lost(database_url: str, store: Store, history: History) -> list[str]:
    """Acknowledged submissions without a row, and the newest rows whose file is not whole."""
    with opened(database_url) as connection:
        rows = connection.execute(
            sa.text("SELECT id, sha256 FROM submissions ORDER BY sequence DESC")
        ).all()
    missing = set(history.acknowledged.values()) - {row.id for row in rows}
    found = [f"I1: {submission} was acknowledged and is lost" for submission in sorted(missing)]
    return found + [
        f"I2: {row.id} has a row and no file"
        for row in rows[:2]
        if not is_whole(store, "submissions", row.sha256)
    ]


def violations(
    database_url: str,
    data: Path,
    store: Store,
    history: History,
    *,
    daily_limit: int,
    child_deaths: int = 0,
) -> list[str]:
    """Everything that is wrong with an installation that was stopped in an orderly way."""
    found = [f"I10: {key} was never acknowledged" for key in history.unresolved()]
    found += [f"I10: an answer of {s}" for s in history.statuses if s >= 500 and s != 503]
    found += checker.violations(
        database_url,
        data,
        [history.files[key] for key in history.acknowledged],
        history.acknowledged,
        truth=SECRET_TRUTH,
        child_deaths=child_deaths,
        read=lambda sha256: store.read("submissions", sha256),
    )
    found += _after_sweeping(database_url, store)
    with opened(database_url) as connection:
        found += [*over_quota(connection, daily_limit), *_ended(connection)]
        found += _secrets(connection, [history.path, *data.parent.glob("*.log")])
    return found


def over_quota(connection: sa.Connection, limit: int) -> Iterator[str]:
    """I3: what counts, and what is still under way, by team and day."""
    rows = connection.execute(
        sa.text("SELECT team_id, day, count(*) AS used FROM quota_slots GROUP BY team_id, day")
    )
    yield from (f"I3: {row.used} slots of {limit} on {row.day}" for row in rows if row.used > limit)


def _ended(connection: sa.Connection) -> Iterator[str]:
    """I4 and I7: one score for each judging in each table, and no judging or run without an end."""
    for table in ("judgings", "runs"):
        for row in connection.execute(sa.text(f"SELECT id, state FROM {table}")):
            if row.state in ("queued", "judging", "running"):
                yield f"I7: {row.id} of {table} is still {row.state}"
    for table in ("public_scores", "private_scores"):
        scored = connection.execute(sa.text(f"SELECT judging_id FROM {table}")).scalars()
        for judging, count in Counter(scored).items():
            if count > 1:
                yield f"I4: {judging} has {count} {table}"


def _secrets(connection: sa.Connection, outputs: list[Path]) -> Iterator[str]:
    """I8: the split's key, private scores and the canary in what participants or logs were told."""
    secrets = {str(CANARY)}
    secrets |= set(
        connection.execute(sa.text("SELECT split_key FROM competition_secrets")).scalars()
    )
    public = set(connection.execute(sa.text("SELECT score FROM public_scores")).scalars())
    private = connection.execute(sa.text("SELECT score FROM private_scores")).scalars()
    for score in {Fraction(text) for text in private} - {Fraction(text) for text in public}:
        secrets |= {f"{score.numerator}/{score.denominator}", repr(float(score))}
    known = [secret for secret in secrets if len(secret) >= LETTERS_OF_A_SECRET]
    for path in outputs:
        text = path.read_text(errors="replace")
        yield from (f"I8: {secret} stands in {path.name}" for secret in known if secret in text)


def _after_sweeping(database_url: str, store: Store) -> list[str]:
    """I9: the sweeper takes everything that no row names, and nothing else."""
    storage, database = store.storage(), Database(database_url)
    storage.sweep(older_than_seconds=0)
    remove_ended(database, storage)
    for _ in range(2):
        # First what no row names is set aside, then it is removed.
        tidy(database, storage, unnamed_seconds=0, aside_seconds=0)
    database.close()
    found = [f"I9: {name} is left over" for name in store.left_over()]
    with opened(database_url) as connection:
        for area, query in NAMED:
            named = set(connection.execute(sa.text(query)).scalars()) - {None}
            found += [f"I2: no {area} {sha}" for sha in named if not is_whole(store, area, sha)]
            if area in ("submissions", "secret/hits", "uploads"):
                found += [f"I9: nobody names {area} {sha}" for sha in store.names(area) - named]
        found += [
            f"I9: {row.upload_id} was submitted, and keeps its pieces"
            for row in connection.execute(sa.text(PIECES_OF_SUBMITTED))
        ]
    return found


PIECES_OF_SUBMITTED = (
    "SELECT DISTINCT upload_id FROM upload_pieces JOIN uploads ON uploads.id = upload_id"
    " WHERE submission_id IS NOT NULL"
)


def opened(database_url: str) -> sa.Connection:
    """A connection of its own, closed for good at the end."""
    return sa.create_engine(database_url, poolclass=sa.NullPool).connect()
