#!/usr/bin/env bash
# A module includes only modules to its left: base and geo, then data, then draw and the rest.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A allowed=(
  [base]="base"
  [geo]="base geo"
  [data]="base geo data"
  [draw]="base geo data draw"
  [gpu]="gpu"
  [measure]="base geo data gpu measure"
  [analyse]="base geo data measure analyse"
  [model]="base geo data measure model"
  [simd]="simd"
  [encode]="base geo data measure model simd encode"
  [search]="base geo data measure model encode search"
  [store]="base geo data measure model encode search store"
  [eval]="base geo data measure analyse model encode search eval"
  [learn]="base geo data gpu measure model eval simd learn"
  [experiment]="base geo data draw measure model eval learn experiment"
)
status=0
for module in src/*/; do
  module=$(basename "$module")
  for other in src/*/; do
    other=$(basename "$other")
    [[ " ${allowed[$module]:-} " == *" $other "* ]] && continue
    if grep -rn "#include \"$other/" "src/$module"; then
      echo "layers: $module must not include $other" >&2
      status=1
    fi
  done
done
if grep -rn '#include "rivals/' src tools include; then
  echo "layers: nothing but the rivals' own program may include rivals" >&2
  status=1
fi
exit $status
