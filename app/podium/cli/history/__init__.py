"""The history of runs on this machine: files that were scored here, and files that were
submitted."""
