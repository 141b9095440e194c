"""The API of archives, and how their files are built."""

from podium.archives.routes.archives import router

__all__ = ["router"]
