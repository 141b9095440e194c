"""Cards of a roster that were lost: another link of first credentials, or new credentials."""

from __future__ import annotations

from dataclasses import replace

from podium.accounts.service.credentials import has_credentials
from podium.core import locks
from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import AccessLink
from podium.errors import WrongState
from podium.errors.codes import ErrorCode
from podium.teams.queries import FoundLink
from podium.teams.queries.cards import end_first_links
from podium.teams.rules import LinkKind
from podium.teams.service import links


def replace_card(session: WriteSession, *, actor: Actor, link_id: str) -> tuple[FoundLink, str]:
    """Revokes a person's links of first credentials and creates another one; returns it with its
    code. For the creator of the given link and the administrator, who also replaces one whose
    person has signed in.

    Raises `NotAllowed`, `NotFound`, `NotAuthenticated` and `WrongState` (`wrong-state` for a link
    of another kind, `link-used`, `account-disabled`, `too-many-links`).
    """
    found = links.find_link(session, actor=actor, link_id=link_id)
    if found.link.kind != LinkKind.FIRST or found.link.user_id is None:
        raise WrongState("Only a link of a roster, which is for one person, can be replaced.")
    # The use of such a link locks the person first.
    user = locks.locked_user(session, found.link.user_id)
    if user is None or user.disabled_at is not None:
        raise WrongState("This account is disabled.", code=ErrorCode.ACCOUNT_DISABLED)
    end_first_links(session, user_id=user.id, now=database_now(session))
    if not has_credentials(session, user=user):
        link = AccessLink(
            kind=LinkKind.FIRST, user_id=user.id, competition_id=found.link.competition_id, seats=1
        )
        made, code = links.insert_link(session, actor, link, expires_at=None)
        return replace(made, team=links.team_of_account(session, made)), code
    if not actor.is_administrator:
        raise WrongState(
            f"“{user.name}” has signed in already. The administrator can give new credentials.",
            code=ErrorCode.LINK_USED,
        )
    return links.make_reset(session, actor=actor, user_id=user.id, expires_at=None)
