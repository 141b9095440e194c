"""The API of operations. What watches an installation has addresses of its own, see `health`."""

from podium.operations.routes.overview import router

__all__ = ["router"]
