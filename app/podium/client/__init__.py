"""The Python client for the HTTP contract: what a participant, an organizer or a script needs.

    from podium.client import Podium

    with Podium("https://podium.example", token) as podium:
        submission = podium.submit("otto", Path("submission.csv"), note="v3")
        print(podium.wait(submission["id"])["public_score"])

Synchronous: every call returns when it has its answer. Answers are the JSON documents of the
contract as dicts, lists are iterators over all pages, refusals are the errors of `podium.errors`:
`QuotaExhausted` and `Unavailable` say how long to wait. `Podium` is what participants need,
`Organizer` is the same and what organizers and the administrator may besides.
"""

from podium.client.podium import Organizer, Podium

__all__ = ["Organizer", "Podium"]
