#!/bin/sh
# regex.sh - long/regex: thousands of patterns against Python's re
#
# SPDX-License-Identifier: MIT
set -eu

exec python3 "$SORTES_ROOT/tests/support/python_re.py" "$SORTES_BIN" 4000 2 5
