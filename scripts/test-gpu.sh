#!/usr/bin/env bash
# Builds and tests the GPU parts on a machine with an NVIDIA GPU; with the folder `deps` of
# scripts/bundle-deps.sh beside it, also on one without a network. Arguments are data sets to measure:
#   scripts/test-gpu.sh porto.tsd
set -euo pipefail
source "$(dirname "$0")/common.sh"

cmake --preset release -DCMAKE_PREFIX_PATH="$root/deps" -DTSMINI_TOOLS=OFF >/dev/null
cmake --build --preset release --target tests_cuda bench_cuda | grep -E 'error|warning' || true
export LD_LIBRARY_PATH=$root/deps/lib/x86_64-linux-gnu:${LD_LIBRARY_PATH:-}
build/release/bin/tests_cuda --gtest_brief=1
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck; do
    compute-sanitizer --tool "$tool" --error-exitcode 1 build/release/bin/tests_cuda \
      --gtest_brief=1 --gtest_filter='*ABatch*:*Queries*'
  done
fi
for data in "$@"; do build/release/bin/bench_cuda "$data"; done
