"""Questions of commands at home about files that no settings describe, and notes on the answers."""
