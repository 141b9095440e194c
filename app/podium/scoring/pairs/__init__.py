"""PAIRS: a number for each published pair of user and item: ratings, scored pairs, and candidates
that are reranked; the other form of task beside lists.

pairs.py           the published pairs, and which number a pair has
reading.py         a submission → its numbers, by the compiled reader (`kernel`) or by the strict
                   one, lines.py, which names lines; rows.py has its rules
parquet.py         a Parquet file as the same text
truth.py           the canonical targets; truth_reading.py makes them of a file
answers.py         numbers beside targets; split_scores.py makes every number of a verdict of them
judging.py         all of it, for the engine

A submission is CSV with exactly the task's columns, `<user>,<item>[,<context>],<number>…` (the
competition names them), in any order, one row for each published pair in any order, and in each
finite decimal numbers. Containers, line ends, quotes and the byte order mark are those of ranked
lists. Parquet has the same columns; a number is a float, an integer or a decimal there. The ground
truth has the same form, and may have a column `Usage`, which is constant within a unit.
"""
