#!/usr/bin/env bash
# clang-format on every source, clang-tidy on every file of the release build but those compiled with
# LibTorch (whose headers clang 14 cannot read as C++20), and the order of the modules.
# `scripts/lint.sh --fix` formats in place.
set -euo pipefail
source "$(dirname "$0")/common.sh"

mapfile -t sources < <(git ls-files '*.cpp' '*.h')
if [[ ${1:-} == --fix ]]; then
  clang-format -i "${sources[@]}"
  exit
fi
clang-format --dry-run --Werror "${sources[@]}"
scripts/check-layers.sh
[[ -f build/release/compile_commands.json ]] || cmake --preset release >/dev/null
without_torch() {
  awk -F'"' -v root="$root/" '/"command":/ { torch = /torch\/csrc/ }
    /"file":/ && !torch { sub(root, "", $4); print $4 }' build/release/compile_commands.json
}
mapfile -t units < <(git ls-files 'src/*.cpp' 'tools/*.cpp' | grep -xFf <(without_torch))
printf '%s\n' "${units[@]}" |
  xargs -P "$(nproc)" -n 4 clang-tidy --quiet --warnings-as-errors='*' -p build/release 2>build/tidy.log ||
  { grep -v 'warnings generated' build/tidy.log; exit 1; }
echo "lint: ${#sources[@]} files formatted, ${#units[@]} units tidy"
