"""The Python client for the HTTP contract: what a participant, an organizer or a script needs.

    from app.client import Podium

    podium = Podium("https://podium.example", token)
    submission = podium.submit("otto", Path("submission.csv"), note="v3")
    print(podium.wait(submission["id"])["public_score"])

Answers are the JSON documents of the contract as dicts; refusals are the errors of `app.errors`.
"""

from app.client.organizer import Organizer
from app.client.podium import Podium

__all__ = ["Organizer", "Podium"]
