#!/bin/sh
# json_object.sh - long/json_object: JSON objects of MaskBench and damaged ones
#
# SORTES_SHARED is the folder with data/maskbench-dev.jsonl.xz; skipped without.
#
# SPDX-License-Identifier: MIT
set -eu

data=${SORTES_SHARED:-}/data/maskbench-dev.jsonl.xz
[ -f "$data" ] || {
    echo "long/json_object: SORTES_SHARED is not set: skipped"
    exit 77
}
exec python3 "$SORTES_ROOT/tests/long/json_object.py" "$SORTES_BIN" "$data" 10
