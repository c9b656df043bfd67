#!/bin/sh
# run.sh - installs into an empty prefix and uses what is there
#
# As a user's project would: through pkg-config, and through CMake's
# find_package; then the prefix is moved, and both work from the new place.
#
# SPDX-License-Identifier: MIT
set -eu

folder=$1
rows=$SORTES_ROOT/examples/rows
n_vocab=$(sed -n 's/^n_vocab //p' "$rows/smollm2.rows")
tokens=$(grep '^tokens ' "$rows/smollm2.rows")

use() {
    prefix=$1
    # A shared library in an unusual place must be told to the loader.
    LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name 'libsortes.*' | head -1)")
    export LD_LIBRARY_PATH
    pc=$(dirname "$(find "$prefix" -name sortes.pc)")
    # shellcheck disable=SC2046 # flags are words
    "$CC" "$SORTES_ROOT/tests/amalgam/draw.c" -o by-pkg-config \
        $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs sortes)
    ./by-pkg-config "$rows/smollm2.npy" "$n_vocab" | grep -qx "$tokens"

    rm -rf consumer
    mkdir consumer
    cp "$SORTES_ROOT/tests/amalgam/draw.c" consumer/
    cat >consumer/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(consumer C)
find_package(sortes 0.1 REQUIRED)
add_executable(draw draw.c)
target_link_libraries(draw sortes::sortes)
END
    cmake -S consumer -B consumer/build -DCMAKE_PREFIX_PATH="$prefix" >log
    cmake --build consumer/build >>log
    consumer/build/draw "$rows/smollm2.npy" "$n_vocab" | grep -qx "$tokens"
}

cmake --install "$SORTES_BUILD" --prefix "$folder/prefix" >log
use "$folder/prefix"
unset LD_LIBRARY_PATH # the program finds its library by itself
[ ! -f "$SORTES_BUILD/sortes" ] || "$folder/prefix/bin/sortes" --version
[ "$(find prefix -name '*.h' | sort | tr '\n' ' ')" = \
  "prefix/include/sortes.h prefix/include/sortes_llama.h prefix/include/sortes_mlx.h " ] # no other header
mv prefix moved
use "$folder/moved"
