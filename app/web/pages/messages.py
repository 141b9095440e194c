"""What a page says after something was done: `?done=<key>` names a line of this table, so that no
text of an address is ever shown. Every area of pages adds its lines here."""

from __future__ import annotations

DONE: dict[str, str] = {
    "signed-in": "You are signed in.",
    "signed-out": "You are signed out.",
    "session-ended": "That browser is signed out.",
    "token-revoked": "The token was revoked. It opens nothing any more.",
    "password-set": "Your password was set. Other browsers were signed out.",
    "account-deleted": "Your account was deleted.",
    "team-made": "You are in. Invite others with the code below, or submit your first file.",
    "team-joined": "You are in the team.",
    "team-renamed": "The team was renamed.",
    "team-left": "You left the team.",
    "code-renewed": "There is a new invite code. The one before opens nothing any more.",
    "merge-asked": "The other team was asked.",
    "merge-accepted": "The two teams are one now.",
    "merge-declined": "The wish was declined.",
    "merge-withdrawn": "The wish was withdrawn.",
    "submitted": "Your file was taken in. Its score appears on this page.",
    "submission-cancelled": "The file was taken back. It costs nothing.",
    "upload-discarded": "The unfinished upload was given up.",
    "finals-chosen": "Your choice of finals is saved.",
    "rules-accepted": "You accepted the rules.",
}


def said_after(key: str | None) -> str | None:
    """The line for a key of an address; None for keys that nobody here made."""
    return DONE.get(key or "")
