#!/usr/bin/env bash
# Installs the Debian packages that the build needs and that are not there yet.
# Quick when nothing is missing. Without root it only says what to install.
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config
  clang clang-format clang-tidy libclang-rt-dev
  libtbb-dev libhwy-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libsimdjson-dev libexpat1-dev zlib1g-dev libxxhash-dev
  libgtest-dev libbenchmark-dev
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

if [[ $(id -u) -ne 0 ]]; then
  echo "setup: missing packages; run: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "setup: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
