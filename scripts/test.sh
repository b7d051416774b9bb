#!/usr/bin/env bash
# Sets up, builds and runs every test: the release build with the rivals, then the sanitizer build with
# the fuzz targets, then format and lint. `scripts/test.sh release` stops after the first;
# `scripts/test.sh tsan` runs the tests of training alone, under the thread sanitizer.
set -euo pipefail
source "$(dirname "$0")/common.sh"
case ${1:-all} in
  all | release) scripts/setup.sh --tests --rivals ;;
  tsan) scripts/setup.sh --tests --sources ;;
  *) echo "test: '$1' is neither release nor tsan" >&2; exit 2 ;;
esac

# Files of tests lie in memory where there is room: waiting for a disk would be half of the time.
if [[ -z ${TMPDIR:-} && -w /dev/shm && $(df --output=avail /dev/shm | tail -n 1) -gt 4000000 ]]; then
  export TMPDIR=/dev/shm
fi

if [[ ${1:-} == tsan ]]; then
  # Watched as well, or what passes between its tasks would look unordered; its allocator is not used.
  source scripts/source-package.sh
  source_package "$root/build/tsan-libraries" onetbb -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF \
    -DCMAKE_CXX_FLAGS="-g1 -fsanitize=thread -fno-omit-frame-pointer"
  build tsan tests_learn
  TSAN_OPTIONS=suppressions=$root/cmake/tsan.supp build/tsan/bin/tests_learn
  exit
fi

# Called where errexit is off, as what failed is told at the end: each step is asked for its status.
run_tests() {
  echo "== $1: build"
  build "$1" || return
  echo "== $1: tests"
  ctest --preset "$1" --parallel "$(nproc)" 2>&1 | tee "build/$1-tests.log" |
    grep -vE '^ *[0-9]+/[0-9]+ Test .*Passed|^ +Start +[0-9]+:'
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
