"""Calls about oneself: signing in, the account, its tokens."""

from __future__ import annotations

from collections.abc import Iterator

from podium.client.calls import Calls, Document, given
from podium.client.connection import segment


class AccountCalls(Calls):
    """The calling account and its tokens."""

    def sign_in(self, name: str, password: str) -> Document:
        """A token for a name and a password, with its `expires_at`."""
        return self._post("/sign-in", {"name": name, "password": password})

    def me(self) -> Document:
        """The account that the token belongs to, with its teams."""
        return self._get("/me")

    def tokens(self) -> Iterator[Document]:
        """My tokens, without their secrets."""
        return self._items("/me/tokens")

    def create_token(
        self,
        label: str | None = None,
        *,
        expires_at: str | None = None,
        replaces: str | None = None,
    ) -> Document:
        """One more token; the answer holds its `token`, which is shown only once.

        `expires_at` is a time like `2026-12-31T00:00:00Z`, at most that of this client's own token;
        `replaces` is the id of a token that ends in the same moment and hands on what it made.
        """
        body = given(label=label, expires_at=expires_at, replaces=replaces)
        return self._post("/me/tokens", body)

    def revoke_token(self, token_id: str) -> None:
        """Ends a token at once with whatever it made, this client's own one included."""
        self._delete(f"/me/tokens/{segment(token_id)}")

    def sessions(self) -> list[Document]:
        """The browser sessions of this account."""
        found: list[Document] = self._get("/me/sessions")["items"]
        return found

    def end_session(self, session_id: str) -> None:
        """Signs a browser out."""
        self._delete(f"/me/sessions/{segment(session_id)}")

    def set_password(self, password: str, *, current_password: str | None = None) -> None:
        """Sets the password of the pages; the current one is needed where there is one."""
        body = {"password": password, **given(current_password=current_password)}
        self.connection.json("PUT", "/api/v1/me/password", json=body)

    def link(self, code: str) -> Document:
        """The description of a one-time link: its purpose, and what using it requires."""
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
        """Uses a one-time link: makes an account (`name`, `password`), enters a competition with a
        new `team`, joins one, or sets a forgotten password."""
        body = given(name=name, password=password, team=team)
        return self._post(f"/links/{segment(code)}", {**body, "accept_rules": accept_rules})
