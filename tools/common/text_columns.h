// Rows of a table for people: columns as wide as what is in them, to the right but for the last.
//
//   TextColumns table({"trips", "share", "typical trip"});
//   table.add({"1,204", "12 %", "trip-7"});
//   fmt::print("{}", table.text());
#pragma once

#include <string>
#include <vector>

namespace tsmini::cli {

class TextColumns {
 public:
  explicit TextColumns(std::vector<std::string> heading) : rows_{std::move(heading)} {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tsmini::cli
