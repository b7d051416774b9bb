#!/usr/bin/env bash
# Installs the Debian packages that the programs need and that are not there yet; with --tests also
# those that tests, benchmarks, sanitizers and lint need, with --rivals those of tsmini-rivals, with
# --sources those that build Debian's source packages, with --try what makes a bare Debian.
# Quick when nothing is missing. Without root it only says what to install.
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config
  libtbb-dev libhwy-dev libhnswlib-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libsimdjson-dev libexpat1-dev zlib1g-dev libxxhash-dev libsqlite3-dev
)
for option in "$@"; do
  case $option in
    --tests) packages+=(clang clang-format clang-tidy lld libclang-rt-dev libgtest-dev libbenchmark-dev) ;;
    --rivals)
      packages+=(libtorch-dev libopenblas0-openmp)
      with_torch=yes
      ;;
    --sources) packages+=(dpkg-dev) ;;
    --try) packages+=(debootstrap) ;;
    *)
      echo "setup: '$option' is not an option; --tests, --rivals, --sources and --try are" >&2
      exit 2
      ;;
  esac
done

# LibTorch multiplies through whatever BLAS the system points to: the reference one is 15 times slower.
check_blas() {
  [[ ${with_torch:-} ]] || return 0
  local link=/usr/lib/$(uname -m)-linux-gnu/libblas.so.3
  [[ $(readlink -f "$link" 2>/dev/null) != *openblas* ]] || return 0
  local name=libblas.so.3-$(uname -m)-linux-gnu best
  best=$(update-alternatives --list "$name" 2>/dev/null | grep -m1 openblas-openmp || true)
  if [[ $best && $(id -u) -eq 0 ]]; then
    echo "setup: $link now is OpenBLAS" >&2
    update-alternatives --set "$name" "$best" >/dev/null
  else
    echo "setup: $link is not OpenBLAS, rivals will be slow; see: update-alternatives --config $name" >&2
  fi
}

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  check_blas
  exit
fi

if [[ $(id -u) -ne 0 ]]; then
  echo "setup: missing packages; run: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "setup: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
check_blas
