"""Competitions in every phase, with people, files and acts in them: something on every page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from podium.accounts.service import mail_links
from podium.core.database.engine import Database
from tests.builders.installation import Person
from tests.builders.preparation.served import launch_prepared
from tests.builders.processes.site import Site
from tests.builders.season import file_with, truth_with, until

RULES = "1. Play **fair**.\n2. One account each.\n"

DESCRIPTION = """\
Predict what a visitor of a shop does next.

| objective | what it means |
|---|---|
| clicks | the next item that is looked at |
| carts | what is put into the cart |

$$\\text{score} = 0.1 \\cdot R_{clicks} + 0.3 \\cdot R_{carts} + 0.6 \\cdot R_{orders}, \\quad
R = \\frac{\\sum_i |predicted_i \\cap true_i|}{\\sum_i \\min(20, |true_i|)}$$

```
session_type,labels
100_clicks,1 2 3
```
"""

SEGMENTS = b"session,shop\n" + b"".join(
    b"%d,%s\n" % (session, b"de" if session % 2 else b"fr") for session in range(100, 160)
)


METRIC = """
def score(solution, submission, row_id_column_name, factor: float = 1):
    \"\"\"The mean distance.\"\"\"
    return factor * (solution["y"] - submission["y"]).abs().mean()
"""


SETTINGS = {
    "PODIUM_SIGNUP": "approval",
    "PODIUM_BASE_URL": "{address}",
    "PODIUM_MAIL_URL": "smtp://localhost:9",
    "PODIUM_MAIL_FROM": "podium@example.org",
    "PODIUM_CUSTOM_METRICS": "on",
}
"""Settings of a site on which every page has something. No mail is sent."""


@dataclass(frozen=True)
class Fair:
    """The users of the fair, and the ids that addresses are made of."""

    ada: Person
    administrator: Person
    objects: dict[str, str]

    def token_of(self, role: str) -> str | None:
        """The token of the anonymous role (None), the participant or the administrator."""
        people = {"participant": self.ada, "administrator": self.administrator}
        return people[role].token if role in people else None


def bad_file() -> bytes:
    """A file with three problems, in lines 5 and 8."""
    lines = file_with(30).splitlines()
    lines[4], lines[7] = b"101_clicks,eleven", b"7_clicks,1"
    return b"\n".join(lines)


def good(answer: Any) -> Any:
    """The document of an answer that must not be a refusal."""
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def fill(site: Site) -> Fair:
    """Plays the competitions `shop` (open), `past` (revealed), `frozen`, `draft`, and `films` that
    was prepared from ratings."""
    ada, bob = site.person("ada"), site.person("bob")
    good(ada.put("/me/password", json={"password": "correct horse battery"}))
    objects = _open(site, ada, bob)
    objects |= _past(site, ada, bob)
    site.launched("frozen", title="The frozen one")
    site.acts("frozen", "freeze")
    site.draft("draft", title="The draft")
    _custom_metric(site)
    launch_prepared(site.admin, "films", "The films")
    link = good(site.admin.post("/admin/invites", json={"competition": "shop"}))
    objects |= {"code": link["code"], "user_id": ada.id}
    objects |= _ways_in(site, ada, bob)
    return Fair(ada, site.admin, objects)


def _custom_metric(site: Site) -> None:
    """A draft `prices` of a table, with two versions of a metric and a file that is none, where
    this machine isolates them."""
    table = {"task": "table", "objectives": {"y": 1}, "table_columns": [{"name": "y"}]}
    body = {"slug": "prices", "title": "The prices", "metric": "own_error", **table}
    good(site.admin.post("/admin/competitions", json=body))
    files = "/admin/competitions/prices/metric-files"
    if site.admin.get(files).json()["refusal"] is None:
        for source in (METRIC, METRIC.replace("abs()", "pow(2)"), "def score(:\n"):
            site.admin.post(files, content=source)
            until(lambda: good(site.admin.get(files))["items"][0]["status"] != "checking")
    site.admin.patch("/admin/competitions/prices", json={"metric_source_is_public": True})


def _ways_in(site: Site, ada: Person, bob: Person) -> dict[str, str]:
    """Links, requests, and a competition `chosen` whose organizers approve each participant."""
    shared = {"competition": "shop", "seats": 30, "note": "Course of spring"}
    link = good(site.admin.post("/admin/invites", json=shared))
    roster = {"competition": "shop", "text": "Grace,Engines"}
    (grace,) = good(site.admin.post("/admin/roster", json=roster))["people"]
    account = {"name": "dora", "password": "correct horse battery", "note": "Course of spring"}
    request = good(site.anonymous.post("/sign-up/requests", json=account))
    site.launched("chosen", title="The chosen one", registration="approval")
    for person in (ada, bob):
        note = {"note": "Course of spring"}
        good(person.post("/competitions/chosen/join-request", json=note))
    return {
        "link_id": link["id"],
        "shared_code": link["code"],
        "first_code": grace["address"].rpartition("/")[2],
        "account_request": request["code"],
        "mail_code": _mail_code(site),
        "invite_code": good(bob.get("/competitions/shop/team"))["invite_code"],
    }


def _mail_code(site: Site) -> str:
    """The code of a link that a mail would hold."""
    database = Database(site.database_url)
    with database.write() as session:
        letter = mail_links.ask_for_account(
            session, mail="emil@example.org", name="emil", next_address="/", base_url=site.address
        )
    database.close()
    return letter.text.partition("/mail-links/")[2].split()[0]


def _open(site: Site, ada: Person, bob: Person) -> dict[str, str]:
    site.launched(
        "shop",
        title="The shop",
        description=DESCRIPTION,
        rules=RULES,
        daily_limit=50,
        final_selections=1,
        objective_scores="always",
    )
    ways = "/admin/competitions/shop"
    teams = {
        name: good(person.post("/competitions/shop/teams", json=_entry(name)))
        for name, person in (("Ada", ada), ("Bob", bob))
    }
    files = [(ada, file_with(20), "first.csv"), (ada, bad_file(), "bad.csv")]
    files += [(ada, file_with(30), "second.csv"), (bob, file_with(10), "third.csv")]
    sent = [(who, site.sends(who, "shop", content, name)) for who, content, name in files]
    good(site.admin.put(f"{ways}/files/train.csv", content=b"1,2,3\n"))
    document = {"title": "Welcome", "text": "The data is *there*."}
    announcement = good(site.admin.post(f"{ways}/announcements", json=document))
    good(bob.post("/competitions/shop/team/merge-requests", json={"team": "Team Ada"}))
    upload = good(ada.send("POST", "/uploads", headers={"Upload-Length": "2000"}))
    piece = {"Upload-Offset": "0", "Content-Type": "application/partial-upload"}
    good(ada.send("PATCH", f"/uploads/{upload['id']}", content=b"x" * 1000, headers=piece))
    first, rejected, *_ = [site.judged(person, each)["id"] for person, each in sent]
    site.upload_truth("shop", truth_with(1))
    fixed = {"reason": "The labels were shifted.", "ground_truth_version": 2}
    rejudging = site.acts("shop", "rejudgings", **fixed)["id"]
    state = f"/admin/rejudgings/{rejudging}"
    until(lambda: site.admin.get(state).json()["status"] == "ready")
    return {
        "slug": "shop",
        "submission_id": first,
        "rejected_id": rejected,
        "team_id": teams["Ada"]["id"],
        "rejudging_id": rejudging,
        "announcement_id": announcement["id"],
        "version": "1",
    }


def _past(site: Site, ada: Person, bob: Person) -> dict[str, str]:
    site.launched("past", title="The past one")
    good(site.admin.put("/admin/competitions/past/sessions", content=SEGMENTS))
    sent = []
    for name, person, clicks in (("Ada", ada, 30), ("Bob", bob, 20)):
        good(person.post("/competitions/past/teams", json=_entry(name)))
        sent.append((person, site.sends(person, "past", file_with(clicks))))
    ids = [site.judged(person, each)["id"] for person, each in sent]
    site.acts("past", "close")
    site.acts("past", "reveal")
    return {"past_submission": ids[0], "past_other": ids[1]}


def _entry(name: str) -> dict[str, Any]:
    return {"name": f"Team {name}", "accept_rules": True}
