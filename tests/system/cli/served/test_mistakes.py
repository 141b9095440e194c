"""The mistakes that participants make most often at the command line, against a real server: each
ends with its exit code and a sentence or two that say what to do."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from podium.client import Podium
from tests.builders.processes.commands import Person, Ran
from tests.builders.processes.serving import Installation, launch, serving, submission

# One server for all tests of this file.
pytestmark = pytest.mark.xdist_group("mistakes")

GOOD = submission(clicks="3", orders="4")

HTTP_TALK = re.compile(r"\b(40[0-9]|41[0-9]|42[0-9]|50[0-9]|PATCH|Bearer|problem\+json|Errno)\b")


@dataclass(frozen=True)
class Scene:
    """A server with the competitions `shop`, `strict` (one file a day, which is used), `over`
    (closed) and `done` (revealed), and the tokens of a member and of a stranger."""

    url: str
    member: str
    stranger: str


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("server")
    with serving(folder) as here:
        yield _set_up(here, folder)


def _set_up(here: Installation, folder: Path) -> Scene:
    (folder / "good.csv").write_text(GOOD)
    with here.organizer() as organizer:
        for slug in ("shop", "strict", "over", "done"):
            launch(organizer, slug, folder, daily_limit=1 if slug == "strict" else 50)
        member, stranger = (organizer.create_user(name)["token"] for name in ("ada", "bob"))
        with Podium(here.url, member) as ada:
            for slug in ("shop", "strict", "over", "done"):
                ada.create_team(slug, "Team Ada")
            ada.wait(ada.submit("strict", folder / "good.csv")["id"])
        for slug in ("over", "done"):
            organizer.close(slug)
        organizer.reveal("done")
    return Scene(here.url, member, stranger)


@pytest.fixture
def ada(person: Person) -> Person:
    """A person with a good file, and some that are none."""
    (person.home / "good.csv").write_text(GOOD)
    (person.home / "short.csv").write_text("".join(GOOD.splitlines(keepends=True)[:5]))
    (person.home / "bars.csv").write_text(GOOD.replace(",", "|"))
    (person.home / "sub.rar").write_bytes(b"Rar!\x1a\x07\x01\x00 and more")
    (person.home / "folder").mkdir()
    return person


def typed(scene: Scene, ada: Person, *command: str, **environment: str) -> Ran:
    """A command of the member's, whatever comes of it; nothing is said in the words of HTTP."""
    here = {"PODIUM_URL": scene.url, "PODIUM_TOKEN": scene.member, **environment}
    ran = ada.types(*command, **here)
    assert not HTTP_TALK.search(ran.err), ran.err
    assert "Traceback" not in ran.err
    return ran


SUBMIT = ("submit", "shop", "-f", "good.csv")


@pytest.mark.parametrize(
    ("environment", "code", "told"),
    [
        ({"PODIUM_URL": "nonsense"}, 2, "PODIUM_URL is 'nonsense': give an address like https://"),
        ({"PODIUM_URL": "http://127.0.0.1:1"}, 4, "no program listens there. Check PODIUM_URL"),
        ({"PODIUM_URL": "https://nowhere.invalid"}, 4, "this name is not known. Check PODIUM_URL"),
        ({"PODIUM_TOKEN": ""}, 5, "You are not signed in at {url}. Run `podium login {url}`, or"),
        ({"PODIUM_TOKEN": "wrong"}, 5, "{url} does not accept your token: it is unknown, has ex"),
        ({"PODIUM_TOKEN": "{stranger}"}, 2, "Enter with `podium team create NAME -c shop`, or"),
    ],
    ids=["no address", "server away", "wrong name", "no login", "wrong token", "no team"],
)
def test_who_or_where_one_is(
    scene: Scene, ada: Person, environment: dict[str, str], code: int, told: str
) -> None:
    given = {name: value.format(stranger=scene.stranger) for name, value in environment.items()}
    ran = typed(scene, ada, *SUBMIT, **given)
    assert (ran.code, ran.out) == (code, "")
    assert told.format(url=scene.url) in ran.err
    assert len(ran.err.splitlines()) == 1


def test_https_to_a_server_without_it_says_how_the_address_may_begin(
    scene: Scene, ada: Person
) -> None:
    ran = typed(scene, ada, *SUBMIT, PODIUM_URL=scene.url.replace("http:", "https:"))
    assert ran.code == 4
    assert "The address may begin with http://." in ran.err


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        (("submit", "shopp", "-f", "good.csv"), 2, "There is no competition shopp at {url}, or"),
        (("limits", "shopp"), 2, "or you may not see it. Did you mean shop?"),
        (("limits", "zzz"), 2, "`podium competitions list` shows them all."),
        (("submit", "shop", "-f", "absent.csv"), 2, "file 'absent.csv' does not exist. See `pod"),
        (("submit", "shop", "-f", "folder"), 2, "file 'folder' is a directory. See `podium sub"),
        (("submit", "shop"), 2, "Missing option '-f' / '--file'. See `podium submit --help`."),
        (("submit", "-f", "good.csv"), 2, "Which competition? Name it, as `podium competitions"),
        (("submit", "over", "-f", "good.csv"), 6, "The competition is over. Its final ranking is"),
        (("submit", "good.csv"), 2, "'--file'. Did you mean -f good.csv? See `podium submit --h"),
        (
            ("submit", "shop", "good.csv"),
            2,
            "Did you mean -f good.csv? See `podium submit --help`.",
        ),
        (("submt", "shop"), 2, "No such command 'submt'. Did you mean 'submit'? See `podium --h"),
        (("select", "shop"), 2, "Which submissions? `podium submissions shop` shows their ids; --"),
        (("submit", "done", "-f", "good.csv"), 6, "`podium leaderboard done --split private`."),
        (("submit", "strict", "-f", "good.csv"), 6, "Daily limit reached. Next submission in "),
        (
            ("limits", "-c", "shop"),
            2,
            "option: -c. It takes the competition as it is: `podium limits S",
        ),
        (("team", "show", "shop"), 2, "competition as an option: `podium team show -c shop`."),
        (("whoami", "--profile", "me"), 2, "before the command: `podium --profile NAME whoami`."),
        (("leaderboard", "https://podium.example/competitions/shop"), 2, "is at another server"),
        (("leaderboard", "https://podium.example"), 2, "is not a page of a competition. Give the"),
        (("upload", "shop", "--data", "good.csv", "short.csv"), 2, "Repeat --data before each of"),
        (("submission", "nothing"), 2, "There is no submission nothing, or you may not see it. `"),
        (("leaderboard", "shop", "--split", "private"), 6, "exists only after the reveal."),
        (("close", "shop"), 5, "You do not organize shop. `podium whoami` shows which account"),
        (("close", "shopp"), 2, "or you may not see it. Did you mean shop?"),
        (("settings", "shop"), 5, "You do not organize shop. `podium whoami` shows which account"),
        (("rejudgings", "shop"), 5, "You do not organize shop. `podium whoami`"),
        (("upload", "shop", "--data", "good.csv"), 5, "You do not organize shop. `podium whoami`"),
        (("users", "list"), 5, "Only organizers and the administrator may see or make accounts."),
        (("create", "mine"), 5, "`podium whoami` shows which account you use."),
        (("team", "create", "Team Ada", "-c", "shop"), 2, "already: "),
        (("team", "join", "WRONG", "-c", "shop"), 2, "A member of the team finds it with `podium"),
        (("competitions", "download", "shop", "-f", "x"), 2, "`podium competitions files shop` l"),
        (("receipt", ""), 2, "This is empty. `podium submissions` shows the ids."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_one_asks_for(
    scene: Scene, ada: Person, command: tuple[str, ...], code: int, told: str
) -> None:
    ran = typed(scene, ada, *command)
    assert (ran.code, ran.out) == (code, "")
    assert told.format(url=scene.url) in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("slug", ["over", "done"])
@pytest.mark.parametrize("command", [("submit", "-f", "good.csv"), ("team", "create", "Late")])
def test_who_has_no_team_after_the_end_learns_that_it_is_over(
    scene: Scene, ada: Person, command: tuple[str, ...], slug: str
) -> None:
    environment = {"PODIUM_TOKEN": scene.stranger, "PODIUM_COMPETITION": slug}
    ran = typed(scene, ada, *command, **environment)
    assert (ran.code, ran.out) == (6, "")
    assert ran.err.startswith("The competition is over")
    assert "Enter with" not in ran.err


def test_without_a_login_the_address_is_told_to_be_the_default_only(ada: Person) -> None:
    ran = ada.types("limits", "shop")
    # Whether some program of this machine has the port or not.
    assert ran.code in (2, 4, 5)
    assert "http://127.0.0.1:8000 is only the default: run `podium login ADDRESS`" in ran.err


@pytest.mark.parametrize("slug", ["over", "done"])
def test_after_the_end_the_limits_say_that_it_is_over_and_nothing_of_tomorrow(
    scene: Scene, ada: Person, slug: str
) -> None:
    ran = typed(scene, ada, "limits", slug)
    assert (ran.code, ran.out) == (6, "submissions left today  0\n")
    assert ran.err.startswith("The competition is over")
    as_json = typed(scene, ada, "limits", slug, "--json")
    assert as_json.document["reason"].startswith("The competition is over")
    assert as_json.document["resets_at"] is None


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("short.csv", "short.csv: 8 of 12 ids are missing: "),
        ("bars.csv", "The columns are separated by “|”. Use commas."),
        ("sub.rar", "sub.rar: the file is rar, which is not read here. Send CSV"),
    ],
)
def test_a_file_that_does_not_fit_is_explained_and_costs_nothing(
    scene: Scene, ada: Person, file: str, told: str
) -> None:
    ran = typed(scene, ada, "submit", "shop", "-f", file)
    assert ran.code == 3
    assert told in ran.err
    assert ran.err.endswith("The file was rejected. It doesn't count against your limit.\n")


def test_the_address_of_the_page_is_told_after_a_submit(scene: Scene, ada: Person) -> None:
    ran = typed(scene, ada, *SUBMIT)
    assert ran.code == 0
    [found] = re.findall(r"^id +(\S+)$", ran.out, re.MULTILINE)
    page = f"{scene.url}/competitions/shop/submissions/{found}"
    assert ran.err == f"Uploaded: {page}\n"
    assert re.search(rf"^page +{re.escape(page)}$", ran.out, re.MULTILINE)
    assert typed(scene, ada, "submission", found, "--json").document["page"] == page


def test_the_address_of_a_page_is_as_good_as_that_of_the_server(scene: Scene, ada: Person) -> None:
    address = f"{scene.url}/competitions/shop/leaderboard"
    assert ada.types("login", address, stdin=scene.member).code == 0
    stored = json.loads((ada.home / "config/podium/login.json").read_text())
    assert (stored["url"], stored["competition"]) == (scene.url, "shop")
    assert ada.types("limits").code == 0
    for command in (("limits", address), ("team", "show", "-c", address)):
        assert ada.types(*command).code == 0
    told = ada.types("runs", address).err
    assert "no submission to shop." in told or told.startswith("Nothing yet")


@pytest.mark.parametrize(
    ("command", "code", "problem", "status"),
    [
        (("submission", "nothing"), 2, "not-found", 404),
        (("team", "join", "WRONG", "-c", "shop"), 2, "unknown-code", 404),
        (("submit", "strict", "-f", "good.csv"), 6, "quota-exhausted", None),
        (("submit", "over", "-f", "good.csv"), 6, "competition-closed", None),
        (("submit", "shop", "-f", "absent.csv"), 2, "bad-request", None),
        (("nonsense",), 2, "bad-request", None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_with_json_an_error_is_a_problem_document_on_standard_output(
    scene: Scene, ada: Person, command: tuple[str, ...], code: int, problem: str, status: int | None
) -> None:
    ran = typed(scene, ada, *command, "--json")
    assert ran.code == code
    document = ran.document
    assert (document["code"], document["exit_code"]) == (problem, code)
    assert document.get("status") == status
    assert document["detail"]
    assert document["error_count"] == 0
    assert ran.err


def test_an_answer_of_a_proxy_is_a_problem_document_with_its_status(
    scene: Scene, ada: Person
) -> None:
    with answering(502) as address:
        ran = typed(scene, ada, "team", "create", "x", "-c", "shop", "--json", PODIUM_URL=address)
    assert ran.code == 4
    document = ran.document
    assert (document["status"], document["title"], document["code"]) == (
        502,
        "Bad Gateway",
        "http-502",
    )
    assert document["type"] == "about:blank"


@contextmanager
def answering(status: int) -> Iterator[str]:
    """A proxy whose server is away; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_signing_out_removes_the_login_and_says_what_becomes_of_the_token(
    scene: Scene, ada: Person
) -> None:
    assert ada.types("logout").err == "You are not signed in.\n"
    assert ada.types("login", scene.url, stdin=scene.member).code == 0
    ran = ada.types("logout")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == (
        f"Signed out of {scene.url}. The token itself was not revoked:"
        f" {scene.url}/account does that if you do not need it.\n"
    )
    assert ada.types("whoami", PODIUM_URL=scene.url).code == 5
    still = ada.types("logout", PODIUM_TOKEN="t")
    assert "PODIUM_TOKEN is set: commands use its token as before." in still.err
