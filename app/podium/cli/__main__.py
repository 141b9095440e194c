"""`python -m podium.cli`: the same as `podium`."""

from podium.cli import main

main()
