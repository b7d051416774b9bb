// A program that makes collections: rival_maker NAME LOG
//
// Makes one in each folder that standard input names, line by line, and adds a trip named NAME. A
// line "won FOLDER" goes to the log once the trip was acknowledged, or "told FOLDER: WHY".
#include <iostream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "store/small_collection.h"

int main(int argc, char** argv) {
  using namespace tsmini;
  if (argc != 3) return 2;
  const int log = ::open(argv[2], O_WRONLY | O_APPEND | O_CLOEXEC);
  if (log < 0) return 3;
  const Model model = small_model();
  const Dataset trip = small_trips(1, argv[1]);
  for (std::string folder; std::getline(std::cin, folder);) {
    std::string line = "won " + folder + "\n";
    try {
      Collection::create(folder, model).add(trip);
    } catch (const Error& error) {
      line = "told " + folder + ": " + error.what() + "\n";
    }
    if (::write(log, line.data(), line.size()) != static_cast<ssize_t>(line.size())) return 4;
  }
  return 0;
}
