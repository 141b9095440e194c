"""The API of accounts, combined from its modules."""

from podium.accounts.routes import accounts, administration, mail, page_sessions, sign_in, sign_up
from podium.http.routing import combined

router = combined(accounts, administration, mail, page_sessions, sign_in, sign_up)
