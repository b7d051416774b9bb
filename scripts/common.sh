# Shared by the scripts: the project's root and how to build a preset.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# build PRESET [TARGET…]: configures and builds it (all of it, or these), quietly unless it fails.
build() {
  local preset=$1 log=build/$1.log
  shift
  mkdir -p build
  if ! { cmake --preset "$preset" && cmake --build --preset "$preset" ${1:+--target "$@"}; } >"$log" 2>&1; then
    cat "$log"
    echo "building '$preset' failed" >&2
    return 1
  fi
}
