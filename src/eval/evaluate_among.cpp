#include "tsmini/evaluate_among.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "tsmini/calibration.h"
#include "tsmini/error.h"

#include "base/amounts.h"
#include "base/stopwatch.h"
#include "search/judge.h"
#include "search/memory_source.h"

namespace tsmini {
namespace {

std::unordered_map<std::string_view, std::int64_t> rows_by_id(const Dataset& base) {
  std::unordered_map<std::string_view, std::int64_t> rows;
  for (std::size_t i = 0; i < base.size(); ++i) {
    rows.emplace(base[i].id, static_cast<std::int64_t>(i));
  }
  return rows;
}

double error_of(const std::vector<DistancePair>& pairs,
                const std::function<double(double)>& shown) {
  std::vector<float> predicted, truth;
  for (const DistancePair& pair : pairs) {
    predicted.push_back(static_cast<float>(shown(pair.embedded)));
    truth.push_back(static_cast<float>(pair.exact));
  }
  return median_relative_error(predicted, truth, {});
}

}  // namespace

AmongEvaluation evaluate_among(const Model& model, const Dataset& data,
                               std::span<const std::size_t> indices, const Dataset& base,
                               const Progress& progress) {
  if (base.size() == 0) {
    throw Error(ErrorCode::bad_input, "there are no trips to search among",
                "give a data set or a collection that has some");
  }
  Stopwatch watch;
  AmongEvaluation result;
  result.base = base.size();
  const auto trips = memory_source(base, model.space);
  trips->add_model(model, progress);
  result.embed_seconds = watch.restart();
  const EmbeddedTrips& served = *trips->models().front();
  result.unfit = served.unfit().size();
  if (result.unfit == result.base) {
    throw Error(ErrorCode::bad_input,
                fmt::format("the model can take none of the {} to search among",
                            counted(result.base, "trip")),
                "search among trips of the model's own region");
  }
  const auto rows = rows_by_id(base);
  const Heartbeat heartbeat(progress, indices.size());
  Judge judge(*trips, served, heartbeat);
  for (const std::size_t i : indices) {
    const auto self = rows.find(data[i].id);
    judge.add(data[i].points,
              self == rows.end() ? std::nullopt : std::optional<std::int64_t>(self->second));
    heartbeat.advance(1);
  }
  result.query_seconds = watch.seconds();
  result.queries = judge.queries();
  result.recall = judge.recall();
  result.relative_error = error_of(judge.ten_nearest(), model.calibration);
  if (const Judgement* judgement = served.judgement()) {
    result.judgement = *judgement;
    if (!judgement->distances.empty()) {
      result.judged_relative_error = error_of(judge.ten_nearest(), judgement->distances);
    }
  }
  return result;
}

}  // namespace tsmini
