"""EDGE: what people see in a browser. Rendered on the server, usable without JavaScript, and no
request leaves the machine. Pages only read, but for one: the form of a one-time link uses it."""

from fastapi import APIRouter

from app.web.pages import boards, feed, links

router = APIRouter(include_in_schema=False)
for page in (boards, feed, links):
    router.include_router(page.router)

__all__ = ["router"]
