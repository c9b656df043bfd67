#!/bin/sh
# test_python.sh - random patterns against Python's re (tests/support)
#
# SPDX-License-Identifier: MIT
set -eu

python3 "$SORTES_ROOT/tests/support/python_re.py" "$SORTES_BIN" 200 1 3
