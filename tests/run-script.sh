#!/bin/sh
# run-script.sh - runs a test script in an empty folder of its own
#
#   run-script.sh SCRIPT FOLDER [ARGUMENT ...]
#
# The script is started with FOLDER as working folder and as its $1, the
# arguments behind it.
#
# SPDX-License-Identifier: MIT
set -eu

script=$1
folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
exec sh "$script" "$folder" "$@"
