# Everything runs in .venv at the root; `make setup` makes it from the lock file.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test check wheel bench attack serve-demo lock opensearch opensearch-stop

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

# One worker more than processors, because some tests wait for other processes. Each starts with a
# share of the files and takes over tests of the others when it is done.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")
test: setup
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The wheel, installed without extras and with all of them.
wheel: setup
	$(BIN)/python scripts/check_wheel.py

bench: setup
	$(BIN)/python -m benchmarks

# At most ten minutes; FULL=1 is ten times as much, and a second run resumes where the first ended.
SEED ?= 1
attack: setup
	$(BIN)/python -m attack --seed $(SEED) $(if $(FULL),--full --resume .attack-state.json)

# A node of OpenSearch to test with, or a cluster: make opensearch NODES=3 OPENSEARCH=3.8.0 PORT=9210
NODES ?= 1
OPENSEARCH ?= 2.19.6
PORT ?= 9200
opensearch:
	$(PYTHON) scripts/opensearch.py start --nodes $(NODES) --version $(OPENSEARCH) --port $(PORT)

opensearch-stop:
	$(PYTHON) scripts/opensearch.py stop

# Needs uv; everything else needs only pip.
lock:
	uv pip compile --universal --generate-hashes --all-extras --python-version 3.11 --no-header --quiet \
		pyproject.toml -o requirements.lock
