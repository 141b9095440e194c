"""Pages of accounts: sign-in, one's own account, and the administration of all accounts."""

from fastapi import APIRouter

from podium.accounts.pages import account, administration, mail, sign_in, sign_in_elsewhere, sign_up

router = APIRouter(include_in_schema=False)
for module in (account, administration, mail, sign_in, sign_in_elsewhere, sign_up):
    router.include_router(module.router)

__all__ = ["router"]
