"""`python -m benchmarks.attacks`: what probing the public board is worth, by the board's setting.

Attackers without any model try to raise the public score of a finished file by its answers alone,
through the HTTP contract and with a real worker. What they gain is told in standard errors of the
paired difference to the file that they began with: more than about two is overfitting of the public
split, and the private score shows that nothing was learned. Prints Markdown; progress goes to
stderr.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from benchmarks import report
from podium.accounts.service.bootstrap import ensure_administrator
from podium.bootstrap import build
from podium.core.database.migrate import migrate
from podium.logs import configure_logs
from podium.main import create_app
from podium.settings import Settings
from podium.worker.service import start

TOKEN = "the-administrator-of-the-benchmark"
PLACES = 4
"""Items of a list; the last one is what attackers play with."""

HITS, GUESSES = 0.5, (0.1, 0.1)
"""Share of sessions whose label the finished part finds, and of those that either of two candidates
for the last place would find."""

BOARDS: dict[str, dict[str, Any]] = {
    "exact, 5 digits": {"board": "exact", "decimals": 5},
    "exact, 3 digits": {"board": "exact", "decimals": 3},
    "ladder": {"board": "ladder", "decimals": 5},
}

Choice = list[int]
"""For every session which of the two candidates takes the last place."""

Proposal = Callable[[random.Random, Choice, int], Choice]


def boosting(rng: random.Random, best: Choice, _: int) -> Choice:
    """Wacky boosting, greedily: a tenth of all last places is drawn anew."""
    return [rng.randrange(2) if rng.random() < 0.1 else choice for choice in best]


def groups(_: random.Random, best: Choice, number: int) -> Choice:
    """Group testing: the other candidate for eight sessions, the next eight each time."""
    changed = list(best)
    for place in range(8 * number, 8 * number + 8):
        changed[place % len(best)] ^= 1
    return changed


def thresholds(_: random.Random, best: Choice, number: int) -> Choice:
    """Reading single labels: the other candidate for one session."""
    changed = list(best)
    changed[number % len(best)] ^= 1
    return changed


ATTACKS: dict[str, Proposal] = {
    "wacky boosting": boosting,
    "group testing": groups,
    "thresholds": thresholds,
}


@dataclass(frozen=True, slots=True)
class Gain:
    """The effect of an attack on both splits, in the score and in SE(Δ), and after how many files
    there was an alert."""

    public: float
    public_errors: float
    private: float
    private_errors: float
    alarm: int | None


class Sessions:
    """Sessions with a hidden label each, and the two candidates of every last place."""

    def __init__(self, count: int, seed: int) -> None:
        rng = random.Random(seed)
        self.count = count
        self.labels = [0] * count
        for session in range(count):
            kind = rng.random()
            found = [HITS, HITS + GUESSES[0], HITS + sum(GUESSES)]
            self.labels[session] = next((n for n, most in enumerate(found) if kind < most), 99)

    def truth(self) -> bytes:
        """The ground truth; every second session is public."""
        rows = (
            f"{n},{self._item(n, label)},{'Private' if n % 2 else 'Public'}\n"
            for n, label in enumerate(self.labels)
        )
        return ("user,labels,Usage\n" + "".join(rows)).encode()

    def file(self, choice: Choice) -> bytes:
        """A submission: the finished part, then a candidate."""
        rows = []
        for n, candidate in enumerate(choice):
            items = [self._item(n, 0), *(5_000_000 + place for place in range(PLACES - 2))]
            rows.append(f"{n},{' '.join(map(str, items))} {self._item(n, 1 + candidate)}\n")
        return ("user,labels\n" + "".join(rows)).encode()

    def _item(self, session: int, number: int) -> int:
        return 100 * session + number


class Contest:
    """One competition with one attacker, through HTTP only."""

    def __init__(
        self, client: TestClient, sessions: Sessions, slug: str, board: dict[str, Any]
    ) -> None:
        self._client, self._sessions, self._slug = client, sessions, slug
        route = f"/admin/competitions/{slug}"
        body = {"slug": slug, "title": slug, "preset": "ndcg@10", "metric": f"recall@{PLACES}"}
        limits = {"split": "usage", "daily_limit": 10_000}
        self._ask("POST", "/admin/competitions", json={**body, **limits, **board})
        self._ask("POST", f"{route}/ground-truth", content=sessions.truth())
        self._ask("POST", f"{route}/launch")
        attacker = self._ask("POST", "/admin/users", json={"name": f"attacker of {slug}"})
        self._token = attacker["token"]
        team = {"name": f"team of {slug}"}
        self._ask("POST", f"/competitions/{slug}/teams", token=self._token, json=team)

    def shown(self, choice: Choice) -> tuple[str, float | None]:
        """Sends a file: its id, and the score that the attacker is shown."""
        path, content = f"/competitions/{self._slug}/submissions", self._sessions.file(choice)
        sent = self._ask("POST", path, token=self._token, content=content)
        while True:
            seen = self._ask("GET", f"/submissions/{sent['id']}", token=self._token)
            if seen["judged_at"] is not None:
                return sent["id"], seen["public_score"]
            time.sleep(0.02)

    def has_alert(self) -> bool:
        """True if the organizers have been warned."""
        return bool(self._ask("GET", f"/admin/competitions/{self._slug}/alerts")["items"])

    def gain(self, first: str, last: str, alarm: int | None) -> Gain:
        """The last kept file compared with the first, as organizers see it."""
        if first == last:
            return Gain(0.0, 0.0, 0.0, 0.0, alarm)
        path = f"/admin/competitions/{self._slug}/comparison?a={last}&b={first}"
        splits = self._ask("GET", path)["splits"]
        public, private = (splits[name]["pairs"][0]["score"] for name in ("public", "private"))
        return Gain(
            public["value"],
            public["value"] / (public["standard_error"] or 1),
            private["value"],
            private["value"] / (private["standard_error"] or 1),
            alarm,
        )

    def _ask(
        self, method: str, path: str, *, token: str = TOKEN, **arguments: Any
    ) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"}
        answer = self._client.request(method, "/api/v1" + path, headers=headers, **arguments)
        if answer.status_code >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        found: dict[str, Any] = answer.json()
        return found


def attack(contest: Contest, propose: Proposal, *, files: int, count: int, seed: int) -> Gain:
    """Keeps whatever the board shows to be better."""
    rng = random.Random(seed)
    best = [rng.randrange(2) for _ in range(count)]
    first, best_score = contest.shown(best)
    kept, alarm = first, None
    for number in range(1, files):
        changed = propose(rng, best, number - 1)
        sent, score = contest.shown(changed)
        if score is not None and (best_score is None or score > best_score):
            best, best_score, kept = changed, score, sent
        if alarm is None and number < 40 and contest.has_alert():
            alarm = number + 1
        if number % 50 == 0:
            print(f"  {number} files", file=sys.stderr)
    return contest.gain(first, kept, alarm)


def main(argv: list[str]) -> None:
    """Attacks every kind of board in every way, and prints what that was worth."""
    options = _options(argv)
    configure_logs(level=logging.ERROR)
    sessions = Sessions(options.sessions, seed=42)
    rows = []
    with tempfile.TemporaryDirectory() as folder, _installation(Path(folder)) as client:
        for name in options.attack or ATTACKS:
            for board in options.board or BOARDS:
                print(f"{name}, {board}", file=sys.stderr)
                slug = f"{name} {board}".replace(" ", "-").replace(",", "")
                contest = Contest(client, sessions, slug, BOARDS[board])
                gain = attack(
                    contest, ATTACKS[name], files=options.files, count=sessions.count, seed=7
                )
                rows.append(_row(name, board, gain))
    head = f"| attack, {options.files} files | board | public | SE(Δ) | private | SE(Δ) | alert |"
    lines = [*report.head("Attacks"), head, "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    print("\n".join([*lines, *rows]))


@contextmanager
def _installation(folder: Path) -> Iterator[TestClient]:
    """The product in a folder, with a worker: its client."""
    settings = Settings(data_dir=folder, min_free_bytes=0, reconcile_seconds=0.2)
    migrate(settings.database)
    application = build(settings)
    with application.database.write() as session:
        ensure_administrator(session, token=TOKEN)
    service = start(application)
    try:
        with TestClient(create_app(application)) as client:
            yield client
    finally:
        service.stop()
        application.close()


def _row(name: str, board: str, gain: Gain) -> str:
    figures = f"{gain.public:+.4f} | {gain.public_errors:+.1f}"
    hidden = f"{gain.private:+.4f} | {gain.private_errors:+.1f}"
    alarm = "–" if gain.alarm is None else f"after {gain.alarm}"
    return f"| {name} | {board} | {figures} | {hidden} | {alarm} |"


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description=__doc__)
    add = parser.add_argument
    add("--files", type=int, default=450, help="files that an attacker may send (default: 450)")
    add("--sessions", type=int, default=8000, help="sessions, half of them public (default: 8000)")
    add("--board", action="append", choices=list(BOARDS), help="only this one")
    add("--attack", action="append", choices=list(ATTACKS), help="only this one")
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
