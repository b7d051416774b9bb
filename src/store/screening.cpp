#include "store/screening.h"

#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"
#include "tsmini/flaws.h"

#include "base/utf8.h"
#include "store/records.h"

namespace tsmini {
namespace {

class Screening {
 public:
  Screening(Database& database, const Space& space, const Dataset& data, const AddOptions& options,
            AddSummary& summary)
      : options_(options), summary_(summary), chosen_(data.size(), true) {
    drop_impossible(space, data);
    drop_repeated(data);
    if (options.duplicates != Duplicates::replace) drop_present(database, data);
  }

  std::vector<std::size_t> indices() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (chosen_[i]) result.push_back(i);
    }
    return result;
  }

 private:
  void drop_impossible(const Space& space, const Dataset& data) {
    std::vector<std::string> flaws(data.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, data.size(), 256), [&](const auto& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) flaws[i] = flaw_in(space, data[i]);
    });
    for (std::size_t i = 0; i < flaws.size(); ++i) {
      if (flaws[i].empty()) continue;
      const std::string what = fmt::format("trip '{}' {}", printable(data[i].id), flaws[i]);
      if (!options_.skip_impossible) {
        throw Error(ErrorCode::bad_input, what,
                    "leave such trips out with `skip_impossible`, or make a collection for each "
                    "region");
      }
      if (summary_.left_out++ == 0) summary_.first_left_out = what;
      chosen_[i] = false;
    }
  }

  // Takes the first of trips of the same id, or the last where it replaces the others; throws where
  // they are refused.
  void drop_repeated(const Dataset& data) {
    std::unordered_map<std::string_view, std::size_t> seen;
    seen.reserve(data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!chosen_[i]) continue;
      const auto [place, is_new] = seen.emplace(data[i].id, i);
      if (is_new) continue;
      if (options_.duplicates == Duplicates::refuse) {
        throw_duplicate(data[i].id, "comes twice in the data");
      }
      const bool replace = options_.duplicates == Duplicates::replace;
      chosen_[replace ? std::exchange(place->second, i) : i] = false;
      ++summary_.skipped;
    }
  }

  void drop_present(Database& database, const Dataset& data) {
    const Transaction reading(database, Transaction::Kind::read);
    if (CollectionState::read(database).trips == 0) return;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!chosen_[i] || row_of(database, data[i].id) < 0) continue;
      if (options_.duplicates == Duplicates::refuse) {
        throw_duplicate(data[i].id, "is in the collection already");
      }
      chosen_[i] = false;
      ++summary_.skipped;
    }
  }

  const AddOptions& options_;
  AddSummary& summary_;
  std::vector<bool> chosen_;
};

}  // namespace

void throw_duplicate(std::string_view id, std::string_view where) {
  throw Error(ErrorCode::bad_input, fmt::format("trip '{}' {}", printable(id), where),
              "replace or skip such trips (`duplicates=replace`, `duplicates=skip`)");
}

std::vector<std::size_t> trips_to_add(Database& database, const Space& space, const Dataset& data,
                                      const AddOptions& options, AddSummary& summary) {
  return Screening(database, space, data, options, summary).indices();
}

}  // namespace tsmini
