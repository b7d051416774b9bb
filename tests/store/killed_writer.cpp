// A program that writes to a collection until it is killed: killed_writer COLLECTION LOG
//
// A line "begin N" goes to the log before each piece of work and "done N" once it has returned.
// What piece N is follows from N alone, see crash_plan.h.
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "tsmini/collection.h"

#include "store/crash_plan.h"

namespace {

void write_line(int log, const std::string& line) {
  if (::write(log, line.data(), line.size()) != static_cast<ssize_t>(line.size())) ::_exit(9);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tsmini;
  if (argc != 3) return 2;
  Collection collection = Collection::open(argv[1]);
  const int log = ::open(argv[2], O_WRONLY | O_APPEND | O_CLOEXEC);
  if (log < 0) return 3;
  // A piece that was begun and not done is passed over: nobody knows whether it happened.
  for (std::size_t n = pieces_begun(argv[2]);; ++n) {
    write_line(log, "begin " + std::to_string(n) + "\n");
    do_piece(collection, n);
    write_line(log, "done " + std::to_string(n) + "\n");
  }
}
