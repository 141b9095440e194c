"""What requests bring, and files that go out: forms, JSON, YAML, files of any size."""
