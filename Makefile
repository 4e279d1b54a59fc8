# Set-up and checks. Every target does the set-up that it needs, and set-up is
# skipped when nothing has changed.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
SHELL := /bin/sh

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
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
	@$(BIN)/python -P -m penstock.demo

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

COMPILE := pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-annotate --no-header

lock: ## for maintainers: resolve the dependencies anew
	@$(PYTHON) -m venv $(VENV)-lock
	@$(VENV)-lock/bin/python -m pip install --quiet uv
	@$(VENV)-lock/bin/uv $(COMPILE) pyproject.toml --all-extras --group dev \
	  --output-file constraints.txt
	@$(VENV)-lock/bin/uv $(COMPILE) --group build --constraints constraints.txt \
	  --output-file constraints-build.txt
	@rm -rf $(VENV)-lock

clean: ## remove the virtual environment and caches of tools
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else \
	  f"Penstock needs Python 3.11 or newer, and $(PYTHON) is {v[0]}.{v[1]}. Name another: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "no virtual environment could be made; on Debian: apt-get install python3-venv" >&2; exit 1; }

# Every file is checked against its hash. pip takes the tools of a build from
# anywhere unless they are there already, so they come first and builds are not
# isolated. Penstock itself is linked: a change of the code needs no second install.
$(INSTALLED): constraints-build.txt constraints.txt pyproject.toml | $(VENV)/bin/python
	@echo "installing Python packages (about 600 MB the first time)" >&2
	@$(PIP_INSTALL) --require-hashes -r constraints-build.txt
	@$(PIP_INSTALL) --require-hashes --no-build-isolation -r constraints.txt
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(FETCHED): $(INSTALLED) $(wildcard penstock/embedded/pins/*.txt)
	@$(BIN)/penstock dev fetch
	@touch $@
