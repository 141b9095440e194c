"""What an upload costs beside raw sinks."""
