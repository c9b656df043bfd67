#!/bin/sh
# json_object.sh - long/json_object: JSON objects of MaskBench and damaged ones
#
# SORTES_SHARED, or the folder beside the checkout, has
# data/maskbench-dev.jsonl.xz.
#
# SPDX-License-Identifier: MIT
set -eu

data=${SORTES_SHARED:-$SORTES_ROOT/../shared}/data/maskbench-dev.jsonl.xz
[ -f "$data" ] || {
    echo "long/json_object: there is no $data (SORTES_SHARED)" >&2
    exit 1
}
exec python3 "$SORTES_ROOT/tests/long/json_object.py" "$SORTES_BIN" "$data" 10
