#!/bin/sh
# Writes requirements/*.txt anew from pyproject.toml: exact versions with hashes, no addresses.
# Usage: scripts/lock.sh [--upgrade]        needs uv on PATH
set -eu
cd "$(dirname "$0")/.."
command -v uv >/dev/null || { echo "lock: uv is needed to write the locks (pip install uv)" >&2; exit 2; }

# lock NAME OPTIONS: dev.txt is solved first, the others are held to its versions.
lock() {
    name=$1; shift
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-annotate --custom-compile-command "make lock" "$@" \
        --output-file "requirements/$name.txt" pyproject.toml
}

mkdir -p requirements
lock dev --all-extras --group dev "$@"
lock service --constraint requirements/dev.txt
lock run --extra embedded --constraint requirements/dev.txt
uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-annotate --custom-compile-command "make lock" --constraint requirements/dev.txt \
    --group build --output-file requirements/build.txt
