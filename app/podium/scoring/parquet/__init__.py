"""Parquet files: their footer, types and columns, before and after decoding; what of them is
refused whatever they hold."""
