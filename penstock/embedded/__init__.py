"""Real servers that start on a bare machine."""
