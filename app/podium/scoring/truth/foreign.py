"""Detects usual formats of ground truth that are not supported, with advice on converting them."""

from __future__ import annotations

import re

from podium.scoring.text.trec import BEIR_FIELDS

_ARRAY = re.compile(r"\[\s*(?:[{\[\"0-9-]|\Z)")


def foreign_form(first: str) -> tuple[str, str] | None:
    r"""Describes the format of a file with this first line, with advice on converting it; None for
    any other.

    >>> foreign_form("query-id\tcorpus-id\tscore")[0], foreign_form("user,item")
    ('these are qrels as BEIR has them', None)
    """
    if _ARRAY.match(first.lstrip()):
        return (
            "the file is a JSON array, which is one value",
            "Write one object on each line: jq -c '.[]' labels.json > labels.jsonl, or with pandas"
            ' df.to_json("labels.jsonl", orient="records", lines=True).',
        )
    if tuple(first.split("\t")) == BEIR_FIELDS:
        return (
            "these are qrels as BEIR has them",
            "Write them as TREC has them, without the header:"
            " awk 'NR > 1 {print $1, 0, $2, $3}' test.tsv > qrels.txt",
        )
    return None
