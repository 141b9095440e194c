"""The demo: an installation of its own, with competitions that everybody can make anew.

showing.py    the command: makes the installation, or finds it, and introduces it
sessions.py   competitions of sessions: one that runs, one that is over
movies.py     a competition of users × items: the next movie
clicks.py     a competition of scored pairs: the probability of a click
homes.py      a competition of a table, scored by a metric of the organizer's own
interval_score.py   that metric
sending.py    what they share: accounts, deadlines, waiting
"""
