"""From one file of interactions to a competition: training set, hidden labels, published ids.

Files in, files out: no command line, no database. The order of rows and threads changes no byte.
"""
