#include "search_request.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "base/utf8.h"
#include "common/id_list.h"
#include "common/values.h"

namespace tsmini::cli {
namespace {

// A day that is given without a time begins or ends it.
std::int64_t moment(const char* option, const std::string& text, std::int64_t otherwise) {
  constexpr std::size_t length_of_date = 10;
  constexpr std::int64_t rest_of_day = 86'399;
  if (text.empty()) return otherwise;
  if (const auto time = time_from(text)) {
    const bool is_day = text.size() == length_of_date && text[4] == '-';
    return *time + (is_day && std::string_view(option) == "--to" ? rest_of_day : 0);
  }
  throw Error(ErrorCode::usage, fmt::format("{}: '{}' is no moment", option, printable(text)),
              "give unix seconds, or a date such as 2025-01-31T08:00:00Z");
}

// The collection's own where it is of that kind; otherwise fitted to its trips.
std::optional<Space> space_for(const std::string& name, const Collection& collection,
                               const Console& console) {
  if (name.empty() || space_kind_from(name) == collection.space().kind()) return std::nullopt;
  const SpaceKind kind = space_kind_from(name);
  const auto extent = collection.info().extent;
  if (!extent) return std::nullopt;
  // Mercator has no numbers of its own.
  const std::size_t enough =
      kind == SpaceKind::mercator ? 1 : std::numeric_limits<std::size_t>::max();
  const Heartbeat heartbeat(console.progress("reading", Unit::trips));
  return fitted_space(kind, collection.around(*extent, enough, heartbeat),
                      collection.folder().string());
}

// The settings that were asked for. What is not given is left to the first model of the measure;
// without one, the gap point of erp is the origin of the space where that is centred on the trips
// that it was fitted to, else the middle of the trips.
std::optional<MeasureSettings> settings_for(const SearchArguments& a, const SearchRequest& request,
                                            const Collection& collection) {
  const Measure measure =
      request.measure ? *request.measure : *collection.completed({.model = request.model}).measure;
  if (has_settings(a.settings)) return settings_of(measure, a.settings);
  if (measure != Measure::erp) return std::nullopt;
  const CollectionInfo info = collection.info();
  const bool has_model = std::any_of(
      info.models.begin(), info.models.end(),
      [](const CollectionModel& model) { return model.model->measure == Measure::erp; });
  if ((has_model && !request.space) || !info.extent) return std::nullopt;
  return MeasureSettings{.gap =
                             usual_gap(request.space.value_or(collection.space()), *info.extent)};
}

}  // namespace

SearchRequest request_of(const SearchArguments& a) {
  SearchRequest request;
  request.k = a.wanted.k;
  request.within = a.wanted.within;
  if (!a.measure.empty()) request.measure = measure_from(a.measure);
  request.mode = a.mode;
  request.model = a.model;
  request.recall = a.recall.value_or(request.recall);
  request.candidates = a.candidates;
  if (a.recall && request.mode != SearchMode::rerank) {
    throw Error(ErrorCode::usage, "--recall is for --mode rerank",
                "exact finds all; fast takes what comes first by embedding");
  }
  if (a.candidates > 0 && request.mode == SearchMode::fast) {
    throw Error(ErrorCode::usage, "--candidates is for --mode rerank and exact",
                "fast answers with what comes first by embedding");
  }
  if (!a.bbox.empty()) request.filter.box = box_from(a.bbox);
  request.filter.where = conditions_from(a.where);
  if (!a.from.empty() || !a.to.empty()) {
    using Limits = std::numeric_limits<std::int64_t>;
    request.filter.times = {moment("--from", a.from, Limits::min()),
                            moment("--to", a.to, Limits::max())};
    if (request.filter.times->first > request.filter.times->second) {
      throw Error(ErrorCode::usage,
                  fmt::format("--from {} is after --to {}", printable(a.from), printable(a.to)),
                  "no trip begins then or later and ends then or earlier; swap the two");
    }
  }
  if (!a.only_ids.empty()) request.filter.ids = ids_from_file(a.only_ids);
  return request;
}

SearchRequest request_in(const Collection& collection, SearchRequest request,
                         const SearchArguments& a, const Console& console) {
  request.space = space_for(a.settings.space, collection, console);
  request.settings = settings_for(a, request, collection);
  return collection.completed(request);
}

}  // namespace tsmini::cli
