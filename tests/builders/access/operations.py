"""The operations of the running service, and their addresses for given objects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.builders.servers.in_process import TestClient

PARAMETER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Operation:
    """A method of a path, as the description of the service has it."""

    method: str
    path: str
    id: str
    queries: tuple[str, ...] = ()
    document: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def parameters(self) -> list[str]:
        """The parameters to fill in."""
        return PARAMETER.findall(self.path)

    @property
    def takes_a_file(self) -> bool:
        """True if its body is a file of any kind and size."""
        content = self.document.get("requestBody", {}).get("content", {})
        return "application/octet-stream" in content

    def is_at(self, address: str) -> bool:
        """True if it is served at an address."""
        return re.fullmatch(PARAMETER.sub("[^/]+", self.path), address) is not None

    def address(self, objects: Mapping[str, str]) -> str:
        """The path with these objects in it; an unknown parameter is an error."""
        return PARAMETER.sub(lambda match: objects[match[1]], self.path)


_described: list[Operation] = []


def operations_of(client: TestClient) -> list[Operation]:
    """All operations of the description. It is asked for once in a process, because it is long and
    the same in every installation."""
    if not _described:
        _described.extend(_asked(client))
    return list(_described)


def _asked(client: TestClient) -> list[Operation]:
    found = []
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method, document in methods.items():
            queries = [
                one["name"] for one in document.get("parameters", ()) if one["in"] == "query"
            ]
            name = document["operationId"]
            found.append(Operation(method.upper(), path, name, tuple(queries), document))
    return found


def undescribed(app: Any) -> set[str]:
    """Method and path of the routes that the description leaves out: pages, mostly."""
    found: set[str] = set()
    for route in app.routes:
        if hasattr(route, "original_router"):
            found |= undescribed(route.original_router)
        elif hasattr(route, "path") and not getattr(route, "include_in_schema", False):
            methods = getattr(route, "methods", None) or {"GET"}
            found |= {f"{method} {route.path}" for method in methods - {"HEAD"}}
    return found
