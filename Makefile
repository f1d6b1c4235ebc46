# Every target makes what it needs: a virtual environment in .venv, with the pinned packages.
#   make run      start the server            make test     run all tests
#   make check    format, lint, types, docs   make install  only the environment
#   make train MODEL=…   make evaluate MODEL=…   make bench   make bench BENCH=--quick
#   make fuzz     everything wrong that can be asked, for long     make soak   breaking things
#   make audit    known holes in the packages    make screenshots   the pictures of the documentation

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
MODEL ?=
BENCH ?=
# On Linux PyPI's torch brings gigabytes of CUDA; this index has the CPU build of the same version.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu

PIP_AUDIT := pip-audit==2.10.1

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
TORCH := $(shell sed -n 's/.*"\(torch==[0-9.]*\)".*/\1/p' pyproject.toml)

.DEFAULT_GOAL := help
.PHONY: help install run test test-python test-browser test-js check types fix train evaluate bench fuzz soak audit lock screenshots clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | column -t -s@ 2>/dev/null \
		|| sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1   \2/p' $(MAKEFILE_LIST)

.venv/.pip:
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Heed needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(PIP) install --quiet --upgrade 'pip==26.3'
	@touch $@

.venv/.torch: .venv/.pip
	@# A CPU wheel that lies at hand (pip's find-links) is taken first; without one, the CPU index.
	$(PIP) install --quiet --no-index --no-deps $(TORCH) 2>/dev/null \
		|| $(PIP) install --quiet $(TORCH) --extra-index-url $(TORCH_INDEX) -c constraints.txt
	@touch $@

.venv/.run: .venv/.torch pyproject.toml constraints.txt hatch_build.py $(wildcard models/runtime/native/*.c) models/runtime/native/compiled.py
	$(PIP) install --quiet --editable . -c constraints.txt
	@touch $@

# A dependency group of pyproject.toml on top: .venv/.test, .venv/.check, .venv/.train, .venv/.benchmark
.venv/.%: .venv/.run
	$(PIP) install --quiet --group $* -c constraints.txt
	@touch $@

install: .venv/.run ## make .venv with what the server needs

run: .venv/.run ## start the server (HOST, PORT)
	$(BIN)/heed serve --host $(HOST) --port $(PORT)

# Most of the time is the browser's: its tests go on beside the others and tell at their end, and
# who is through with the others takes browser tests too, from the back (tests/browser/shared.py).
test: .venv/.test .venv/.train ## run all tests, those of the browser too
	@shared=$$(mktemp -d); code=0; \
		TESTS_SHARED=$$shared $(MAKE) --no-print-directory -j 2 test-python test-browser || code=$$?; \
		rm -rf $$shared; exit $$code
	@$(MAKE) --no-print-directory test-js

test-python: .venv/.test .venv/.train
	$(BIN)/python -m pytest --ignore=tests/browser
	@[ -z "$$TESTS_SHARED" ] || TESTS_BACKWARDS=1 $(BIN)/python -m pytest tests/browser

test-browser: .venv/.test .venv/.train
	@$(BIN)/python -m tests.browser.chromium || $(BIN)/playwright install chromium >/dev/null 2>&1 || true
	@told=$$(mktemp); code=0; $(BIN)/python -m pytest tests/browser >$$told 2>&1 || code=$$?; \
		cat $$told; rm -f $$told; exit $$code

test-js: .venv/.test
	$(BIN)/node --test 'tests/js/**/*.test.js'

check: .venv/.test .venv/.check .venv/.train node_modules/.installed ## format, lint, types, docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy
	$(BIN)/python -m heed.app.openapi.typescript --check
	$(BIN)/node node_modules/typescript/bin/tsc --project tsconfig.json
	$(BIN)/python -m pytest --quiet tests/docs tests/test_imports.py

types: .venv/.run ## write the page's types of a trace again, from app/schemas.py
	$(BIN)/python -m heed.app.openapi.typescript

fix: .venv/.check ## format, and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

node_modules/.installed: package.json package-lock.json .venv/.test
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --no-audit --no-fund --silent
	@touch $@

train: export ONEDNN_PRIMITIVE_CACHE_CAPACITY = 4000
train: .venv/.train ## train a model again: make train MODEL=dates-additive
	$(BIN)/python -m training $(MODEL)

evaluate: .venv/.train ## measure a model: make evaluate MODEL=dates-additive
	$(BIN)/python -m training.evaluate $(MODEL)

# The crowd of clients is wrk: apt-get install wrk, or brew install wrk.
bench: .venv/.benchmark .venv/.test ## measure speed and memory for docs/performance.md (BENCH=--quick)
	$(BIN)/python -m benchmarks $(BENCH)

fuzz: .venv/.test .venv/.train ## ask thousands of wrong things; tells what came of it
	LONG=1 $(BIN)/python -m pytest -s tests/fuzz

soak: .venv/.test .venv/.train ## overload, kill and soak the server (SOAK_MINUTES, else 10)
	LONG=1 $(BIN)/python -m pytest -s tests/faults

audit: .venv/.pip ## look for known holes in the packages, where there is a network
	@if $(BIN)/python -c 'import socket; socket.create_connection(("pypi.org", 443), 5)' 2>/dev/null; then \
		$(PYTHON) -m venv .venv/audit && .venv/audit/bin/pip install --quiet $(PIP_AUDIT) \
		&& .venv/audit/bin/pip-audit --disable-pip --require-hashes --requirement requirements.lock; \
	else echo 'No network here: the packages were not audited.'; fi

lock: .venv/.run ## write requirements.lock again, after a change of packages
	$(BIN)/python .ci/lock.py

screenshots: .venv/.test ## take the pictures of the documentation again
	$(BIN)/python -m docs.screenshots

clean: ## remove what the other targets made
	rm -rf .venv node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
