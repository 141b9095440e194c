"""The advice that follows a problem: its texts, and how a mistake is recognized."""
