#!/bin/sh
# structural_tag.sh - long/structural_tag: beside XGrammar, to the byte
#
# XGRAMMAR_PYTHON names a Python with xgrammar 0.2.9; skipped without one.
#
# SPDX-License-Identifier: MIT
set -eu

[ -n "${XGRAMMAR_PYTHON:-}" ] || {
    echo "long/structural_tag: skipped, XGRAMMAR_PYTHON is not set"
    exit 77
}
exec "$XGRAMMAR_PYTHON" -B "$SORTES_ROOT/tests/long/structural_tag.py" \
    "$SORTES_BIN" 1000
