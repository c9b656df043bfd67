#!/bin/sh
# run.sh - beside jsonschema-rs, in the python that tools/deps knows
#
#   run.sh FOLDER PART [ARGUMENT ...]
#
# PART.py beside this file gets the arguments.
#
# SPDX-License-Identifier: MIT
set -eu

part=$2
shift 2
where=$(sh "$SORTES_ROOT/tools/deps" --where)
python=$(echo "$where" | sed -n "s/^JSONSCHEMA_PYTHON=//p")
[ -n "$python" ] || {
    echo "oracle/jsonschema: jsonschema-rs was not found: run \`make deps\`" >&2
    exit 1
}
exec "$python" -B "$SORTES_ROOT/tests/oracle/jsonschema/$part.py" "$@"
