#include <limits>

#include <gtest/gtest.h>

#include "model/net_settings_json.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

using Json = nlohmann::json;

template <class Change>
NetSettings changed(const Change& change) {
  NetSettings settings;
  change(settings);
  return settings;
}

// Every setting with a value of its own.
NetSettings unusual() {
  NetSettings settings;
  settings.sub_views = false;
  settings.cell_metres = 0.1;
  settings.fourier_octaves = 4;
  settings.block = BlockKind::vanilla;
  settings.layers = 3;
  settings.heads = 8;
  settings.key_heads = 2;
  settings.hidden = 384;
  settings.dropout = 1.0 / 3;
  settings.pooling = {Pool::last, Pool::mean, Pool::sum, Pool::first, Pool::max};
  settings.dimension = 64;
  settings.unit_norm = false;
  settings.metric = {MetricKind::chebyshev, 8};
  return settings;
}

TEST(NetSettings, NamesReadBack) {
  for (const Pool pool : {Pool::mean, Pool::max, Pool::sum, Pool::first, Pool::last}) {
    EXPECT_EQ(pool_from(name_of(pool)), pool);
  }
  for (const BlockKind kind : {BlockKind::modern, BlockKind::vanilla}) {
    EXPECT_EQ(block_kind_from(name_of(kind)), kind);
  }
  expect_error(ErrorCode::usage, "unknown pooling 'median'", "mean, max, sum, first, last",
               [] { pool_from("median"); });
  expect_error(ErrorCode::usage, "unknown kind of block ''", "modern, vanilla",
               [] { block_kind_from(""); });
}

TEST(NetSettings, EveryOneSurvivesJson) {
  const Json plain = json_of(NetSettings{}), other = json_of(unusual());
  for (const auto& [key, value] : plain.items()) EXPECT_NE(value, other[key]) << key;
  for (const NetSettings& settings : {NetSettings{}, unusual()}) {
    EXPECT_EQ(net_settings_from(Json::parse(json_of(settings).dump())), settings);
  }
}

TEST(NetSettings, MissingAndUnknownKeysAreNamed) {
  const Json all = json_of(NetSettings{});
  for (const auto& [key, value] : all.items()) {
    Json less = all;
    less.erase(key);
    expect_error(ErrorCode::bad_input, "'" + key + "' is missing", "again",
                 [&] { net_settings_from(less); });
    Json wrong = all;
    wrong[key] = Json::object();
    expect_error(ErrorCode::bad_input, "'" + key + "' must be", "again",
                 [&] { net_settings_from(wrong); });
  }
  Json more = all;
  more["experts"] = 8;
  expect_error(ErrorCode::bad_input, "'experts' is not a setting", "",
               [&] { net_settings_from(more); });
}

TEST(NetSettings, ValuesOfTheWrongKindAreShown) {
  const auto expect_refused = [](const char* key, const Json& value, const std::string& message) {
    Json json = json_of(NetSettings{});
    json[key] = value;
    SCOPED_TRACE(key);
    expect_error(ErrorCode::bad_input, message, "", [&] { net_settings_from(json); });
  };
  expect_refused("heads", -4, "'heads' must be a whole number from 0 up, not -4");
  expect_refused("heads", 4.0, "'heads' must be a whole number from 0 up, not 4.0");
  expect_refused("sub_views", 1, "'sub_views' must be true or false, not 1");
  expect_refused("dropout", "0.1", "'dropout' must be a number, not \"0.1\"");
  expect_refused("metric", 1, "'metric' must be a text, not 1");
  expect_refused("pooling", Json::array({"mean", 1}), "'pooling' must be a list of names");
}

TEST(NetSettings, WhatCannotBeBuiltIsRefused) {
  const auto expect_refused = [](const NetSettings& settings, const std::string& message,
                                 const std::string& hint) {
    SCOPED_TRACE(message);
    expect_error(ErrorCode::usage, message, hint, [&] { check_settings(settings); });
    expect_error(ErrorCode::usage, message, hint, [&] { net_settings_from(json_of(settings)); });
  };
  using Net = NetSettings;
  expect_refused(changed([](Net& n) { n.cell_metres = 0; }), "cannot be 0 m wide", "above 0");
  expect_refused(changed([](Net& n) { n.fourier_octaves = 17; }), "octaves 17", "0 to 16");
  expect_refused(changed([](Net& n) { n.layers = 0; }), "layers 0", "from 1 to");
  expect_refused(changed([](Net& n) { n.dimension = 0; }), "dimension 0", "from 2 to");
  expect_refused(changed([](Net& n) { n.dimension = 1'000'000'000; }), "dimension 1000000000", "");
  expect_refused(changed([](Net& n) { n.dimension = 127; }), "dimension 127", "even");
  expect_refused(changed([](Net& n) { n.heads = 0; }), "heads 0", "from 1 to 64");
  expect_refused(changed([](Net& n) { n.heads = n.key_heads = 65; }), "heads 65", "from 1 to 64");
  expect_refused(changed([](Net& n) { n.key_heads = 3; }), "key_heads 3 does not divide heads 4",
                 "divisors of 4");
  expect_refused(changed([](Net& n) { n.hidden = 0; }), "hidden 0", "");
  expect_refused(changed([](Net& n) { n.dropout = 1; }), "dropout 1", "below 1");
  expect_refused(changed([](Net& n) { n.dropout = -0.5; }), "dropout -0.5", "");
  expect_refused(changed([](Net& n) { n.pooling = {}; }), "needs a pooling", "mean, max");
  expect_refused(changed([](Net& n) {
                   n.pooling = {Pool::max, Pool::max};
                 }),
                 "'max' comes twice", "once");
  expect_refused(changed([](Net& n) {
                   n.metric = {MetricKind::chebyshev, 24};
                 }),
                 "group 24 does not divide dimension 128", "divisors");
  expect_refused(changed([](Net& n) { n.metric = {MetricKind::chebyshev, 0}; }), "group 0", "");
}

TEST(NetSettings, WhatIsNotANumberIsRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(check_settings(changed([](NetSettings& n) { n.dropout = nan; })), Error);
  EXPECT_THROW(check_settings(changed([](NetSettings& n) { n.cell_metres = nan; })), Error);
}

TEST(NetSettings, WhatCanBeBuiltPasses) {
  check_settings({});
  check_settings(unusual());
  check_settings(changed([](NetSettings& n) { n.metric = {MetricKind::l1, 7}; }));
  check_settings(changed([](NetSettings& n) { n.key_heads = 2; }));
  check_settings(changed([](NetSettings& n) { n.heads = n.key_heads = 5; }));  // of 32, whatever
}

}  // namespace
}  // namespace tsmini
