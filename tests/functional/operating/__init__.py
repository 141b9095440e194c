"""What operators see of a running installation: numbers, logs, traces, findings, backups."""
