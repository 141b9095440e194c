"""The history of runs on this machine: what was scored here, and what was submitted."""
