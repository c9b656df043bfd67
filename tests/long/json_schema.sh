#!/bin/sh
# json_schema.sh - long/json_schema-*: JSON Schema against others' test data
#
# $2 names the part.  SORTES_SHARED is the folder with the data; without it,
# the one beside the checkout.
#
# SPDX-License-Identifier: MIT
set -eu

exec python3 "$SORTES_ROOT/tests/long/json_schema.py" "$SORTES_BIN" \
    "${SORTES_SHARED:-$SORTES_ROOT/../shared}" "$2"
