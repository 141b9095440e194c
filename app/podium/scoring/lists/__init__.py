"""LISTS: a file of unknown bytes in; its predictions, or all that is wrong with it, out.

lines.py           the strict reader, which names lines; rows.py has its rules
reading.py         a whole submission by the reader in compiled.py, which only ever says yes;
                   uncompiled.py stands in where it was not built

Nothing here knows the ground truth, and nothing here may raise anything else than `FileRejected`
for what a sender did.
"""
