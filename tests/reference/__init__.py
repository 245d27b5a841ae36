"""Slow and obvious twins of compiled code, written from the rules alone."""
