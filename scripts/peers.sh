#!/bin/sh
# Installs what `make peers` measures beside Arbitr: .venv-peers, and node_modules in benchmarks/peers where npm is found.
# Nothing of it is needed by the service, its tests or `make bench`. Nothing is installed when it is there already.
set -eu
cd "$(dirname "$0")/.."
from=benchmarks/peers
venv=.venv-peers

if ! cmp -s "$from/requirements.txt" "$venv/.made"; then
    echo "Making the environment of the peers in $venv (once)." >&2
    .venv/bin/python -m venv --clear "$venv"
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input --require-hashes -r "$from/requirements.txt"
    cp "$from/requirements.txt" "$venv/.made"
fi

if ! command -v npm >/dev/null 2>&1; then
    echo "npm was not found: boardgame.io is left out" >&2
elif ! cmp -s "$from/package-lock.json" "$from/node_modules/.made"; then
    (cd "$from" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
    cp "$from/package-lock.json" "$from/node_modules/.made"
fi
