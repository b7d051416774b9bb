// A program that does one thing to a collection, to be run with faults: fault_writer VERB FOLDER
//
// It ends as the programs do: with status 0, or with an error on standard error and another status.
// What it does is told in scenes.h.
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "base/file.h"
#include "fault/scenes.h"
#include "store/folder.h"

namespace tsmini {
namespace {

void say(const std::string& words) {
  const std::string line = words + "\n";
  if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) ::_exit(9);
}

int complain(const std::string& what) {
  fmt::print(stderr, "error: {}\n", what);
  return 1;
}

void write_bytes(const std::string& path, const std::string& bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

void replace_file(const std::string& folder) {
  const std::string path = folder + "/file";
  write_bytes(path, old_bytes);
  make_durable(path);
  say("old");
  write_bytes(path, new_bytes);
  say("new");
}

int run(const std::string& verb, const std::string& folder) {
  if (verb == "create") {
    Collection::create(folder, small_model());
  } else if (verb == "upgrade") {
    Collection::open(folder).remove(std::vector<std::string>{"trip-0000001"});
  } else if (verb == "replace") {
    replace_file(folder);
  } else if (verb == "story") {
    tell_story(folder, say);
  } else {
    Collection collection = Collection::open(folder);
    scene(verb).play(collection);
  }
  return 0;
}

}  // namespace
}  // namespace tsmini

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  // Threads would make the n-th call another one every time.
  // Never destroyed: where an allocation of oneTBB failed, its end waits for ever.
  new tbb::global_control(tbb::global_control::max_allowed_parallelism, 1);
  try {
    return tsmini::run(argv[1], argv[2]);
  } catch (const std::bad_alloc&) {
    return tsmini::complain("out of memory");
  } catch (const std::exception& error) {
    return tsmini::complain(error.what());
  }
}
