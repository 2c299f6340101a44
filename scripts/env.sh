#!/bin/sh
# Brings .venv up to a lock: scripts/env.sh run|dev
# Nothing is installed when the lock is the one of last time. uv is used where it is found, else venv and pip.
# A machine that lacks something gets one line and exit 2.
set -eu
cd "$(dirname "$0")/.."
which=${1:?usage: scripts/env.sh run|dev}
lock=requirements/$which.txt
venv=.venv

die() { echo "arbitr: $*" >&2; exit 2; }

# A checkout that was moved or a Python that went away leaves an environment that cannot start.
works() { "$venv/bin/python" -c 'import sys' >/dev/null 2>&1; }

# stamp NAME: what an environment for that lock was made of.
stamp() { cat "requirements/$1.txt" pyproject.toml service/__init__.py; pwd; }
fresh() { [ -f "$venv/.made-$1" ] && stamp "$1" 2>/dev/null | cmp -s - "$venv/.made-$1"; }

if works && { fresh "$which" || { [ "$which" = run ] && fresh dev; }; }; then exit 0; fi

# The first Python that is new enough; PYTHON names another one.
find_python() {
    for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$name"; return
        fi
    done
    die "Python 3.11 or newer is needed and was not found${PYTHON:+ as $PYTHON} (name it with PYTHON=/path/to/python3)"
}

python=$(find_python) || exit 2

# One at a time: Python takes the lock and becomes this script again, which then finds the work done or does it.
if [ -z "${ENV_LOCKED:-}" ]; then
    export ENV_LOCKED=1
    exec "$python" -c '
import fcntl, os, sys
lock = os.open(".venv.lock", os.O_WRONLY | os.O_CREAT, 0o600)
fcntl.flock(lock, fcntl.LOCK_EX)
os.set_inheritable(lock, True)
os.execvp("sh", ["sh", *sys.argv[1:]])' scripts/env.sh "$which"
fi

works || rm -rf "$venv"
rm -f "$venv/.made-$which"
echo "Making the environment in $venv from $lock (once; again only when the lock changes)." >&2
if command -v uv >/dev/null 2>&1; then
    [ -d "$venv" ] || uv venv --quiet --python "$python" "$venv" || die "uv could not make $venv"
    install() { uv pip install --quiet --python "$venv/bin/python" "$@"; }
else
    "$python" -c 'import venv, ensurepip' 2>/dev/null ||
        die "$python has no venv module (on Debian and Ubuntu: apt-get install python3-venv), and uv was not found"
    [ -x "$venv/bin/pip" ] || "$python" -m venv --clear "$venv" || die "$python could not make $venv"
    install() { "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input "$@"; }
fi
install --require-hashes -r requirements/build.txt -r "$lock" || die "$lock could not be installed (see above)"
install --no-deps --no-build-isolation --config-settings editable_mode=compat --editable . ||
    die "the package itself could not be installed (see above)"
stamp "$which" >"$venv/.made-$which"
