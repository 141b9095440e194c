"""Reads files of ranked lists: from unknown bytes to predictions, or to a rejection with all
problems.

lines.py           the strict reader, which reports lines; rows.py has its rules
reading.py         a whole submission by the reader in compiled.py, which only ever accepts;
                   uncompiled.py replaces it where it was not built

No module here has access to the ground truth, and an invalid file may raise only `FileRejected`.
"""
