# Shared by the scripts: the project's root and how to build a preset.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# build PRESET: configures and builds it, quietly unless it fails.
build() {
  local log=build/$1.log
  mkdir -p build
  if ! { cmake --preset "$1" && cmake --build --preset "$1"; } >"$log" 2>&1; then
    cat "$log"
    echo "building '$1' failed" >&2
    return 1
  fi
}
