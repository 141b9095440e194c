"""From interactions, or whole sessions, to a competition: training set, labels, published ids.

Files in, files out: no command line, no database. The order of rows and threads changes no byte.
"""
