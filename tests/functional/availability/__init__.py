"""What strangers can make the service spend before it knows them: memory, threads, connections."""
