"""Presets that bring a custom metric, each from its creation to the reveal in real children, with
scores that were worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any

import pytest

from podium.core.competition_settings.presets import PRESETS
from podium.custom_metric_runner.catalogue import FOLDER, file_of
from tests.builders.installation import Installation, Person
from tests.builders.season import reveal, until

pytestmark = [pytest.mark.timeout(1200), pytest.mark.xdist_group("custom metrics")]

PUBLIC, PRIVATE, BOTH = "Public", "Private", "Both"


@dataclass(frozen=True)
class Played:
    """A solution, a file and its scores, and a file that is refused with these words."""

    solution: str
    file: str
    public: float
    private: float
    refused: str
    code: str
    words: str
    diagnostics: dict[str, dict[str, float]] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)


def table(head: str, *rows: tuple[object, ...]) -> str:
    """A file of CSV."""
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


LABELS = "id,toxic,severe_toxic,obscene,threat,insult,identity_hate"

COMMENTS = (
    (0.9, 0.1, 0.5, 0.9, 0.9, 0.6),
    (0.1, 0.9, 0.5, 0.8, 0.1, 0.7),
    (0.8, 0.2, 0.5, 0.7, 0.8, 0.8),
    (0.2, 0.8, 0.5, 0.6, 0.2, 0.9),
)
"""Probabilities of each label for the rows of a split."""

TOXIC_COMMENTS = Played(
    table(
        f"{LABELS},Usage",
        *((f"a{row}", *[true] * 6, PUBLIC) for row, true in enumerate((1, 0, 1, 0))),
        *((f"b{row}", *[true] * 6, PRIVATE) for row, true in enumerate((0, 1, 1, 0))),
    ),
    table(LABELS, *((f"{half}{row}", *COMMENTS[row]) for half in "ab" for row in range(4))),
    # Of the four pairs of a row with the label and one without: 4, 0, 2 (all tied), 3, 4 and 1.
    public=round(14 / 24, 5),
    # 1, 3, 2, 2, 1 and 2.
    private=round(11 / 24, 5),
    refused=table(LABELS, *((f"{half}{row}", *[1.5] * 6) for half in "ab" for row in range(4))),
    code="bad-label",
    words="toxic",
)

DIABETIC_RETINOPATHY = Played(
    table(
        "id_code,diagnosis,Usage",
        *((f"a{row}", grade, PUBLIC) for row, grade in enumerate((0, 1, 2, 2))),
        *((f"b{row}", grade, PRIVATE) for row, grade in enumerate((0, 4, 4, 0))),
    ),
    table(
        "id_code,diagnosis",
        *((f"a{row}", grade) for row, grade in enumerate((0, 1, 1, 2))),
        *((f"b{row}", grade) for row, grade in enumerate((0, 4, 0, 0))),
    ),
    # A cost of 1 instead of 5, and of 16 instead of (2 · 1 + 2 · 3) · 16 / 4.
    public=0.8,
    private=0.5,
    refused=table("id_code,diagnosis", *((f"{half}{row}", 5) for half in "ab" for row in range(4))),
    code="bad-label",
    words="diagnosis",
)

ENERGIES = "id,formation_energy_ev_natom,bandgap_energy_ev"

TRANSPARENT_CONDUCTORS = Played(
    table(
        f"{ENERGIES},Usage",
        (1, 3, 0, PUBLIC),
        (2, 3, 1, PUBLIC),
        (3, 0, 0, PRIVATE),
        (4, 3, 0, PRIVATE),
    ),
    table(ENERGIES, (1, 1, 0), (2, 7, 3), (3, 1, 0), (4, 3, 0)),
    # In units of log 2: 1 and √(1/2); √(1/2) and 0.
    public=round(log(2) * (1 + sqrt(1 / 2)) / 2, 5),
    private=round(log(2) * sqrt(1 / 2) / 2, 5),
    refused=table(ENERGIES, (1, 1, 0), (2, -1.5, 3), (3, 1, 0), (4, 3, 0)),
    code="metric-refused",
    words="formation_energy_ev_natom: a value is -1 or less, which has no logarithm.",
)

SPOOKY_AUTHORS = Played(
    table(
        "id,author,Usage",
        ("id1", "EAP", PUBLIC),
        ("id2", "MWS", PUBLIC),
        ("id3", "HPL", PRIVATE),
        ("id4", "EAP", PRIVATE),
    ),
    table(
        "id,EAP,HPL,MWS",
        ("id1", 1, 2, 1),
        ("id2", 0, 0, 7),
        ("id3", 0.25, 0.5, 0.25),
        ("id4", 1, 1, 2),
    ),
    # Probabilities of 1/4 and 1; of 1/2 and 1/4.
    public=round(log(2), 5),
    private=round(1.5 * log(2), 5),
    refused=table("id,EAP,HPL,MWS", *((f"id{row}", 0, 0, 0) for row in range(1, 5))),
    code="metric-refused",
    words="All probabilities of a row are 0.",
)

ENGAGEMENTS = "id,reply,retweet,retweet_with_comment,like"

GAIN = 100 * log(3 / 2) / log(2)
"""RCE of 3/4 for what is there and 1/4 for what is not, where a half is."""

RECSYS_2020_TABLE = Played(
    table(
        f"{ENGAGEMENTS},Usage",
        *((row, *[row % 2] * 4, PUBLIC if row < 4 else PRIVATE) for row in range(8)),
    ),
    table(
        ENGAGEMENTS,
        *(
            (row, 1 / 4, 1 / 2, 3 / 4, 3 / 4) if row % 2 else (row, 3 / 4, 1 / 2, 1 / 4, 1 / 4)
            for row in range(4)
        ),
        *(
            (row, 3 / 4, 1 / 2, 3 / 4, 3 / 4) if row % 2 else (row, 1 / 4, 1 / 2, 1 / 4, 1 / 4)
            for row in range(4, 8)
        ),
    ),
    # The wrong order: a line from (0, 0) to (1, 1/2). No order: one from (0, 1) to (1, 1/2).
    public=(1 / 4 + 3 / 4 + 1 + 1) / 4,
    private=(1 + 3 / 4 + 1 + 1) / 4,
    refused=table(ENGAGEMENTS, *((row, 0, 0, 0, -0.1) for row in range(8))),
    code="bad-label",
    words="like",
    diagnostics={
        "own_rce": {"public": round((-100 + 2 * GAIN) / 4, 5), "private": round(3 * GAIN / 4, 5)},
        "own_prauc_reply": {"public": 0.25, "private": 1.0},
        "own_rce_like": {"public": round(GAIN, 5), "private": round(GAIN, 5)},
    },
)

EMBEDDING = ",".join(f"e{number}" for number in range(16))

DIVERSITY = 0.4544484
"""As this very network predicts it after five passes; all else follows from the embeddings."""

RECSYS_2025 = Played(
    table(
        "client_id,role,churn,buys_tea,buys_rum,Usage",
        *((row, "train", row % 2, row % 2, 1 - row % 2, BOTH) for row in range(8)),
        *((row, "test", row % 2, row % 2, 1 - row % 2, PUBLIC) for row in range(8, 12)),
        *((row, "test", row % 2, row % 2, 1 - row % 2, PRIVATE) for row in range(12, 16)),
    ),
    # What an embedding tells is right for all public users, and for every other private pair.
    table(
        f"client_id,{EMBEDDING}",
        *((row, *[row % 2] * 16) for row in range(14)),
        *((row, *[1 - row % 2] * 16) for row in range(14, 16)),
    ),
    public=round((1 + 0.8 + 0.1 * 0.5 + 0.1 * DIVERSITY) / 2, 5),
    private=round((0.5 + 0.8 * 0.5 + 0.1 * 0.5 + 0.1 * DIVERSITY) / 2, 5),
    refused=table(f"client_id,{EMBEDDING}", *((row, *[1] * 16) for row in range(16))),
    code="metric-refused",
    words="All users have the same embedding.",
    diagnostics={
        "own_churn": {"public": 1.0, "private": 0.5},
        "own_auroc": {"public": 1.0, "private": 0.5},
        "own_novelty": {"public": 0.5, "private": 0.5},
        "own_diversity": {"public": round(DIVERSITY, 5), "private": round(DIVERSITY, 5)},
    },
    settings={"own_metric": {"version": 1, "arguments": {"epochs": 5}, "seconds": 600}},
)

PLAYED = {
    "toxic-comments": TOXIC_COMMENTS,
    "diabetic-retinopathy": DIABETIC_RETINOPATHY,
    "transparent-conductors": TRANSPARENT_CONDUCTORS,
    "spooky-authors": SPOOKY_AUTHORS,
    "recsys-2020-table": RECSYS_2020_TABLE,
    "recsys-2025": RECSYS_2025,
}


def test_every_metric_file_is_that_of_a_preset_which_is_played_here() -> None:
    bringing = {name for name, settings in PRESETS.items() if "own_metric" in settings}
    assert bringing == set(PLAYED)
    assert {file_of(name) for name in PLAYED} == set(FOLDER.glob("[!_]*.py"))


def judged(person: Person, preset: str, content: str) -> Any:
    """The submission of this file, once it has a verdict."""
    answer = person.post(f"/competitions/{preset}/submissions", content=content)
    assert answer.status_code == 202, answer.text
    path = f"/submissions/{answer.json()['id']}"
    until(lambda: person.get(path).json()["status"] not in ("queued", "judging"), seconds=500)
    return person.get(path).json()


def opened(olga: Person, preset: str, played: Played) -> None:
    """Makes the competition of a preset, whose custom metric comes by itself, and launches it."""
    body = {"slug": preset, "title": preset, "preset": preset, **played.settings}
    made = olga.post("/admin/competitions", json=body)
    assert made.status_code == 201, made.text
    way = f"/admin/competitions/{preset}"
    until(lambda: olga.get(f"{way}/metric-files/1").status_code == 200, seconds=500)
    metric = olga.get(f"{way}/metric-files/1").json()
    assert (metric["status"], metric["in_force"]) == ("stored", True)
    assert metric["doctests"] > 0
    assert metric["note"] == f"The custom metric of the preset {preset}."
    truth = olga.post(f"{way}/ground-truth", content=played.solution)
    assert truth.status_code == 201, truth.text
    launch = f"{way}/launch"
    until(lambda: olga.post(launch).status_code in (200, 409), seconds=500)
    assert olga.get(f"/competitions/{preset}").json()["phase"] == "open"


@pytest.mark.parametrize("preset", PLAYED)
def test_from_the_creation_to_the_reveal(running: Installation, preset: str) -> None:
    played = PLAYED[preset]
    olga = running.person(f"olga of {preset}", organizer=True)
    opened(olga, preset, played)
    ada = running.person(f"ada of {preset}")
    entered = ada.post(f"/competitions/{preset}/teams", json={"name": "Ada"})
    assert entered.status_code == 201, entered.text
    scored = judged(ada, preset, played.file)
    assert (scored["status"], scored["public_score"]) == ("scored", played.public), scored
    refused = judged(ada, preset, played.refused)
    assert (refused["status"], refused["problem"]["code"]) == ("rejected", played.code), refused
    assert played.words in str(refused["problem"])
    answer = olga.post(f"/admin/competitions/{preset}/close")
    assert answer.status_code == 200, answer.text
    reveal(olga, preset)
    after = ada.get(f"/submissions/{scored['id']}").json()
    assert after["private_score"] == played.private
    shown = {name: after["diagnostics"][name] for name in played.diagnostics}
    assert shown == played.diagnostics
