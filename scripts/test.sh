#!/usr/bin/env bash
# Sets up, builds and runs every test: the release build with the rivals, then the sanitizer build with
# the fuzz targets, then format and lint. `scripts/test.sh release` stops after the first.
set -euo pipefail
source "$(dirname "$0")/common.sh"
scripts/setup.sh --tests --rivals

# Files of tests lie in memory where there is room: waiting for a disk would be half of the time.
if [[ -z ${TMPDIR:-} && -w /dev/shm && $(df --output=avail /dev/shm | tail -n 1) -gt 4000000 ]]; then
  export TMPDIR=/dev/shm
fi

run_tests() {
  echo "== $1: build"
  build "$1"
  echo "== $1: tests"
  ctest --preset "$1" --parallel "$(nproc)" 2>&1 | tee "build/$1-tests.log" |
    grep -vE '^ *[0-9]+/[0-9]+ Test .*Passed|^ +Start +[0-9]+:' || true
  return "${PIPESTATUS[0]}"
}

status=0
run_tests joined || status=1
if [[ ${1:-all} != release ]]; then
  run_tests asan || status=1
  echo "== lint"
  scripts/lint.sh || status=1
fi
exit $status
