"""Tests of the games and of what they share."""
