"""What every request passes, and how the process watches over itself. No routes."""
