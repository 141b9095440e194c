"""The catalogue of problems in words for people: errors of requests, and problems of files."""
