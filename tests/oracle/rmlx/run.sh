#!/bin/sh
# run.sh - long: the rmlx dialect against the NumPy re-implementation
#
#   run.sh FOLDER REPLAY ROWS
#
# Needs a Python with NumPy (tools/deps makes one) and, in SORTES_SHARED or the
# folder beside the checkout, oracle/mlx_sim.py.
#
# SPDX-License-Identifier: MIT
set -eu

replay=$2
rows=$3
sim=${SORTES_SHARED:-$SORTES_ROOT/../shared}/oracle

[ -f "$sim/mlx_sim.py" ] || {
    echo "oracle/rmlx: there is no $sim/mlx_sim.py (SORTES_SHARED)" >&2
    exit 1
}
python=${RMLX_PYTHON:-$(sh "$SORTES_ROOT/tools/deps" --where |
    sed -n 's/^MLX_PYTHON=//p')}
[ -n "$python" ] || {
    echo "oracle/rmlx: no Python with NumPy: run \`make deps\`" >&2
    exit 1
}
exec "$python" -B "$SORTES_ROOT/tests/oracle/rmlx/compare.py" \
    --replay "$replay" --sim "$sim" --rows "$rows"
