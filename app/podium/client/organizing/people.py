"""Calls about accounts, invitations and organizers, and about who did what."""

from __future__ import annotations

from collections.abc import Iterator

from podium.client.calls import Calls, Document, given
from podium.client.connection import segment


class PeopleCalls(Calls):
    """Calls about access to an installation and its competitions: accounts, invites, organizers,
    audit."""

    def create_user(self, name: str, *, organizer: bool = False) -> Document:
        """Makes an account; the answer holds its first `token`, which is shown only once."""
        return self._post("/admin/users", {"name": name, "organizer": organizer})

    def users(self) -> Iterator[Document]:
        """All accounts."""
        return self._items("/admin/users")

    def user(self, user_id: str) -> Document:
        """One account."""
        return self._get(f"/admin/users/{segment(user_id)}")

    def change_user(
        self,
        user_id: str,
        *,
        name: str | None = None,
        organizer: bool | None = None,
        disabled: bool | None = None,
    ) -> Document:
        """Another name for an account, the right to organize, or the end of its tokens."""
        changes = given(name=name, organizer=organizer, disabled=disabled)
        return self._call("PATCH", f"/admin/users/{segment(user_id)}", json=changes)

    def delete_user(self, user_id: str, *, confirm: str) -> None:
        """Deletes an account, whose name `confirm` repeats; its submissions stay, without it."""
        self._delete(f"/admin/users/{segment(user_id)}", json={"confirm": confirm})

    def create_invite(
        self,
        *,
        competition: str | None = None,
        team_id: str | None = None,
        organizer: bool = False,
        expires_at: str | None = None,
        note: str = "",
        seats: int | None = None,
    ) -> Document:
        """A link: to an account, a competition, a team, or the right to organize. It works once, or
        for as many people as it has `seats`.

        The answer holds its `address` and `code`; those of a link of one seat are shown only once.
        """
        found = given(competition=competition, team_id=team_id, expires_at=expires_at, seats=seats)
        return self._post("/admin/invites", {**found, "organizer": organizer, "note": note})

    def invites(self) -> Iterator[Document]:
        """All links, newest first; codes are told of those that have several seats."""
        return self._items("/admin/invites")

    def preview_roster(
        self, text: str, *, competition: str | None = None, uses_existing: bool = False
    ) -> Document:
        """Shows the `people` and `teams` that a roster would make, and all `problems` by line.

        `text` is CSV or TSV with a name and perhaps a team a line. Nothing is made.
        """
        body = {"text": text, "uses_existing": uses_existing, **given(competition=competition)}
        return self._post("/admin/roster/preview", body)

    def enter_roster(
        self,
        text: str,
        *,
        competition: str | None = None,
        uses_existing: bool = False,
        expires_at: str | None = None,
    ) -> Document:
        """Makes the accounts and teams of a roster, all or none. Each of the `people` who is new
        has an `address` to sign in by once, which is shown only here."""
        found = given(competition=competition, expires_at=expires_at)
        body = {"text": text, "uses_existing": uses_existing, **found}
        return self._post("/admin/roster", body)

    def revoke_invite(self, link_id: str) -> None:
        """Makes a link open nothing any more."""
        self._delete(f"/admin/invites/{segment(link_id)}")

    def replace_card(self, link_id: str) -> Document:
        """Creates another link for the person of a lost card; the former one opens nothing any
        more. The answer holds its `address`, which is shown only here."""
        return self._post(f"/admin/invites/{segment(link_id)}/replacement", {})

    def create_reset_link(self, user_id: str, *, expires_at: str | None = None) -> Document:
        """Creates a one-time link by which a user sets a new password."""
        return self._post(
            f"/admin/users/{segment(user_id)}/reset-link", given(expires_at=expires_at)
        )

    def add_organizer(self, slug: str, user_id: str) -> Document:
        """Makes a user an organizer of the competition."""
        return self._post(f"/admin/competitions/{segment(slug)}/organizers", {"user_id": user_id})

    def remove_organizer(self, slug: str, user_id: str) -> None:
        """Takes that back."""
        self._delete(f"/admin/competitions/{segment(slug)}/organizers/{segment(user_id)}")

    def acceptances(self, slug: str) -> Iterator[Document]:
        """The acceptances of rules: user, text and time."""
        return self._items(f"/admin/competitions/{segment(slug)}/rules/acceptances")

    def audit(
        self, *, competition: str | None = None, action: str | None = None, who: str | None = None
    ) -> Iterator[Document]:
        """The audit log, newest first; of one competition, of one kind of action, or of one
        account."""
        found = given(competition=competition, action=action, who=who)
        return self._items("/admin/audit", **found)

    def server(self) -> Document:
        """The queue, the workers, the disk and the versions of the installation."""
        return self._get("/admin/server")

    def rotate_signing_key(self, reason: str | None = None) -> Document:
        """Signs receipts with a new key from now on; the old one stays published."""
        return self._post("/admin/signing-key", given(reason=reason))
