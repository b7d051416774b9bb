#!/usr/bin/env bash
# Would the tests notice? Makes seeded one-token mutations (scripts/mutations.awk) in a copy of the
# sources, one at a time, and runs the tests that cover them: a mutation is killed where a test fails,
# crashes or takes too long, and it is said which. What does not compile does not count. The kinds of
# mutation take turns, as there are a hundred signs for every slack.
#   scripts/mutate.sh [--seed N] [--count N] [FOLDER of src …]     without: seed 1, 60, the four below
# Ends with a table and the survivors, and with status 1 where fewer than nine in ten were killed.
# Other work on the machine may make tests too slow: look at what was killed by time.
set -euo pipefail
source "$(dirname "$0")/common.sh"

# The test programs that cover a folder.
declare -A covered_by=([measure]="measure cuda analyse" [search]="search store" [store]="store" [learn]="learn gpu"
  [encode]="encode learn" [score]="score" [data]="data" [base]="base data" [analyse]="analyse" [model]="model encode learn"
  [geo]="geo data" [draw]="draw" [eval]="eval" [city]="city" [simd]="measure encode learn" [gpu]="gpu" [experiment]="experiment")
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
# What is the same stays, so that only the rest is built again.
git ls-files --cached --others --exclude-standard | while read -r file; do
  [[ ! -f $file ]] || cmp -s "$file" "$tree/$file" || { mkdir -p "$(dirname "$tree/$file")" && cp "$file" "$tree/$file"; }
done
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
# Lightly optimised, joined nowhere (a mutation compiles one file), with emulated GPUs, and with what
# the standard library can see of reading past an end (in the tests the sanitizers see it).
cmake -S "$tree" -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -D_GLIBCXX_ASSERTIONS" -DTSMINI_CUDA=EMULATED \
  -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST \
  -DTSMINI_BENCH=OFF -DTSMINI_TOOLS=OFF -DTSMINI_TESTS=ON -DTSMINI_WERROR=OFF \
  ${CMAKE_PREFIX_PATH:+"-DCMAKE_PREFIX_PATH=$CMAKE_PREFIX_PATH"} >build/mutate/configure.log 2>&1 ||
  { cat build/mutate/configure.log; exit 1; }
targets=$(for folder in "${folders[@]}"; do for name in ${covered_by[$folder]}; do echo "tests_$name"; done; done | sort -u)
# shellcheck disable=SC2086
ninja -C "$out" $targets >build/mutate/build.log || { tail -n 20 build/mutate/build.log; exit 1; }

# run_tests PROGRAM SECONDS: in as many processes as there are cores. Fails with the first that fails;
# `killer` then says by what.
run_tests() {
  local shard pids=() status=0 failed=
  for ((shard = 0; shard < cores; ++shard)); do
    GTEST_TOTAL_SHARDS=$cores GTEST_SHARD_INDEX=$shard \
      timeout "$2" "$out/bin/$1" --gtest_fail_fast --gtest_brief=1 >"build/mutate/$shard.log" 2>&1 &
    pids+=($!)
  done
  for ((shard = 0; shard < cores; ++shard)); do
    wait -n || { status=$?; [[ $failed ]] || { failed=$status; kill "${pids[@]}" 2>/dev/null || true; }; }
  done
  [[ $failed ]] || return 0
  killer=$(sed -nE 's/^\[  FAILED  \] ([^ ,]+).*/\1/p' build/mutate/[0-9]*.log | head -n 1)
  [[ $killer ]] || killer="$1, $([[ $failed -eq 124 ]] && echo time || echo "status $failed")"
  return 1
}

# How long they may take: three times as long as without a mutation, and some.
declare -A limit
for target in $targets; do
  SECONDS=0
  run_tests "$target" 900 || { echo "mutate: $target fails without a mutation" >&2; exit 1; }
  limit[$target]=$((3 * SECONDS + 20))
done

declare -A killed tried
survivors=() unbuilt=0
share=$(((count + ${#folders[@]} - 1) / ${#folders[@]}))
for folder in "${folders[@]}"; do
  killed[$folder]=0 tried[$folder]=0
  mapfile -t mutations < <(find "src/$folder" -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' | sort | xargs awk -f scripts/mutations.awk |
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort -n |
    awk -F '\t' '{ print ++turn[$4] "\t" $0 }' | sort -s -n | cut -f 3-)
  for mutation in "${mutations[@]}"; do
    [[ ${tried[$folder]} -lt $share ]] || break
    IFS=$'\t' read -r file line kind changed <<<"$mutation"
    before=$(sed -n "${line}p" "$file")
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
      [[ $verdict == survived ]] || verdict+=" by $killer:"
      echo "$verdict $text"
      [[ $verdict == killed* ]] || survivors+=("$text")
    else
      unbuilt=$((unbuilt + 1))
    fi
    cp "$file" "$tree/$file"
  done
done

all=0 all_killed=0
printf '\n%-10s %8s %8s\n' folder tried killed
for folder in "${folders[@]}"; do
  printf '%-10s %8d %8d\n' "$folder" "${tried[$folder]}" "${killed[$folder]}"
  all=$((all + tried[$folder])) all_killed=$((all_killed + killed[$folder]))
done
printf '%-10s %8d %8d\n' all "$all" "$all_killed"
echo "$unbuilt more did not compile"
[[ ${#survivors[@]} -eq 0 ]] || printf 'survived: %s\n' "${survivors[@]}"
[[ $((10 * all_killed)) -ge $((9 * all)) ]]
