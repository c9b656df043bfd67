#!/bin/sh
# run.sh - the two-file library, compiled as its users compile it
#
#   run.sh FOLDER compile CC [FLAG ...]   one bare line; the same bits as the
#                                         ordinary library, llama.cpp's tokens
#   run.sh FOLDER strict CC               every warning is an error
#   run.sh FOLDER shared CC               exports the public names, no other
#   run.sh FOLDER header CC               the header alone: C99 and C++11
#   run.sh FOLDER constrain CC            constraints alone, in a loop of their
#                                         own (examples/constrain_loop.c)
#
# SPDX-License-Identifier: MIT
set -eu

what=$2
cc=$3
shift 3
root=$SORTES_ROOT
rows=$root/examples/rows

fail() {
    echo "amalgam: $*" >&2
    exit 1
}

header() {
    echo '#include "sortes.h"' >alone.c
    cp alone.c alone.cc
    cp "$root/include/sortes.h" .
    "$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror -I. -c alone.c
    c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -I. -c alone.cc
}

compile() {
    "$cc" "$@" -c sortes.c
    "$cc" "$@" -I. "$root/tests/amalgam/draw.c" sortes.o -lm -pthread -o draw
    ./draw "$rows/smollm2.npy" "$n_vocab" >got
    "$CC" -O2 -I. "$root/tests/amalgam/draw.c" "$SORTES_LIB" -lm -pthread \
        -o ordinary
    ./ordinary "$rows/smollm2.npy" "$n_vocab" >want
    diff want got || fail "not the bits of the ordinary library"
    grep -qx "$(grep '^tokens ' "$rows/smollm2.rows")" got ||
        fail "not the recorded tokens: $(head -1 got)"
    cat got
}

strict() {
    "$cc" -std=c11 -O3 -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
        -Wdouble-promotion -Wmissing-prototypes -Wstrict-prototypes -Wvla \
        -Wcast-qual -Wundef -Werror -c sortes.c
}

shared() {
    "$cc" -DSORTES_SHARED -fvisibility=hidden -fPIC -shared sortes.c -lm \
        -o libsortes.so
    nm -D --defined-only libsortes.so | awk '{ print $3 }' >exported
    grep -v '^sortes_' exported && fail "exports more than sortes_..."
    # Every function of the header is there.
    tr '\n' ' ' <sortes.h | grep -o 'SORTES_API [^;]*;' |
        grep -o 'sortes_[a-z0-9_]*(' | tr -d '(' | sort -u >declared
    sort -u exported >sorted
    comm -23 declared sorted >lacking
    [ ! -s lacking ] || fail "declared but not exported: $(cat lacking)"
    [ -s declared ] || fail "found no declaration"
}

# No word of the sampling half, and objects that the whole library reads.
constrain() {
    "$cc" -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla \
        -Wcast-qual -Wundef -Werror -c sortes_constrain.c
    nm sortes_constrain.o | awk '$2 ~ /[TDBR]/ { print $3 }' >defined
    grep -v -e '^sortes_' -e '^srt_' defined && fail "defines other names"
    grep -e sampler -e params -e dialect defined && fail "holds what samples"
    "$cc" -Wall -Wextra -Werror -I. "$root/examples/constrain_loop.c" \
        sortes_constrain.o -pthread -o loop
    for seed in 1 2 3 4 5 6 7 8 9 10; do
        ./loop $seed
    done >objects
    "$SORTES_BIN" grammar check --kind json_object <objects >verdicts
    [ "$(grep -c '"accepted":true' verdicts)" = 10 ] ||
        fail "not ten objects: $(cat objects verdicts)"
    [ "$(sort -u objects | wc -l)" -gt 3 ] || fail "always the same object"
    cat objects
}

n_vocab=$(sed -n 's/^n_vocab //p' "$rows/smollm2.rows")
[ "$what" = header ] || sh "$root/tools/amalgam" .
"$what" "$@"
