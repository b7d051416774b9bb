#include "base/safetensors.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

std::string with_length(std::uint64_t length, const std::string& rest) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + rest;
}

// A file with this header and so many bytes of data.
std::string file_of(const std::string& header, std::size_t data = 0) {
  return with_length(header.size(), header + std::string(data, '\0'));
}

std::string entry(const std::string& name, const std::string& shape, std::size_t begin,
                  std::size_t end, const std::string& type = "F32") {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", name, type,
                     shape, begin, end);
}

void expect_refused(const std::string& content, const std::string& message,
                    const std::string& hint = "again|must be") {
  const TemporaryFolder folder;
  write_file(folder / "m.safetensors", content);
  SCOPED_TRACE(content.substr(0, 200));
  expect_error(ErrorCode::bad_input, "m.safetensors: .*" + message, hint,
               [&] { const SafetensorsFile file(folder / "m.safetensors"); });
}

TEST(Safetensors, WhatIsWrittenIsRead) {
  const TemporaryFolder folder;
  const std::vector<float> weight{1, -2, 3.5F, 0, 1e-40F, std::numeric_limits<float>::max()};
  const std::vector<float> scalar{7};
  const TensorMetadata metadata{{"a", "1"}, {"text", "{\"quoted\": \"ü\\n\"}"}};
  write_safetensors(folder / "m.safetensors",
                    {{"weight", {{2, 3}, std::as_bytes(std::span(weight))}},
                     {"block.0.bias", {{}, std::as_bytes(std::span(scalar))}},
                     {"nothing", {{4, 0}, {}}}},
                    metadata);
  const SafetensorsFile file(folder / "m.safetensors");
  EXPECT_EQ(file.metadata(), metadata);
  ASSERT_EQ(file.tensors().size(), 3u);
  EXPECT_EQ(file.tensors().at("weight").shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(file.tensors().at("weight").values(), weight);
  EXPECT_EQ(file.tensors().at("block.0.bias").shape, std::vector<std::size_t>{});
  EXPECT_EQ(file.tensors().at("block.0.bias").values(), scalar);
  EXPECT_EQ(file.tensors().at("nothing").shape, (std::vector<std::size_t>{4, 0}));
  EXPECT_TRUE(file.tensors().at("nothing").values().empty());
  EXPECT_EQ(folder.names(), std::vector<std::string>{"m.safetensors"});
}

TEST(Safetensors, TheBytesAreThoseOfTheFormat) {
  const TemporaryFolder folder;
  const std::vector<float> values{1, 2};
  const auto bytes = std::as_bytes(std::span(values));
  write_safetensors(folder / "m", {{"b", {{1}, bytes.first(4)}}, {"a", {{1, 1}, bytes.last(4)}}},
                    {{"k", "v"}});
  std::string header =
      R"({"__metadata__":{"k":"v"},"a":{"data_offsets":[0,4],"dtype":"F32","shape":[1,1]},)"
      R"("b":{"data_offsets":[4,8],"dtype":"F32","shape":[1]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::string data("\0\0\0\x40\0\0\x80\x3f", 8);
  EXPECT_EQ(read_file(folder / "m"), with_length(header.size(), header + data));
}

TEST(Safetensors, EmptyFilesOfTheFormatAreRead) {
  const TemporaryFolder folder;
  write_file(folder / "m", file_of("{}"));
  EXPECT_TRUE(SafetensorsFile(folder / "m").tensors().empty());
  write_safetensors(folder / "n", {}, {});
  EXPECT_EQ(read_file(folder / "n"), file_of("{}      "));
}

TEST(Safetensors, ValuesNeedNoAlignment) {
  const TemporaryFolder folder;
  const std::string header = "{" + entry("a", "[1]", 0, 4) + "}";
  for (std::size_t blanks = 0; blanks < 8; ++blanks) {
    const std::string padded = header + std::string(blanks, ' ');
    write_file(folder / "m", with_length(padded.size(), padded + std::string("\0\0\x80\x3f", 4)));
    EXPECT_EQ(SafetensorsFile(folder / "m").tensors().at("a").values(), std::vector<float>{1});
  }
}

TEST(Safetensors, RefusesWhatIsNoSuchFile) {
  expect_refused("", "0 bytes are too few");
  expect_refused("1234567", "7 bytes are too few");
  expect_refused(with_length(3, "{}"), "should have 3 bytes, but only 2 follow", "cut short");
  expect_refused(with_length(~std::uint64_t{0}, "{}"), "should have 18446744073709551615 bytes");
  expect_refused(file_of(""), "does not begin with '\\{'");
  expect_refused(file_of("[]"), "does not begin with '\\{'");
  expect_refused(file_of(" {}"), "does not begin with '\\{'");
  const TemporaryFolder folder;
  expect_error(ErrorCode::bad_input, "no-such: cannot read", "check the name",
               [&] { const SafetensorsFile file(folder / "no-such"); });
}

TEST(Safetensors, RefusesAHeaderBeyondTheLimit) {
  constexpr std::size_t limit = 100'000'000;
  const TemporaryFolder folder;
  write_file(folder / "m", with_length(limit + 1, "{}"));
  std::filesystem::resize_file(folder / "m", limit + 9);  // a hole: takes no room
  expect_error(ErrorCode::bad_input, "header of 100000001 bytes is longer than 100000000", "",
               [&] { const SafetensorsFile file(folder / "m"); });
}

TEST(Safetensors, RefusesWhatIsNotJson) {
  expect_refused(file_of("{"), "not valid JSON at byte 2");
  expect_refused(file_of("{} x"), "not valid JSON at byte");
  expect_refused(file_of("{\"a\":1e999}"), "not valid JSON at byte 10");
  expect_refused(file_of("{\"\xff\":1}"), "not valid JSON");
  expect_refused(file_of(std::string("{}\0", 3)), "not valid JSON");
  expect_refused(file_of("{\"a\":" + std::string(1'000'000, '[')), "more than 3 levels deep");
}

TEST(Safetensors, RefusesEntriesOfAnotherForm) {
  expect_refused(file_of(R"({"a":1})"), "tensor 'a': its entry is not a JSON object");
  expect_refused(file_of(R"({"a":{}})"), "tensor 'a': 'dtype' is missing");
  expect_refused(file_of(R"({"a":{"dtype":1}})"), "tensor 'a': 'dtype' is missing or not a text");
  expect_refused(file_of(R"({"a":{"dtype":"F32"}})"), "tensor 'a': 'shape' is missing");
  expect_refused(file_of(R"({"a":{"dtype":"F32","shape":4}})"), "'shape' is missing or not a list");
  expect_refused(file_of(R"({"a":{"dtype":"F32","shape":[]}})"), "'data_offsets' is missing");
  expect_refused(file_of(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0]}})"),
                 "'data_offsets' has 1 numbers, not 2");
  expect_refused(file_of(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"x":1}})", 4),
                 "tensor 'a': unknown key 'x'");
  for (const std::string bad : {"-1", "1.5", "\"1\"", "null", "18446744073709551616"}) {
    expect_refused(file_of("{" + entry("a", "[" + bad + "]", 0, 4) + "}", 4),
                   "tensor 'a': .* in 'shape' is not a whole number");
  }
}

TEST(Safetensors, RefusesOtherTypesByName) {
  for (const std::string type : {"F64", "F16", "BF16", "I64", "f32", "nonsense"}) {
    expect_refused(file_of("{" + entry("a", "[1]", 0, 4, type) + "}", 4),
                   "tensor 'a': its dtype is " + type + ", but only F32 is supported",
                   "float32 .*save it again");
  }
}

TEST(Safetensors, RefusesOffsetsThatLie) {
  expect_refused(file_of("{" + entry("a", "[1]", 4, 0) + "}", 4),
                 "tensor 'a': its data_offsets \\[4, 0\\] are reversed");
  expect_refused(file_of("{" + entry("a", "[2]", 0, 8) + "}", 4),
                 "tensor 'a': its data_offsets \\[0, 8\\] reach beyond the 4 bytes");
  expect_refused(file_of("{" + entry("a", "[3]", 0, 8) + "}", 8),
                 "shape \\[3\\] takes 12 bytes, but its data_offsets \\[0, 8\\] hold 8");
  expect_refused(file_of("{" + entry("a", "[1]", 0, 4) + "," + entry("b", "[2]", 0, 8) + "}", 8),
                 "tensor 'b': its data_offsets \\[0, 8\\] overlap those of 'a'");
  expect_refused(file_of("{" + entry("a", "[2]", 0, 8) + "," + entry("b", "[1]", 4, 8) + "}", 8),
                 "tensor 'b': .* overlap");
  expect_refused(file_of("{" + entry("a", "[1]", 0, 4) + "," + entry("b", "[1]", 8, 12) + "}", 12),
                 "tensor 'b': a gap of 4 bytes lies before its data_offsets \\[8, 12\\]");
  expect_refused(file_of("{" + entry("a", "[1]", 4, 8) + "}", 8), "tensor 'a': a gap of 4 bytes");
  expect_refused(file_of("{" + entry("a", "[1]", 0, 4) + "}", 6), "2 bytes at its end");
  expect_refused(file_of("{}", 1), "1 bytes at its end belong to no tensor");
}

TEST(Safetensors, RefusesShapesBeyondAllNumbers) {
  expect_refused(file_of("{" + entry("a", "[4611686018427387904]", 0, 0) + "}"),
                 "shape \\[4611686018427387904\\] is beyond all numbers");
  expect_refused(file_of("{" + entry("a", "[4294967296, 4294967296]", 0, 0) + "}"),
                 "beyond all numbers");
}

TEST(Safetensors, RefusesNamesThatComeTwice) {
  const std::string a = entry("a", "[1]", 0, 4);
  expect_refused(file_of("{" + a + "," + a + "}", 4), "'a' comes twice");
  expect_refused(file_of(R"({"__metadata__":{"k":"1","k":"2"}})"), "'k' comes twice");
  expect_refused(
      file_of(R"({"a":{"dtype":"F64","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4),
      "'dtype' comes twice");
}

TEST(Safetensors, RefusesMetadataThatIsNotText) {
  expect_refused(file_of(R"({"__metadata__":[]})"), "metadata is not a JSON object");
  expect_refused(file_of(R"({"__metadata__":{"k":1}})"), "metadata 'k' is not a text but 1");
}

TEST(Safetensors, ManyTensorsTakeNoSquareOfTime) {
  std::string header = "{";
  for (int i = 0; i < 100'000; ++i) {
    header += (i == 0 ? "" : ",") + entry(fmt::format("t{}", i), "[0]", 0, 0);
  }
  const TemporaryFolder folder;
  write_file(folder / "m", file_of(header + "}"));
  EXPECT_EQ(SafetensorsFile(folder / "m").tensors().size(), 100'000u);
}

}  // namespace
}  // namespace tsmini
