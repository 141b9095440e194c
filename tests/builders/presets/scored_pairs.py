"""Competitions of probabilities in small, one for each preset that is named after one."""

from __future__ import annotations

from math import log

from tests.builders.presets.played import Played


def _lines(*rows: str) -> str:
    return "\n".join((*rows, ""))


def _rce(entropy: float, *given: float) -> float:
    """In per cent, of the probabilities that were given to what is true."""
    return 100 * (1 + sum(map(log, given)) / len(given) / entropy)


_HALF = log(2)
_THIRD = log(3) / 3 + log(3 / 2) * 2 / 3
"""The entropy of a base rate of 1/2, and of 1/3."""

_CERTAIN = _rce(_HALF, 0.9, 0.9)

SCORED_PAIRS = {
    "recsys-2020": Played(
        _lines(
            "user_id,tweet_id,reply,retweet,retweet-with-comment,like,Usage",
            "0000F1AC,D0A1,1,1,1,1,Public",
            "0000F1AC,D0A2,1,1,1,0,Public",
            "0000F1AD,D0A1,0,0,0,1,Public",
            "0000F1AD,D0A3,0,0,0,0,Public",
            "0000F1AE,D0A1,1,1,1,1,Private",
            "0000F1AF,D0A1,0,0,0,0,Private",
        ),
        _lines(
            "tweet_id,user_id,reply,retweet,retweet-with-comment,like",
            "D0A1,0000F1AC,0.9,0.8,0.8,0.5",
            "D0A2,0000F1AC,0.8,0.4,0.4,0.5",
            "D0A1,0000F1AD,0.2,0.4,0.6,0.5",
            "D0A3,0000F1AD,0.1,0.1,0.1,0.5",
            "D0A1,0000F1AE,0.9,0.9,0.9,0.9",
            "D0A1,0000F1AF,0.1,0.1,0.1,0.1",
        ),
        _lines(
            "user_id,tweet_id,reply,retweet,retweet-with-comment,like",
            "0000F1AC,D0A1,0.5,0.5,0.5,0.5",
            "0000F1AC,D0A2,0.5,0.5,0.5,0.5",
            "0000F1AD,D0A1,0.5,0.5,0.5,0.5",
            "0000F1AD,D0A3,0.5,0.5,0.5,0.5",
            "0000F1AE,D0A1,0.5,0.5,0.5,0.5",
            "0000F1AF,D0A1,0.5,0.5,0.5,0.5",
        ),
        # Straight lines between the points, of four targets: 1, 1/2 + (1 + 2/3) / 4 with a tie,
        # 1/2 + (1/2 + 2/3) / 4, and (1 + 1/2) / 2 for the same number everywhere.
        (round((1 + 11 / 12 + 19 / 24 + 3 / 4) / 4, 5), 0.75),
        (1.0, 0.75),
        {
            "rce": {
                "public": round(
                    (
                        _rce(_HALF, 0.9, 0.8, 0.8, 0.9)
                        + _rce(_HALF, 0.8, 0.4, 0.6, 0.9)
                        + _rce(_HALF, 0.8, 0.4, 0.4, 0.9)
                    )
                    / 4,
                    5,
                ),
                "private": round(_CERTAIN, 5),
            }
        },
    ),
    "recsys-2021": Played(
        _lines(
            "tweet_id,user_id,reply,retweet,quote,like,popularity,Usage",
            "D0A1,0000F1AC,1,1,1,1,1,Public",
            "D0A2,0000F1AC,0,0,0,0,1,Public",
            "D0A3,0000F1AC,1,1,1,1,5,Public",
            "D0A3,0000F1AD,0,0,0,0,5,Public",
            "D0A4,0000F1AD,0,0,0,0,5,Public",
            "D0A1,0000F1AE,1,1,1,1,1,Private",
            "D0A3,0000F1AE,0,0,0,0,5,Private",
            "D0A1,0000F1AF,0,0,0,0,1,Private",
            "D0A3,0000F1AF,1,1,1,1,5,Private",
        ),
        _lines(
            "tweet_id,user_id,reply,retweet,quote,like",
            "D0A1,0000F1AC,0.9,0.9,0.9,0.9",
            "D0A2,0000F1AC,0.1,0.1,0.1,0.1",
            "D0A3,0000F1AC,0.4,0.4,0.4,0.6",
            "D0A3,0000F1AD,0.6,0.6,0.6,0.4",
            "D0A4,0000F1AD,0.1,0.1,0.1,0.1",
            "D0A1,0000F1AE,0.9,0.9,0.9,0.9",
            "D0A3,0000F1AE,0.1,0.1,0.1,0.1",
            "D0A1,0000F1AF,0.1,0.1,0.1,0.1",
            "D0A3,0000F1AF,0.9,0.9,0.9,0.9",
        ),
        _lines(
            "tweet_id,user_id,reply,retweet,quote,like",
            "D0A1,0000F1AC,0.5,0.5,0.5,0.5",
            "D0A2,0000F1AC,0.5,0.5,0.5,0.5",
            "D0A3,0000F1AC,0.5,0.5,0.5,0.5",
            "D0A3,0000F1AD,0.5,0.5,0.5,0.5",
            "D0A4,0000F1AD,0.5,0.5,0.5,0.5",
            "D0A1,0000F1AE,0.5,0.5,0.5,0.5",
            "D0A3,0000F1AE,0.5,0.5,0.5,0.5",
            "D0A1,0000F1AF,0.5,0.5,0.5,0.5",
            "D0A3,0000F1AF,0.5,0.5,0.5,0.5",
        ),
        # The mean of two groups: (1 + 1/2) / 2 for three targets, and 1 for likes; all pairs
        # together would be (1 + 2/3) / 2. The same number everywhere: the base rates, 1/2 and 1/3.
        (0.8125, 0.41667),
        (1.0, 0.5),
        {
            "rce": {
                "public": round(
                    (
                        _CERTAIN
                        + _rce(_THIRD, 0.4, 0.4, 0.9) * 3 / 4
                        + _rce(_THIRD, 0.6, 0.6, 0.9) / 4
                    )
                    / 2,
                    5,
                ),
                "private": round(_CERTAIN, 5),
            }
        },
    ),
    "recsys-2023": Played(
        "RowId,is_installed,Usage\n1,1,Public\n2,0,Public\n3,1,Private\n4,0,Private\n",
        "RowId,is_installed\n1,0.8\n2,0.5\n3,0.9\n4,0.1\n",
        "RowId,is_installed\n1,0.5\n2,0.5\n3,0.5\n4,0.5\n",
        # (−ln 0.8 − ln 0.5) / 2 / ln 2, and −ln 0.9 / ln 2; the base rate everywhere is 1.
        (0.66096, 1.0),
        (0.152, 1.0),
        {"log_loss": {"public": 0.45815, "private": 0.10536}},
    ),
    "kkbox-churn": Played(
        "msno,is_churn,Usage\nugx0CjOMzazClkFzU2xasmDZaoIqOUAZPsH1q0teWCg=,1,Public\n"
        "f/NmvEzHfhINFEYZTR05prUdr+E+3+oewvweYz9cCQE=,0,Public\n"
        "zLo9f73nGGT1p21ltZC3ChiRnAVvgibMyazbCxvWPcg=,0,Private\n"
        "8iF/+8HY8lJKFrTc7iR9ZYGCG2Ecrogbc2Vy5YhsfhQ=,1,Private\n",
        "msno,is_churn\nugx0CjOMzazClkFzU2xasmDZaoIqOUAZPsH1q0teWCg=,0.8\n"
        "f/NmvEzHfhINFEYZTR05prUdr+E+3+oewvweYz9cCQE=,0.5\n"
        "zLo9f73nGGT1p21ltZC3ChiRnAVvgibMyazbCxvWPcg=,0\n"
        "8iF/+8HY8lJKFrTc7iR9ZYGCG2Ecrogbc2Vy5YhsfhQ=,1\n",
        "msno,is_churn\nugx0CjOMzazClkFzU2xasmDZaoIqOUAZPsH1q0teWCg=,0\n"
        "f/NmvEzHfhINFEYZTR05prUdr+E+3+oewvweYz9cCQE=,0\n"
        "zLo9f73nGGT1p21ltZC3ChiRnAVvgibMyazbCxvWPcg=,0.5\n"
        "8iF/+8HY8lJKFrTc7iR9ZYGCG2Ecrogbc2Vy5YhsfhQ=,0.5\n",
        # (−ln 0.8 − ln 0.5) / 2, and −ln(1e-15) / 2 for a certain no that was a yes.
        (0.45815, 17.26939),
        (0.0, 0.69315),
        {},
    ),
    "kkbox-music": Played(
        "id,target,Usage\n0,1,Public\n1,1,Public\n2,0,Public\n3,0,Public\n4,1,Private\n5,0,Private\n",
        "id,target\n0,0.8\n1,0.4\n2,0.4\n3,0.1\n4,7\n5,-7\n",
        "id,target\n0,0.1\n1,0.4\n2,0.4\n3,0.8\n4,0\n5,0\n",
        # (1 + 1 + 1/2 + 1) / 4, and turned round (0 + 0 + 1/2 + 0) / 4.
        (0.875, 0.125),
        (1.0, 0.5),
        {},
    ),
    "criteo": Played(
        "Id,Predicted,Usage\n60000000,1,Public\n60000001,0,Public\n60000002,0,Private\n",
        "Id,Predicted\n60000000,0.8\n60000001,0.5\n60000002,0.1\n",
        "Id,Predicted\n60000000,0.5\n60000001,0.5\n60000002,0.5\n",
        (0.45815, 0.69315),
        # −ln(1 − 0.1)
        (0.10536, 0.69315),
        {},
    ),
    "avazu": Played(
        "id,click,Usage\n10000174058809263569,1,Public\n10000182526920855428,0,Public\n"
        "10000554139829213984,0,Private\n",
        "id,click\n10000174058809263569,0.8\n10000182526920855428,0.5\n10000554139829213984,0.1\n",
        "id,click\n10000174058809263569,0.5\n10000182526920855428,0.5\n10000554139829213984,0.5\n",
        (0.45815, 0.69315),
        (0.10536, 0.69315),
        {},
    ),
}
"""The competitions by their presets."""
