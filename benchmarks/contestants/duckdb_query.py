"""DuckDB: one query over the file, hits per type. It checks nothing and knows no splits.

Usage: `python -m benchmarks.contestants.duckdb_query FILE LABELS_PARQUET`, the labels in long
form with the columns session, type, aid: like ours, this contestant finds its
ground truth prepared.
"""

from __future__ import annotations

import sys
import time

import duckdb

from benchmarks.contest import hand_back

QUERY = """
SELECT wanted.type, count(*)
FROM read_parquet($labels) AS wanted
JOIN read_csv($submission, header = true,
              columns = {'session_type': 'VARCHAR', 'labels': 'VARCHAR'}) AS answer
  ON answer.session_type = wanted.session || '_' || wanted.type
WHERE list_contains(string_split(answer.labels, ' ')[1:20], wanted.aid::VARCHAR)
GROUP BY wanted.type
"""

if __name__ == "__main__":
    started = time.perf_counter()
    files = {"submission": sys.argv[1], "labels": sys.argv[2]}
    hand_back(started, dict(duckdb.execute(QUERY, files).fetchall()))
