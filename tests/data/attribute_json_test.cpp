// The lookup of one attribute finds what reading all of them finds.
#include "data/attribute_json.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace tsmini {
namespace {

// Every sign that JSON has a use for.
std::string odd_text(Random& random) {
  const std::vector<std::string> pieces{"a", "\"", "\\", "{", "}",    ":",
                                        ",", "\n", "ü",  "€", "\x01", "1"};
  std::string text;
  for (std::uint64_t n = random.below(6); n > 0; --n) text += pieces[random.below(pieces.size())];
  return text;
}

OwnedAttribute odd_attribute(Random& random, std::size_t number) {
  OwnedAttribute attribute;
  attribute.name = odd_text(random) + std::to_string(number);
  switch (random.below(5)) {
    case 0: attribute.value = odd_text(random); break;
    case 1: attribute.value = static_cast<std::int64_t>(random.below(1000)) - 500; break;
    case 2: attribute.value = std::numeric_limits<std::int64_t>::min(); break;
    case 3: attribute.value = (static_cast<double>(random.below(1000)) - 500) * 1e17; break;
    default: attribute.value = random.below(2) == 0;
  }
  return attribute;
}

TEST(AttributeJson, OneIsFoundAsAllAreRead) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<OwnedAttribute> attributes;
    for (std::size_t n = random.below(6); n > 0; --n) {
      attributes.push_back(odd_attribute(random, attributes.size()));
    }
    const std::string json = json_of(views_of(attributes));
    std::vector<OwnedAttribute> back;
    ASSERT_TRUE(take_attributes(json, back)) << json;
    EXPECT_EQ(back, attributes) << json;
    AttributeValue value;
    for (const OwnedAttribute& attribute : attributes) {
      AttributeLookup lookup(attribute.name);
      ASSERT_TRUE(lookup.find(json, value)) << json;
      EXPECT_EQ(value, attribute.view().value) << json;
    }
    ASSERT_TRUE(AttributeLookup("nobody's").find(json, value)) << json;
    EXPECT_FALSE(has_value(value));
  }
}

TEST(AttributeJson, WhatIsNoObjectIsRefused) {
  const std::vector<std::string> spoilt{
      "",        "{",        "x",          "{\"a\"",         "{\"a\":",
      "{a:1}",   "{\"a\":1", "{\"a\":}",   "{\"a\":1x}",     "{\"a\":\"b}",
      "{\"b\"}", "{,}",      "{\"b\":1}}", "{\"a\":\"\\q\"}"};
  for (const std::string& json : spoilt) {
    AttributeValue value;
    EXPECT_FALSE(AttributeLookup("a").find(json, value)) << json;
  }
}

TEST(AttributeJson, ValuesHaveOneForm) {
  EXPECT_EQ(json_text(AttributeValue()), "null");
  EXPECT_EQ(json_text(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(json_text(5.0), "5.0");
  EXPECT_EQ(json_text(std::int64_t{5}), "5");
  EXPECT_EQ(json_text(true), "true");
  EXPECT_EQ(json_text(std::string_view("\"\xff")), "\"\\\"\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace tsmini
