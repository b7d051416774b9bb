# Turns `tsmini export DATA.tsd -o trips.csv` into raw taxi files as they are published for San
# Francisco: a file a cab, "lat lon occupied unixtime" a row, newest first; rides with a passenger,
# and between them the way to the next.
#
#   awk -v cabs=20 -v folder=raw -f raw-taxis.awk trips.csv       (folder must be there)
#
# Trip n is a ride of cab n modulo `cabs`; it begins 300 s after the cab's last one ended. Between
# them are three rows of an empty cab on the straight line from there to here. Beside the cabs
# stand an index and a README, as in the original.
BEGIN { FS = "," }
NR == 1 { next }
$1 != trip {
  trip = $1
  cab = count++ % cabs
  begins = $2
  shift = cab in clock ? clock[cab] + 300 - begins : 1213000000 - begins
  if (cab in clock) {
    y = lat[cab]; x = lon[cab]; ended = clock[cab]
    for (i = 1; i <= 3; ++i) {
      add(cab, y + ($4 - y) * i / 4, x + ($3 - x) * i / 4, 0, ended + 75 * i)
    }
  }
}
{ add(cab, $4, $3, 1, $2 + shift) }
function add(c, y, x, occupied, time) {
  lat[c] = y
  lon[c] = x
  clock[c] = time
  row[c, ++rows[c]] = sprintf("%.5f %.5f %d %d", y, x, occupied, time)
}
END {
  for (c in rows) {
    file = sprintf("%s/new_cab%03d.txt", folder, c)
    for (i = rows[c]; i > 0; --i) print row[c, i] > file
    close(file)
    printf "<cab id=\"cab%03d\" updates=\"%d\"/>\n", c, rows[c] > (folder "/_cabs.txt")
  }
  print "Each line has latitude, longitude, occupancy and time of a point." > (folder "/README")
}
