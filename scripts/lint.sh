#!/usr/bin/env bash
# clang-format on every source, kernels for GPUs too; the order of the modules and the project's own
# rules (below); clang-tidy on the sources of src and tools (clang 14 cannot read LibTorch's headers,
# which the rivals need, as C++20).
# clang-tidy spends most of its time in the headers of others, so it reads the sources of a module joined
# (the preset "lint").
# `scripts/lint.sh --fix` formats in place.
set -euo pipefail
source "$(dirname "$0")/common.sh"

mapfile -t sources < <(git ls-files '*.cpp' '*.h' '*.cu' '*.cuh')
if [[ ${1:-} == --fix ]]; then
  clang-format -i "${sources[@]}"
  exit
fi
clang-format --dry-run --Werror "${sources[@]}"
scripts/check-layers.sh
[[ $(sed -n '/^```mermaid$/,/^```$/p' docs/architecture.md | grep -v '^```') == "$(scripts/check-layers.sh --picture)" ]] ||
  { echo "lint: the picture of docs/architecture.md is not scripts/check-layers.sh --picture" >&2; exit 1; }
# What clang-tidy looks for only in the file that it is given, not in those joined to it.
unused=$(for file in $(git ls-files 'src/*.cpp' 'tools/*.cpp'); do
  sed -nE 's/^ *(using ([A-Za-z_0-9]+::)+|namespace )([A-Za-z_0-9]+)( = .*)?;$/\3/p' "$file" | while read -r name; do
    [[ $(grep -cw -- "$name" "$file") -gt 1 ]] || echo "$file: '$name' is declared and not used"
  done
done)
[[ -z $unused ]] || { echo "$unused"; exit 1; }
# Examples of headers are compiled, but for those of CUDA: a source of tests/examples includes each.
cuda_examples=' src/gpu/launch.h src/learn/cuda/step_graphs.h '
unread=$(awk -v names=1 -f scripts/examples.awk $(git ls-files 'include/*.h' 'src/*.h' 'tools/*.h') | sort -u | while read -r header; do
  [[ $cuda_examples != *" $header "* ]] || continue
  name=${header#*/}
  grep -qxF "#include \"examples/${name%.h}.inc\"" tests/examples/*.cpp ||
    echo "$header: its example is not compiled; a source of tests/examples should include \"examples/${name%.h}.inc\""
done)
[[ -z $unread ]] || { echo "$unread"; exit 1; }
# A kernel may be started while the one before it runs (src/gpu/launch.h).
hasty=$(for file in $(git ls-files 'src/*.cu'); do
  awk -v file="$file" '/__global__/ { kernel = 1 }
    kernel && body { if (!/await_previous\(\);/) print file ":" NR ": a kernel begins with await_previous()"; kernel = body = 0 }
    kernel && /\{$/ { body = 1 }' "$file"
done)
[[ -z $hasty ]] || { echo "$hasty"; exit 1; }
# The library knows no command line: settings have names there (include/tsmini/error.h), and neither texts
# nor comments name an option or a verb. Experiments start another program, whose options they spell.
verbs=$(sed -nE 's/^void add_([a-z]+)\(.*/\1/p' tools/tsmini/verbs.h | paste -sd '|')
spoken=$(git grep -nE "(\"|//)[^\"]*--[a-z]|\btsmini(-rivals)? ($verbs)\b" -- src include |
  grep -vE '^src/experiment/rival_(maker\.cpp|program\.h|run\.h):' || true)
[[ -z $spoken ]] || { echo "$spoken"; echo "lint: the library names options or commands" >&2; exit 1; }
# What they do name, the program has words for.
unworded=$(git grep -hoE '"[^"]*`[^"]*"' -- src include | sed -nE 's/[^`]*`([a-z_]+)(=[^`]*|\(\))?`/\1\n/gp' |
  grep -xE '[a-z_]+' | sort -u | while read -r name; do
  [[ " default paper " == *" $name "* ]] || grep -qw "\"$name\"" tools/common/option_names.cpp ||
    echo "'$name' in backticks has no words in tools/common/option_names.cpp"
done)
[[ -z $unworded ]] || { echo "$unworded"; exit 1; }
mkdir -p build
# Every source by itself, as the tested builds, which join them, do not read it: for true shadows and
# for includes that a neighbour had. Headers of others are precompiled: most of the time is theirs.
cmake --preset apart >build/lint.log || { cat build/lint.log; exit 1; }
printf '#include <%s>\n' CLI/CLI.hpp fmt/format.h nlohmann/json.hpp tbb/parallel_for.h \
  algorithm filesystem functional random span vector >build/apart/headers.h
clang++ -std=c++20 -O3 -DNDEBUG -DFMT_SHARED -fpch-instantiate-templates -x c++-header \
  build/apart/headers.h -o build/apart/headers.pch
sed -nE 's/^ *"command": "(.*)",?$/\1/p' build/apart/compile_commands.json | grep -v nvcc |
  sed -E 's/\\"/"/g; s/ -fPIC / /; s# -o [^ ]+ -c # -include-pch headers.pch -fsyntax-only #' >build/apart/commands
(cd build/apart && xargs -P "$(nproc)" -d '\n' -n 1 bash -c <commands >log 2>&1) || { cat build/apart/log; exit 1; }
cmake --preset lint >build/lint.log || { cat build/lint.log; exit 1; }
mapfile -t units < <(sed -n 's/^ *"file": "\(.*\.\(cpp\|cxx\)\)".*/\1/p' build/lint/compile_commands.json)
# The longest first, so that all cores are busy to the end.
mapfile -t units < <(printf '%s\n' "${units[@]}" | grep /Unity/ | xargs -d '\n' ls -S; printf '%s\n' "${units[@]}" | grep -v /Unity/)
printf '%s\n' "${units[@]}" |
  xargs -P "$(nproc)" -n 1 clang-tidy --quiet --warnings-as-errors='*' -p build/lint 2>build/tidy.log ||
  { grep -v 'warnings generated' build/tidy.log; exit 1; }
echo "lint: ${#sources[@]} files formatted, $(git ls-files 'src/*.cpp' 'tools/*.cpp' | wc -l) sources, ${#units[@]} units tidy"
