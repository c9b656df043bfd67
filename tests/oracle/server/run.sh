#!/bin/sh
# run.sh - live: sortes against llama-server (xllamacpp) on known logits
#
#   run.sh FOLDER REPLAY [ARGUMENT ...]
#
# Works in FOLDER; further arguments go to compare.py.  tools/deps knows the
# python that has xllamacpp.
#
# SPDX-License-Identifier: MIT
set -eu

folder=$1
replay=$2
shift 2
python=${SERVER_PYTHON:-$(sh "$SORTES_ROOT/tools/deps" --where |
    sed -n 's/^SERVER_PYTHON=//p')}
[ -n "$python" ] || {
    echo "oracle/server: xllamacpp was not found: run \`make deps\`" >&2
    exit 1
}
exec "$python" -B "$SORTES_ROOT/tests/oracle/server/compare.py" \
    --replay "$replay" --sortes "$SORTES_BIN" --model "$SORTES_MODEL" \
    --folder "$folder" "$@"
