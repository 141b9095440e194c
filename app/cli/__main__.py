"""`python -m app.cli`: the same as `podium`."""

from app.cli import main

main()
