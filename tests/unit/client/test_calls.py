"""The client calls the operations of the contract, and nothing else."""

from __future__ import annotations

import inspect
import re
import threading
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import dumps
from pathlib import Path
from typing import Any, get_type_hints

from podium.bootstrap import build
from podium.client import Organizer
from podium.main import create_app
from podium.settings import Settings

ANSWER: dict[str, Any] = {
    "items": [],
    "rows": [],
    "total": 0,
    "changes": [],
    "commitments": [],
    "next_cursor": None,
    "status": "scored",
    "submissions_left_today": None,
    "id": "x",
}
"""Enough of every answer for the client to go on."""

LISTED = {"name": "x", "bytes": 1, "sha256": sha256(b"x").hexdigest()}
"""A file to download."""

NEEDED = frozenset(
    [
        "acceptMerge", "acceptRules", "addOrganizer", "applyRejudging",
        "cancelOwnSubmission", "cancelRejudging", "cancelSubmission", "changeAnnouncement",
        "changeCompetition", "changeTeam", "changeUser", "checkLaunch", "closeCompetition",
        "compareMetricFiles", "compareSubmissions", "createAnnouncement", "createCompetition",
        "createInvite",
        "createResetLink", "createTeam", "createToken", "createUser", "declineMerge",
        "deleteAnnouncement", "deleteItemFile", "deleteSessionFile", "deleteUser",
        "disqualifySubmission", "disqualifyTeam", "downloadFile", "downloadMetricFile",
        "downloadSampleSubmission", "downloadSubmission", "endSession", "exportCompetition",
        "freezeCompetition", "getCharts", "getCommitments", "getCompetition",
        "getGroundTruth", "getItemFile", "getLeaderboard", "getLeaderboardCsv", "getLink",
        "getMe", "getMetricFile", "getMetricInForce", "getOwnTeam", "getReceipt", "getRejudging",
        "getRules", "getSegments",
        "getSegmentsAsOrganizer", "getServer", "getSessionFile", "getSettingsFile",
        "getSigningKeys", "getSubmission", "getTeam", "getUser", "importCompetition",
        "joinTeam", "launchCompetition", "leaveTeam", "listAcceptances", "listAlerts",
        "listAllSubmissions", "listAnnouncements", "listAudit", "listCompetitions",
        "listFiles", "listGroundTruth", "listInvites", "listMergeRequests", "listMetricFiles",
        "listMetrics",
        "listOwnSubmissions", "listPresets", "listRejudgings", "listSessions",
        "listSimilarSubmissions", "listTeams", "listTokens", "listUsers", "lookAtAlert",
        "makeBaseline", "makeTeam", "mergeTeams", "putFile", "putItemFile", "putMember",
        "putPublishedIds", "putSessionFile", "readGroundTruthAgain", "reinstateSubmission",
        "reinstateTeam", "removeMember", "removeOrganizer", "renameTeam", "renewInviteCode",
        "reopenCompetition", "requestMerge", "resumeJudging", "returnSlot", "revealCompetition",
        "revokeInvite", "revokeToken", "rotateSigningKey", "selectFinals", "setPassword",
        "signIn", "startRejudging", "submit", "tryMetricFile", "unfreezeCompetition",
        "uploadGroundTruth",
        "uploadMetricFile",
        "useLink", "withdrawMerge",
    ]
)  # fmt: skip
"""Operations that a method calls. What is not here is for machines and browsers."""


class Everything(ThreadingHTTPServer):
    """Answers every request alike, and remembers it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: set[tuple[str, str]] = set()


class _Handler(BaseHTTPRequestHandler):
    server: Everything

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.partition("?")[0]
        self.server.asked.add((self.command, path))
        body = dumps(ANSWER | {"items": [LISTED]} if path.endswith("/files") else ANSWER).encode()
        if path.endswith("/files/x") and self.command == "GET":
            body = b"x"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _answer  # noqa: N815 - the library's names

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Silence."""


def called(folder: Path) -> set[tuple[str, str]]:
    """Method and path of everything that any public method of the client asks for."""
    server = Everything()
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        with Organizer(f"http://127.0.0.1:{server.server_port}") as client:
            for name, method in inspect.getmembers(client, inspect.ismethod):
                if not name.startswith("_"):
                    given, named = arguments(method, folder)
                    found = method(*given, **named)
                    if inspect.isgenerator(found):
                        list(found)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    return server.asked


def arguments(method: Any, folder: Path) -> tuple[list[Any], dict[str, Any]]:
    """Something for every parameter that has to be given."""
    hints = get_type_hints(method)
    given: list[Any] = []
    named: dict[str, Any] = {}
    for name, parameter in inspect.signature(method).parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            given += ["x", "y"]
        elif parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty:
            named[name] = "x"
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            given += [something(hints[name], folder / name)]
    return given, named


def something(kind: Any, path: Path) -> Any:
    """A value of this type."""
    if kind is Path:
        if path.name in ("file", "archive"):
            path.write_text("x")
        return path
    return {int: 7, str: "x", bool: False}.get(kind, ["x"] if "Sequence" in str(kind) else None)


def operations(folder: Path) -> dict[tuple[str, str], str]:
    """The operation id of each method and path of the contract."""
    application = build(Settings(data_dir=folder))
    try:
        paths = create_app(application).openapi()["paths"]
    finally:
        application.close()
    return {
        (method.upper(), path): operation["operationId"]
        for path, methods in paths.items()
        for method, operation in methods.items()
    }


def test_the_client_calls_every_operation_that_people_need_and_nothing_else(tmp_path: Path) -> None:
    known = {
        (method, re.compile(re.sub(r"\{[a-z_]+\}", "[^/]+", path))): name
        for (method, path), name in operations(tmp_path / "data").items()
    }
    names = set()
    for method, path in called(tmp_path):
        found = [
            name
            for (verb, pattern), name in known.items()
            if verb == method and pattern.fullmatch(path)
        ]
        assert found, f"{method} {path} is not an operation"
        names |= set(found)
    assert NEEDED - names == set()
