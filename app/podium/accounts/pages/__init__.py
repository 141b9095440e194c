"""Pages of accounts: signing in, one's own account, everybody's."""

from fastapi import APIRouter

from podium.accounts.pages import account, administration, mail, sign_in, sign_in_elsewhere, sign_up

router = APIRouter(include_in_schema=False)
for module in (account, administration, mail, sign_in, sign_in_elsewhere, sign_up):
    router.include_router(module.router)

__all__ = ["router"]
