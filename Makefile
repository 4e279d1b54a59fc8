# Set-up and checks. Every target does the set-up that it needs, and set-up is
# skipped when nothing has changed.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
SHELL := /bin/sh

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
FETCHED := $(VENV)/.fetched
CODE := apply capture diagnosis penstock schema_registry snapshot tests transport

.PHONY: help setup test demo check lint types imports format pins lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(INSTALLED) $(FETCHED) ## virtual environment, pinned dependencies, servers

test: setup ## all tests, on real servers (ARGS="-k words" to choose)
	@$(BIN)/python -m pytest $(ARGS)

demo: setup ## see it work
	@$(BIN)/python -m penstock.demo

check: lint types imports ## lint, types, import direction

lint: $(INSTALLED)
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)

types: $(INSTALLED)
	@$(BIN)/mypy

imports: $(INSTALLED)
	@$(BIN)/lint-imports

format: $(INSTALLED) ## put the code into its form
	@$(BIN)/ruff check --fix $(CODE)
	@$(BIN)/ruff format $(CODE)

pins: $(INSTALLED) ## for maintainers: write down the servers' checksums anew
	@$(BIN)/python -m penstock.embedded.pin

lock: ## for maintainers: resolve the dependencies anew
	@$(PYTHON) -m venv $(VENV)-lock
	@$(VENV)-lock/bin/python -m pip install --quiet uv
	@$(VENV)-lock/bin/uv pip compile pyproject.toml --all-extras --group dev --quiet --upgrade \
	  --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --no-header --output-file constraints.txt
	@rm -rf $(VENV)-lock

clean: ## remove the virtual environment and caches of tools
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else \
	  f"Penstock needs Python 3.11 or newer, and $(PYTHON) is {v[0]}.{v[1]}. Name another: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "no virtual environment could be made; on Debian: apt-get install python3-venv" >&2; exit 1; }

# Every file is checked against the hash in constraints.txt. Penstock itself is
# linked, so that a change of the code needs no second install.
$(INSTALLED): constraints.txt pyproject.toml | $(VENV)/bin/python
	@echo "installing Python packages (about 600 MB the first time)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --use-pep517 \
	  --require-hashes -r constraints.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(FETCHED): $(INSTALLED) $(wildcard penstock/embedded/pins/*.txt)
	@$(BIN)/penstock dev fetch
	@touch $@
