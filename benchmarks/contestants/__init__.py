"""The programs that score the full-size file: ours, and those it is compared with."""
