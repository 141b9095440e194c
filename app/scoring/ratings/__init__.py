"""RATING: a number for each published pair of user and item; the other kind of task.

pairs.py           the published pairs, and which number a pair has
reading.py         a submission → its predictions, by the compiled reader (`kernel`) or by the
                   strict one, lines.py, which names lines; rows.py has its rules
parquet.py         a Parquet file as the same text
truth.py           the canonical ratings; truth_reading.py makes them of a file
errors.py          predictions − ratings; split_scores.py makes every number of a verdict of them
judging.py         all of it, for the engine

A submission is CSV with exactly the columns `<user>,<item>,<rating>` (the competition names them)
in any order, one row for each published pair in any order, and in each a finite decimal number.
Containers, line ends, quotes and the byte order mark are those of ranked lists. Parquet has the
same columns; a rating is a float, an integer or a decimal there. The ground truth has the same
form and may have a column `Usage`, which is constant within a user.
"""
