# Run `make demo` for a competition to look at, `make test` before a commit.
PYTHON ?= python3
BIN := .venv/bin
.DELETE_ON_ERROR:
.PHONY: demo serve cluster test test-all test-pythons costs image image-test evidence compiled coverage quick style lint house rooms layers types bench load fuzz soak faults screenshots docs lock

demo: .venv/built ; $(BIN)/podium demo $(if $(PORT),--port $(PORT))
serve: .venv/built ; $(BIN)/podium serve $(if $(PORT),--port $(PORT))
cluster: .venv/built ; $(BIN)/python -m tests.builders.cluster
image: ; .docker/release $(IMAGE)
image-test: .venv/built ; $(BIN)/python -m tests.system.image $(PROFILE)
bench: compiled ; for part in $(COMPARED); do $(BIN)/python -m $$part || exit 1; done
load: compiled ; $(BIN)/python -m benchmarks.load $(LOAD) && $(BIN)/python -m benchmarks.load.last_minute && $(BIN)/python -m benchmarks.load.last_minute --cpus 0.5
fuzz: .venv/built ; $(BIN)/python -m tests.fuzz --blocks $(or $(BLOCKS),10000000)
soak: compiled ; $(BIN)/python -m benchmarks.soak --seconds $(or $(DURATION),180)
faults: .venv/built ; $(BIN)/python -m benchmarks.faults --points $(or $(POINTS),100) --seconds $(or $(SECONDS),900)
# All that the documents quote, measured anew into benchmarks/results, on a machine that does nothing else:
# two hours and a half.
COMPARED := benchmarks benchmarks.libraries benchmarks.pairs benchmarks.tables benchmarks.boards benchmarks.uploads benchmarks.uploads.last_byte benchmarks.workers
SERVED := benchmarks.load benchmarks.load.last_minute benchmarks.load.idle benchmarks.baselines "benchmarks.soak --seconds 2400"
evidence: compiled
	$(BIN)/python -m benchmarks.load.last_minute --cpus 0.5 --write
	for part in $(COMPARED) $(SERVED); do $(BIN)/python -m $$part --write || exit 1; done
	$(MAKE) faults costs
docs: .venv/built ; $(BIN)/python -m docs.generate && $(BIN)/zensical build --clean --strict
	@echo 'The site is in build/site. With its search: $(BIN)/python -m http.server 8001 --directory build/site'
screenshots: .venv/built ; $(BIN)/python -m tests.system.browser.screenshots

# The tier of a test is its folder. `make test` is what trusting a change takes; with PostgreSQL, S3,
# real servers and a browser it is `make test-all`.
# Tests wait longer than they compute, the fast ones less so; each process of several counts with one
# thread, and judging has a number of its own. Which tests come first is in tests/groups.py.
CORES := $(shell $(PYTHON) -c 'import os; print(os.cpu_count())')
WORKERS = $(shell echo $$((3 * $(CORES))))
test test-all test-pythons costs coverage: export POLARS_MAX_THREADS = 1
PYTEST = -m pytest -n $(WORKERS) --dist loadgroup
FAST := -m 'not postgres and not s3' tests/unit tests/integration tests/api
test test-pythons: WORKERS = $(shell echo $$((2 * $(CORES))))
test: quick compiled ; $(BIN)/python $(PYTEST) $(FAST)
# The fast tests on the oldest and the newest other Python at hand.
test-pythons: compiled ; .ci/pythons $(PYTEST) $(FAST)
# All tests WITHOUT the long tier: faults, packaging and the like (.ci/parts), which `.ci/run` adds where
# their subject may have changed. `make test-all WITHOUT=` leaves out nothing.
WITHOUT = $(shell sed -n 's/^\(tests.*\):$$/\1/p' .ci/parts)
test-all: lint compiled ; $(BIN)/python $(PYTEST) $(addprefix --ignore=,$(WITHOUT))
# What each test costs, on a machine that does nothing else.
costs: compiled
	$(BIN)/python $(PYTEST) --junitxml=build/tests.xml
	$(BIN)/python -m tests.costs build/tests.xml > benchmarks/results/tests.md

# Which lines and branches the fast tests go through; with ALL=1, which all do. Those that decide scores,
# rights, quotas and states are all gone through then, or the reason stands beside the line.
DECIDING := */podium/scoring/*,*/podium/experiments/*,*/podium/**/rules.py,*/podium/**/rules/*.py,*/podium/**/*states.py,*/podium/**/quota.py,*/podium/core/access.py,*/podium/core/visibility.py,*/podium/core/phases.py,*/podium/competitions/service/phases.py,*/podium/accounts/authentication/*
coverage: compiled
	$(BIN)/coverage erase
	$(BIN)/coverage run $(PYTEST) $(if $(ALL),,$(FAST))
	$(BIN)/coverage combine -q
	$(BIN)/coverage report
	$(if $(ALL),$(BIN)/coverage report --fail-under=100 --show-missing --include='$(DECIDING)')

# What can be said of the code without running it, the quickest first.
quick: style house

style: .venv/built
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djlint --check --quiet app

# Each of the last four computes on one processor: they run beside each other.
lint: style ; @$(MAKE) --no-print-directory --output-sync --jobs=$(CORES) types house rooms layers
house: .venv/built ; $(BIN)/python -m tests.house
rooms: .venv/built ; $(BIN)/python -m tests.house.rooms
layers: .venv/built ; $(BIN)/lint-imports --no-logo
types: .venv/built ; $(BIN)/mypy

# Tests and benchmarks start hundreds of processes, and judging children never store what they compiled.
unexport PYTHONDONTWRITEBYTECODE
compiled: .venv/built ; $(BIN)/python -m compileall -q app benchmarks migrations tests

# The environment is built anew only when the lock has changed. Its last part is a C compiler, which
# most machines have.
.venv/installed: requirements.lock
	$(PYTHON) -m venv .venv
	@echo 'Installing what requirements.lock names; this takes about a minute …'
	if command -v $(CC) >/dev/null; then sed '/^# --- compiler ---$$/,$$d' $<; else cat $<; fi > .venv/packages.lock
	$(BIN)/python -m pip install -qq --require-hashes -r .venv/packages.lock
	touch $@

# Installs the package where it stands, with its commands, and compiles its reader.
.venv/built: .venv/installed setup.py pyproject.toml $(wildcard app/podium/scoring/kernel/c/*.[ch])
	$(BIN)/python -m pip install -qq --no-deps --no-build-isolation -e .
	touch $@

# Pins everything anew: first what the image has, the server and all that it may switch on, then, after
# a marker, what developing needs: every extra; and last a C compiler, for machines without one.
UV = $(BIN)/uv pip compile pyproject.toml --quiet --no-header --no-annotate --universal --python-version 3.11
UV_CLIENTS = $(BIN)/uv pip compile tests/system/clients/requirements.in --quiet --no-header --no-annotate --universal --python-version 3.11
lock: .venv/installed
	$(UV) --generate-hashes --extra server --extra metrics --extra bleu --extra telemetry -o .venv/runtime.lock
	$(UV) --generate-hashes --all-extras -c .venv/runtime.lock -o .venv/all.lock
	$(BIN)/uv pip compile --group compiler --quiet --no-header --no-annotate --universal --python-version 3.11 \
	  --generate-hashes -o .venv/compiler.lock
	$(UV_CLIENTS) -o tests/system/clients/requirements.txt
	( echo '# What Podium needs to run, and its image.'; cat .venv/runtime.lock; \
	  echo '# --- development ---'; \
	  awk 'NR==FNR { if (/^[a-z]/) seen[$$1]; next } /^[a-z]/ { keep = !($$1 in seen) } keep' \
	    .venv/runtime.lock .venv/all.lock; \
	  echo '# --- compiler ---'; cat .venv/compiler.lock ) > requirements.lock
