#!/bin/sh
# run.sh - beside jsonschema-rs, in the python that tools/deps knows
#
#   run.sh FOLDER PART [ARGUMENT ...]
#
# PART.py beside this file gets the arguments, and finds in its environment
# SORTES_MODEL, and SORTES_SHARED: where documents are.
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
export SORTES_MODEL="${SORTES_MODEL:-$(echo "$where" | sed -n 's/^MODEL=//p')}"
export SORTES_SHARED="${SORTES_SHARED:-$SORTES_ROOT/../shared}"
exec "$python" -B "$SORTES_ROOT/tests/oracle/jsonschema/$part.py" "$@"
