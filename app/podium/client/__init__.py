"""The Python client for the HTTP contract, for participants, organizers and scripts.

    from podium.client import Podium

    with Podium("https://podium.example", token) as podium:
        submission = podium.submit("otto", Path("submission.csv"), note="v3")
        print(podium.wait(submission["id"])["public_score"])

Synchronous: every call returns when it has its answer. Answers are the JSON documents of the
contract as dicts, lists are iterators over all pages, refusals are the errors of `podium.errors`:
`QuotaExhausted` and `Unavailable` say how long to wait. `Podium` has the calls that participants
need, `Organizer` adds those of organizers and of the administrator.
"""

from podium.client.podium import Organizer, Podium

__all__ = ["Organizer", "Podium"]
