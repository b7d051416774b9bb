#!/usr/bin/env bash
# Builds and tests the GPU parts on a machine with an NVIDIA GPU; with the folder `deps` of
# scripts/bundle-deps.sh beside it, also on one without a network. Arguments are data sets to measure:
#   scripts/test-gpu.sh porto.tsd
set -euo pipefail
source "$(dirname "$0")/common.sh"

mkdir -p build
cmake --preset release -DCMAKE_PREFIX_PATH="$root/deps" >build/gpu.log
cmake --build --preset release --target tests_cuda tests_gpu tests_learn bench_cuda bench_train tsmini >>build/gpu.log ||
  { grep -E 'error|warning' build/gpu.log; exit 1; }
export LD_LIBRARY_PATH=$root/deps/lib/x86_64-linux-gnu:${LD_LIBRARY_PATH:-}
build/release/bin/tests_cuda --gtest_brief=1
build/release/bin/tests_gpu --gtest_brief=1
build/release/bin/tests_learn --gtest_brief=1 --gtest_filter='Gpu.*'
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck synccheck; do
    compute-sanitizer --tool "$tool" --error-exitcode 1 build/release/bin/tests_gpu --gtest_brief=1
    compute-sanitizer --tool "$tool" --error-exitcode 1 build/release/bin/tests_cuda \
      --gtest_brief=1 --gtest_filter='*ABatch*:*Queries*'
  done
fi
for data in "$@"; do
  build/release/bin/bench_cuda "$data"
  for batch in 128 512; do build/release/bin/bench_train "$data" --device cuda --batch "$batch"; done
  build/release/bin/tsmini train "$data" --device cuda --steps 2000 -o build/gpu.safetensors
done
