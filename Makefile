# Everything runs in .venv at the root; `make setup` makes it from the lock file.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test check bench serve-demo lock

setup: .venv/ready

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	@touch .venv/ready

demo: setup
	$(BIN)/python demo/run.py

serve-demo: setup
	$(BIN)/python demo/run.py --serve

test: setup
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python -m benchmarks

# Needs uv; everything else needs only pip.
lock:
	uv pip compile --universal --generate-hashes --all-extras --python-version 3.11 --no-header --quiet \
		pyproject.toml -o requirements.lock
