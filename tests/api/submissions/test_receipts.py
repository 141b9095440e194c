"""Receipts through HTTP, checked by the command line and by the library's own verification."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from typer.testing import CliRunner

from podium.cli.commands import build
from podium.cli.offline.verifying import checked
from podium.core.models import SigningKey
from tests.builders.competing import Competition
from tests.builders.installation import Installation, problem_of

TRUTH = "user,labels,Usage\n" + "".join(
    f"{n},{n + 1},{'Public' if n < 10 else 'Private'}\n" for n in range(20)
)
FILE = "user,labels\n" + "".join(f"{n},{n + 1 if n % 10 < 4 else 99}\n" for n in range(20))


def verify(path: Path, *arguments: str) -> tuple[int, Any]:
    ended = CliRunner().invoke(build(), ["verify", str(path), *arguments, "--json"])
    return ended.exit_code, json.loads(ended.stdout)


def receipt_of(person: Any, submission: Any) -> bytes:
    answer = person.get(f"/submissions/{submission['id']}/receipt")
    assert answer.status_code == 200, answer.text
    content: bytes = answer.content
    return content


@pytest.fixture
def competition(judging: Installation) -> Competition:
    return Competition.opened(judging, TRUTH, preset="ndcg@10", metric="recall@5")


def test_a_receipt_says_what_was_sent_and_shown(competition: Competition, tmp_path: Path) -> None:
    team = competition.team()
    sent = competition.judged(team, FILE)
    content = receipt_of(team, sent)
    document = json.loads(content)
    assert document["sha256"] == hashlib.sha256(FILE.encode()).hexdigest()
    assert (document["status"], document["public_score"]) == ("scored", "0.40000")
    assert (document["submitted_at"], document["final"]) == (sent["submitted_at"], None)
    assert receipt_of(competition.installation.admin, sent) == content
    (tmp_path / "receipt.json").write_bytes(content)
    (tmp_path / "file.csv").write_text(FILE)
    keys = competition.installation.anonymous.get("/signing-key")
    (tmp_path / "keys.json").write_bytes(keys.content)
    options = ["--file", str(tmp_path / "file.csv"), "--key", str(tmp_path / "keys.json")]
    code, told = verify(tmp_path / "receipt.json", *options)
    assert (code, told["valid"], told["problems"]) == (0, True, [])


def test_the_signature_is_ed25519_over_the_canonical_rest(competition: Competition) -> None:
    team = competition.team()
    document = json.loads(receipt_of(team, competition.judged(team, FILE)))
    signature = bytes.fromhex(document.pop("signature"))
    signed = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(document["public_key"]))
    public.verify(signature, signed.encode())
    with pytest.raises(InvalidSignature):
        public.verify(signature, signed.replace("0.40000", "0.50000").encode())


def test_not_one_byte_of_a_receipt_can_be_changed(competition: Competition) -> None:
    team = competition.team()
    content = receipt_of(team, competition.judged(team, FILE))
    assert checked(content, None, None)[0] == []
    for place in range(len(content)):
        for changed in {content[place] ^ 1, content[place] ^ 0x20, ord(" ")} - {content[place]}:
            forged = content[:place] + bytes([changed]) + content[place + 1 :]
            assert checked(forged, None, None)[0], forged[place - 20 : place + 20]


def test_another_file_and_another_key_are_told(competition: Competition, tmp_path: Path) -> None:
    team = competition.team()
    receipt = tmp_path / "receipt.json"
    receipt.write_bytes(receipt_of(team, competition.judged(team, FILE)))
    (tmp_path / "other.csv").write_text(FILE + "\n")
    (tmp_path / "other.key").write_text("00" * 32)
    code, told = verify(receipt, "--file", str(tmp_path / "other.csv"))
    assert (code, len(told["problems"])) == (3, 1)
    code, told = verify(receipt, "--key", str(tmp_path / "other.key"))
    assert (code, told["valid"]) == (3, False)


def test_after_the_reveal_the_commitment_can_be_opened(
    competition: Competition, tmp_path: Path
) -> None:
    team, anonymous = competition.team(), competition.installation.anonymous
    sent = competition.judged(team, FILE)
    before = json.loads(receipt_of(team, sent))
    published = anonymous.get(f"/competitions/{competition.slug}/commitments").json()["commitments"]
    assert published == [
        {
            "version": 1,
            "commitment": before["ground_truth"]["commitment"],
            "salt": None,
            "sha256": None,
        }
    ]
    competition.reveal()
    content = receipt_of(team, sent)
    final = json.loads(content)["final"]
    assert final["private_score"] == "0.40000"
    assert final["splits"]["private"]["score"] == "2/5"
    (public,) = final["splits"]["public"]["objectives"].values()
    assert (public["hits"], public["denominator"]) == (4, 10)
    opened = hmac.new(
        bytes.fromhex(final["salt"]), final["ground_truth_sha256"].encode(), hashlib.sha256
    )
    assert opened.hexdigest() == before["ground_truth"]["commitment"]
    (tmp_path / "receipt.json").write_bytes(content)
    assert verify(tmp_path / "receipt.json")[0] == 0


def test_a_file_that_was_rejected_has_a_receipt_without_a_score(competition: Competition) -> None:
    team = competition.team()
    sent = team.post(f"/competitions/{competition.slug}/submissions", content=b"no,file\n").json()
    document = json.loads(receipt_of(team, sent))
    assert document["public_score"] is None


def test_a_new_key_signs_and_the_old_one_stays_known(competition: Competition) -> None:
    installation, team = competition.installation, competition.team()
    sent = competition.judged(team, FILE)
    old = json.loads(receipt_of(team, sent))["key_id"]
    problem_of(team.post("/admin/signing-key"), 403, "not-allowed")
    assert installation.anonymous.post("/admin/signing-key").status_code == 401
    rotated = installation.admin.post("/admin/signing-key", json={"reason": "yearly"})
    assert rotated.status_code == 200, rotated.text
    new = json.loads(receipt_of(team, sent))["key_id"]
    known = installation.anonymous.get("/signing-key").json()
    assert old != new == known["current"]
    assert {key["key_id"]: key["retired_at"] is None for key in known["keys"]}[old] is False
    with installation.application.database.read() as session:
        assert session.get_one(SigningKey, old).private_key is None
    entry = installation.admin.get("/admin/audit").json()["items"][0]
    assert (entry["action"], entry["object_id"]) == ("signing-key.rotate", new)


def test_a_receipt_is_for_its_team_and_the_organizers(competition: Competition) -> None:
    team, stranger = competition.team(), competition.team()
    sent = competition.judged(team, FILE)
    path = f"/submissions/{sent['id']}/receipt"
    problem_of(stranger.get(path), 404, "not-found")
    assert competition.installation.anonymous.get(path).status_code == 401


def test_a_private_competition_commits_before_its_members_only(judging: Installation) -> None:
    competition = Competition.opened(
        judging, TRUTH, preset="ndcg@10", metric="recall@5", visibility="private"
    )
    path = f"/competitions/{competition.slug}/commitments"
    problem_of(judging.anonymous.get(path), 404, "not-found")
    assert len(judging.admin.get(path).json()["commitments"]) == 1
