#include "tsmini/judgement.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/error_expectation.h"

namespace tsmini {
namespace {

using nlohmann::json;

Judgement some_judgement() {
  RecallCurve::Shares shares{};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    for (std::size_t j = 0; j < shares[i].size(); ++j) {
      shares[i][j] = static_cast<double>(j) / static_cast<double>(20 + i);
    }
  }
  return {123'456, 200, RecallCurve(shares), DistanceMap(std::vector<DistancePair>{{1.0 / 3, 7}})};
}

TEST(Judgement, ComesBackFromJson) {
  for (const Judgement& judgement : {some_judgement(), Judgement()}) {
    EXPECT_EQ(Judgement::from_json(judgement.to_json()), judgement);
  }
}

TEST(Judgement, RefusesWhatWasAltered) {
  const json whole = json::parse(some_judgement().to_json());
  const auto refuse = [](const json& altered) {
    expect_error(ErrorCode::bad_input, "", "", [&] { Judgement::from_json(altered.dump()); });
  };
  for (const char* key : {"trips", "samples", "candidates", "recall", "distances"}) {
    json altered = whole;
    altered.erase(key);
    refuse(altered);
    altered[key] = "x";
    refuse(altered);
  }
  json altered = whole;
  altered["recall"]["10"].push_back(1);
  refuse(altered);
  altered = whole;
  altered["recall"]["10"][3] = 0.999;
  refuse(altered);
  altered = whole;
  altered["recall"]["50"][3] = nullptr;
  refuse(altered);
  altered = whole;
  altered["candidates"][0] = 3;
  refuse(altered);
  altered = whole;
  altered["distances"].push_back({0.1, 8});
  refuse(altered);
  const std::string text = some_judgement().to_json();
  for (std::size_t size = 0; size < text.size(); ++size) {
    expect_error(ErrorCode::bad_input, "", "",
                 [&] { Judgement::from_json(std::string_view(text).substr(0, size)); });
  }
}

}  // namespace
}  // namespace tsmini
