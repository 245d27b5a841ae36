"""What `sim check` does: situations to ask in, ways to ask, promises, and a second process."""
