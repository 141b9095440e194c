"""Tables: small competitions, files of them, and what they mean."""
