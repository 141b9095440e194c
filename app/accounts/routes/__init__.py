"""The API of accounts."""

from fastapi import APIRouter

from podium.accounts.routes import accounts, administration, page_sessions, sign_in

router = APIRouter()
for module in (accounts, administration, page_sessions, sign_in):
    router.include_router(module.router)

__all__ = ["router"]
