#include "map_subject.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/import.h"
#include "tsmini/map_lines.h"

#include "base/amounts.h"
#include "base/find_name.h"
#include "base/system_reason.h"
#include "base/utf8.h"
#include "common/shell_word.h"
#include "open_trips.h"

namespace tsmini::cli {
namespace {

using Indices = std::span<const std::size_t>;

bool is_true(const AttributeValue& value) {
  const bool* held = std::get_if<bool>(&value);
  return held != nullptr && *held;
}

double number_of(const AttributeValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  const double* number = std::get_if<double>(&value);
  return number != nullptr ? *number : 0;
}

std::string number_text(const AttributeValue& value) {
  return has_value(value) ? human_number(number_of(value), 4) : "";
}

// The first query and what was found for it.
MapSubject answers_in(const Dataset& data, Indices indices, std::size_t top) {
  const AttributeColumn& role = *data.attribute("role");
  const auto query = std::find_if(indices.begin(), indices.end(),
                                  [&](std::size_t i) { return text_of(role[i]) == "query"; });
  if (query == indices.end()) return {};
  const Trajectory trip = data[*query];
  const AttributeColumn* of = data.attribute("query");
  const AttributeColumn* distance = data.attribute("distance");
  std::vector<AnswerLine> answers;
  for (const std::size_t i : indices) {
    const bool is_answer = text_of(role[i]) == "answer" && (!of || text_of((*of)[i]) == trip.id);
    if (is_answer && answers.size() < top) {
      answers.push_back({data[i], distance ? number_text((*distance)[i]) : ""});
    }
  }
  return {fmt::format("{} and its {}", printable(trip.id), counted(answers.size(), "answer")),
          answer_lines(trip, answers)};
}

struct Group {
  std::string name;
  std::vector<std::size_t> trips;
  std::optional<std::size_t> typical = {};  // the first that is marked as medoid, or as kept
};

// The largest first, of equals by name.
std::vector<Group> groups_of(const AttributeColumn& column, const Dataset& data, Indices indices) {
  const AttributeColumn* mark = data.attribute("is_medoid");
  if (mark == nullptr) mark = data.attribute("kept");
  std::map<std::string, Group> by_name;
  for (const std::size_t i : indices) {
    if (!has_value(column[i])) continue;
    Group& group = by_name[text_of(column[i])];
    group.trips.push_back(i);
    if (mark != nullptr && !group.typical && is_true((*mark)[i])) group.typical = i;
  }
  std::vector<Group> groups;
  for (auto& [name, group] : by_name) {
    groups.push_back(std::move(group));
    groups.back().name = name;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.trips.size() > b.trips.size(); });
  return groups;
}

// Groups as lines: every trip in the colour of its group, and on top the typical one, where one is
// marked.
MapSubject groups_by(const AttributeColumn& column, const Dataset& data, Indices indices,
                     std::size_t top) {
  const std::vector<Group> groups = groups_of(column, data, indices);
  MapSubject subject;
  subject.line_of_trip.resize(data.size(), Map::no_line);
  std::vector<RouteLine> routes;
  for (const Group& group : groups) {
    if (routes.size() == top) break;
    for (const std::size_t i : group.trips) {
      subject.line_of_trip[i] = static_cast<std::uint32_t>(routes.size());
    }
    routes.push_back({group.typical ? data[*group.typical] : Trajectory(), group.trips.size(),
                      fmt::format("{} {}", column.name(), group.name)});
  }
  subject.what = fmt::format(
      "{}{} by {}",
      routes.size() < groups.size() ? fmt::format("the largest {} of ", routes.size()) : "",
      counted(groups.size(), "group"), printable(column.name()));
  subject.lines = route_lines(routes);
  return subject;
}

MapSubject odd_in(const Dataset& data, Indices indices, std::size_t top) {
  const AttributeColumn& rank = *data.attribute("rank");
  std::vector<std::size_t> ranked;
  for (const std::size_t i : indices) {
    if (has_value(rank[i])) ranked.push_back(i);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [&](std::size_t a, std::size_t b) {
    return number_of(rank[a]) < number_of(rank[b]);
  });
  ranked.resize(std::min(top, ranked.size()));
  std::map<std::string, Trajectory, std::less<>> by_id;
  for (const std::size_t i : indices) by_id.try_emplace(std::string(data[i].id), data[i]);
  const AttributeColumn* nearest = data.attribute("nearest");
  const AttributeColumn* distance = data.attribute("nearest_distance");
  std::vector<OddLine> odd;
  for (const std::size_t i : ranked) {
    const auto other = nearest ? by_id.find(text_of((*nearest)[i])) : by_id.end();
    odd.push_back({data[i], other == by_id.end() ? Trajectory() : other->second,
                   distance ? number_text((*distance)[i]) : ""});
  }
  return {fmt::format("the {}", counted(odd.size(), "oddest trip")), odd_lines(odd)};
}

bool is_geojson(std::filesystem::path path) {
  if (path.extension() == ".gz") path = path.stem();
  return path.extension() == ".geojson";
}

// A folder of our own, until the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : name_((std::filesystem::temp_directory_path() / "tsmini-map-XXXXXX").string()) {
    if (::mkdtemp(name_.data()) != nullptr) return;
    throw Error(ErrorCode::failure, fmt::format("{}: cannot be made: {}", name_, reason_of(errno)),
                "the environment variable TMPDIR names another place");
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(name_, ignored);
  }

  std::filesystem::path path() const { return name_; }

 private:
  std::string name_;
};

}  // namespace

MapSubject subject_of(const Trips& trips, Indices indices, const std::string& by, std::size_t top) {
  const Dataset& data = trips.data;
  if (!by.empty()) {
    const auto columns = data.attributes();
    const auto found = find_name(columns, by, &AttributeColumn::name);
    if (found) return groups_by(columns[*found], data, indices, top);
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: there is no attribute '{}'", trips.file, printable(by)),
                fmt::format("tsmini info {} lists what there is", shell_word(trips.file)));
  }
  if (data.attribute("role") != nullptr) return answers_in(data, indices, top);
  for (const char* known : {"cluster", "group"}) {
    if (const AttributeColumn* column = data.attribute(known)) {
      return groups_by(*column, data, indices, top);
    }
  }
  const bool is_odd = data.attribute("lof") != nullptr && data.attribute("rank") != nullptr;
  return is_odd ? odd_in(data, indices, top) : MapSubject();
}

Trips open_answers(const std::string& path, const Console& console) {
  if (!is_geojson(path)) return open_trips(path, console);
  const TemporaryFolder folder;
  ImportOptions options;
  options.read.format = Format::geojson;
  options.clean.keep_duplicates = true;
  options.clean.min_points = 1;
  import_files({path}, folder.path() / "answers.tsd", options,
               console.progress("reading", Unit::bytes));
  return {path, Dataset::open(folder.path() / "answers.tsd")};  // what is open stays
}

}  // namespace tsmini::cli
