"""The pages of metrics of tables, by family."""
