#include "experiment/report.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/amounts.h"
#include "base/file.h"

namespace tsmini::experiment {
namespace {

using Json = nlohmann::ordered_json;

std::string three_decimals(double value) {
  if (!std::isfinite(value)) return "–";
  std::string text = fmt::format("{:.3f}", value);
  return text.starts_with("0.") ? text.substr(1) : text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

void add_row(std::string& out, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) out += fmt::format("| {} ", escaped(cell));
  out += "|\n";
}

void add_table(std::string& out, const Table& table) {
  if (!table.title.empty()) out += fmt::format("\n**{}**\n", table.title);
  out += '\n';
  add_row(out, table.columns);
  out += "|---";
  for (std::size_t i = 1; i < table.columns.size(); ++i) out += "|--:";
  out += "|\n";
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string> texts;
    texts.reserve(row.size());
    for (const Cell& cell : row) texts.push_back(cell.text);
    add_row(out, texts);
  }
  if (!table.note.empty()) out += fmt::format("\n{}\n", table.note);
}

Json json_of(const Cell& cell) {
  if (!cell.value) return cell.text;
  return std::isfinite(*cell.value) ? Json(*cell.value) : Json();
}

Json json_of(const Table& table) {
  Json rows = Json::array();
  for (const std::vector<Cell>& row : table.rows) {
    Json line;
    for (std::size_t i = 0; i < row.size(); ++i) line[table.columns[i]] = json_of(row[i]);
    rows.push_back(line);
  }
  return {{"title", table.title}, {"rows", rows}, {"note", table.note}};
}

Json json_of(const Report& report) {
  Json all = {
      {"experiment", report.name}, {"title", report.title}, {"made_with", report.made_with}};
  all["tables"] = Json::array();
  for (const Table& table : report.tables) all["tables"].push_back(json_of(table));
  all["findings"] = report.findings;
  all["failures"] = report.failures;
  return all;
}

void write(const std::filesystem::path& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

std::string file_name(const Report& report, const Figure& figure) {
  return report.name + figure.suffix + ".svg";
}

}  // namespace

Cell ratio(double value) {
  return {three_decimals(value), value};
}

Cell ratio(double value, double spread) {
  return {fmt::format("{} ± {}", three_decimals(value), three_decimals(spread)), value};
}

Cell ratio(const std::optional<double>& value) {
  return value ? ratio(*value) : Cell("–");
}

Cell count_of(double value) {
  if (!std::isfinite(value)) return {"–", value};
  return {with_thousands(static_cast<std::uint64_t>(std::llround(value))), value};
}

Cell seconds_of(double value) {
  if (!std::isfinite(value)) return {"–", value};
  return {human_seconds(value), value};
}

Cell rounded(double value, const char* unit) {
  if (!std::isfinite(value)) return {"–", value};
  return {human_number(value) + unit, value};
}

std::string Report::markdown() const {
  std::string out = fmt::format("## {}\n\n", title);
  for (std::size_t i = 0; i < made_with.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : "; ", made_with[i]);
  out += ".\n";
  for (const Table& table : tables) add_table(out, table);
  if (!findings.empty()) out += '\n';
  for (const std::string& finding : findings) out += fmt::format("- {}\n", finding);
  if (!failures.empty()) out += "\nMissing:\n\n";
  for (const std::string& failure : failures) out += fmt::format("- {}\n", failure);
  for (const Figure& figure : figures)
    out += fmt::format("\n![{}]({})\n", title, file_name(*this, figure));
  return out;
}

std::string Report::json() const {
  return json_of(*this).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void Report::save(const std::filesystem::path& folder) const {
  for (const Figure& figure : figures) write(folder / file_name(*this, figure), figure.svg);
  write(folder / (name + ".json"), json());
  write(folder / (name + ".md"), markdown());
}

std::string json_list(std::span<const Report> reports, int indent) {
  Json list = Json::array();
  for (const Report& report : reports) list.push_back(json_of(report));
  return list.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

void save_together(std::span<const Report> reports, const std::filesystem::path& folder) {
  std::string page;
  for (const Report& report : reports) page += (page.empty() ? "" : "\n") + report.markdown();
  write(folder / "all.json", json_list(reports, 1));
  write(folder / "all.md", page);
}

}  // namespace tsmini::experiment
