#!/usr/bin/env bash
# Installs the build into a fresh folder and builds a project against it: install_test.sh BUILD SOURCE
set -euo pipefail
build=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log" || { cat "$folder/log"; exit 1; }
cmake -S "$source/tests/consumer" -B "$folder/consumer" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$folder/prefix" >"$folder/log" || { cat "$folder/log"; exit 1; }
cmake --build "$folder/consumer"
"$folder/consumer/consumer"
"$folder/prefix/bin/tsmini" --version
