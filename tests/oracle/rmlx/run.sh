#!/bin/sh
# run.sh - long: the rmlx dialect against the NumPy re-implementation
#
#   run.sh FOLDER REPLAY ROWS
#
# Needs a Python with NumPy (RMLX_PYTHON, the one of tools/deps, or python3) and
# mlx_sim.py in $SORTES_SHARED/oracle.  Without one of them it is skipped (77).
#
# SPDX-License-Identifier: MIT
set -eu

replay=$2
rows=$3
sim=${SORTES_SHARED:-}/oracle

[ -f "$sim/mlx_sim.py" ] || {
    echo "oracle/rmlx: skipped: SORTES_SHARED names no folder with oracle/mlx_sim.py"
    exit 77
}
for python in "${RMLX_PYTHON:-}" "$SORTES_ROOT/.deps/venv/bin/python" python3; do
    [ -n "$python" ] && "$python" -c 'import numpy' 2>/dev/null && break
    python=
done
[ -n "$python" ] || {
    echo "oracle/rmlx: skipped: no Python with NumPy"
    exit 77
}
exec "$python" -B "$SORTES_ROOT/tests/oracle/rmlx/compare.py" \
    --replay "$replay" --sim "$sim" --rows "$rows"
