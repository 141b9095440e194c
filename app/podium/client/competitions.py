"""Calls that look at competitions: texts, files, boards, metrics. Nothing here changes anything
but the acceptance of rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from podium.client.calls import PREFIX, Calls, Document, Progress, given
from podium.client.connection import segment
from podium.client.downloads import download
from podium.errors import NotFound


class CompetitionCalls(Calls):
    """Calls about competitions: their rules, files, metrics and leaderboards."""

    def competitions(self) -> Iterator[Document]:
        """All competitions that this account may see."""
        return self._items("/competitions")

    def competition(self, slug: str) -> Document:
        """One competition: texts, metric, phase, limits, counts."""
        return self._get(f"/competitions/{segment(slug)}")

    def metrics(self) -> list[Document]:
        """Every metric that the installation knows, with formula and source."""
        found: list[Document] = self._get("/metrics")["items"]
        return found

    def presets(self) -> list[Document]:
        """The presets by which competitions are made."""
        found: list[Document] = self._get("/presets")["items"]
        return found

    def leaderboard(
        self,
        slug: str,
        *,
        split: str = "public",
        as_of: str | None = None,
        since: str | None = None,
        team: str | None = None,
        text: str | None = None,
    ) -> Iterator[Document]:
        """All rows of a board, best first; only that of one team's id, or those whose names hold a
        text.

        `as_of` is a time like `2026-11-20T12:00:00Z`: the board as it was then. `since` fills
        `rank_change`. `split="private"` raises `NotFound` before the reveal.
        """
        query = {"split": split, **given(as_of=as_of, since=since, team=team, q=text)}
        return self._items(f"/competitions/{segment(slug)}/leaderboard", key="rows", **query)

    def leaderboard_size(
        self, slug: str, *, split: str = "public", as_of: str | None = None
    ) -> int:
        """The number of rows of a board."""
        query = {"split": split, "limit": 1, **given(as_of=as_of)}
        total: int = self._get(f"/competitions/{segment(slug)}/leaderboard", params=query)["total"]
        return total

    def leaderboard_csv(self, slug: str, to: Path, *, split: str = "public") -> None:
        """Writes a board to a CSV file."""
        path = f"/competitions/{segment(slug)}/leaderboard.csv?{urlencode({'split': split})}"
        self.connection.download(PREFIX + path, to)

    def charts(self, slug: str, *, split: str = "public", team: str | None = None) -> Document:
        """The figures that charts of a board are drawn from; `team` adds one's own."""
        query = {"split": split, **given(team=team)}
        return self._get(f"/competitions/{segment(slug)}/charts", params=query)

    def files(self, slug: str) -> list[Document]:
        """The participant data of a competition, with sizes and hashes."""
        return list(self._items(f"/competitions/{segment(slug)}/files"))

    def download_file(
        self, slug: str, name: str, to: Path, *, on_progress: Progress | None = None
    ) -> Document:
        """Writes one file of the participant data to `to`, and returns its document.

        A cut connection goes on where it ended, now and in a later call. What is complete has the
        listed SHA-256; a file that is there already is not fetched again. Raises `NotFound`.
        """
        path = f"/competitions/{segment(slug)}/files/{segment(name)}"
        found = next((row for row in self.files(slug) if row["name"] == name), None)
        if found is None:
            raise NotFound(f"{slug} has no file {name}.")
        download(
            self.connection,
            PREFIX + path,
            to,
            size=found["bytes"],
            sha256=found["sha256"],
            on_progress=on_progress,
        )
        return found

    def sample_submission(self, slug: str, to: Path) -> None:
        """Writes a submission with every published id and no knowledge to `to`."""
        path = f"{PREFIX}/competitions/{segment(slug)}/sample-submission"
        self.connection.download(path, to)

    def announcements(self, slug: str) -> Iterator[Document]:
        """The announcements of the organizers, newest first."""
        return self._items(f"/competitions/{segment(slug)}/announcements")

    def rules(self, slug: str) -> Document:
        """The rules with their SHA-256, and when this account accepted them."""
        return self._get(f"/competitions/{segment(slug)}/rules")

    def accept_rules(self, slug: str, sha256: str) -> Document:
        """Accepts the rules whose text has this SHA-256."""
        path = f"/competitions/{segment(slug)}/rules/acceptance"
        return self._post(path, {"sha256": sha256})

    def commitments(self, slug: str) -> list[Document]:
        """The organizers' commitments: one entry for each version of the hidden truth."""
        path = f"/competitions/{segment(slug)}/commitments"
        found: list[Document] = self._get(path)["commitments"]
        return found

    def signing_keys(self) -> Document:
        """The installation's public keys, by which receipts are checked."""
        return self._get("/signing-key")
