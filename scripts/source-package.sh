# To be sourced: libraries made from Debian's source packages, for scripts that need them made in another
# way than Debian does (static, or watched by a sanitizer). `scripts/setup.sh --sources` before.

# debian_mirror RELEASE: where this system has its packages from.
debian_mirror() {
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $1" 'Origin: Debian' 'Created-By: Packages' | sed -n 1p)
  [[ $mirror ]] || { echo "apt knows no packages of Debian's $1; run: apt-get update" >&2; return 1; }
  echo "$mirror"
}

# source_package FOLDER NAME [CMAKE OPTION…]: Debian's source of a library, built static and installed into FOLDER.
source_package() {
  local folder=$1 name=$2 version made release mirror
  shift 2
  # Made once for each version of it that this system has, and each way to make it.
  version=$(dpkg-query -W -f='${source:Package} ${source:Version}\n' | awk -v name="$name" '$1 == name && !found++ { print $2 }')
  made="$version $*"
  [[ ! -e $folder/$name.made || $(<"$folder/$name.made") != "$made" ]] || return 0
  echo "building $name"
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(debian_mirror "$release")
  mkdir -p "$folder/sources/state/partial" "$folder/sources/cache/archives/partial"
  set +e  # or the first failure within would not end what is in parentheses
  (
    set -e
    cd "$folder/sources"
    echo "deb-src $mirror $release main" >list
    apt=(apt-get -q -o Dir::Etc::sourcelist="$PWD/list" -o Dir::Etc::sourceparts=-
      -o Dir::State::lists="$PWD/state" -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User=root)
    "${apt[@]}" update
    rm -rf "$name" "$name"_*
    "${apt[@]}" source --download-only "$name"
    dpkg-source --no-check -x "$name"_*.dsc "$name"
    cmake -S "$name" -B "$name/build-static" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
      -DBUILD_TESTING=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$folder" \
      -DCMAKE_INSTALL_LIBDIR=lib "$@"
    cmake --build "$name/build-static"
    cmake --install "$name/build-static"
    mkdir -p "$folder/licences"
    cp "$name/debian/copyright" "$folder/licences/$name"
  ) >"$folder/$name.log" 2>&1
  local status=$?
  set -e
  [[ $status -eq 0 ]] || { tail -n 30 "$folder/$name.log"; exit 1; }
  echo "$made" >"$folder/$name.made"
}
