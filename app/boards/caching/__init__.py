"""Boards that are kept in this process, because they are asked for more often than they change."""
