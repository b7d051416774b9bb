// What an error of settings is about, by its name in the library: for programs, pages and languages
// that show errors beside what was entered.
#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "tsmini/error.h"
#include "tsmini/export.h"
#include "tsmini/import.h"
#include "tsmini/measure.h"
#include "tsmini/net_settings.h"
#include "tsmini/search.h"
#include "tsmini/space.h"
#include "tsmini/where.h"

#include "search/request_plan.h"

namespace tsmini {
namespace {

void expect_field(const std::string& field, const std::function<void()>& work) {
  try {
    work();
    ADD_FAILURE() << "no error about " << field;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    EXPECT_EQ(error.field(), field) << error.what();
  }
}

TEST(ErrorFields, OfASearch) {
  const auto expect = [](const std::string& field, const SearchRequest& request) {
    expect_field(field, [&] { plan_of(request, Space(), {}); });
  };
  expect("k", {.k = 0});
  expect("recall", {.recall = 2});
  expect("within", {.within = -1.0});
  expect("mode", {.within = 1.0, .mode = SearchMode::fast});
  expect("mode", {.mode = SearchMode::rerank});
  expect("model", {.model = "none"});
  expect("space", {.space = Space::from_json(R"({"kind":"ground","lon":0,"lat":0})")});
  expect("epsilon", {.measure = Measure::edr});
  expect_field("mode", [] { search_mode_from("slow"); });
}

TEST(ErrorFields, OfMeasuresAndSpaces) {
  expect_field("measure", [] { measure_from("dwt"); });
  expect_field("space", [] { space_kind_from("moon"); });
  MeasureSettings settings;
  settings.band = 3;
  expect_field("band", [&] { check_settings(Measure::frechet, settings); });
  settings = {};
  settings.gap.x = NAN;
  expect_field("gap", [&] { check_settings(Measure::erp, settings); });
}

TEST(ErrorFields, OfANetwork) {
  const auto expect = [](const std::string& field, const std::function<void(NetSettings&)>& spoil) {
    NetSettings settings;
    spoil(settings);
    expect_field(field, [&] { check_settings(settings); });
  };
  expect("net.octaves", [](NetSettings& s) { s.fourier_octaves = 17; });
  expect("net.key_heads", [](NetSettings& s) { s.key_heads = 3; });
  expect("net.dropout", [](NetSettings& s) { s.dropout = 1; });
  expect("net.pooling", [](NetSettings& s) { s.pooling.clear(); });
  expect_field("net.block", [] { block_kind_from("wooden"); });
}

TEST(ErrorFields, OfFilesThatAreReadAndWritten) {
  expect_field("format", [] { format_from("parquet"); });
  expect_field("format", [] { export_format_from("parquet"); });
  expect_field("where", [] { condition_from("speed"); });
}

}  // namespace
}  // namespace tsmini
