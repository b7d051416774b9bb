#!/usr/bin/env bash
# Gathers the libraries that a machine without a network may lack into the folder `deps`, which CMake
# finds through CMAKE_PREFIX_PATH=deps: Highway, oneTBB, hnswlib, simdjson, SQLite, xxHash. The rest
# (fmt, CLI11, nlohmann-json, expat, zlib, GoogleTest, a compiler) must be on that machine.
set -euo pipefail
source "$(dirname "$0")/common.sh"
scripts/setup.sh

rm -rf deps
packages=(libhwy-dev libhwy1 libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libsimdjson-dev libsimdjson14
  libxxhash-dev libhnswlib-dev libsqlite3-dev libsqlite3-0)
for package in "${packages[@]}"; do
  dpkg-query -L "$package" 2>/dev/null | grep -E '^/usr/(include|lib)/' | grep -v '\.a$' | while read -r file; do
    [[ -f $file || -L $file ]] || continue
    target=deps${file#/usr}
    mkdir -p "$(dirname "$target")"
    cp -a "$file" "$target"
  done
done
echo "deps: $(du -sh deps | cut -f1); configure there with -DCMAKE_PREFIX_PATH=\$PWD/deps"
