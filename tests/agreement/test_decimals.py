"""The compiled reader's decimals against Python's `float`."""

from __future__ import annotations

import io
import math
import random
import struct
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.text import NotPlain, WholeLines
from podium.scoring.pairs.layout import layout_of
from podium.scoring.rows.compiled import Role, read_columns
from podium.scoring.rows.fields import read_score
from podium.scoring.text.fields import RowProblem
from tests.builders.scoring.pairs import RMSE

TEXTS = 100_000
ROLES: tuple[Role, ...] = ("number0", "key0", "key1")


def compiled(texts: list[str]) -> list[float]:
    """The numbers in these texts. Raises NotPlain if one of them is not a plain number."""
    functions = kernel()
    assert functions is not None
    text = "".join(f"{text},1,1\n" for text in texts)
    lines = WholeLines(io.BytesIO(f"rating,user,item\n{text}".encode()))
    rows = read_columns(lines, functions, task=RMSE, roles=lambda _: ROLES)
    return rows["number0"].to_list()


def is_plain(text: str) -> bool:
    try:
        compiled([text])
    except NotPlain:
        return False
    return True


def is_accepted(text: str) -> bool:
    """True if the strict reader takes a text for a rating."""
    try:
        read_score(text.encode(), *layout_of(RMSE).values)
    except RowProblem:
        return False
    return True


def bits(numbers: list[float]) -> list[bytes]:
    return [struct.pack("<d", number) for number in numbers]


def written(number: Fraction) -> str:
    """All digits of a number whose denominator is a power of two."""
    with localcontext(prec=2000):
        return format(Decimal(number.numerator) / Decimal(number.denominator), "f")


def spread(dice: random.Random) -> float:
    """A number that may be of any size that is allowed."""
    while True:
        number: float = struct.unpack("<d", dice.randbytes(8))[0]
        if abs(number) <= 1e100:
            return number


def halfway(dice: random.Random) -> str:
    """A decimal that lies exactly between two doubles, or next to such a place."""
    size = dice.choice((0, 1, 2, 3, 5, 10, -1, -5, -10))
    place = Fraction(2 * dice.randrange(1 << 52, 1 << 53) + 1) / Fraction(2) ** size
    text = written(place)
    moved = (
        text[:-1] + chr(ord(text[-1]) + dice.choice((-1, 1))) if text[-1] in "12345678" else text
    )
    return dice.choice((text, text, moved, f"{text}1" if "." in text else f"{text}.0000001"))


def digits(dice: random.Random, longest: int) -> str:
    return "".join(dice.choices("0123456789", k=dice.randint(1, longest)))


def any_spelling(dice: random.Random) -> str:
    point = dice.choice(("", f".{digits(dice, 25)}"))
    exponent = dice.choice(
        ("", f"{dice.choice('eE')}{dice.choice(('', '+', '-'))}{digits(dice, 3)}")
    )
    return f"{dice.choice(('', '+', '-'))}{digits(dice, 25)}{point}{exponent}"


def scaled(dice: random.Random) -> str:
    return f"{dice.randrange(10 ** dice.randint(1, 20))}e{dice.randint(-45, 45)}"


SPELLINGS: dict[str, Callable[[random.Random], str]] = {
    "of any size": lambda dice: repr(spread(dice)),
    "like ratings": lambda dice: repr(dice.uniform(-5, 5)),
    "in single precision": lambda dice: repr(
        struct.unpack("f", struct.pack("f", dice.random()))[0]
    ),
    "few decimals": lambda dice: f"{dice.uniform(-100, 100):.{dice.randint(0, 8)}f}",
    "halfway": halfway,
    "scaled": scaled,
    "in any spelling": any_spelling,
    "subnormal": lambda dice: repr(dice.random() * 2.0 ** -dice.randint(1020, 1074)),
    "underflowing": lambda dice: f"{digits(dice, 5)}e-{dice.randint(300, 99_999)}",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_accepted_text_is_the_nearest_double(spelling: str) -> None:
    dice = random.Random(spelling)
    texts = [SPELLINGS[spelling](dice) for _ in range(TEXTS)]
    accepted = [text for text in texts if is_accepted(text)]
    assert len(accepted) > TEXTS / 2
    assert bits(compiled(accepted)) == bits([float(text) for text in accepted])


def test_some_halves_have_few_digits_and_go_to_the_even_double() -> None:
    whole = [9007199254740993, 9007199254740995, 2**60 + 2**7, 2**60 + 3 * 2**7]
    texts = [*map(str, whole), "4503599627370496.5", "4503599627370497.5", "-4503599627370497.5"]
    numbers = compiled(texts)
    assert numbers == [float(text) for text in texts]
    mantissas = [math.frexp(number)[0] * 2**53 for number in numbers]
    assert all(mantissa % 2 == 0 for mantissa in mantissas)


@pytest.mark.parametrize(
    "text",
    ["1e100", "-1e100", "1e-100000", "0." + "0" * 61 + "1", "9" * 64, "1e0000000000000000002", "-0",
     "-0e999", "0e0", "00000000000000000000000000000000000001", "1e-0000000000000000000000000000"],
)  # fmt: skip
def test_the_longest_and_the_largest_numbers_are_plain(text: str) -> None:
    assert is_accepted(text)
    assert bits(compiled([text])) == bits([float(text)])


@pytest.mark.parametrize(
    "text",
    ["1" * 65, "1" * 800, "0." + "3" * 800, "1.000000000000001e100", "1e101", "-1e101", "1e308",
     "1e309", "1e99999999999999999999", "1e18446744073709551617", "9" * 63 + "e9", "", "+", "-",
     ".", ".5", "5.", "1e", "1e+", "1.e5", "e5", "--1", "+-1", "1..2", "1.2.3", "0x10", "0x1p3",
     "inf", "nan", "-inf", "Infinity", "1_0", "1 ", " 1", "1d5", "1f", "1e5.0", "1e5e5", "\u0661",
     "1\x00"],
)  # fmt: skip
def test_what_is_no_rating_is_not_plain(text: str) -> None:
    assert not is_accepted(text)
    assert not is_plain(text)


def test_damaged_numbers_are_plain_where_the_strict_reader_takes_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("podium.scoring.rows.compiled.BLOCK_BYTES", 512)
    dice = random.Random("damaged")
    taken = 0
    for _ in range(20_000):
        text = any_spelling(dice)
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice((*"0123456789+-.eE xX_,\x00", "")) + text[at + 1 :]
        if "," in text:
            continue
        accepted = is_accepted(text)
        assert is_plain(text) == accepted, text
        taken += accepted
    assert 5_000 < taken < 19_000
