"""A competition as one file: exported with or without its secrets, and restored elsewhere.

`tables` says what an archive holds, `rows` how a row is written, `collecting` and `packing` make
one, `unpacking` and `restoring` check one and take it in.
"""
