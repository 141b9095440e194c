"""Settings as YAML mean what they look like, and cost no more than they are long."""

from __future__ import annotations

from typing import Any

import pytest

from podium.errors import InvalidInput
from podium.http.streaming.yaml_text import MAX_CHARACTERS, read, written

VALUE: dict[str, Any] = {
    "title": "no",
    "texts": [
        "yes",
        "1",
        "1.5",
        "null",
        "~",
        "",
        "2030-01-02",
        "a: b",
        "# c",
        "*d",
        "&e",
        "x\ny\n",
    ],
    "numbers": [0, -7, 0.1, 1e-07, 2147483648, 12345.678],
    "others": [None, True, False],
    "nested": {"split": {"public_fraction": 0.33}, "empty": {}, "none": []},
}


def test_what_is_written_is_read_again() -> None:
    assert read(written(VALUE)) == VALUE


def test_json_is_read_too() -> None:
    assert read('{"a": [1, 2.5, "x", null, true], "b": {"c": 0.1}}') == {
        "a": [1, 2.5, "x", None, True],
        "b": {"c": 0.1},
    }


def test_words_dates_and_odd_numbers_are_texts() -> None:
    text = "a: yes\nb: off\nc: 2030-01-02\nd: 12:30:00\ne: 1_000\nf: 0x10\ng: .inf\nh: 010\n"
    assert read(text) == {
        "a": "yes",
        "b": "off",
        "c": "2030-01-02",
        "d": "12:30:00",
        "e": "1_000",
        "f": "0x10",
        "g": ".inf",
        "h": "010",
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: &x [1]\nb: *x\n", 2),
        ("title: one\n\ntitle: two\n", 3),
        ("a: 1\n  b: 2\n", 2),
        ("a: !!python/object/apply:os.system [id]\n", 1),
        ("a: 1\nb: !!binary aGk=\n", 2),
        ("a: !!set {x, y}\n", 1),
        ("a: 1\n1: 2\n", 2),
        ("a: " + "[" * 30 + "]" * 30, 1),
        ("- a\n- b\n", 1),
        ("just words", 1),
        ("", 1),
    ],
)
def test_what_json_does_not_have_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(text)
    assert caught.value.code == "bad-yaml"
    assert [problem["line"] for problem in caught.value.problems] == [line]


def test_a_file_that_grows_when_it_is_read_is_refused() -> None:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    with pytest.raises(InvalidInput, match="References"):
        read("\n".join(lines))


@pytest.mark.parametrize("part", ["1,", "a: 1,\n", "[],", "{},"])
def test_a_file_of_too_many_values_is_not_read(part: str) -> None:
    text = "a: [" + part * (MAX_CHARACTERS // len(part) - 10) + "]"
    with pytest.raises(InvalidInput, match=r"too many values: at most 12,000 .* 1,024 columns"):
        read(text)
    assert len(read("a: [" + "1," * 4_000 + "]")["a"]) == 4_000


def test_a_file_that_is_too_long_is_not_read() -> None:
    with pytest.raises(InvalidInput, match="more than"):
        read("a: " + "x" * MAX_CHARACTERS)


@pytest.mark.parametrize(
    "text", ["a: \x00", "a: \ud800", "a: [", "{", "a: 'x", "\t- x: 1", "%YAML 9.9"]
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read(text)
