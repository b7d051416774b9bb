# Lists every mutation that scripts/mutate.sh may make in the files that it is given, one a line:
# FILE <tab> LINE <tab> KIND <tab> the line as it becomes. A mutation changes one token.

function emit(kind, changed) {
  if (changed != $0) print FILENAME "\t" FNR "\t" kind "\t" changed
}

# The k-th place of `pattern` in the line becomes `by`, for every k.
function each(kind, pattern, by,   rest, done, at) {
  rest = $0
  done = ""
  while ((at = index(rest, pattern)) > 0) {
    emit(kind, done substr(rest, 1, at - 1) by substr(rest, at + length(pattern)))
    done = done substr(rest, 1, at - 1 + length(pattern))
    rest = substr(rest, at + length(pattern))
  }
}

{
  code = $0
  sub(/\/\/.*/, "", code)
}
# No statement: comments, includes, declarations of templates, assertions, texts.
code ~ /^ *$/ || code ~ /^ *#/ || code ~ /template/ || code ~ /assert\(/ || code ~ /"/ || code ~ /operator/ { next }
{
  each("comparison", " < ", " <= "); each("comparison", " <= ", " < ")
  each("comparison", " > ", " >= "); each("comparison", " >= ", " > ")
  each("comparison", " == ", " != "); each("comparison", " != ", " == ")
  each("off by one", " + 1;", ";"); each("off by one", " - 1;", ";")
  each("off by one", " + 1)", ")"); each("off by one", " - 1)", ")")
  each("off by one", " + 1]", "]"); each("off by one", " - 1]", "]")
  each("sign", " + ", " - "); each("sign", " - ", " + ")
  each("logic", " && ", " || "); each("logic", " || ", " && ")
  each("extreme", "std::min(", "std::max("); each("extreme", "std::max(", "std::min(")
}
# A bound gets sharper than its arithmetic allows.
code ~ /[-+*] [a-z_.]*slack/ && code !~ /auto|float slack|double slack/ {
  changed = $0
  sub(/[a-z_.]*slack[a-z_]*/, "(0 * &)", changed)
  emit("dropped slack", changed)
}
code ~ /, (query\.slack|[a-z_]*slack_of\([a-z_.]+\))/ {
  changed = $0
  sub(/, (query\.slack|[a-z_]*slack_of\([a-z_.]+\))/, ", 0 * 1.0F", changed)
  emit("dropped slack", changed)
}
match(code, /1(\.0)? [-+] [0-9.]+e-[0-9]+[fF]?/) {
  emit("dropped slack", substr($0, 1, RSTART) substr($0, RSTART + RLENGTH))
}
code ~ /^ *if \(.*\) (return|continue|break)/ {
  changed = $0
  sub(/if \(/, "if (false \\&\\& (", changed)
  match(changed, /\) (return|continue|break)/)
  emit("early return", substr(changed, 1, RSTART) ")" substr(changed, RSTART + 1))
}
# Not where both ways are the same.
code !~ /(Min|Max|Add|Mul|min|max)\([a-z_]+, [a-z_]+\)/ && match(code, /\([a-z_]+, [a-z_]+\)/) {
  split(substr(code, RSTART + 1, RLENGTH - 2), words, ", ")
  emit("swapped argument", substr($0, 1, RSTART) words[2] ", " words[1] substr($0, RSTART + RLENGTH - 1))
}
