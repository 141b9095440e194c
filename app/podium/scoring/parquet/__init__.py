"""Reads Parquet files: their footer, types and columns, with checks before and after decoding that
do not depend on the contents."""
