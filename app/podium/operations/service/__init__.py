"""Use cases of operations: backups, their checks and transfers, workers, and the state of the
server."""
