"""Passwords: set by their owner, good for a token that ends, and hard to guess."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from podium.accounts.service.passwords import Passwords
from podium.accounts.service.sign_in import SignInLimits
from podium.core.models import User
from podium.errors import QuotaExhausted, Unavailable
from tests.builders.installation import Installation, Person, problem_of
from tests.builders.page import Browser
from tests.places import ROOT

GOOD = "correct horse battery"


def with_password(installation: Installation, name: str = "ada") -> Person:
    person = installation.person(name)
    assert person.put("/me/password", json={"password": GOOD}).status_code == 204
    return person


def sign_in(installation: Installation, name: str, password: str) -> Any:
    body = {"name": name, "password": password}
    return installation.anonymous.post("/sign-in", json=body)


def test_a_name_and_a_password_give_a_token_that_ends(installation_on_both: Installation) -> None:
    with_password(installation_on_both)
    answer = sign_in(installation_on_both, " ADA ", GOOD)
    assert answer.status_code == 200
    document = answer.json()
    me = Person(installation_on_both.client, document["token"]).get("/me").json()
    assert (me["name"], document["account"]["id"]) == ("ada", me["id"])
    tokens = (
        Person(installation_on_both.client, document["token"]).get("/me/tokens").json()["items"]
    )
    assert [token["expires_at"] for token in tokens] == [None, document["expires_at"]]


def test_a_wrong_password_and_an_unknown_name_look_the_same(installation: Installation) -> None:
    with_password(installation)
    installation.person("bob")
    eve = with_password(installation, "eve")
    installation.admin.patch(f"/admin/users/{eve.id}", json={"disabled": True})
    problems = []
    for name, password in (("ada", "wrong wrong"), ("nobody", GOOD), ("bob", GOOD), ("eve", GOOD)):
        problem = problem_of(sign_in(installation, name, password), 401, "wrong-credentials")
        del problem["request_id"]
        problems.append(problem)
    assert problems == [problems[0]] * 4


def test_a_failed_sign_in_is_an_event_that_tells_no_name_and_no_password(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    ada = with_password(installation)
    eve = with_password(installation, "eve")
    installation.admin.patch(f"/admin/users/{eve.id}", json={"disabled": True})
    capsys.readouterr()
    for name, password in (("ada", "wrong wrong"), ("Mallory", GOOD), ("eve", GOOD)):
        sign_in(installation, name, password)
    Browser(installation.client.app).send("/sign-in", token="guessed")
    sign_in(installation, "ada", GOOD)
    log = capsys.readouterr().err
    failed = [event for event in map(json.loads, log.splitlines()) if "sign-in" in event["event"]]
    assert [(event["event"], event["account"], event["address"]) for event in failed] == [
        ("sign-in.failed", account, "testclient") for account in (ada.id, None, eve.id, None)
    ]
    assert not any(word in log for word in ("Mallory", "wrong wrong", GOOD, "guessed"))


def test_what_the_guide_has_fail2ban_look_for_are_failed_and_throttled_sign_ins(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    guide = (ROOT / "docs/operators.md").read_text()
    (given,) = re.findall("^failregex = (.*)$", guide, flags=re.MULTILINE)
    wanted = re.compile(given.replace("<HOST>", "(?P<host>testclient)"))
    with_password(installation)
    capsys.readouterr()
    for _ in range(12):
        sign_in(installation, "ada", "wrong wrong")
    lines = capsys.readouterr().err.splitlines()
    events = [json.loads(line)["event"] for line in lines if wanted.search(line)]
    assert events == ["sign-in.failed"] * 10 + ["sign-in.throttled"] * 2


def test_guessing_is_limited(installation: Installation) -> None:
    with_password(installation)
    for _ in range(10):
        problem_of(sign_in(installation, "ada", "wrong wrong"), 401, "wrong-credentials")
    answer = sign_in(installation, "ada", GOOD)
    problem_of(answer, 429, "too-many-attempts")
    assert 1 <= int(answer.headers["retry-after"]) <= 900
    with_password(installation, "bob")
    assert sign_in(installation, "bob", GOOD).status_code == 200


def test_good_attempts_do_not_count(installation: Installation) -> None:
    with_password(installation)
    for _ in range(12):
        assert sign_in(installation, "ada", GOOD).status_code == 200


def test_only_the_last_ten_sign_ins_stay_signed_in(installation: Installation) -> None:
    ada = with_password(installation)
    tokens = [sign_in(installation, "ada", GOOD).json()["token"] for _ in range(11)]
    found = [Person(installation.client, token).get("/me").status_code for token in tokens]
    assert found == [401] + [200] * 10
    assert ada.get("/me").status_code == 200


def test_a_changed_password_ends_what_the_old_one_began(installation: Installation) -> None:
    ada = with_password(installation)
    token = sign_in(installation, "ada", GOOD).json()["token"]
    new = "another good password"
    refused = ada.put("/me/password", json={"password": new})
    problem_of(refused, 403, "password-needed")
    wrong = ada.put("/me/password", json={"password": new, "current_password": "wrong wrong"})
    problem_of(wrong, 401, "wrong-credentials")
    changed = ada.put("/me/password", json={"password": new, "current_password": GOOD})
    assert changed.status_code == 204
    assert Person(installation.client, token).get("/me").status_code == 401
    assert ada.get("/me").status_code == 200
    assert sign_in(installation, "ada", GOOD).status_code == 401
    assert sign_in(installation, "ada", new).status_code == 200


def test_passwords_are_kept_as_argon2_and_never_answered(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    with_password(installation)
    sign_in(installation, "ada", GOOD)
    sign_in(installation, "ada", GOOD + "!")
    with installation.application.database.read() as session:
        kept = session.query(User.password_hash).filter_by(name="ada").one()[0]
    assert kept is not None
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    log = installation.admin.get("/admin/audit").text
    for text in (log, *capsys.readouterr(), installation.admin.get("/admin/users").text):
        assert GOOD not in text
        assert "argon2" not in text


@pytest.mark.parametrize("password", ["", "short", "a" * 40, "x" * 1001, None, 5])
def test_a_bad_password_is_422(installation: Installation, password: Any) -> None:
    ada = installation.person("ada")
    assert ada.put("/me/password", json={"password": password}).status_code == 422


def test_hashing_takes_in_only_so_many_at_once() -> None:
    passwords = Passwords()
    kept = passwords.hashed(GOOD)

    def check(_: int) -> str:
        try:
            return str(passwords.fits(kept, GOOD))
        except Unavailable as refusal:
            return refusal.code

    with ThreadPoolExecutor(60) as pool:
        found = list(pool.map(check, range(60)))
    assert set(found) == {"True", "busy"}
    assert passwords.fits(kept, GOOD)


def test_guesses_from_many_addresses_are_counted_by_name() -> None:
    limits = SignInLimits(clock=lambda: 0.0)
    for number in range(100):
        limits.begin(key="ada", address=f"192.0.2.{number}")
    with pytest.raises(QuotaExhausted):
        limits.begin(key="ada", address="198.51.100.1")
    limits.begin(key="bob", address="198.51.100.1")


def test_one_network_of_ipv6_is_one_address() -> None:
    limits = SignInLimits(clock=lambda: 0.0)
    for number in range(50):
        limits.begin(key=f"user {number}", address=f"2001:db8::{number + 1:x}")
    with pytest.raises(QuotaExhausted):
        limits.begin(key="another", address="2001:db8::ffff")
    limits.begin(key="another", address="2001:db8:1::1")


def test_racing_guesses_do_not_slip_through() -> None:
    limits = SignInLimits(clock=lambda: 0.0)

    def guess(_: int) -> bool:
        try:
            limits.begin(key="ada", address="192.0.2.1")
        except QuotaExhausted:
            return False
        return True

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(guess, range(60))) == 10


def test_a_crowd_that_signs_in_leaves_boards_alone_and_uses_up_no_other_attempts(
    installation: Installation,
) -> None:
    with_password(installation)
    installation.launched()
    with ThreadPoolExecutor(80) as pool:
        crowd = [pool.submit(sign_in, installation, f"user {n}x", GOOD) for n in range(60)]
        board = pool.submit(installation.anonymous.get, "/competitions/otto/leaderboard")
        assert board.result().status_code == 200
        found = {answer.result().status_code for answer in crowd}
    assert found <= {401, 429, 503}
