"""Calls about accounts, invitations and organizers, and about the audit log."""

from __future__ import annotations

from collections.abc import Iterator

from podium.client.calls import Calls, Document, given
from podium.client.connection import segment


class PeopleCalls(Calls):
    """Calls about access to an installation and its competitions: accounts, invites, organizers,
    audit."""

    def create_user(self, name: str, *, organizer: bool = False) -> Document:
        """Creates an account; the answer has its first `token`, which is shown only once."""
        return self._post("/admin/users", {"name": name, "organizer": organizer})

    def users(self) -> Iterator[Document]:
        """Yields all accounts."""
        return self._items("/admin/users")

    def user(self, user_id: str) -> Document:
        """Returns an account."""
        return self._get(f"/admin/users/{segment(user_id)}")

    def change_user(
        self,
        user_id: str,
        *,
        name: str | None = None,
        organizer: bool | None = None,
        disabled: bool | None = None,
    ) -> Document:
        """Renames an account, grants or revokes the right to organize, or disables it with its
        tokens."""
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
        """Creates a link to an account, a competition, a team, or the right to organize. It works
        once, or for as many people as it has `seats`.

        The answer has its `address` and `code`; those of a link for one person are shown only once.
        """
        found = given(competition=competition, team_id=team_id, expires_at=expires_at, seats=seats)
        return self._post("/admin/invites", {**found, "organizer": organizer, "note": note})

    def invites(self) -> Iterator[Document]:
        """Yields all links, newest first, with the codes of those that have several seats."""
        return self._items("/admin/invites")

    def preview_roster(
        self, text: str, *, competition: str | None = None, uses_existing: bool = False
    ) -> Document:
        """Returns the `people` and `teams` that a roster would create, and all `problems` by line.

        `text` is CSV or TSV with a name and optionally a team per line. Creates nothing.
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
        """Creates the accounts and teams of a roster, all or none. Each new one of the `people` has
        an `address` to sign in by once, which is shown only here."""
        found = given(competition=competition, expires_at=expires_at)
        body = {"text": text, "uses_existing": uses_existing, **found}
        return self._post("/admin/roster", body)

    def revoke_invite(self, link_id: str) -> None:
        """Revokes a link."""
        self._delete(f"/admin/invites/{segment(link_id)}")

    def replace_card(self, link_id: str) -> Document:
        """Replaces the link of a person who has lost their card; the former one is revoked. The
        answer has its `address`, which is shown only here."""
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
        """Removes an organizer of the competition."""
        self._delete(f"/admin/competitions/{segment(slug)}/organizers/{segment(user_id)}")

    def acceptances(self, slug: str) -> Iterator[Document]:
        """Yields the acceptances of rules: user, text and time."""
        return self._items(f"/admin/competitions/{segment(slug)}/rules/acceptances")

    def audit(
        self, *, competition: str | None = None, action: str | None = None, who: str | None = None
    ) -> Iterator[Document]:
        """Yields the audit log, newest first; of one competition, one kind of action, or one
        account."""
        found = given(competition=competition, action=action, who=who)
        return self._items("/admin/audit", **found)

    def server(self) -> Document:
        """Returns the state of the queue, the workers and the disk, and the versions of the
        installation."""
        return self._get("/admin/server")

    def rotate_signing_key(self, reason: str | None = None) -> Document:
        """Creates a new key to sign receipts with from now on; the old one stays published."""
        return self._post("/admin/signing-key", given(reason=reason))
