#!/bin/sh
# test_lint.sh - tools/lint finds each kind of fault, and none in a clean tree
#
# SPDX-License-Identifier: MIT
set -eu

mkdir -p tree/tools tree/src/numeric tree/src/order tree/src/dialect/a \
    tree/src/dialect/b tree/tests/numeric tree/cli tree/include
cp "$SORTES_ROOT/tools/lint" "$SORTES_ROOT/.clang-format" tree/tools/
cp "$SORTES_ROOT/.clang-format" tree/
cd tree
printf '# none\n' >tools/sizes.allow
printf '# none\n' >tools/mirror.allow

file() { # file PATH: standard input behind a proper file comment
    {
        printf '/*\n * %s - a test\n *\n' "$(basename "$1")"
        printf ' * SPDX-License-Identifier: MIT\n */\n'
        cat
    } >"$1"
}

clean() {
    rm -f src/*.c src/*/*.[ch] src/*/*/*.[ch] cli/*
    echo 'int srt_x(void);' | file src/numeric/x.h
    printf '#include "numeric/x.h"\n\nstatic int x_one;\n' |
        file src/numeric/x.c
    echo 'int main(void);' | file tests/numeric/test_x.c
}

expect() { # expect TEXT: one finding, and this is it
    if tools/lint >out; then
        echo "lint found nothing, expected: $1" >&2
        exit 1
    fi
    grep -q "$1" out && grep -qx 'lint: 1 finding' out || {
        echo "expected: $1; got:" >&2
        cat out >&2
        exit 1
    }
    clean
}

clean
tools/lint

# a body is no list of constants, though an enum is what it returns
for name in y z; do
    printf 'enum srt_e;\n\nenum srt_e srt_%s(int a)\n{\n    int b, c;\n\n    return a;\n}\n' \
        "$name" | file "src/numeric/$name.h"
done
tools/lint
clean

printf '#include "dialect/b/b.h"\n' | file src/dialect/a/a.h
expect 'src/dialect/a/a.h:6: dialect may not include dialect/b/b.h'

printf '#include "order/order.h"\n' | file src/numeric/x.h
expect 'src/numeric/x.h:6: numeric may not include order/order.h'

printf '#include "status.h"\n' | file cli/c.c
expect 'cli/c.c:6: cli may not include status.h'

printf 'static int x_one;\n' | file src/order/o.h
expect 'static x_one is also in'

printf 'static const struct srt_with_a_name_so_long_that_the_line_is_broken *\nx_one(int a)\n{\n    return 0;\n}\n' |
    file src/order/o.h
expect 'static x_one is also in'

printf 'enum { ONE, TWO };\n' | file src/order/o.h
printf '#define TWO 2\n' | file src/numeric/x.h
expect 'TWO is also in'

echo 'int srt_z(void);' | file src/order/z.c
expect 'src/order/z.c:1: has no tests/order/test_z.c'

{
    printf 'int srt_long(void)\n{\n'
    yes '    srt_x();' | head -60
    printf '}\n'
} | file src/numeric/x.c
expect 'srt_long: 62 lines'

printf 'int srt_many(int a, int b, int c, int d, int e, int (*f)(int, int), int g)\n{\n    return 0;\n}\n' |
    file src/numeric/x.c
expect 'srt_many: 7 parameters'

yes 'int srt_x(void);' | head -800 | file src/numeric/x.h
expect 'src/numeric/x.h:1: 805 lines'

echo 'int srt_x(void);' >src/numeric/x.h
expect "must begin with a comment 'x.h - purpose'"

printf '/* TO''DO: more */\n' | file src/numeric/x.h
expect 'x.h:6: TO''DO'

printf 'src/numeric/gone.c a reason\n' >tools/mirror.allow
expect 'src/numeric/gone.c does not exist'
echo 'int srt_z(void);' | file src/numeric/z.c
printf 'src/numeric/z.c\n' >tools/mirror.allow
expect 'give a reason'
printf '# none\n' >tools/mirror.allow

if command -v clang-format >/dev/null; then
    printf 'int   srt_x ( void );\n' | file src/numeric/x.h
    expect 'src/numeric/x.h:6: run clang-format'
fi

symbols() { # symbols CODE TEXT
    echo "$1" >s.c
    "$CC" -c s.c -o s.o
    rm -f s.a
    ar rc s.a s.o
    if tools/lint --library s.a >out || ! grep -q "$2" out; then
        echo "expected: $2; got:" >&2
        cat out >&2
        exit 1
    fi
}
symbols 'int other(void) { return 0; }' 'exports other'
symbols 'int puts(const char *); int srt_f(void) { return puts("a"); }' \
    'needs puts'
symbols 'void *fopen(const char *, const char *);
    void *srt_f(void) { return fopen("", ""); }' 'only gguf and vocab_file read files'
tools/lint
