#include "tsmini/judgement.h"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/json.h"

namespace tsmini {
namespace {

using Json = nlohmann::json;

// Throws Error(bad_input) where the candidates are not those of the curve.
RecallCurve curve_from(const Json& json) {
  if (json.at("candidates").get<std::vector<std::size_t>>() !=
      std::vector<std::size_t>(RecallCurve::counts.begin(), RecallCurve::counts.end())) {
    throw Error(ErrorCode::bad_input, "its numbers of candidates are not those of a curve");
  }
  RecallCurve::Shares shares{};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const Json& row = json.at("recall").at(std::to_string(RecallCurve::depths[i]));
    if (row.size() != shares[i].size()) {
      throw Error(ErrorCode::bad_input, fmt::format("{} recalls are too few or many", row.size()));
    }
    for (std::size_t j = 0; j < row.size(); ++j) shares[i][j] = row.at(j).get<double>();
  }
  return RecallCurve(shares);
}

DistanceMap map_from(const Json& json) {
  std::vector<DistancePair> knots;
  for (const Json& knot : json) {
    knots.push_back({knot.at(0).get<double>(), knot.at(1).get<double>()});
  }
  return DistanceMap(std::move(knots));
}

double caution(std::uint64_t samples) {
  return static_cast<double>(samples) / static_cast<double>(samples + 1);
}

}  // namespace

double Judgement::recall_at(std::size_t k, std::size_t candidates) const {
  return caution(samples) * recall.at(k, candidates);
}

std::size_t Judgement::candidates_for(std::size_t k, double recall_wanted) const {
  return recall.candidates_for(k, recall_wanted / caution(samples));
}

std::string Judgement::to_json() const {
  Json json = {{"trips", trips}, {"samples", samples}, {"candidates", RecallCurve::counts}};
  for (std::size_t i = 0; i < RecallCurve::depths.size(); ++i) {
    json["recall"][std::to_string(RecallCurve::depths[i])] = recall.shares()[i];
  }
  json["distances"] = Json::array();
  for (const DistancePair& knot : distances.knots()) {
    json["distances"].push_back({knot.embedded, knot.exact});
  }
  return json.dump();
}

Judgement Judgement::from_json(std::string_view text) {
  constexpr std::size_t depth_limit = 3;
  const Json json = strict_json(text, depth_limit);
  try {
    return {json.at("trips").get<std::uint64_t>(), json.at("samples").get<std::uint64_t>(),
            curve_from(json), map_from(json.at("distances"))};
  } catch (const Json::exception&) {
    throw Error(ErrorCode::bad_input, "a field of the measurement is missing or no number");
  }
}

}  // namespace tsmini
