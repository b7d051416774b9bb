// What an experiment leaves behind: tables, a figure and what they say, as Markdown, JSON and SVG.
//
//   Report report{.name = "ablation", .title = "What the parts are worth"};
//   report.tables.push_back({"HR@10", {"variant", "dtw"}, {{{"full"}, ratio(.876)}}, ""});
//   report.save("results");          // results/ablation.md, .json, .svg
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tsmini::experiment {

struct Cell {
  Cell(std::string shown = {}) : text(std::move(shown)) {}
  Cell(const char* shown) : text(shown) {}
  Cell(std::string shown, double number) : text(std::move(shown)), value(number) {}

  std::string text;
  std::optional<double> value;  // for programs
};

Cell ratio(double value);                           // ".894"
Cell ratio(double value, double spread);            // ".894 ± .002"
Cell ratio(const std::optional<double>& value);     // "–" where there is none
Cell count_of(double value);                        // "12,707"
Cell seconds_of(double value);                      // "0.35 s", "2 min 05 s"
Cell rounded(double value, const char* unit = "");  // three digits

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::string note;
};

struct Figure {
  std::string suffix;  // of the file's name; usually none
  std::string svg;
};

struct Report {
  std::string name;
  std::string title;
  std::vector<std::string> made_with = {};  // device, budget, seeds, …
  std::vector<Table> tables = {};
  std::vector<std::string> findings = {};  // sentences
  std::vector<Figure> figures = {};
  std::vector<std::string> failures = {};  // why figures are missing; sentences

  std::string markdown() const;
  std::string json() const;
  // Writes NAME.md, NAME.json and the figures; each appears whole.
  void save(const std::filesystem::path& folder) const;
};

// A list of what Report::json() has of each, indented by so many spaces.
std::string json_list(std::span<const Report> reports, int indent);

// All of them on one page, all.md, whose figures are those that save() wrote; and all.json, a list.
void save_together(std::span<const Report> reports, const std::filesystem::path& folder);

}  // namespace tsmini::experiment
