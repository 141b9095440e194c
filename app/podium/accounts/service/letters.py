"""The texts of mails. No subject contains a word of a stranger's, and no mail the name that a
stranger has typed."""

from __future__ import annotations

from urllib.parse import urlsplit

from podium.mail import Letter

NOT_YOU = "If it was not you, you need not do anything."

ONCE = "The link works once, for 24 hours."


def confirmation(base_url: str, *, to: str, code: str) -> Letter:
    """Composes the mail with the link that creates an account."""
    return _letter(
        base_url,
        to,
        "Confirm your mail address",
        f"This address was given for a new account at {base_url}",
        f"To create the account, open this page and choose a password:\n\n{_link(base_url, code)}",
        ONCE,
        f"{NOT_YOU} Without the link no account is created.",
    )


def known_already(base_url: str, *, to: str, name: str) -> Letter:
    """Composes a note to the owner of an account with whose address a further one was requested."""
    return _letter(
        base_url,
        to,
        "You have an account already",
        f"This address was given for a new account at {base_url}",
        f"It has one already, with the name {name}. Sign in with it:\n\n{base_url}/sign-in",
        f"If you forgot the password:\n\n{base_url}/forgot-password",
        f"{NOT_YOU} Nothing was changed.",
    )


def new_password(base_url: str, *, to: str, name: str, code: str) -> Letter:
    """Composes the mail with the link that sets a new password."""
    return _letter(
        base_url,
        to,
        "Set a new password",
        f"A new password was asked for, for your account {name} at {base_url}",
        f"To set it, open this page:\n\n{_link(base_url, code)}",
        f"{ONCE} Your present password and tokens stop working when you use it.",
        f"{NOT_YOU} Nothing was changed.",
    )


def no_account(base_url: str, *, to: str) -> Letter:
    """Composes the answer to a forgotten password where no account has the address."""
    return _letter(
        base_url,
        to,
        "No account has this address",
        f"A new password was asked for, for this address at {base_url}",
        "No account there has the address: yours may have another one, or none. An organizer can"
        " give you a link instead.",
        NOT_YOU,
    )


def _letter(base_url: str, to: str, subject: str, *paragraphs: str) -> Letter:
    host = urlsplit(base_url).netloc
    return Letter(to, f"{subject} (Podium at {host})", "\n\n".join(paragraphs) + "\n")


def _link(base_url: str, code: str) -> str:
    return f"{base_url}/mail-links/{code}"
