"""Pages of accounts: sign-in, one's own account, and the administration of all accounts."""

from podium.accounts.pages import account, administration, mail, sign_in, sign_in_elsewhere, sign_up
from podium.http.routing import combined

router = combined(account, administration, mail, sign_in, sign_in_elsewhere, sign_up)
