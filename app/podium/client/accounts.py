"""Calls about one's own account: signing in, its tokens and browser sessions."""

from __future__ import annotations

from collections.abc import Iterator

from podium.client.calls import Calls, Document, given
from podium.client.connection import segment


class AccountCalls(Calls):
    """Calls about the caller's account and its tokens."""

    def sign_in(self, name: str, password: str) -> Document:
        """Returns a token for a name and a password, with its `expires_at`."""
        return self._post("/sign-in", {"name": name, "password": password})

    def me(self) -> Document:
        """Returns the account that the token belongs to, with its teams."""
        return self._get("/me")

    def tokens(self) -> Iterator[Document]:
        """Yields my tokens, without their secrets."""
        return self._items("/me/tokens")

    def create_token(
        self,
        label: str | None = None,
        *,
        expires_at: str | None = None,
        replaces: str | None = None,
    ) -> Document:
        """Creates another token; the answer has its `token`, which is shown only once.

        `expires_at` is a time like `2026-12-31T00:00:00Z`, at most that of this client's own token;
        `replaces` is the id of a token that is revoked at the same moment and hands over what was
        created with it.
        """
        body = given(label=label, expires_at=expires_at, replaces=replaces)
        return self._post("/me/tokens", body)

    def revoke_token(self, token_id: str) -> None:
        """Revokes a token at once, with everything that was created with it; works for this
        client's own token, too."""
        self._delete(f"/me/tokens/{segment(token_id)}")

    def sessions(self) -> list[Document]:
        """Returns the browser sessions of this account."""
        return self._list("/me/sessions")

    def end_session(self, session_id: str) -> None:
        """Signs a browser out."""
        self._delete(f"/me/sessions/{segment(session_id)}")

    def set_password(self, password: str, *, current_password: str | None = None) -> None:
        """Sets the password for signing in to the pages; `current_password` is required if there is
        one."""
        body = {"password": password, **given(current_password=current_password)}
        self.connection.json("PUT", "/api/v1/me/password", json=body)

    def link(self, code: str) -> Document:
        """Returns the description of a one-time link: its purpose, and what using it requires."""
        return self._get(f"/links/{segment(code)}")

    def use_link(
        self,
        code: str,
        *,
        name: str | None = None,
        password: str | None = None,
        team: str | None = None,
        accept_rules: bool = False,
    ) -> Document:
        """Uses a one-time link: creates an account (`name`, `password`), enters a competition with
        a new `team`, joins a team, or sets a forgotten password."""
        body = given(name=name, password=password, team=team)
        return self._post(f"/links/{segment(code)}", {**body, "accept_rules": accept_rules})
