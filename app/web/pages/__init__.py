"""EDGE: what people see in a browser. Rendered on the server, usable without JavaScript, and no
request leaves the machine. Pages only read; whatever changes something is an API route."""

from fastapi import APIRouter

from app.web.pages import boards, feed

router = APIRouter(include_in_schema=False)
for page in (boards, feed):
    router.include_router(page.router)

__all__ = ["router"]
