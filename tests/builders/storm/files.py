"""The files of the storm with what must become of each, and a slow scorer of their own."""

from __future__ import annotations

import gzip
import hmac
import json
import random
from dataclasses import dataclass
from fractions import Fraction

SESSIONS = range(100, 140)
KINDS = ("clicks", "carts", "orders")
WEIGHTS = {"clicks": Fraction(1, 10), "carts": Fraction(3, 10), "orders": Fraction(6, 10)}
TRUTH = {
    (session, kind): [session * 10 + place for place in range(1 + (kind == "orders"))]
    for session in SESSIONS
    for kind in KINDS
}


@dataclass(frozen=True)
class File:
    """A file with the status it must end in; a rejected one also with its problem's code."""

    key: str
    content: bytes
    status: str
    code: str | None = None


Truth = dict[tuple[int, str], list[int]]


def labels(truth: Truth = TRUTH) -> bytes:
    """A ground truth as an organizer uploads it."""
    lines = []
    for session in SESSIONS:
        of = {kind: truth[session, kind] for kind in KINDS}
        lines.append(json.dumps({"session": session, "labels": of | {"clicks": of["clicks"][0]}}))
    return "\n".join(lines).encode()


def storm_files(count: int, seed: int) -> list[File]:
    """So many files, one in five of them bad or hostile, in random order."""
    chance = random.Random(seed)
    files = []
    for number in range(count):
        key = f"file-{seed}-{number}"
        files.append(_hostile(key, number) or File(key, _good(chance), "scored"))
    chance.shuffle(files)
    return files


def exact_scores(
    content: bytes, split_key: str, public_fraction: Fraction, truth: Truth = TRUTH
) -> dict[str, Fraction]:
    """Both scores of a good file, straight from the definition."""
    rows = dict(line.split(",") for line in content.decode().splitlines()[1:] if line)
    scores = {"public": Fraction(0), "private": Fraction(0)}
    for side in scores:
        for kind in KINDS:
            sessions = [s for s in SESSIONS if _side(s, split_key, public_fraction) == side]
            hits = sum(
                str(item) in rows[f"{session}_{kind}"].split()[:20]
                for session in sessions
                for item in truth[session, kind]
            )
            relevant = sum(min(20, len(truth[session, kind])) for session in sessions)
            scores[side] += WEIGHTS[kind] * Fraction(hits, relevant)
    return scores


def _side(session: int, split_key: str, public_fraction: Fraction) -> str:
    digest = hmac.digest(bytes.fromhex(split_key), str(session).encode(), "sha256")
    share = Fraction(int.from_bytes(digest[:8], "big"), 1 << 64)
    return "public" if share < public_fraction else "private"


def _good(chance: random.Random) -> bytes:
    lines = ["session_type,labels"]
    for (session, kind), items in TRUTH.items():
        guesses = [*items, 1, 2, 3] if chance.random() < 0.5 else [4, 5]
        chance.shuffle(guesses)
        lines.append(f"{session}_{kind},{' '.join(map(str, guesses))}")
    return "\n".join(lines).encode()


def _hostile(key: str, number: int) -> File | None:
    match number % 25:
        case 0:
            return File(key, b"abort " + key.encode(), "rejected", "resource-limit")
        case 7:
            return File(key, b"grow " + key.encode(), "rejected", "resource-limit")
        case 13:
            return File(key, b"hang " + key.encode(), "rejected", "resource-limit")
        case 17:
            return File(key, gzip.compress(b"," * 3_000_000), "rejected", "header-mismatch")
        case 21:
            content = b"session_type,labels\n100_clicks,nonsense\n" + key.encode()
            return File(key, content, "rejected", "bad-label")
    return None
