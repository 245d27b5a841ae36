"""Tests: the folders mirror sim/; reference/ holds slow twins written from the rules alone."""
