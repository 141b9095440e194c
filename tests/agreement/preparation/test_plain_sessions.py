"""Plain blocks of raw sessions: what is taken is what a parser of JSON finds, line by line."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from podium.preparation.sessions.plain import plain_block

TYPES = ("clicks", "carts", "orders")
SPACED, COMPACT = (", ", ": "), (",", ":")

TOKENS = [
    *("{", "}", "[", "]", ",", ":", '"', " ", "\n", "\r", "\t", "\\", "\0", "é", "#"),
    *("0", "7", "-", "+", ".", "e", "_", "00", "1e3", "99999999999", "9" * 20, "null", "[]"),
    *('"aid"', '"ts"', '"type"', '"clicks"', '{"session": 1, "events": [', "]}\n", '"}]}\n'),
    *(', {"aid": ', ', "ts": ', ', "type": "', '"events": [{"aid": ', '"}, {"aid": '),
]
"""Parts of blocks that mutations put in, take out and change for each other."""

NUMBERS = (0, 7, 10, 99, 1517085, 2**31 - 1)


def lines_of(random: random.Random, spelling: tuple[str, str]) -> str:
    """Some sessions as programs write them."""
    entries = []
    for session in range(random.randint(1, 4)):
        events = [
            {
                "aid": random.choice(NUMBERS),
                "ts": random.choice((0, 5, 1659304800025, 2**53 - 1, 2**63 - 1)),
                "type": random.choice(TYPES),
            }
            for _ in range(random.randint(1, 3))
        ]
        entries.append({"session": random.choice((session, 10**session)), "events": events})
    return "".join(f"{json.dumps(entry, separators=spelling)}\n" for entry in entries)


def mutated(random: random.Random, text: str) -> str:
    """The text with a few of its parts changed, moved or left out."""
    for _ in range(random.randint(1, 3)):
        kind = random.randrange(4)
        if kind == 0:
            old, new = random.choice(TOKENS), random.choice(TOKENS)
            at = text.find(old, random.randrange(len(text) + 1))
            text = text if at < 0 else text[:at] + new + text[at + len(old) :]
        elif kind == 1:
            at = random.randrange(len(text) + 1)
            text = text[:at] + random.choice(TOKENS) + text[at:]
        elif kind == 2:
            at, length = random.randrange(len(text) + 1), random.randint(1, 12)
            text = text[:at] + text[at + length :]
        else:
            old, new = random.sample(TOKENS, 2)
            text = text.replace(old, "\x01", 1).replace(new, old, 1).replace("\x01", new, 1)
    return text


def found_in(line: str) -> tuple[int, list[tuple[int, int, str]]]:
    """A session as JSON has it, where it has nothing else. Fails for any other line."""
    entry: Any = json.loads(line, object_pairs_hook=_once)
    assert list(entry) == ["session", "events"]
    assert all(list(event) == ["aid", "ts", "type"] for event in entry["events"])
    events = [(event["aid"], event["ts"], event["type"]) for event in entry["events"]]
    numbers = [entry["session"], *(number for event in events for number in event[:2])]
    assert all(type(number) is int and number >= 0 for number in numbers)
    assert all(kind in TYPES for *_, kind in events)
    return entry["session"], events


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({name for name, _ in pairs}) == len(pairs)
    return dict(pairs)


def taken(text: str) -> list[tuple[int, list[tuple[int, int, str]]]] | None:
    """The sessions of a block with their events, in the form of `found_in`."""
    block = plain_block(text.encode(), TYPES)
    if block is None:
        return None
    sessions, events = block
    rows: list[list[tuple[int, int, str]]] = [[] for _ in sessions]
    for row, session, *event in events.iter_rows():
        assert session == sessions[row]
        rows[row].append(tuple(event))
    return list(zip(sessions, rows, strict=True))


@pytest.mark.parametrize("spelling", [SPACED, COMPACT], ids=["spaced", "compact"])
def test_both_spellings_are_taken_whole(spelling: tuple[str, str]) -> None:
    draws = random.Random(1)
    for _ in range(200):
        text = lines_of(draws, spelling).removesuffix(draws.choice(("", "\n")))
        assert taken(text) == [found_in(line) for line in text.splitlines()]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_taken_of_a_changed_block_is_what_json_finds(seed: int) -> None:
    draws, both = random.Random(seed), 0
    for number in range(500):
        text = mutated(draws, lines_of(draws, (SPACED, COMPACT)[number % 2]))
        found = taken(text)
        if found is not None:
            both += 1
            assert found == [found_in(line) for line in text.removesuffix("\n").split("\n")], text
    # Some changes leave a good block: another number, another type.
    assert both > 20


GOOD = '{"session": 1, "events": [{"aid": 5, "ts": 9, "type": "carts"}]}\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("5", "05"), ("5", "+5"), ("5", "-0"), ("5", "-5"), ("5", "5.0"), ("5", "5e0"),
        ("5", "1e3"), ("5", " 5"), ("5", "5 "), ("5", "1_0"), ("5", ""), ("5", '"5"'),
        ("5", "2147483648"), ("9", "9223372036854775808"), ("9", "0" * 24 + "9"),
        ("9", "09" + "0" * 18),
        ("1", "01"), ("1", "2147483648"), ("carts", "views"), ('"carts"', "null"),
        ("carts", "cart\\u0073"), ("[{", "[ {"), ("}]", "},]"), ("}]", "}}]"), ("}]}", "}]}}"),
        ('"ts": 9, "type": "carts"', '"type": "carts", "ts": 9'), ("\n", "\r\n"), ("\n", "\n\n"),
        (GOOD, GOOD.replace("]}", "]\r}") + GOOD.removesuffix("}\n")),
        ('{"session"', '\n{"session"'), ('{"session"', '\ufeff{"session"'), ("}]}\n", "}]"),
        ("}]}", "}]}]}"),
        (', "ts"', ',"ts"'), ('{"aid": 5, "ts": 9, "type": "carts"}', ""), (GOOD, ""),
    ],
)  # fmt: skip
def test_no_other_spelling_is_taken(old: str, new: str) -> None:
    assert taken(GOOD) == [(1, [(5, 9, "carts")])]
    assert taken(GOOD.replace(old, new, 1)) is None


def test_a_first_event_and_a_later_one_cannot_change_places() -> None:
    one, two = '{"session": 1, "events": [{"aid": 5', '}, {"aid": 6'
    text = f'{one}, "ts": 9, "type": "carts"{two}, "ts": 9, "type": "carts"}}]}}\n'
    assert taken(text) == [(1, [(5, 9, "carts"), (6, 9, "carts")])]
    swapped = '{"session": 1, {"aid": 5, "ts": 9, "type": "carts"}, "events": [{"aid": 6'
    assert taken(f'{swapped}, "ts": 9, "type": "carts"}}]}}\n') is None


def test_a_type_is_written_as_json_writes_it() -> None:
    text = '{"session":1,"events":[{"aid":5,"ts":9,"type":"a\\"b"}]}\n'
    block = plain_block(text.encode(), ['a"b'])
    assert block is not None
    assert block[1]["type"].to_list() == ['a"b']
    assert plain_block(text.replace('\\"', '"').encode(), ['a"b']) is None
