"""What children of the sandbox do: one function a task, by its name."""
