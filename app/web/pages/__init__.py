"""EDGE: what people see in a browser. Rendered on the server, usable without JavaScript, and no
request leaves the machine. Pages only read; whatever changes something is an API route."""

from app.web.pages.boards import router

__all__ = ["router"]
