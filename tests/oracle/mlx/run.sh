#!/bin/sh
# run.sh - live: sortes against mlx-lm on MLX's CPU
#
#   run.sh FOLDER PLAY [ARGUMENT ...]
#
# Works in FOLDER; further arguments go to compare.py.  tools/deps knows the
# python that has mlx-lm.
#
# SPDX-License-Identifier: MIT
set -eu

play=$2
shift 2
python=${MLX_PYTHON:-$(sh "$SORTES_ROOT/tools/deps" --where |
    sed -n 's/^MLX_PYTHON=//p')}
[ -n "$python" ] || {
    echo "oracle/mlx-lm: mlx-lm was not found: run \`make deps\`" >&2
    exit 1
}
exec "$python" -B "$SORTES_ROOT/tests/oracle/mlx/compare.py" --play "$play" "$@"
