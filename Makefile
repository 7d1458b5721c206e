# Needs Python 3.11 or newer (with venv) and make; everything else is set up on first use.
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000

VENV := .venv
PEERS := .venv-peers
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

# The layers that need neither Flask nor a browser nor a server.
PURE := tests/engine tests/spades tests/casino tests/spite_and_malice tests/sheets tests/tooling/test_architecture.py
SOAK_ROUNDS ?= 25
SEED ?= 1

# Tests start the program many times and in several processes: compiling it each time would cost a second of CPU.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run check test test-rules test-all soak attack lowest bench peers mutants screenshots reference phone clean lint constraints audit sbom notes
help:
	@echo "make run [PORT=8000] [HOST=127.0.0.1]   serve the site and the API (HOST=0.0.0.0 for phones on the same network)"
	@echo "make check                              lint, format, types and the rules' own tests but the slow and random ones"
	@echo "make test                               check everything"
	@echo "make soak [SOAK_ROUNDS=25]              randomised tests for many rounds, with figures"
	@echo "make attack [SEED=1]                    attack the service, behind nginx and alone, while a phone keeps an evening"
	@echo "make lowest                             try the program with the lowest versions that pyproject.toml allows"
	@echo "make bench                              measure against the budgets, beside other programs where they install"
	@echo "make mutants                            change the rules in small ways and list what no test notices"
	@echo "make screenshots                        draw the README's pictures anew (needs Chromium)"
	@echo "make reference                          the library's reference, made from its docstrings, in build/reference"
	@echo "make phone                              build what phones keep to work without a network (needs node and npm)"
	@echo "make constraints                        pin what runs and what develops, with hashes, to constraints.txt's versions"
	@echo "make audit                              look for known vulnerabilities in what runs (needs the network)"
	@echo "make sbom                               write the bill of materials to build/sbom.cdx.json"
	@echo "make notes [VERSION=0.2.0]              print the notes of a release, from CHANGES.md"
	@echo "make clean                              remove the virtual environment and caches"

run: $(VENV)/ready-to-run
	@MALLOC_ARENA_MAX=2 exec $(BIN)/companion serve --host "$(HOST)" --port "$(PORT)"

# Types are checked by one process: tests run beside it.
check: $(VENV)/ready-to-test
	@$(MAKE) --no-print-directory -j2 lint test-rules

test: $(VENV)/ready-to-test
	@$(MAKE) --no-print-directory -j2 lint test-all

test-rules: $(VENV)/ready-to-test
	$(BIN)/pytest -q -n auto --dist worksteal -m "not (postgres or browser or soak or slow)" $(wildcard $(PURE))

test-all: $(VENV)/ready-to-test
	$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

soak: $(VENV)/ready-to-test
	$(BIN)/pytest -q -n auto --dist worksteal -m soak --soak $(SOAK_ROUNDS)

lint: $(VENV)/ready-to-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

attack: $(VENV)/ready-to-test
	$(BIN)/python -m tests.serving.attack $(SEED)

lowest: $(VENV)/ready-to-run
	$(BIN)/python -m tests.lowest

bench: $(VENV)/ready-to-test
	-@$(MAKE) --no-print-directory peers
	$(BIN)/python -m benchmarks

peers: $(PEERS)/ready

mutants: $(VENV)/ready-to-test
	@$(PIP) mutmut==3.8.1
	$(BIN)/python -m tests.mutants run build/mutants.json
	$(BIN)/python -m tests.mutants report build/mutants.json

COMPILE = $(BIN)/uv pip compile --quiet --generate-hashes --strip-extras --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links --python-version 3.11 --constraint constraints.txt

constraints: $(VENV)/ready-to-test
	@$(PIP) uv
	$(COMPILE) --extra web --extra postgres --extra redis --output-file constraints/run.txt pyproject.toml
	$(COMPILE) --extra dev --output-file constraints/dev.txt pyproject.toml

audit: $(VENV)/ready-to-test
	@$(PIP) pip-audit
	@found=$$($(BIN)/pip-audit --disable-pip --require-hashes --requirement constraints/run.txt 2>&1); status=$$?; \
	echo "$$found" | tail -n 40; [ $$status -eq 0 ] || case "$$found" in \
	*"known vulnerabilit"*) exit 1;; *) echo "No advisories could be had here: nothing was audited.";; esac

sbom: $(VENV)/ready-to-test
	@$(PIP) cyclonedx-bom
	@mkdir -p build
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --mc-type application \
		--output-file build/sbom.cdx.json constraints/run.txt

notes:
	@$(PYTHON) -m tests.release_notes $(VERSION)

screenshots: $(VENV)/ready-to-test
	$(BIN)/python -m tests.screenshots

phone: $(VENV)/ready-to-run
	$(BIN)/python -m phone

reference: $(VENV)/ready-to-test
	$(BIN)/pdoc --docformat markdown --no-search --output-directory build/reference companion.library companion.engine companion.games companion.describe companion.rulebook companion.conformance

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; try make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/ready-to-run: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Setting up (once, about a minute) ..."
	@$(PIP) --editable ".[web]"
	@touch $@

$(VENV)/ready-to-test: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Setting up for tests (once, about two minutes) ..."
	@$(PIP) --editable ".[dev]"
	@touch $@ $(VENV)/ready-to-run

$(PEERS)/ready: Makefile constraints.txt | $(BIN)/python
	@echo "Setting up the programs that make bench compares with (once, about a minute) ..."
	@$(BIN)/python -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt --editable ".[web]" \
		fastapi open_spiel pydantic textarena "uvicorn[standard]"
	@touch $@

clean:
	rm -rf $(VENV) $(PEERS) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
