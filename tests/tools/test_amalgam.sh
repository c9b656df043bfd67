#!/bin/sh
# test_amalgam.sh - tools/amalgam inlines what it should, as often as it should
#
# SPDX-License-Identifier: MIT
set -eu

mkdir -p tree/tools tree/src/room tree/include
cp "$SORTES_ROOT/tools/amalgam" tree/tools/
cp "$SORTES_ROOT/LICENSE" tree/
cd tree
printf '#ifndef SORTES_H\n#define SORTES_H\nint sortes_sum(void);\n#endif\n' \
    >include/sortes.h
printf '#ifndef SRT_B_H\n#define SRT_B_H\nstatic const int b = 30;\n#endif\n' \
    >src/room/b.h
printf 'ROW(1)\nROW(2)\n' >src/room/table.def
cat >src/room/a.h <<'END'
#ifndef SRT_A_H
#define SRT_A_H
#include "room/b.h"
#include "sortes.h"
enum {
#define ROW(x) row_##x,
#include "room/table.def"
#undef ROW
    n_rows
};
#endif
END
cat >src/room/one.c <<'END'
#define _DEFAULT_SOURCE /* for a test */
#include <stddef.h>
#include "a.h"
#define ROW(x) +x
static const int one_sum = 0
#include "table.def"
    ;
#undef ROW
int srt_one(void)
{
    return one_sum + n_rows + b;
}
END
cat >src/two.c <<'END'
#include "room/a.h"
#include "room/b.h"
int srt_one(void);
int sortes_sum(void)
{
    return srt_one() + b;
}
END

tools/amalgam dist
[ "$(grep -c 'static const int b' dist/sortes.c)" = 1 ]
[ "$(grep -c '^ROW(1)' dist/sortes.c)" = 2 ]
[ "$(grep -c 'include "' dist/sortes.c)" = 1 ]
[ "$(grep -c 'include <stddef.h>' dist/sortes.c)" = 1 ]
# The constraints alone: their rooms, the root files they need, no other.
mkdir -p src/constrain src/json src/gguf
for name in constrain/c json/j gguf/g shared status unicode version vocab_x; do
    echo "int srt_$(basename $name)(void);" >src/$name.c
done
tools/amalgam dist
grep -q 'src/constrain/c.c' dist/sortes_constrain.c
grep -q 'src/vocab_x.c' dist/sortes_constrain.c
if grep -q 'src/two.c' dist/sortes_constrain.c; then exit 1; fi
grep -q 'src/two.c' dist/sortes.c
rm -r src/constrain src/json src/gguf src/shared.c src/status.c src/unicode.c \
    src/version.c src/vocab_x.c
tools/amalgam dist
# The feature macro stands before the first include.
awk '/^#define _DEFAULT_SOURCE$/ { seen = 1 } /^#include/ { exit !seen }' \
    dist/sortes.c
cmp include/sortes.h dist/sortes.h

echo '#include "sortes.h"
int main(void) { return sortes_sum() == 65 ? 0 : 1; }' >use.c
"$CC" -Idist use.c dist/sortes.c -o use
./use

refuse() { # refuse TEXT: it fails, says why, leaves the old file alone
    if tools/amalgam dist 2>message; then
        echo "amalgam accepted what it should refuse: $1" >&2
        exit 1
    fi
    grep -q "$1" message
    cmp -s dist/sortes.c kept
}
cp dist/sortes.c kept
printf '#ifdef X\n#include "room/c.h"\n#endif\n' >src/three.c
printf '#ifndef SRT_C_H\n#define SRT_C_H\n#endif\n' >src/room/c.h
refuse 'first met inside an #if'
printf '#include "none.h"\n' >src/three.c
refuse 'no such file: none.h'
printf '#define NAME "room/b.h"\n#include NAME\n' >src/three.c
refuse 'must be written out'
printf '#include "loop.def"\n' >src/loop.def
printf '#include "loop.def"\n' >src/three.c
refuse 'includes itself'
