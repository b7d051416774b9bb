#!/usr/bin/env bash
# A folder of src is a library and includes only what stands above it in the list below; each line says
# what of that it may include, private headers and public ones alike. What is included is a header of C++,
# a file of ours by its path from src, include, tools or the root (or beside the file), or stands in a list
# here. A permission that nothing uses is an error, as is an include without one. The libraries of
# src/CMakeLists.txt depend on each other only as the list allows, and reach all that their sources include.
# The preprocessor is not asked: what stands under an #if counts; but what is of GPUs only may be included
# elsewhere in src, and that under #ifdef TSMINI_CUDA. Libraries of others count through headers of ours, too;
# but for Highway, whose memory is a member of what folders without kernels hold.
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
score      :
model      : base data measure score
learn      : base simd data gpu measure model score
encode     : base simd data model
search     : base simd geo data measure model encode
store      : base geo data measure model encode search
analyse    : base measure score
eval       : base data measure model score encode search analyse
experiment : base geo data city draw measure model score learn eval
'
# Programs use all public headers, and the private ones of these folders; a line may be of one file.
# Experiments are the paper's, and not installed: their verb is their only user. The benchmark of training
# times single steps; fuzz targets call readers.
programs='
tools      : base
tools/tsmini/experiment.cpp : experiment
tools/tsmini/learn.cpp      : experiment
rivals     : base learn tools
bench      : base learn tools
fuzz       : base data
'
# Public headers that no source is named after, and private ones that CMake writes.
headers='progress:base trajectory:geo search:search density_clusters:analyse'
generated='base/version_number.h draw/map_page_html.h'
# Libraries of others, and the only folders that may include them.
others='
fmt/          : base simd data city draw measure model learn encode search store analyse eval experiment
fmt/          : tools rivals bench
tbb/          : base data city draw measure score learn encode search store analyse eval experiment
tbb/          : tools rivals bench
nlohmann/     : base data draw measure model learn search store experiment tools rivals fuzz
sqlite3.h     : store
simdjson.h    : base data
expat.h       : data
zlib.h        : base draw
xxhash.h      : base
hnswlib/      : search
hwy/          : simd measure learn encode search
cuda_runtime.h: gpu measure/cuda learn/cuda
cublas_v2.h   : gpu
CLI/          : tools rivals bench
torch/        : rivals
'
# Headers of the system that all may include, as they may <vector> and the like.
system='dlfcn.h fcntl.h fnmatch.h malloc.h poll.h spawn.h unistd.h
sys/file.h sys/mman.h sys/prctl.h sys/resource.h sys/stat.h sys/types.h sys/wait.h'

mapfile -t files < <(git ls-files -co --exclude-standard src include tools rivals bench fuzz |
  grep -vE '^fuzz/corpus/|\.(txt|js|css|html)$' | while read -r file; do [[ -f $file ]] && echo "$file"; done)
awk -v layers="$layers" -v programs="$programs" -v headers="$headers" -v generated="$generated" \
    -v others="$others" -v system_headers="$system" -v mode="${1:-}" '
    function fail(text) { print "layers: " text; failed = 1 }
    # Lines "name : names": a folder and what it may include, or a library of others and who may include it.
    function read_list(list, is_of_others,   lines, n, i, halves, name, names, m, k) {
      n = split(list, lines, "\n")
      for (i = 1; i <= n; ++i) {
        if (split(lines[i], halves, ":") < 2) continue
        name = halves[1]; gsub(/ /, "", name)
        if (is_of_others) is_other[name] = 1
        else { order[++folders] = name; place[name] = folders }
        m = split(halves[2], names, " ")
        for (k = 1; k <= m; ++k) {
          if (is_of_others) { may[names[k], name] = 1; continue }
          if (!(names[k] in place)) fail(name " may not include " names[k] ", which does not stand above it")
          may[name, names[k]] = 1
        }
      }
    }
    function folder_of(file,   parts) {
      split(file, parts, "/")
      if (parts[1] == "src") return parts[2]
      return parts[1] == "include" ? owner[file] : parts[1]
    }
    # The file of ours that a header in quotes is, looked for as a compiler does; "" if it is none.
    function find_file(header,   beside, roots, i) {
      beside = FILENAME; sub(/[^\/]*$/, "", beside)
      split(beside " src/ include/ tools/", roots, " ")
      for (i = 1; i <= 4; ++i) if ((roots[i] header) in is_file) return roots[i] header
      return header in is_file ? header : ""
    }
    # What is only there where a program is built for GPUs.
    function is_of_gpus(file) { return file ~ /^src\/(gpu|[a-z]+\/cuda)\/|^include\/tsmini\/cuda_/ }
    # What follows from edges of libraries: which folders each reaches.
    function close_over(edges, reached,   middle, from, to) {
      for (middle in home) for (from in home) if ((from, middle) in edges)
        for (to in home) if ((middle, to) in edges) edges[from, to] = 1
      for (from in home) for (to in home) if (from == to || (from, to) in edges) reached[from, home[to]] = 1
    }
    # Fails where a library includes, itself or through headers, a folder that it does not depend on.
    function walk(library, file, includer,   folder, parts, n, i) {
      if ((library, file) in walked) return
      walked[library, file] = 1
      folder = folder_of(file)
      if (!((library, folder) in reaches) && !(is_of_gpus(file) && (library, folder) in may_reach)) {
        fail("src/CMakeLists.txt: " library " does not depend on " folder ", but " includer " includes " file)
        reaches[library, folder] = 1
      }
      n = split(brings[file], parts, " ")
      for (i = 1; i <= n && !is_of_gpus(file); ++i)
        if (parts[i] != "hwy/" && !((home[library], parts[i]) in may))
          fail(includer ": " home[library] " must not get " parts[i] " through " file)
      n = split(includes[file], parts, " ")
      for (i = 1; i <= n; ++i) walk(library, parts[i], file)
    }

    BEGIN {
      read_list(layers, 0)
      modules = folders
      read_list(programs, 0)
      read_list(others, 1)
      n = split(system_headers, names, " ")
      for (i = 1; i <= n; ++i) may["anyone", names[i]] = 1

      for (i = 2; i < ARGC; ++i) is_file[ARGV[i]] = 1
      for (file in is_file) {
        if (file !~ /^src\//) continue
        folder = folder_of(file)
        if (!(folder in place)) fail(file ": " folder " is no folder of the list in scripts/check-layers.sh")
        if (file !~ /\.(cpp|cu)$/) continue
        header = file; sub(/.*\//, "include/tsmini/", header); sub(/\.[a-z]+$/, ".h", header)
        if ((header in is_file) && (header in owner) && owner[header] != folder)
          fail(header ": sources of " owner[header] " and of " folder " are named after it")
        owner[header] = folder
      }
      n = split(headers, names, " ")
      for (i = 1; i <= n; ++i) {
        split(names[i], halves, ":")
        header = "include/tsmini/" halves[1] ".h"
        if (!(header in is_file)) fail(header " is listed, and does not exist")
        if (header in owner) fail(header " is listed as without a source, and has one in " owner[header])
        owner[header] = halves[2]
      }
      for (file in is_file) if (file ~ /^include\// && !(file in owner)) fail(file ": no source is named after it")
      generated_count = split(generated, made, " ")
      for (i = 1; i <= generated_count; ++i) is_file["src/" made[i]] = 1
    }

    # src/CMakeLists.txt: sources of the libraries, and what these depend on: always, or where an if() holds.
    FILENAME == ARGV[1] {
      sub(/#.*/, ""); gsub(/[()]/, " & ")
      for (i = 1; i <= NF; ++i) {
        if ($i == "if") ++depth
        else if ($i == "endif") --depth
        else if ($i ~ /^(tsmini_(cuda_)?module|target_sources|target_link_libraries)$/) {
          is_certain = depth == 0 || $i ~ /module$/
          i += 2
          library = $i; sub(/^tsmini_/, "", library)
        } else if ($i == ")") {
          library = ""
        } else if (library != "" && sub(/^tsmini(::|_)/, "", $i)) {
          may_depend[library, $i] = 1
          if (is_certain) depends[library, $i] = 1
        } else if (library != "" && ("src/" $i) in is_file) {
          library_of["src/" $i] = library
          folder = folder_of("src/" $i)
          if (!(library in home)) home[library] = folder
          if (home[library] != folder) fail(FILENAME ":" FNR ": " library " is of " home[library] ", and has " $i)
        }
      }
      next
    }
    { here = FILENAME ":" FNR ": " }
    FNR == 1 { is_guarded = 0; sub(/^\xEF\xBB\xBF/, "") }
    /^#ifdef TSMINI_CUDA$/ { is_guarded = 1 }
    /^#(else|elif|endif)/ { is_guarded = 0 }
    /\/\*/ {
      gsub(/\/\*[^*]*\*\//, " ")
      rest = $0; gsub(/"[^"]*"/, "", rest); sub(/\/\/.*/, "", rest)
      if (rest ~ /\/\*/) fail(here "a comment in /* */ must end on its line: what it includes would count")
    }
    /^[ \t]*(%:|\?\?=|import[ \t]*[<"]|#[ \t]*(import|include_next)|#[a-z \t]*\\$)/ { fail(here "an include is written #include") }
    # Highway includes the file that its macro names.
    sub(/^[ \t]*#[ \t]*(include|define[ \t]+HWY_TARGET_INCLUDE)[ \t]*/, "") {
      if (!match($0, /^("[^"]+"|<[^>]+>)/)) { fail(here "an include must name its header, not " $0); next }
      shown = substr($0, 1, RLENGTH)
      header = substr($0, 2, RLENGTH - 2)
      if (("/" header "/") ~ /\/\.\.?\//) { fail(here shown " must be named from src, without . and .."); next }
      file = shown ~ /^"/ ? find_file(header) : ""
      if (FILENAME ~ /^include\// && file !~ /^include\// && shown !~ /^<[a-z_]+>$/)
        fail(here "a public header must not include " shown)
      folder = folder_of(FILENAME)
      if (file != "") {
        is_included[file] = 1
        target = folder_of(file)
        if (FILENAME ~ /^src\// && is_of_gpus(file) && !is_of_gpus(FILENAME) && !is_guarded)
          fail(here shown " is for GPUs, and not under #ifdef TSMINI_CUDA")
      } else {
        if (shown ~ /^<[a-z_]+>$/) next
        used["anyone", header] = 1
        if (("anyone", header) in may) next
        target = header; sub(/\/.*/, "/", target)
        if (!(target in is_other)) {
          fail(here shown " is no file of ours, and in no list of scripts/check-layers.sh")
          next
        }
        brings[FILENAME] = brings[FILENAME] " " target
        split(FILENAME, parts, "/")
        if ((parts[2] "/" parts[3], target) in may) folder = parts[2] "/" parts[3]
      }
      if (target != folder && !(file ~ /^include\// && place[folder] > modules)) {
        if ((FILENAME, target) in may) folder = FILENAME
        used[folder, target] = 1
        if (!((folder, target) in may)) {
          fail(here folder " must not include " shown ": it stands without " target)
          next
        }
      }
      includes[FILENAME] = includes[FILENAME] " " file
    }

    END {
      for (edge in may) {
        split(edge, ends, SUBSEP)
        if (!(edge in used)) fail(ends[1] " is allowed to include " ends[2] ", and does not")
      }
      for (i = 1; i <= generated_count; ++i)
        if (!(("src/" made[i]) in is_included)) fail(made[i] " is listed as generated, and not included")

      # Libraries depend on what their folders may include, and by that reach what they do include.
      for (edge in may_depend) {
        split(edge, ends, SUBSEP)
        from = home[ends[1]]; to = home[ends[2]]
        if (from != to && !((from, to) in may))
          fail("src/CMakeLists.txt: " ends[1] " depends on " ends[2] ", but " from " stands without " to)
      }
      close_over(depends, reaches)
      close_over(may_depend, may_reach)
      for (i = 2; i < ARGC; ++i)
        if (ARGV[i] ~ /^src\/.*\.(cpp|cu)$/) {
          library = ARGV[i] in library_of ? library_of[ARGV[i]] : folder_of(ARGV[i])
          if (library in home) walk(library, ARGV[i])
          else fail(ARGV[i] ": src/CMakeLists.txt has no library " library)
        }

      # In the order of the list whatever a folder reaches was seen before it.
      for (i = 1; i <= modules; ++i)
        for (k = 1; k < i; ++k)
          if ((order[i], order[k]) in used) {
            above[i, k] = 1
            for (m = 1; m < k; ++m) if (above[k, m]) above[i, m] = 1
          }
      if (mode == "--picture") print "flowchart LR"
      for (i = 1; i <= modules && mode != ""; ++i) {
        line = order[i]
        for (k = 1; k < i; ++k) {
          if (!((order[i], order[k]) in used)) continue
          line = line " " order[k]
          follows = 0
          for (m = k + 1; m < i; ++m) if ((order[i], order[m]) in used && above[m, k]) follows = 1
          if (mode == "--picture" && !follows) print "  " order[k] " --> " order[i]
        }
        if (mode == "--graph") print line
      }
      exit failed
    }' src/CMakeLists.txt "${files[@]}"
