#!/usr/bin/env bash
# From a fresh checkout to a first result: sets up, builds, makes a synthetic city, finds neighbours in
# it, trains and evaluates a model, and searches with it. Leaves its files in the folder `out`.
set -euo pipefail
source "$(dirname "$0")/common.sh"
scripts/setup.sh
echo "building (a few minutes the first time) ..."
build programs
PATH=$root/build/release/bin:$PATH
mkdir -p out

step() {
  echo
  echo "\$ $*"
  "$@"
}
step tsmini synth --count 10000 --seed 1 --split 7000,1000,2000 -o out/city.tsd
step tsmini export out/city.tsd -o out/city.geojson.gz
step tsmini import out/city.geojson.gz --min-points 20 --max-points 200 --split 7000,1000,2000 -o out/imported.tsd
step tsmini info out/imported.tsd --map out/city.svg
step tsmini knn out/imported.tsd out/imported.tsd --part test --skip-self --limit 1 -k 3
step tsmini train out/imported.tsd --time-budget 60 -o out/model.safetensors
step tsmini evaluate out/model.safetensors out/imported.tsd
rm -rf out/collection
step tsmini index out/model.safetensors out/imported.tsd -o out/collection
step tsmini search out/collection out/imported.tsd --limit 1 --skip-self -k 5 --map out/nearest.svg
echo
echo "Look at out/city.svg, out/model.svg and out/nearest.svg, then import your own tracks: tsmini import FILE -o mine.tsd"
