#!/bin/sh
# run.sh - live: the masks of sortes and of llguidance
#
#   run.sh FOLDER PLAY [ARGUMENT ...]
#
# Further arguments go to compare.py; --long needs the documents of
# SORTES_SHARED, or of the folder beside the checkout.  tools/deps knows the python that has
# llguidance, a vocabulary of 152 thousand tokens, and the model.
#
# SPDX-License-Identifier: MIT
set -eu

folder=$1
play=$2
shift 2
where=$(sh "$SORTES_ROOT/tools/deps" --where)
ask() { echo "$where" | sed -n "s/^$1=//p"; }
python=$(ask LLGUIDANCE_PYTHON)
[ -n "$python" ] || {
    echo "oracle/llguidance: llguidance was not found: run \`make deps\`" >&2
    exit 1
}
data=${SORTES_SHARED:-$SORTES_ROOT/../shared}/data/maskbench-dev.jsonl.xz
case " $* " in
*" --long "*)
    [ -f "$data" ] || {
        echo "oracle/llguidance: there is no $data (SORTES_SHARED)" >&2
        exit 1
    } ;;
esac
[ ! -f "$data" ] || set -- --data "$data" "$@"
exec "$python" -B "$SORTES_ROOT/tests/oracle/llguidance/compare.py" \
    --play "$play" --folder "$folder" --model "${SORTES_MODEL:-$(ask MODEL)}" \
    --qwen "$(ask QWEN_VOCAB)" "$@"
