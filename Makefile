# make demo   installs into an environment of its own and plays the README's first tournament
# make test   installs the development tools and the peers too, and runs the whole check
# make clean  removes the environment and what tools left behind (never a report)

PYTHON ?= python3
VENV ?= .venv
BIN := $(abspath $(VENV))/bin

.PHONY: help demo test clean

help:
	@sed -n 's/^# \(make\)/\1/p' Makefile

demo: $(VENV)/.installed
	$(BIN)/sim run examples/first.toml --force
	@echo
	@cat reports/first/report.md

test: $(VENV)/.installed-dev
	PATH="$(BIN):$$PATH" .ci/check

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sim needs Python 3.11 or newer, and $(PYTHON) is %s: make PYTHON=python3.12 ..." % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,peers,onnx]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf .venv .ci-venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find sim tests examples benchmarks -name __pycache__ -type d -exec rm -rf {} +
