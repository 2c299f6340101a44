#!/bin/sh
# Installs the service into PREFIX, from the lock with hashes: scripts/install.sh PREFIX
# The result starts as PREFIX/bin/arbitr and holds no pip and no build tools. Needs Python >= 3.11 with venv and pip
# (PYTHON names it) and no rights beyond writing to PREFIX. The Dockerfile calls this; so may any other packaging.
set -eu
prefix=${1:?usage: scripts/install.sh PREFIX}
python=${PYTHON:-python3}
source=$(cd "$(dirname "$0")/.." && pwd)

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "install: Python 3.11 or newer is needed ($python is older or missing; name it with PYTHON=)" >&2; exit 2; }
[ -z "$(ls -A "$prefix" 2>/dev/null)" ] || { echo "install: $prefix is not empty" >&2; exit 2; }

# The build happens on a copy and with tools of its own, so that neither the source nor the prefix is marked by it.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pip() { "$python" -m pip --disable-pip-version-check --quiet --no-input "$@"; }

pip install --require-hashes --target "$work/tools" -r "$source/requirements/build.txt"
mkdir "$work/source" "$work/wheel"
for part in pyproject.toml README.md LICENSE service schemas; do cp -R "$source/$part" "$work/source/"; done
PYTHONPATH="$work/tools" pip wheel --no-deps --no-build-isolation --wheel-dir "$work/wheel" "$work/source"

"$python" -m venv --without-pip "$prefix"
pip --python "$prefix/bin/python" install --require-hashes -r "$source/requirements/service.txt"
pip --python "$prefix/bin/python" install --no-deps --no-index "$work"/wheel/*.whl
