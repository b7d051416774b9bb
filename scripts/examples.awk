# Prints the C++ examples in the comments of a header, as a source that wants to compile them includes
# them: `awk -f scripts/examples.awk HEADER`. An example is a paragraph of lines that begin with "//" and
# three spaces, one of which ends in ";": the rest is a table, a formula, commands. An ellipsis, which
# stands for what an example leaves out, is nothing.
# `-v names=1 HEADER…` prints which of the headers have one.
function end_paragraph(  i) {
  if (is_code && names) print header
  if (is_code && !names) print "#line " first " \"" header "\""
  for (i = 1; i <= count && is_code && !names; ++i) print lines[i]
  if (is_code) found = 1
  count = is_code = 0
}
FNR == 1 { end_paragraph(); header = FILENAME }
/^\/\/   / {
  if (count == 0) first = FNR
  gsub(/…/, "")
  lines[++count] = text = substr($0, 6)
  sub(/ +\/\/ .*/, "", text)
  if (text ~ /;$/) is_code = 1
  next
}
{ end_paragraph() }
END {
  end_paragraph()
  if (!found && !names) { print header ": has no example any more" >"/dev/stderr"; exit 1 }
}
