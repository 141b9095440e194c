"""Calls that read competitions: texts, files, boards, metrics. Only the acceptance of rules changes
anything."""

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
        """Yields all competitions that this account may see."""
        return self._items("/competitions")

    def competition(self, slug: str) -> Document:
        """Returns a competition: texts, metric, phase, limits, counts."""
        return self._get(f"/competitions/{segment(slug)}")

    def metrics(self) -> list[Document]:
        """Returns every metric of the installation, with formula and source."""
        return self._list("/metrics")

    def presets(self) -> list[Document]:
        """Returns the presets for new competitions."""
        return self._list("/presets")

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
        """Yields all rows of a board, best first; with `team` only that of the team with this id,
        with `text` only those of teams whose names contain it.

        `as_of` is a time like `2026-11-20T12:00:00Z`: the board as it was then. `since` fills
        `rank_change`. `split="private"` raises `NotFound` before the reveal.
        """
        query = {"split": split, **given(as_of=as_of, since=since, team=team, q=text)}
        return self._items(f"/competitions/{segment(slug)}/leaderboard", key="rows", **query)

    def leaderboard_size(
        self, slug: str, *, split: str = "public", as_of: str | None = None
    ) -> int:
        """Returns the number of rows of a board."""
        query = {"split": split, "limit": 1, **given(as_of=as_of)}
        total: int = self._get(f"/competitions/{segment(slug)}/leaderboard", params=query)["total"]
        return total

    def leaderboard_csv(self, slug: str, to: Path, *, split: str = "public") -> None:
        """Writes a board to a CSV file."""
        path = f"/competitions/{segment(slug)}/leaderboard.csv?{urlencode({'split': split})}"
        self.connection.download(PREFIX + path, to)

    def charts(self, slug: str, *, split: str = "public", team: str | None = None) -> Document:
        """Returns the figures for charts of a board; `team` adds those of one's own."""
        query = {"split": split, **given(team=team)}
        return self._get(f"/competitions/{segment(slug)}/charts", params=query)

    def files(self, slug: str) -> list[Document]:
        """Returns the participant data of a competition, with sizes and hashes."""
        return list(self._items(f"/competitions/{segment(slug)}/files"))

    def download_file(
        self, slug: str, name: str, to: Path, *, on_progress: Progress | None = None
    ) -> Document:
        """Writes a file of the participant data to `to`, and returns its document.

        An interrupted download resumes where it ended, now and in a later call. A complete file has
        the listed SHA-256; a file that exists already is not downloaded again. Raises `NotFound`.
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
        """Writes the sample submission, with every published id and no knowledge, to `to`."""
        path = f"{PREFIX}/competitions/{segment(slug)}/sample-submission"
        self.connection.download(path, to)

    def announcements(self, slug: str) -> Iterator[Document]:
        """Yields the announcements of the organizers, newest first."""
        return self._items(f"/competitions/{segment(slug)}/announcements")

    def rules(self, slug: str) -> Document:
        """Returns the rules with their SHA-256, and the time at which this account accepted
        them."""
        return self._get(f"/competitions/{segment(slug)}/rules")

    def accept_rules(self, slug: str, sha256: str) -> Document:
        """Accepts the rules whose text has this SHA-256."""
        path = f"/competitions/{segment(slug)}/rules/acceptance"
        return self._post(path, {"sha256": sha256})

    def commitments(self, slug: str) -> list[Document]:
        """Returns the organizers' commitments: one entry for each version of the ground truth."""
        path = f"/competitions/{segment(slug)}/commitments"
        return self._list(path, key="commitments")

    def signing_keys(self) -> Document:
        """Returns the installation's public keys, with which receipts are verified."""
        return self._get("/signing-key")
