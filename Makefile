# Everything below needs only Python 3.11 or newer with venv, and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: play test lint audit front bench catalogues clean

play: $(VENV)/ready  ## the bot and a chat page on this computer, no token, no internet
	$(BIN)/q64 play

test: $(VENV)/tests lint audit  ## the whole gate
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: $(VENV)/tests  ## what needs no running code
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

audit: $(VENV)/tests  ## known weaknesses of what is installed, where advisories can be reached
	$(BIN)/python -m tests.advisories

front: $(VENV)/tests  ## bring the README's tables up to the code
	$(BIN)/python -m tests.front

bench: $(VENV)/tests  ## measured against other bots, in one run
	$(BIN)/python -m tests.bench

catalogues: $(VENV)/tests  ## bring the languages up to the texts of the code
	$(BIN)/python -m tests.catalogues

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --editable .
	@touch $@

$(VENV)/tests: $(VENV)/ready Makefile
	$(INSTALL) --editable ".[test,bench]"  # the gate reads the benches too
	@touch $@

clean:
	rm -rf $(VENV) build dist artefacts .mypy_cache .ruff_cache .pytest_cache .hypothesis
