"""The API of accounts."""

from fastapi import APIRouter

from podium.accounts.routes import accounts, administration, mail, page_sessions, sign_in, sign_up

router = APIRouter()
for module in (accounts, administration, mail, page_sessions, sign_in, sign_up):
    router.include_router(module.router)

__all__ = ["router"]
