#!/bin/sh
# run.sh - the ordinary library inside a program made with -ffast-math
#
# Such a program flushes subnormals to zero in the whole process and assumes
# that there is no NaN.  The library must give the same bits all the same.  The
# other way round, compiling the library itself with -ffast-math is refused.
#
# SPDX-License-Identifier: MIT
set -eu

rows=$SORTES_ROOT/examples/rows
n_vocab=$(sed -n 's/^n_vocab //p' "$rows/smollm2.rows")
draw=$SORTES_ROOT/tests/amalgam/draw.c

"$CC" -O2 -I"$SORTES_ROOT/include" "$draw" "$SORTES_LIB" -lm -pthread -o plain
"$CC" -O2 -ffast-math -I"$SORTES_ROOT/include" "$draw" "$SORTES_LIB" -lm \
    -pthread -o fast
./plain "$rows/smollm2.npy" "$n_vocab" >want
case $(uname -m) in
x86_64 | i?86) ./fast "$rows/smollm2.npy" "$n_vocab" ftz >got ;;
*) ./fast "$rows/smollm2.npy" "$n_vocab" >got ;;
esac
diff want got
grep -qx "$(grep '^tokens ' "$rows/smollm2.rows")" got

sh "$SORTES_ROOT/tools/amalgam" .
if "$CC" -ffast-math -c sortes.c 2>refusal; then
    echo "fastmath: the library could be compiled with -ffast-math" >&2
    exit 1
fi
grep -q 'without -ffast-math' refusal
