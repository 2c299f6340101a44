# `make run` needs Python >= 3.11 with venv, git and make; everything else is installed into .venv.
PY := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help run test long lint fix openapi bench growth peers records lock clean env-run env-dev check

help:            ## this list
	@awk -F ' *## ' '/^[a-z]+:.*## / { sub(/:.*/, "", $$1); printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: env-run     ## start the service on 127.0.0.1:8000 (PORT, ARBITR_*: docs/operations.md); Ctrl-C ends it
	@exec $(PY) -m service.cli serve

# The tests start a hundred processes, which would compile everything anew.
test long: export PYTHONDONTWRITEBYTECODE =

test: check      ## install everything, lint, type-check and run the tests (under 10 minutes)
	@$(PY) -m pytest -n 2 --dist worksteal

long: env-dev    ## the long searches (under 60 minutes); prints seeds and counts
	@$(PY) -m pytest -n 2 -m long -rP

check: env-dev   # what needs no test run, cheapest first
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m mypy
	@.venv/bin/lint-imports
	@$(PY) -m service.http.openapi --check

lint: check      ## ruff, mypy, the layers, openapi.yaml

fix: env-dev     ## let ruff mend and format
	@$(PY) -m ruff check --fix
	@$(PY) -m ruff format

openapi: env-dev ## write openapi.yaml from the routes and schemas
	@$(PY) -m service.http.openapi

bench: env-run   ## the benchmarks; ratios measured in one run
	@$(PY) -m benchmarks

growth: env-dev  ## what grows with games, seats and sessions, drawn; and memory
	@$(PY) -m benchmarks.growth
	@$(PY) -m benchmarks.memory

peers: env-run   ## judgements a second beside others, which it installs on their own
	@scripts/peers.sh
	@$(PY) -m benchmarks.peers

records: env-dev ## play the kept games of the tests anew (of versions that are not released yet)
	@$(PY) -m tests.records

lock:            ## solve requirements/*.txt anew (needs uv)
	@scripts/lock.sh

clean:           ## remove the environment, caches and build products (not .arbitr/, the data)
	rm -rf .venv .venv.lock .venv-peers benchmarks/peers/node_modules build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

env-run env-dev: env-%:
	@scripts/env.sh $*
