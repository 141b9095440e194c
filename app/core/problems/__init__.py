"""What can be wrong, in words for people: errors of requests, and problems of files."""
