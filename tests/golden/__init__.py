"""Recorded games as text. `python -m tests.golden.write` writes them again; review what changed."""
