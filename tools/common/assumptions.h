// What a verb decided that it was not told: said at once, and kept for its report.
//
//   Assumptions assumed(console);
//   if (verb.count("--measure") == 0) assumed.add("measure frechet");
//   facts["assumed"] = assumed.all();
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/console.h"

namespace tsmini::cli {

class Assumptions {
 public:
  explicit Assumptions(const Console& console) : console_(console) {}

  void add(std::string what) {
    console_.say("assumed: {}", what);
    all_.push_back(std::move(what));
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  const Console& console_;
  std::vector<std::string> all_;
};

}  // namespace tsmini::cli
