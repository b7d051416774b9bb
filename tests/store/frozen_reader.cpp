// A program that searches a collection in a folder that it may not write to: frozen_reader
// COLLECTION SEARCHES
//
// Ends with 0 where every search saw a state that a writer of batches of ten trips had left behind:
// 4 for an answer that is none, 5 for an error, which goes to standard error.
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "store/small_collection.h"

namespace {

using namespace tsmini;

bool is_a_state(const SearchResult& result) {
  std::set<std::string> ids;
  for (const Answer& answer : result.answers) ids.insert(answer.trip.id);
  return ids.size() == result.answers.size() && !ids.empty() && ids.size() % 10 == 0;
}

int run(const std::string& folder, int searches) {
  const Dataset query = small_trips(1);
  const Collection kept = Collection::open(folder);
  for (int i = 0; i < searches; ++i) {
    const Collection fresh = Collection::open(folder);
    SearchRequest request;
    request.k = 1'000'000;
    request.mode = i % 3 == 0 ? SearchMode::fast : SearchMode::exact;
    const Collection& collection = i % 2 == 0 ? fresh : kept;
    if (!is_a_state(collection.search(query[0].points, request))) return 4;
    if (collection.size() % 10 != 0) return 4;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    return run(argv[1], std::atoi(argv[2]));
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return 5;
  }
}
