#!/usr/bin/env bash
# Makes raw taxi files out of a synthetic city, for those who have none at hand: a file a cab,
# "lat lon occupied unixtime" a row, newest first. raw-taxis.sh FOLDER [TRIPS] [CABS]
set -euo pipefail
folder=${1:?raw-taxis.sh FOLDER [TRIPS] [CABS]} trips=${2:-2000} cabs=${3:-20}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$PATH:$here/../build/release/bin
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir -p "$folder"
tsmini synth --count "$trips" --quiet -o "$made/city.tsd"
tsmini export "$made/city.tsd" --quiet -o "$made/city.csv"
awk -v cabs="$cabs" -v folder="$folder" -f "$here/raw-taxis.awk" "$made/city.csv"
