#!/usr/bin/env bash
# From a fresh checkout to a first result: sets up, builds, and runs the main job on a synthetic city.
# Leaves its files in the folder `out`.
set -euo pipefail
source "$(dirname "$0")/common.sh"
scripts/setup.sh
echo "building (a few minutes the first time) ..."
build release
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
step tsmini info out/imported.tsd --verify --map out/city.svg
echo
echo "Look at out/city.svg, then import your own tracks: tsmini import FILE -o mine.tsd"
