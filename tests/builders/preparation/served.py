"""A competition that the server has prepared from ratings."""

from __future__ import annotations

from tests.builders.installation import Person

RATINGS = "user,item,rating,timestamp\n" + "".join(
    f"{user},{100 + user * place % 61},{1 + (user + place) % 5},{1_600_000_000 + 1000 * place}\n"
    for user in range(1, 61)
    for place in range(1, 9)
)
"""Eight ratings of each of 60 users."""


def launch_prepared(organizer: Person, slug: str, title: str) -> None:
    """Makes a competition of ratings and opens it."""
    way = f"/admin/competitions/{slug}"
    body = {"slug": slug, "title": title, "metric": "ndcg@10", "split": {"public_fraction": 0.5}}
    sent = [
        organizer.post("/admin/competitions", json=body),
        organizer.post(f"{way}/interactions?threshold=2", content=RATINGS.encode()),
        organizer.post(f"{way}/launch"),
    ]
    for answer in sent:
        assert answer.is_success, answer.text
