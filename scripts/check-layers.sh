#!/usr/bin/env bash
# A folder of src is a library and includes only what stands above it in the list below; each line says
# what of that it may include, private headers and public ones alike. A permission that nothing uses is
# an error, as is an include without one. Programs use public headers, and of the private ones `base`.
# `--graph` prints what includes what, a line a folder; `--picture` the same as the picture of
# docs/architecture.md, without what follows from the rest.
set -euo pipefail
cd "$(dirname "$0")/.."

layers='
base       :
simd       : base
geo        :
data       : base geo
city       : base geo
draw       : base geo data
gpu        : base
measure    : base simd data gpu
model      : base data measure
score      : model
learn      : base simd data gpu measure model score
encode     : base simd data model
search     : base simd geo data measure model encode
store      : base geo data measure model encode search
analyse    : base measure score
eval       : base data measure model score encode search analyse
experiment : base geo data city draw measure model score learn eval
'
# Public headers that no source is named after.
headers='progress:base trajectory:geo search:search density_clusters:analyse'
# Private headers that programs may use besides those of base. Experiments are the paper's, and not
# installed: their verb is their only user.
tools_use='experiment'
rivals_use='learn'
# Libraries of others, and the only folders that may include them.
others='
sqlite3.h     : store
simdjson.h    : base data
expat.h       : data
zlib.h        : base draw
xxhash.h      : base
hnswlib/      : search
hwy/          : simd measure learn encode search
cuda_runtime.h: gpu measure/cuda learn/cuda
cublas_v2.h   : gpu
CLI/          : tools rivals
torch/        : rivals
'

mapfile -t files < <(git ls-files -co --exclude-standard 'src/*' 'include/*' 'tools/*' 'rivals/*' |
  grep -E '\.(h|cpp|cu|cuh)$' | while read -r file; do [[ -f $file ]] && echo "$file"; done)
grep -HoE '^ *# *include ["<][^">]+[">]' "${files[@]}" | sed -E 's/: *# *include ["<]/ /; s/[">]$//' |
  awk -v layers="$layers" -v headers="$headers" -v others="$others" -v files="${files[*]}" \
      -v tools_use="$tools_use" -v rivals_use="$rivals_use" -v mode="${1:-}" '
    function fail(text) { print "layers: " text; failed = 1 }
    BEGIN {
      count = split(layers, lines, "\n")
      for (i = 1; i <= count; ++i) {
        if (split(lines[i], halves, ":") < 2) continue
        gsub(/ /, "", halves[1])
        order[++modules] = halves[1]
        place[halves[1]] = modules
        n = split(halves[2], allowed, " ")
        for (k = 1; k <= n; ++k) {
          if (!(allowed[k] in place)) fail(halves[1] " may not include " allowed[k] ", which does not stand above it")
          permitted[halves[1], allowed[k]] = 1
        }
      }
      count = split(files, names, " ")
      for (i = 1; i <= count; ++i) is_file[names[i]] = 1
      for (i = 1; i <= count; ++i) {
        if (names[i] !~ /^src\/.*\.(cpp|cu)$/) continue
        split(names[i], parts, "/")
        stem = names[i]; sub(/.*\//, "", stem); sub(/\.[a-z]+$/, "", stem)
        if (!(("include/tsmini/" stem ".h") in is_file)) continue
        if (!(stem in owner) || place[parts[2]] < place[owner[stem]]) owner[stem] = parts[2]
      }
      count = split(headers, pairs, " ")
      for (i = 1; i <= count; ++i) { split(pairs[i], parts, ":"); owner[parts[1]] = parts[2] }
      count = split(others, lines, "\n")
      for (i = 1; i <= count; ++i)
        if (split(lines[i], halves, ":") == 2) { gsub(/ /, "", halves[1]); only[halves[1]] = " " halves[2] " " }
    }
    function folder_of(file,   parts, stem) {
      split(file, parts, "/")
      if (parts[1] != "include") return parts[1] == "src" ? parts[2] : parts[1]
      stem = parts[3]; sub(/\.h$/, "", stem)
      if (!(stem in owner)) { fail(file ": no source is named after it"); return "?" }
      return owner[stem]
    }
    {
      file = $1; header = $2; folder = folder_of(file)
      for (library in only) {
        if (index(header, library) != 1) continue
        split(file, parts, "/")
        if (index(only[library], " " folder " ") == 0 && index(only[library], " " parts[2] "/" parts[3] " ") == 0)
          fail(file " must not include " header)
      }
      public = header ~ /^tsmini\//
      if (file ~ /^include\// && !public && (header ~ /\// || header ~ /\.h/))
        fail(file " is public and must not include " header)
      if (header ~ /^rivals\// && folder != "rivals") fail(file " must not include " header)
      target = header; sub(/\/.*/, "", target)
      if (public) {
        stem = header; sub(/^tsmini\//, "", stem); sub(/\.h$/, "", stem)
        if (!(stem in owner)) { fail(file ": no folder owns " header); next }
        target = owner[stem]
      } else if (!(target in place)) next
      if (target == folder) next
      if (folder == "tools" || folder == "rivals") {
        extra = folder == "tools" ? tools_use : rivals_use
        if (!public && target != "base" && target != extra) fail(file " must not include " header)
        if (!public && target == extra) used[folder, target] = 1
        next
      }
      used[folder, target] = 1
      if (!((folder, target) in permitted)) fail(file " must not include " header ": " folder " stands without " target)
    }
    END {
      for (edge in permitted) {
        split(edge, ends, SUBSEP)
        if (!((ends[1], ends[2]) in used)) fail(ends[1] " is allowed to include " ends[2] ", and does not")
      }
      if (!(("tools", tools_use) in used)) fail("tools are allowed " tools_use ", and do not use it")
      if (!(("rivals", rivals_use) in used)) fail("rivals are allowed " rivals_use ", and do not use it")
      # In the order of the list whatever a folder reaches was seen before it.
      for (i = 1; i <= modules; ++i)
        for (k = 1; k < i; ++k)
          if ((order[i], order[k]) in used) {
            reaches[i, k] = 1
            for (m = 1; m < k; ++m) if (reaches[k, m]) reaches[i, m] = 1
          }
      if (mode == "--picture") print "flowchart LR"
      for (i = 1; i <= modules && mode != ""; ++i) {
        line = order[i]
        for (k = 1; k < i; ++k) {
          if (!((order[i], order[k]) in used)) continue
          line = line " " order[k]
          follows = 0
          for (m = k + 1; m < i; ++m) if ((order[i], order[m]) in used && reaches[m, k]) follows = 1
          if (mode == "--picture" && !follows) print "  " order[k] " --> " order[i]
        }
        if (mode == "--graph") print line
      }
      exit failed
    }'
