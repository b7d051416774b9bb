#!/usr/bin/env bash
# Runs the commands of a page's console blocks and compares what they print with what it shows; times
# and rates may differ. readme_test.sh PROGRAM PAGE [--update]
set -euo pipefail
program=$1 readme=$(realpath "$2") update=${3:-}
folder=$(mktemp -d) actual=$(mktemp)
trap 'rm -rf "$folder" "$actual"' EXIT
export PATH=$(dirname "$(realpath "$program")"):$PATH
ln -s "$(realpath "$(dirname "$0")/../scripts")" "$folder/scripts"
cd "$folder"

{
  inside=
  while IFS= read -r line; do
    if [[ $line == '```console' ]]; then
      inside=1
    elif [[ $line == '```' ]]; then
      inside=
    elif [[ $inside && $line != '$ '* ]]; then
      continue
    fi
    printf '%s\n' "$line"
    if [[ $inside && $line == '$ '* ]]; then
      bash -c "${line#\$ }" </dev/null 2>&1 || true
    fi
  done <"$readme"
} >"$actual"

if [[ $update == --update ]]; then
  cp "$actual" "$readme"
  exit
fi
mask() { sed -E 's/[0-9.]+ (s|ms)\b/TIME/g; s/\([0-9.]+ [kMG]?B\/s\)/(RATE)/g; s/[0-9,]+ pairs\/s; [A-Z0-9_]+/RATE/g; s/[0-9,]+ (distances computed|compared point by point)/WORK/g' "$1"; }
diff <(mask "$readme") <(mask "$actual") && echo "the page shows what the program prints"
