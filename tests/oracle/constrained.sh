#!/bin/sh
# constrained.sh - live: a model under each kind of grammar
#
# SPDX-License-Identifier: MIT
set -eu

exec python3 -B "$SORTES_ROOT/tests/oracle/constrained.py" "$SORTES_BIN" \
    "$SORTES_MODEL" "$1"
