#!/usr/bin/env bash
# Makes packages for people who do not build: in build/package a .deb (Debian 12 and later, Ubuntu 24.04
# and later) and a tarball (any x86-64 Linux with glibc 2.36 or later). The program in both needs
# nothing but libc: what it uses of others is linked in, and their licences lie beside it. To be run
# on Debian 12, whose source packages give the libraries that Debian has no static form of.
#   scripts/package.sh          makes them
#   scripts/package.sh --try    and then installs and tries them in bare Debian 12 and 13 (as root)
set -euo pipefail
[[ $# -eq 0 || ($# -eq 1 && $1 == --try) ]] || { echo "package: it takes --try or nothing, not '$*'" >&2; exit 2; }
source "$(dirname "$0")/common.sh"
[[ $(. /etc/os-release && echo "$VERSION_CODENAME") == bookworm && $(uname -m) == x86_64 ]] ||
  { echo "package: run it on Debian 12 on x86-64: what is built on a newer one does not run on older ones" >&2; exit 1; }
scripts/setup.sh --sources ${1:+"$1"}
source scripts/source-package.sh
out=$root/build/package
static=$out/static
mkdir -p "$out"
version=$(sed -n 's/^project(tsmini VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

source_package "$static" fmtlib -DFMT_TEST=OFF -DFMT_DOC=OFF
source_package "$static" highway -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF
source_package "$static" onetbb -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF
source_package "$static" simdjson -DSIMDJSON_BUILD_STATIC_LIB=OFF -DSIMDJSON_ENABLE_THREADS=OFF -DSIMDJSON_DEVELOPER_MODE=OFF

echo "package: building tsmini $version"
libraries=/usr/lib/x86_64-linux-gnu
cmake --preset programs -B build/package/program -DCMAKE_PREFIX_PATH="$static" -DTSMINI_CUDA=OFF \
  -DEXPAT_LIBRARY="$libraries/libexpat.a" -DZLIB_LIBRARY="$libraries/libz.a" \
  -DSQLite3_LIBRARY="$libraries/libsqlite3.a" -DCMAKE_FIND_PACKAGE_PREFER_CONFIG=OFF \
  -DCMAKE_EXE_LINKER_FLAGS="-static-libstdc++ -static-libgcc -Wl,--gc-sections" >"$out/configure.log" 2>&1 ||
  { tail -n 30 "$out/configure.log"; exit 1; }
cmake --build build/package/program --target tsmini >"$out/program.log" 2>&1 || { tail -n 40 "$out/program.log"; exit 1; }
program=$out/tsmini
strip -o "$program" build/package/program/bin/tsmini
others=$(ldd "$program" | grep -vE 'linux-vdso|ld-linux|lib(c|m|dl|pthread|rt)\.so' || true)
[[ -z $others ]] || { printf 'package: the program still needs\n%s\n' "$others" >&2; exit 1; }
glibc=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | cut -d_ -f2)
[[ $(printf '%s\n' 2.36 "$glibc" | sort -V | tail -n 1) == 2.36 ]] ||
  { echo "package: the program needs glibc $glibc, newer than 2.36" >&2; exit 1; }

# licences FOLDER: those of all that is linked in.
licences() {
  mkdir -p "$1"
  cp "$static"/licences/* "$1"
  for package in libexpat1-dev zlib1g-dev libsqlite3-dev libxxhash-dev nlohmann-json3-dev libcli11-dev libhnswlib-dev; do
    cp "/usr/share/doc/$package/copyright" "$1/${package%-dev}"
  done
  cp /usr/share/doc/libstdc++6/copyright "$1/libstdc++6" 2>/dev/null || cp /usr/share/doc/gcc-*-base/copyright "$1/libstdc++6"
}

name=tsmini-$version-linux-x86_64
rm -rf "$out/$name" "$out/deb"
mkdir -p "$out/$name"
cp "$program" README.md LICENSE CHANGELOG.md "$out/$name"
"$program" completion bash >"$out/$name/completion.bash"
licences "$out/$name/licences"
tar -C "$out" --owner=0 --group=0 --sort=name -czf "$out/$name.tar.gz" "$name"

deb=$out/deb
mkdir -p "$deb/DEBIAN" "$deb/usr/bin" "$deb/usr/share/bash-completion/completions" "$deb/usr/share/doc/tsmini"
cp "$program" "$deb/usr/bin"
cp "$out/$name/completion.bash" "$deb/usr/share/bash-completion/completions/tsmini"
cp README.md "$deb/usr/share/doc/tsmini"
cp LICENSE "$deb/usr/share/doc/tsmini/copyright"
gzip -9nc CHANGELOG.md >"$deb/usr/share/doc/tsmini/changelog.gz"
licences "$deb/usr/share/doc/tsmini/licences"
cat >"$deb/DEBIAN/control" <<CONTROL
Package: tsmini
Version: $version
Architecture: amd64
Section: science
Priority: optional
Maintainer: tsmini developers <developers@tsmini.invalid>
Installed-Size: $(du -sk "$deb/usr" | cut -f1)
Depends: libc6 (>= $glibc)
Description: finds similar trajectories
 Reads GPS tracks, cleans and shows them, measures them exactly (DTW, EDwP,
 Fréchet, Hausdorff, …), learns embeddings whose distances stand in for the
 exact ones, and answers with the nearest of a million trips.
CONTROL
dpkg-deb --root-owner-group --build "$deb" "$out/tsmini_${version}_amd64.deb" >/dev/null
(cd "$out" && ls -l --block-size=K "$name.tar.gz" "tsmini_${version}_amd64.deb" | awk '{print "package: build/package/" $NF ", " $5}')

[[ ${1:-} == --try ]] || exit 0

# What a user does first, in a chroot: try_in CHROOT PROGRAM
try_in() {
  chroot "$1" /bin/sh -ec "cd /tmp && $2 --version && $2 synth --count 2000 --split 1400,200,400 -o city.tsd --quiet &&
    $2 train city.tsd --time-budget 10 -o m.safetensors --quiet && $2 evaluate m.safetensors city.tsd --quiet &&
    $2 index m.safetensors city.tsd -o city --quiet && $2 search city city.tsd --limit 1 --skip-self -k 2 --quiet && rm -rf city* m.*"
}
for release in bookworm trixie; do
  echo "package: trying in a bare $release"
  chroot=$out/chroot-$release
  if [[ ! -e $chroot.made ]]; then  # or begun, and not ended
    umount "$chroot/proc" "$chroot/sys" 2>/dev/null || true
    rm -rf --one-file-system "$chroot"
    debootstrap --variant=minbase "$release" "$chroot" "$(debian_mirror bookworm)" >"$out/debootstrap.log" 2>&1 ||
      { tail -n 5 "$out/debootstrap.log"; exit 1; }
    touch "$chroot.made"
  fi
  cp "$out/tsmini_${version}_amd64.deb" "$out/$name.tar.gz" "$chroot/tmp"
  SECONDS=0
  chroot "$chroot" dpkg -i "/tmp/tsmini_${version}_amd64.deb" >/dev/null
  echo "package: installed in $SECONDS s, $(chroot "$chroot" dpkg-query -W -f='${Installed-Size}' tsmini) KB"
  try_in "$chroot" tsmini
  chroot "$chroot" dpkg -r tsmini >/dev/null
  chroot "$chroot" tar -C /tmp -xzf "/tmp/$name.tar.gz"
  try_in "$chroot" "/tmp/$name/tsmini"
done
