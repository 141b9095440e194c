"""NDCG@20 of 100,000 users, ours beside that of other libraries."""
