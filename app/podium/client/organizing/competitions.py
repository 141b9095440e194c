"""Calls that create a competition, upload its files, and lead it through its phases."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from podium.client.calls import PREFIX, Document, given
from podium.client.connection import ANSWER_SECONDS, JOB_SECONDS, segment
from podium.client.durations import timed_out
from podium.client.organizing.files import FileCalls
from podium.client.refusals import unless_rejected
from podium.errors import Unavailable

CHECK_SECONDS = 1.0
"""Seconds between two looks at a ground truth that is being checked."""

SOON_SECONDS = 30.0
"""Seconds within which most files are checked; after that `on_retry` gets a sentence."""

STILL_CHECKING = (
    "The ground truth is still being checked. A large one takes minutes; if it takes longer, the"
    " operator sees with `podium doctor` whether a worker runs. The file is kept: you can stop"
    " here, and look at the section Ground truth later."
)


IS_KEPT = "The check goes on and the file is kept: the section Ground truth of its page shows both."


class OrganizedCompetitionCalls(FileCalls):
    """Calls of a competition's organizers, from a draft to the reveal."""

    def create_competition(self, /, slug: str, title: str, **settings: Any) -> Document:
        """Creates a draft; `settings` are those of the contract, for example `preset="otto"`."""
        return self._post("/admin/competitions", {"slug": slug, "title": title, **settings})

    def change_competition(
        self,
        slug: str,
        read: Mapping[str, Any] | None = None,
        /,
        *,
        if_match: str | None = None,
        **settings: Any,
    ) -> Document:
        """Changes settings, and also the `slug` of a draft; the others stay. `read` are further
        settings, as read from a file. `if_match` is the `ETag` of the settings as they were read:
        raises `PreconditionFailed` if they have changed since."""
        headers = {"If-Match": if_match} if if_match else {}
        body = {**(read or {}), **settings}
        return self._call("PATCH", _route(slug), json=body, headers=headers)

    def delete_competition(self, slug: str, *, confirm: str | None = None) -> None:
        """Deletes a draft with everything in it; for the administrator also a competition that is
        over, whose slug `confirm` repeats. Raises `WrongState` for any other."""
        self._delete(_route(slug), json=None if confirm is None else {"confirm": confirm})

    def settings_file(self, slug: str, to: Path) -> None:
        """Writes all settings to a YAML file."""
        self.connection.download(f"{PREFIX}{_route(slug)}/settings.yaml", to)

    def upload_ground_truth(
        self, slug: str, file: Path, *, timeout: float | None = None
    ) -> Document:
        """Uploads a ground truth in any of its forms; returns its version with counts.

        Waits while the server checks it, or raises `Unavailable` (`wait-timed-out`) about `timeout`
        seconds after the upload. Raises `InvalidInput` with the problems of an unusable file.
        """
        return self._upload_truth(f"{_route(slug)}/ground-truth", file, timeout)

    def upload_raw_sessions(
        self,
        slug: str,
        file: Path,
        *,
        days: float = 7,
        columns: str | None = None,
        time_unit: str | None = None,
        ids: str | None = None,
        timeout: float | None = None,
    ) -> Document:
        """Creates a draft's ground truth, published ids and participants' files from raw sessions,
        and returns the version; its `preparation` has the counts.

        Sessions that start in the last `days` are the test set. `columns` names those of a
        clickstream, `time_unit` (`ms`, `s`, `iso`) is the form of its times, and `ids` (`number`,
        `text`) that of users and items. Waits and raises like `upload_ground_truth`.
        """
        query = urlencode(given(days=days, columns=columns, time_unit=time_unit, ids=ids))
        return self._upload_truth(f"{_route(slug)}/raw-sessions?{query}", file, timeout)

    def upload_interactions(
        self, slug: str, file: Path, *, timeout: float | None = None, **options: Any
    ) -> Document:
        """Creates a draft's ground truth, published ids, item file and participants' files from
        interactions, and returns the version; its `preparation` is the report.

        `options` are those of the API, such as `protocol="share"`, `threshold=4`, `min_user=5`,
        `objectives="view=next,order=all"`. Waits and raises like `upload_ground_truth`.
        """
        query = {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in given(**options).items()
        }
        return self._upload_truth(f"{_route(slug)}/interactions?{urlencode(query)}", file, timeout)

    def read_ground_truth_again(self, slug: str, version: int) -> Document:
        """Reads the file of a version again and returns the new version: for a draft whose settings
        have changed since (`outdated`). Waits and raises like `upload_ground_truth`."""
        again = self._post(f"{_route(slug)}/ground-truth/{version}/read")
        return self._checked(again, f"{PREFIX}{_route(slug)}/ground-truth/{again['id']}")

    def _upload_truth(self, route: str, file: Path, timeout: float | None) -> Document:
        response = self._upload("POST", route, file)
        return self._checked(response.json(), response.headers.get("location", ""), timeout)

    def _checked(self, version: Document, address: str, timeout: float | None = None) -> Document:
        since, is_reported = time.monotonic(), False
        while version["status"] == "checking":
            waited = time.monotonic() - since
            if timeout is not None and waited + CHECK_SECONDS > timeout:
                raise timed_out("The ground truth is still being checked", timeout, IS_KEPT)
            if not is_reported and waited > SOON_SECONDS and self.on_retry:
                self.on_retry(STILL_CHECKING)
                is_reported = True
            time.sleep(CHECK_SECONDS)
            version = self.connection.json("GET", address)
        return unless_rejected(version)

    def ground_truths(self, slug: str) -> Iterator[Document]:
        """Yields all versions of the ground truth, with counts."""
        return self._items(f"{_route(slug)}/ground-truth")

    def ground_truth(self, slug: str, version: int) -> Document:
        """Returns a version of the ground truth."""
        return self._get(f"{_route(slug)}/ground-truth/{version}")

    def publish_ids(self, slug: str, file: Path) -> Document:
        """Uploads the list of published ids."""
        return self._sent("PUT", f"{_route(slug)}/published-ids", file)

    def add_file(self, slug: str, name: str, file: Path) -> Document:
        """Uploads a file for participants under this name."""
        path = f"{_route(slug)}/files/{segment(name)}"
        return self._sent("PUT", path, file)

    def describe_items(
        self, slug: str, file: Path, *, training_users: int | None = None
    ) -> Document:
        """Uploads a file about items, for metrics beyond accuracy."""
        query = urlencode(given(training_users=training_users))
        return self._sent("PUT", f"{_route(slug)}/items?{query}", file)

    def item_file(self, slug: str) -> Document:
        """Returns statistics of the item file."""
        return self._get(f"{_route(slug)}/items")

    def forget_items(self, slug: str) -> None:
        """Deletes the item file, unless something was judged with it."""
        self._delete(f"{_route(slug)}/items")

    def describe_sessions(self, slug: str, file: Path) -> Document:
        """Uploads a file about sessions, for scores by segments."""
        return self._sent("PUT", f"{_route(slug)}/sessions", file)

    def session_file(self, slug: str) -> Document:
        """Returns statistics of the file about sessions."""
        return self._get(f"{_route(slug)}/sessions")

    def forget_sessions(self, slug: str) -> None:
        """Deletes the file about sessions."""
        self._delete(f"{_route(slug)}/sessions")

    def check_launch(self, slug: str) -> Document:
        """Returns the findings of the launch checklist, without launching."""
        return self._get(f"{_route(slug)}/launch", timeout=ANSWER_SECONDS)

    def launch(self, slug: str, *, timeout: float | None = None) -> Document:
        """Launches a competition after its checklist; the answer has the warnings. Raises
        `Unavailable` (`wait-timed-out`) after `timeout` seconds."""
        since, patience = time.monotonic(), JOB_SECONDS if timeout is None else timeout
        answer = min(ANSWER_SECONDS, patience)
        try:
            return self._call("POST", f"{_route(slug)}/launch", timeout=answer, patience=patience)
        except Unavailable as failure:
            if timeout is None or time.monotonic() - since < timeout:
                raise
            joins = f"Run `podium launch {slug}` again: it joins the same work."
            raise timed_out("The launch checklist is not through", timeout, joins) from failure

    def freeze(self, slug: str, reason: str = "") -> Document:
        """Freezes the public board; uploads go on."""
        return self._act(slug, "freeze", reason)

    def unfreeze(self, slug: str, reason: str = "") -> Document:
        """Ends a freeze."""
        return self._act(slug, "unfreeze", reason)

    def close(self, slug: str, reason: str = "") -> Document:
        """Closes a competition to submissions now."""
        return self._act(slug, "close", reason)

    def reopen(self, slug: str, reason: str = "") -> Document:
        """Reopens a closed competition, before the reveal."""
        return self._act(slug, "reopen", reason)

    def reveal(self, slug: str, reason: str = "") -> Document:
        """Publishes the final ranking."""
        return self._act(slug, "reveal", reason)

    def resume_judging(self, slug: str, reason: str = "") -> Document:
        """Retries at once to read a ground truth that could not be read."""
        return self._act(slug, "resume-judging", reason)

    def announce(self, slug: str, title: str, text: str) -> Document:
        """Publishes an announcement."""
        return self._post(f"{_route(slug)}/announcements", {"title": title, "text": text})

    def change_announcement(
        self, slug: str, announcement_id: str, *, title: str | None = None, text: str | None = None
    ) -> Document:
        """Changes an announcement; readers see that it was changed."""
        path = f"{_route(slug)}/announcements/{segment(announcement_id)}"
        return self._call("PATCH", path, json=given(title=title, text=text))

    def delete_announcement(self, slug: str, announcement_id: str) -> None:
        """Deletes an announcement."""
        self._delete(f"{_route(slug)}/announcements/{segment(announcement_id)}")

    def export(self, slug: str, to: Path, *, full: bool = False, static: bool = False) -> None:
        """Writes a competition's archive to `to`: with `full` one that can be imported, with
        `static` HTML pages."""
        query = urlencode({"full": str(full).lower(), "static": str(static).lower()})
        self.connection.download(f"{PREFIX}{_route(slug)}/export?{query}", to)

    def import_competition(
        self,
        archive: Path,
        *,
        slug: str | None = None,
        people: str = "refuse",
        trust_metric: bool = False,
    ) -> Document:
        """Imports a competition from a full archive; `people` decides what names mean that are
        taken here: `refuse`, `same` or `suffix`. An archive with a metric's code is refused
        (`metric-trust`) without `trust_metric`."""
        others = given(slug=slug, trust_metric="true" if trust_metric else None)
        query = urlencode({"people": people, **others})
        path = f"/admin/competitions/import?{query}"
        return self._sent("POST", path, archive)

    def _act(self, slug: str, act: str, reason: str) -> Document:
        return self._post(f"{_route(slug)}/{act}", {"reason": reason})


def _route(slug: str) -> str:
    return f"/admin/competitions/{segment(slug)}"
