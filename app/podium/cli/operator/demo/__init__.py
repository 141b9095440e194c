"""The demo: an installation of its own, with competitions that anyone can recreate.

showing.py    the command: creates the installation, or finds it, and introduces it
sessions.py   competitions of sessions: a running one and a finished one
movies.py     a competition of users × items: the next movie
clicks.py     a competition of scored pairs: the probability of a click
homes.py      a competition of a table, scored by a custom metric
interval_score.py   that metric
sending.py    shared: accounts, deadlines, waiting
"""
