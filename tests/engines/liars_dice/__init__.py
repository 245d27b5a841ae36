"""Tests of the Liar's Dice engine."""
