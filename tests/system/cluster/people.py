"""Participants of the cluster's competition."""

from __future__ import annotations

from podium.client import Organizer, Podium
from tests.builders.cluster import Cluster


def joined(cluster: Cluster, name: str) -> str:
    """The token of a new participant with a team."""
    with Organizer(cluster.address, cluster.token) as organizer:
        token: str = organizer.create_user(name)["token"]
    with Podium(cluster.address, token) as person:
        person.create_team("shop", name)
    return token
