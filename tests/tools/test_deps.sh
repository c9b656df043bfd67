#!/bin/sh
# test_deps.sh - tools/deps finds what is there and says what is missing
#
# Nothing is fetched here: a copy of the script runs in a folder of its own, on
# invented libraries, with its own PATH where a program must be missing.
#
# SPDX-License-Identifier: MIT
set -eu

mkdir -p tree/tools plain/include plain/lib site/lib/python3.9/site-packages
cp "$SORTES_ROOT/tools/deps" tree/tools/
deps=tree/tools/deps
unset LLAMA_DIR MODEL MLX_VENV
so=so
[ "$(uname -s)" != Darwin ] || so=dylib

fake() { # fake INCLUDE LIB
    mkdir -p "$1" "$2"
    touch "$1/llama.h" "$1/ggml.h" "$2/libllama.$so" "$2/libggml-base.$so"
}
expect() { # expect TEXT COMMAND ...: what it says on either stream
    text=$1
    shift
    "$@" >said 2>&1 || {
        echo "failed: $*" >&2
        cat said >&2
        exit 1
    }
    has "$text"
}
refuse() { # refuse TEXT COMMAND ...: the same, and it fails
    text=$1
    shift
    if "$@" >said 2>&1; then
        echo "accepted: $*" >&2
        exit 1
    fi
    has "$text"
}
has() {
    grep -q -- "$1" said || {
        echo "expected: $1; got:" >&2
        cat said >&2
        exit 1
    }
}

never() { # never TEXT COMMAND ...
    text=$1
    shift
    "$@" >said 2>&1
    if grep -q -- "$text" said; then
        echo "did not expect: $text; got:" >&2
        cat said >&2
        exit 1
    fi
}

# Layouts of LLAMA_DIR: a prefix, a wheel's site-packages, a whole venv.
fake plain/include plain/lib
expect "LLAMA_LIB=$PWD/plain/lib" env LLAMA_DIR=plain sh $deps --where
packages=site/lib/python3.9/site-packages
fake $packages/include $packages/llama_cpp/lib
expect "LLAMA_LIB=$PWD/$packages/llama_cpp/lib" \
    env LLAMA_DIR=$packages sh $deps --where
expect "LLAMA_INCLUDE=$PWD/site/lib/python3.9/site-packages/include" \
    env LLAMA_DIR=site sh $deps --where
expect "LLAMA_FROM=LLAMA_DIR" env LLAMA_DIR=site sh $deps --where

# A folder without it is an error, not a reason to build one.
refuse 'empty holds no libllama' env LLAMA_DIR=empty sh $deps demo

# Our own copy counts once it is complete and of the right version.
own=tree/.deps/venv/lib/python3.9/site-packages
fake $own/include $own/lib
PATH_WITHOUT=$(pwd)/bin
mkdir -p bin
for tool in sh env uname dirname cat grep ls tr sort mkdir cc; do
    ln -sf "$(command -v $tool)" bin/$tool
done
own() { env PATH="$PATH_WITHOUT" sh $deps --where; }
never LLAMA_LIB own
echo other-version==1 >tree/.deps/venv/llama.done
never LLAMA_LIB own
sed -n 's/^llama_package=//p' $deps >tree/.deps/venv/llama.done
expect 'LLAMA_FROM=.deps' own

# The model: the default's place, or MODEL=.
never MODEL sh $deps --where
touch other.gguf
expect "MODEL=$PWD/other.gguf" env MODEL=other.gguf sh $deps --where
refuse 'MODEL=none.gguf does not exist' \
    env LLAMA_DIR=plain MODEL=none.gguf sh $deps demo

# mlx: our own copy once it is of the right versions, or MLX_VENV=.
mlx() {
    mkdir -p "$1/bin" "$1/lib/python3.9/site-packages/mlx/include/mlx"
    touch "$1/bin/python" \
        "$1/lib/python3.9/site-packages/mlx/include/mlx/mlx.h"
}
never MLX_DIR sh $deps --where
mlx tree/.deps/mlx
never MLX_DIR sh $deps --where
echo other==1 >tree/.deps/mlx/mlx.done
never MLX_DIR sh $deps --where
sed -n 's/^mlx_packages="\(.*\)"/\1/p' $deps >tree/.deps/mlx/mlx.done
expect "MLX_PYTHON=$PWD/tree/.deps/mlx/bin/python" sh $deps --where
mlx mine
expect "MLX_DIR=$PWD/mine/lib/python3.9/site-packages/mlx" \
    env MLX_VENV=mine sh $deps --where
never MLX_DIR env MLX_VENV=none sh $deps --where
if [ "$(uname -sm)" = "Linux x86_64" ]; then
    rm tree/.deps/mlx/mlx.done
    expect 'will fetch: mlx==.* mlx-lm==' \
        env LLAMA_DIR=plain sh $deps --plan live
fi

# llguidance: the same.
peers() {
    mkdir -p "$1/bin" "$1/lib/python3.9/site-packages/dashscope/resources"
    touch "$1/bin/python" \
        "$1/lib/python3.9/site-packages/dashscope/resources/qwen.tiktoken"
}
peers tree/.deps/llguidance
never LLGUIDANCE sh $deps --where
expect 'will fetch: llguidance==.* dashscope==' \
    env LLAMA_DIR=plain sh $deps --plan live
sed -n 's/^llguidance_packages="\(.*\)"/\1/p' $deps \
    >tree/.deps/llguidance/llguidance.done
expect "LLGUIDANCE_PYTHON=$PWD/tree/.deps/llguidance/bin/python" \
    sh $deps --where
peers theirs
expect "QWEN_VOCAB=$PWD/theirs/lib/python3.9/site-packages/dashscope/" \
    env LLGUIDANCE_VENV=theirs sh $deps --where
never LLGUIDANCE env LLGUIDANCE_VENV=none sh $deps --where

# jsonschema-rs: the same.
mkdir -p tree/.deps/jsonschema/bin
touch tree/.deps/jsonschema/bin/python
never JSONSCHEMA sh $deps --where
expect 'will fetch: jsonschema-rs==' env LLAMA_DIR=plain sh $deps --plan live
sed -n 's/^jsonschema_packages=//p' $deps \
    >tree/.deps/jsonschema/jsonschema.done
expect "JSONSCHEMA_PYTHON=$PWD/tree/.deps/jsonschema/bin/python" \
    sh $deps --where
never JSONSCHEMA env JSONSCHEMA_VENV=none sh $deps --where

# What is missing, and that it is said before anything is done.
expect 'will fetch: .*gguf' env LLAMA_DIR=plain sh $deps --plan demo
refuse "unknown goal 'check-not'" sh $deps check-not
rm tree/.deps/venv/llama.done
expect 'will build: libllama' env PATH="$PATH_WITHOUT" sh $deps --plan demo
expect 'will install:.*cmake' env PATH="$PATH_WITHOUT" sh $deps --plan check
# Without apt-get the packages are named and nothing is tried.
refuse "please install these (Debian's names)" \
    env PATH="$PATH_WITHOUT" sh $deps check
[ ! -d tree/.deps/venv/bin ]
