#!/bin/sh
# run.sh - long/schema_masks: masks under MaskBench's schemas, token by token
#
#   run.sh FOLDER PROGRAM SCHEMAS [SEED]
#
# PROGRAM is masks.c.  SORTES_SHARED is the folder with the data; without it,
# the one beside the checkout.
#
# SPDX-License-Identifier: MIT
set -eu

program=$2
shift 2
data=${SORTES_SHARED:-$SORTES_ROOT/../shared}/data/maskbench-dev.jsonl.xz
[ -f "$data" ] || {
    echo "long/schema_masks: there is no $data (SORTES_SHARED)" >&2
    exit 1
}
model=${SORTES_MODEL:-$(sh "$SORTES_ROOT/tools/deps" --where |
    sed -n 's/^MODEL=//p')}
python3 "$SORTES_ROOT/tests/long/schema_masks/feed.py" "$data" "$@" >lines
"$program" "$model" <lines
