#!/usr/bin/env bash
# Would the tests notice? Makes seeded one-token mutations (scripts/mutations.awk) in a copy of the
# sources, one at a time, and runs the tests that cover them: a mutation is killed where a test fails,
# crashes or takes too long. What does not compile does not count.
#   scripts/mutate.sh [--seed N] [--count N] [FOLDER of src …]     without: seed 1, 60, the four below
# Ends with a table and the survivors, and with status 1 where fewer than nine in ten were killed.
set -euo pipefail
source "$(dirname "$0")/common.sh"

# The test programs that cover a folder.
declare -A covered_by=([measure]="measure cuda analyse" [search]="search store" [store]="store" [learn]="learn gpu"
  [encode]="encode learn" [score]="score" [data]="data" [base]="base data" [analyse]="analyse" [model]="model encode"
  [geo]="geo data" [draw]="draw" [eval]="eval" [city]="city" [simd]="measure" [gpu]="gpu" [experiment]="experiment")
seed=1 count=60 folders=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --seed) seed=$2; shift 2 ;;
    --count) count=$2; shift 2 ;;
    *)
      [[ -n ${covered_by[$1]:-} ]] || { echo "mutate: no tests are known for the folder '$1'" >&2; exit 2; }
      folders+=("$1"); shift ;;
  esac
done
[[ ${#folders[@]} -gt 0 ]] || folders=(measure search store learn)

tree=build/mutate/tree out=build/mutate/build cores=$(nproc)
# The file that is mutated now: an interrupted run leaves objects of it that are newer than the source.
mutated=build/mutate/mutated
mkdir -p "$tree"
tar -c --exclude=./build --exclude=./.git --exclude=./deps . | tar -x -C "$tree"
[[ ! -e $mutated ]] || touch "$tree/$(cat "$mutated")"
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
# Lightly optimised, joined nowhere (a mutation compiles one file), with emulated GPUs, and with what
# the standard library can see of reading past an end (in the tests the sanitizers see it).
cmake -S "$tree" -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -D_GLIBCXX_ASSERTIONS" -DTSMINI_CUDA=EMULATED \
  -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld \
  -DTSMINI_BENCH=OFF -DTSMINI_TOOLS=OFF -DTSMINI_TESTS=ON -DTSMINI_WERROR=OFF \
  ${CMAKE_PREFIX_PATH:+"-DCMAKE_PREFIX_PATH=$CMAKE_PREFIX_PATH"} >build/mutate/configure.log 2>&1 ||
  { cat build/mutate/configure.log; exit 1; }
targets=$(for folder in "${folders[@]}"; do for name in ${covered_by[$folder]}; do echo "tests_$name"; done; done | sort -u)
# shellcheck disable=SC2086
ninja -C "$out" $targets >build/mutate/build.log || { tail -n 20 build/mutate/build.log; exit 1; }

# run_tests PROGRAM SECONDS: in as many processes as there are cores; fails with the first that fails.
run_tests() {
  local shard pids=() failed=0
  for ((shard = 0; shard < cores; ++shard)); do
    GTEST_TOTAL_SHARDS=$cores GTEST_SHARD_INDEX=$shard \
      timeout "$2" "$out/bin/$1" --gtest_fail_fast --gtest_brief=1 >/dev/null 2>&1 &
    pids+=($!)
  done
  for ((shard = 0; shard < cores; ++shard)); do
    wait -n || { failed=1; kill "${pids[@]}" 2>/dev/null || true; }
  done
  return $failed
}

# How long they may take: three times as long as without a mutation, and some.
declare -A limit
for target in $targets; do
  SECONDS=0
  run_tests "$target" 900 || { echo "mutate: $target fails without a mutation" >&2; exit 1; }
  limit[$target]=$((3 * SECONDS + 20))
done

declare -A killed tried
survivors=()
share=$(((count + ${#folders[@]} - 1) / ${#folders[@]}))
for folder in "${folders[@]}"; do
  killed[$folder]=0 tried[$folder]=0
  mapfile -t mutations < <(find "src/$folder" -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' | sort | xargs awk -f scripts/mutations.awk |
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -n | cut -f 2-)
  for mutation in "${mutations[@]}"; do
    [[ ${tried[$folder]} -lt $share ]] || break
    IFS=$'\t' read -r file line kind changed <<<"$mutation"
    before=$(sed -n "${line}p" "$file")
    echo "$file" >"$mutated"
    awk -v line="$line" -v changed="${changed//\\/\\\\}" 'NR == line { print changed; next } { print }' "$file" >"$tree/$file"
    programs=$(for name in ${covered_by[$folder]}; do echo "tests_$name"; done)
    # shellcheck disable=SC2086
    if ninja -C "$out" $programs >build/mutate/build.log 2>&1; then
      tried[$folder]=$((tried[$folder] + 1))
      verdict=survived
      for program in $programs; do
        run_tests "$program" "${limit[$program]}" || { verdict=killed; break; }
      done
      [[ $verdict == survived ]] || killed[$folder]=$((killed[$folder] + 1))
      text="$file:$line: $kind: ${before#"${before%%[! ]*}"} -> ${changed#"${changed%%[! ]*}"}"
      echo "$verdict $text"
      [[ $verdict == killed ]] || survivors+=("$text")
    fi
    cp "$file" "$tree/$file"
    rm "$mutated"
  done
done

all=0 all_killed=0
printf '\n%-10s %8s %8s\n' folder tried killed
for folder in "${folders[@]}"; do
  printf '%-10s %8d %8d\n' "$folder" "${tried[$folder]}" "${killed[$folder]}"
  all=$((all + tried[$folder])) all_killed=$((all_killed + killed[$folder]))
done
printf '%-10s %8d %8d\n' all "$all" "$all_killed"
[[ ${#survivors[@]} -eq 0 ]] || printf 'survived: %s\n' "${survivors[@]}"
[[ $((10 * all_killed)) -ge $((9 * all)) ]]
