// One of several processes at the same collection: chaos_worker ROLE NAME FOLDER LOG
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "fault/chaos_plan.h"

namespace tsmini {
namespace {

// Does it and puts down the words, or why not.
template <class Work>
void put_down(std::ofstream& log, const std::string& words, const Work& work) {
  try {
    work();
    log << words << std::endl;
  } catch (const Error& error) {
    const bool is_turn =
        std::string(error.what()).find("another process is writing") != std::string::npos;
    log << (is_turn && words != "searched" ? "refused " : "failed ") << words << ": "
        << error.what() << std::endl;
  }
}

void write(const std::string& name, const std::string& folder, std::ofstream& log) {
  Collection kept = Collection::open(folder);
  for (std::size_t round = 0; round < chaos_rounds; ++round) {
    const Dataset trips = chaos_trips(name, round);
    const std::string first(trips[0].id);
    put_down(log, fmt::format("added {} {} {}", first, trips[1].id, trips[2].id), [&] {
      if (round % 2 == 0) {
        kept.add(trips);
      } else {
        Collection::open(folder).add(trips);
      }
    });
    if (round % 3 != 2) continue;
    put_down(log, "removed " + first, [&] { kept.remove(std::vector{first}, true); });
  }
}

void tidy(const std::string& folder, std::ofstream& log) {
  Collection kept = Collection::open(folder);
  for (std::size_t round = 0; round < chaos_rounds; ++round) {
    if (round % 4 == 3) {
      put_down(log, "compacted", [&] { kept.compact(); });
    } else {
      put_down(log, "indexed", [&] { Collection::open(folder).make_index(); });
    }
  }
}

void model(const std::string& folder, std::ofstream& log) {
  Collection kept = Collection::open(folder);
  for (std::size_t round = 0; round < chaos_rounds / 2; ++round) {
    put_down(log, "modelled", [&] { kept.add_model(small_model(Measure::dtw)); });
    if (kept.models().size() == 1) continue;  // it was not its turn
    put_down(log, "unmodelled", [&] { kept.remove_model("dtw"); });
  }
}

void search(const std::string& folder, std::ofstream& log) {
  const Collection kept = Collection::open(folder);
  const Dataset base = chaos_base();
  for (std::size_t round = 0; round < 5 * chaos_rounds; ++round) {
    SearchRequest request;
    request.mode = static_cast<SearchMode>(round % 3);
    request.k = 4;
    const Trajectory trip = base[round % base.size()];
    put_down(log, "searched", [&] {
      const SearchResult result = round % 5 == 0
                                      ? Collection::open(folder).search(trip.points, request)
                                      : kept.search(trip.points, request);
      if (result.answers.size() != request.k || result.answers[0].trip.id != trip.id) {
        throw Error(ErrorCode::failure,
                    fmt::format("{} is not found by {}", trip.id, name_of(*request.mode)));
      }
    });
  }
  for (const std::string& note : kept.notes()) log << "failed note: " << note << std::endl;
}

}  // namespace
}  // namespace tsmini

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const std::string role = argv[1], name = argv[2], folder = argv[3];
  std::ofstream log(argv[4]);
  try {
    if (role == "write") tsmini::write(name, folder, log);
    if (role == "tidy") tsmini::tidy(folder, log);
    if (role == "model") tsmini::model(folder, log);
    if (role == "search") tsmini::search(folder, log);
    log << "end" << std::endl;
  } catch (const std::exception& error) {
    log << "failed " << error.what() << std::endl;
    return 1;
  }
  return 0;
}
