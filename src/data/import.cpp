#include "tsmini/import.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "tsmini/dataset.h"
#include "tsmini/error.h"
#include "tsmini/input_list.h"
#include "tsmini/split.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "base/time_format.h"
#include "base/utf8.h"
#include "data/import_pass.h"
#include "data/provenance.h"

namespace tsmini {
namespace {

struct DropWords {
  Drop drop;
  std::string_view key;   // for programs, and in files
  std::string_view name;  // for people
};
constexpr std::array<DropWords, drop_count> all_drop_words = {{
    {Drop::empty, "empty", "without points"},
    {Drop::missing_data, "missing_data", "marked MISSING_DATA"},
    {Drop::not_a_line, "not_a_line", "not a line (points, polygons, …)"},
    {Drop::too_short, "too_short", "shorter than `min_points`"},
    {Drop::too_long, "too_long", "longer than `max_points`"},
    {Drop::outside_box, "outside_box", "leaving the `bbox`"},
    {Drop::not_sampled, "not_sampled", "not drawn by `sample`"},
    {Drop::not_wanted, "not_wanted", "not wanted by the conditions"},
    {Drop::below_min_length, "below_min_length", "shorter than the least length"},
    {Drop::below_min_duration, "below_min_duration", "briefer than the least duration"},
    {Drop::untimed, "untimed", "without times where a duration is asked for"},
}};

const DropWords& drop_words(Drop drop) {
  const DropWords& words = all_drop_words[static_cast<std::size_t>(drop)];
  assert(words.drop == drop);
  return words;
}

void check(const ImportOptions& options) {
  const auto require = [](bool good, const char* what, const char* field = "") {
    if (!good) throw Error(ErrorCode::usage, what, {}, field);
  };
  const CleanOptions& clean = options.clean;
  require(clean.min_points <= clean.max_points, "`min_points` is larger than `max_points`");
  require(!clean.max_speed || *clean.max_speed > 0, "`max_speed` must be above 0");
  require(!clean.thin || *clean.thin > 0, "`thin` must be above 0");
  require(!clean.min_length || *clean.min_length >= 0, "the least length must not be below 0",
          "min_length");
  require(!clean.min_duration || *clean.min_duration >= 0, "the least duration must not be below 0",
          "min_duration");
  require(!clean.bbox || (clean.bbox->min_lon <= clean.bbox->max_lon &&
                          clean.bbox->min_lat <= clean.bbox->max_lat),
          "`bbox` takes the least longitude and latitude before the greatest");
  require(!options.cut.gap || *options.cut.gap > 0, "`cut_gap` must be above 0");
  require(!options.cut.length || *options.cut.length > 0, "`cut_length` must be above 0");
  require(!options.cut.stay || (options.cut.stay->metres > 0 && options.cut.stay->seconds > 0),
          "`cut_stay` takes metres and seconds, both above 0");
  require(!options.sample || *options.sample > 0, "`sample` must be above 0");
  require(options.read.columns.empty() || options.read.format == Format::automatic ||
              options.read.format == Format::csv,
          "`columns` is for `format=csv`");
  require(options.read.time_format.empty() || options.read.format == Format::automatic ||
              options.read.format == Format::csv,
          "a time format is for CSV", "time_format");
  if (!options.read.time_format.empty()) TimeFormat{options.read.time_format};
  const auto is_amount = [](double x) { return x >= 0 && x < 1e15; };
  require(!options.split || (is_amount(options.split->train) && is_amount(options.split->test) &&
                             is_amount(options.split->validation)),
          "`split` must be three numbers that are not below 0");
  if (options.split) check_shares(*options.split);
}

// Reads everything into `path`, a second time where the rows of a trajectory turn out scattered.
std::pair<PassResult, std::unique_ptr<DatasetWriter>> read_all(const InputList& inputs,
                                                               const std::filesystem::path& path,
                                                               const ImportOptions& options,
                                                               const Progress& progress) {
  const Coordinates coordinates = options.read.planar ? Coordinates::planar : Coordinates::degrees;
  auto writer = std::make_unique<DatasetWriter>(path, coordinates);
  try {
    PassResult result = run_import_pass(inputs, options, Rows::consecutive, *writer, progress);
    return {std::move(result), std::move(writer)};
  } catch (const ScatteredRows& rows) {
    const bool twice = std::all_of(inputs.files.begin(), inputs.files.end(), [](const auto& file) {
      return std::filesystem::is_regular_file(file.path);
    });
    if (!twice) {
      throw Error(
          ErrorCode::bad_input,
          fmt::format("line {}: the rows of '{}' are not together", rows.line, printable(rows.id)),
          "a pipe cannot be read twice: sort the rows by id, or give a file");
    }
  }
  writer = std::make_unique<DatasetWriter>(path, coordinates);
  PassResult result = run_import_pass(inputs, options, Rows::scattered, *writer, progress);
  return {std::move(result), std::move(writer)};
}

// What to do where all that was read leaves the box, but would lie in it the other way round.
std::string swapped_hint(std::uint64_t swapped, const ImportOptions& options) {
  if (options.read.swap_lonlat) {
    return fmt::format("{} would lie in the box as the file has them: leave out `swap_lonlat`",
                       with_thousands(swapped));
  }
  std::string hint =
      fmt::format("{} would lie in the box with longitude and latitude swapped: try `swap_lonlat`",
                  with_thousands(swapped));
  const Box& box = *options.clean.bbox;
  const Box exchanged{box.min_lat, box.min_lon, box.max_lat, box.max_lon};
  if (options.read.planar ||
      Box{-180, -90, 180, 90}.contains({exchanged.max_lon, exchanged.max_lat})) {
    hint += fmt::format(", or, if it is the box that has latitude first, `bbox={},{},{},{}`",
                        exchanged.min_lon, exchanged.min_lat, exchanged.max_lon, exchanged.max_lat);
  }
  return hint;
}

void refuse_empty(const ImportSummary& summary, const ImportOptions& options) {
  if (summary.trajectories > 0) return;
  std::string reasons;
  for (std::size_t i = 0; i < drop_count; ++i) {
    if (summary.dropped[i] == 0) continue;
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ",
                           with_thousands(summary.dropped[i]), name_of(static_cast<Drop>(i)));
  }
  if (summary.bad_records > 0) {
    reasons +=
        fmt::format("{}{} (first: {})", reasons.empty() ? "" : ", ",
                    counted(summary.bad_records, "bad record"), summary.bad_examples.front());
  }
  std::string hint =
      reasons.empty() ? "the input holds none" : "loosen the cleaning or mend the input";
  if (summary.swapped_in_box > 0) hint = swapped_hint(summary.swapped_in_box, options);
  throw Error(ErrorCode::bad_input,
              fmt::format("no trajectory is left{}", reasons.empty() ? "" : ": " + reasons), hint);
}

// Marks are drawn from other random numbers than a sample: of what was marked first, and sampled by
// the same seed afterwards, all would have been in one part.
std::uint64_t seed_of_split(std::uint64_t seed) {
  return Random(seed, 2).bits();
}

// Draws the sample from what was read. The whole of it lives in a hidden file meanwhile.
class Sampler {
 public:
  explicit Sampler(const std::filesystem::path& output)
      : whole_(output.parent_path() /
               fmt::format(".{}.{}.whole.tmp", output.filename().string(), ::getpid())) {}
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  ~Sampler() {
    std::error_code ignored;
    std::filesystem::remove(whole_, ignored);
  }

  const std::filesystem::path& whole() const { return whole_; }

  std::unique_ptr<DatasetWriter> draw(const std::filesystem::path& output,
                                      const ImportOptions& options, PassResult& result) const {
    ImportSummary& summary = result.summary;
    result.parts.clear();
    const Dataset all = Dataset::open(whole_);
    auto writer = std::make_unique<DatasetWriter>(output, all.info().coordinates);
    summary.points = 0;
    for (const std::size_t i : draw_sample(all.size(), *options.sample, options.seed)) {
      writer->add(all[i], attributes_of(all, i));
      if (all.info().has_split) result.parts.push_back(all.part(i));
      summary.points += all[i].size();
    }
    summary.dropped[static_cast<std::size_t>(Drop::not_sampled)] = all.size() - writer->size();
    summary.trajectories = writer->size();
    return writer;
  }

 private:
  std::filesystem::path whole_;
};

}  // namespace

std::string_view name_of(Format format) {
  return name_in(format_names, format);
}

Format format_from(std::string_view name) {
  if (const auto format = value_in<Format>(format_names, lower_case(name))) return *format;
  throw Error(ErrorCode::usage, fmt::format("'{}' is not a format", printable(name)),
              fmt::format("the formats are {}", fmt::join(format_names, ", ")), "format");
}

std::string_view name_of(Drop drop) {
  return drop_words(drop).name;
}

std::string_view key_of(Drop drop) {
  return drop_words(drop).key;
}

ImportSummary import_files(const std::vector<std::filesystem::path>& inputs,
                           const std::filesystem::path& output, const ImportOptions& options,
                           const Progress& progress) {
  return import_listed(list_inputs(inputs, options.read.pattern), output, options, progress);
}

ImportSummary import_listed(const InputList& inputs, const std::filesystem::path& output,
                            const ImportOptions& options, const Progress& progress) {
  const Stopwatch watch;
  check(options);
  std::optional<Sampler> sampler;
  if (options.sample) sampler.emplace(output);

  auto [result, writer] = read_all(inputs, sampler ? sampler->whole() : output, options, progress);
  ImportSummary& summary = result.summary;
  refuse_empty(summary, options);
  if (sampler) {
    writer->finish(result.parts);
    writer = sampler->draw(output, options, result);
  }
  if (options.split) {
    result.parts = draw_split(summary.trajectories, *options.split, seed_of_split(options.seed));
  }
  writer->finish(result.parts, provenance_of(inputs.named, options, result));
  summary.seconds = watch.seconds();
  return std::move(summary);
}

}  // namespace tsmini
