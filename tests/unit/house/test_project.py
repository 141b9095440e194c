"""The project as the rules see it: comments are found as Python finds them."""

from __future__ import annotations

import io
import tokenize

import pytest

from tests.house.project import Source

TEXTS = [
    "# one\nx = 1  # two\n",
    "x = '#'  # a \"quote\n# it's\n",
    "x = 'a\\'#'  # b\n",
    "x = r'\\\\'  # raw\n",
    'x = """a\n# no\n\\"""#"""  # yes\n',
    "x = (\n    'a'  # between\n    \"b # no\"\n)\n",
    "x = f'{y} # no'  # yes\n",
    'x = \'\'  # empty\ny = """"""  # too\n',
    "x = 'a\\\n# no'  # yes\n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_comments_are_those_of_the_tokenizer(text: str) -> None:
    compile(text, "x.py", "exec")  # newer tokenizers take nothing else
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    expected = [(each.start[0], each.string) for each in tokens if each.type == tokenize.COMMENT]
    assert Source("x.py", text).comments == expected
    assert expected
