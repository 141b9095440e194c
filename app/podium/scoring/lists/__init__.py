"""READING: a file of unknown bytes in; its predictions, or all that is wrong with it, out.

containers.py      what a file is, and its text in blocks; one module beside it for each container
lines.py           the strict reader, which names lines; header.py and rows.py are its rules
reading.py         a whole submission by the compiled reader (`kernel`), which only ever says yes;
                   uncompiled.py stands in where it was not built

Nothing here knows the ground truth, and nothing here may raise anything else than `FileRejected`
for what a sender did.
"""
