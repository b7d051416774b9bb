// Attributes and parts that are exported and imported again are the same, whatever they are called
// and hold; and what is exported is well-formed to parsers that are not ours.
#include <random>
#include <set>
#include <string>
#include <vector>

#include <expat.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/export.h"
#include "tsmini/import.h"

#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

Dataset imported(const std::filesystem::path& file, const std::filesystem::path& output) {
  ImportOptions options;
  options.clean.keep_duplicates = true;
  options.clean.min_points = 1;
  import_files({file}, output, options);
  const Dataset back = Dataset::open(output);
  back.verify();
  return back;
}

Dataset exported_and_imported(const Dataset& data, const std::string& name) {
  const TemporaryFolder folder;
  export_dataset(data, folder / name, export_format_of(name));
  return imported(folder / name, folder / "back.tsd");
}

// Text of pieces that mean something in one of the formats; in GPX without what XML cannot hold.
std::string hostile_text(std::mt19937_64& random, bool is_xml) {
  const std::vector<std::string> pieces{"\t",    "\n",          "\r",     "\"",
                                        ",",     ";",           "\\",     " ",
                                        "{",     "}",           "[",      "<",
                                        "&",     "]]>",         "'",      "007",
                                        "1.5",   "true",        "null",   "id",
                                        "times", "\xc3\xa9",    "a",      "\xf0\x9f\x9a\x95",
                                        "\x7f",  "&#10;",       "</trk>", "temporalGeometry",
                                        "time",  "coordinates", "-0",     "\xef\xbb\xbf"};
  std::string text;
  do {
    text += pieces[random() % pieces.size()];
    if (!is_xml && random() % 9 == 0) text += '\x01';
    if (!is_xml && random() % 9 == 0) text += '\0';
  } while (random() % 3 != 0);
  return text;
}

struct Hostile {
  explicit Hostile(std::uint64_t seed) : random(seed) {}

  // Names that readers know among them.
  std::vector<std::string> names(bool is_xml) {
    const std::vector<std::string> known{"id",   "trip_id", "times", "coordTimes", "part",
                                         "time", "lon",     "",      "datetimes",  "properties"};
    std::set<std::string> all;
    for (int i = 0; i < 8; ++i) {
      all.insert(random() % 2 == 0 ? known[random() % known.size()] : hostile_text(random, is_xml));
    }
    return {all.begin(), all.end()};
  }

  std::mt19937_64 random;
};

// Each column of one type; values at random, many missing.
Dataset hostile_dataset(std::uint64_t seed, bool is_xml) {
  Hostile hostile(seed);
  std::mt19937_64& random = hostile.random;
  const std::vector<std::string> names = hostile.names(is_xml);
  DatasetBuilder builder;
  for (const OwnedTrajectory& trip : random_trajectories(1 + random() % 30, random())) {
    OwnedTrajectory timed = trip;
    timed.times.resize(timed.points.size());
    for (std::size_t k = 0; k < timed.times.size(); ++k) {
      timed.times[k] = 1'000'000'000 + static_cast<std::int64_t>(k);
    }
    std::vector<std::string> texts(names.size());
    std::vector<Attribute> attributes;
    for (std::size_t i = 0; i < names.size(); ++i) {
      AttributeValue value;
      texts[i] = random() % 5 == 0 ? "" : hostile_text(random, is_xml);
      if (i % 4 == 0) value = std::string_view(texts[i]);
      if (i % 4 == 1) value = static_cast<std::int64_t>(random());
      if (i % 4 == 2) value = static_cast<double>(static_cast<std::int64_t>(random())) * 1e-5;
      if (i % 4 == 3) value = random() % 2 == 0;
      if (i % 4 == 2 && random() % 4 == 0) value = 5.0;
      if (random() % 3 != 0) attributes.push_back({names[i], value});
    }
    builder.add(timed.view(), static_cast<Part>(random() % 4), attributes);
  }
  return builder.finish();
}

nlohmann::json json_of(const AttributeValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  return std::get<bool>(value);
}

class AttributeRoundTrip : public testing::TestWithParam<const char*> {
 protected:
  static bool is_xml() { return std::string_view(GetParam()).starts_with("a.gpx"); }
};

TEST_P(AttributeRoundTrip, OfHostileNamesAndValues) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Dataset data = hostile_dataset(seed, is_xml());
    expect_same(exported_and_imported(data, GetParam()), data);
    if (HasFailure()) return;
  }
}

TEST_P(AttributeRoundTrip, OfColumnsThatTheFirstTripDoesNotHave) {
  DatasetBuilder builder;
  const OwnedTrajectory trip{"a", {{1, 2}, {3, 4}}, {5, 6}}, other{"b", {{1, 2}, {3, 4}}, {5, 6}};
  builder.add(trip.view(), Part::none, std::vector<Attribute>{{"z", {}}, {"m", true}});
  builder.add(other.view(), Part::test, std::vector<Attribute>{{"z", "007"}, {"a", 1.0}});
  const Dataset data = builder.finish();
  ASSERT_EQ(data.attributes().front().name(), "z");
  expect_same(exported_and_imported(data, GetParam()), data);
}

INSTANTIATE_TEST_SUITE_P(Export, AttributeRoundTrip,
                         testing::Values("a.tsv", "a.geojson", "a.mfjson", "a.gpx", "a.kepler.json",
                                         "a.tsv.gz", "a.mfjson.gz", "a.gpx.gz",
                                         "a.kepler.json.gz"));

TEST(AttributeFiles, AreWellFormedJson) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Dataset data = hostile_dataset(seed, false);
    for (const char* name : {"a.geojson", "a.mfjson", "a.kepler.json"}) {
      export_dataset(data, folder / name, export_format_of(name));
      const auto json = nlohmann::json::parse(read_file(folder / name));
      ASSERT_EQ(json["features"].size(), data.size());
      for (const AttributeColumn& column : data.attributes()) {
        for (std::size_t i = 0; i < data.size(); ++i) {
          const auto& properties = json["features"][i]["properties"];
          const bool is_there = properties.contains(column.name()) &&
                                !properties[column.name()].is_null() && has_value(column[i]);
          ASSERT_EQ(is_there, has_value(column[i])) << name << ' ' << column.name();
          if (!is_there) continue;
          const auto& value = properties[column.name()];
          ASSERT_EQ(value, json_of(column[i])) << name << ' ' << column.name();
        }
      }
    }
  }
}

TEST(AttributeFiles, AreWellFormedXml) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    export_dataset(hostile_dataset(seed, true), folder / "a.gpx", ExportFormat::gpx);
    const std::string text = read_file(folder / "a.gpx");
    XML_Parser parser = XML_ParserCreateNS(nullptr, ' ');
    const auto status = XML_Parse(parser, text.data(), static_cast<int>(text.size()), 1);
    EXPECT_EQ(status, XML_STATUS_OK) << XML_ErrorString(XML_GetErrorCode(parser));
    XML_ParserFree(parser);
  }
}

TEST(AttributeFiles, OfCsvHaveAColumnEach) {
  const TemporaryFolder folder;
  DatasetBuilder builder;
  const OwnedTrajectory a{"a", {{1, 2}, {3, 4}}, {5, 6}}, b{"b", {{1, 2}}, {}};
  builder.add(a.view(), Part::train, std::vector<Attribute>{{"x,y", "p \"q\""}, {"n", 1.0}});
  builder.add(b.view(), Part::none, std::vector<Attribute>{{"n", 2.5}, {"yes", true}});
  export_dataset(builder.finish(), folder / "a.csv", ExportFormat::csv);
  EXPECT_EQ(read_file(folder / "a.csv"),
            "id,time,lon,lat,tsmini:part,\"x,y\",n,yes\n"
            "a,5,1,2,train,\"p \"\"q\"\"\",1.0,\n"
            "a,6,3,4,train,\"p \"\"q\"\"\",1.0,\n"
            "b,,1,2,,,2.5,true\n");
}

TEST(AttributeFiles, OfTsvAreAsBeforeWhereNothingIsKnown) {
  const TemporaryFolder folder;
  DatasetBuilder builder;
  const OwnedTrajectory trip{"a", {{1, 2}}, {}};
  builder.add(trip.view());
  builder.add(trip.view(), Part::test, std::vector<Attribute>{{"n", 1.0}, {"t", "\t"}});
  builder.add(trip.view());
  export_dataset(builder.finish(), folder / "a.tsv", ExportFormat::tsv);
  EXPECT_EQ(read_file(folder / "a.tsv"),
            "a\t\t1 2\t{\"n\":null,\"t\":null}\n"
            "a\t\t1 2\t{\"tsmini:part\":\"test\",\"n\":1.0,\"t\":\"\\t\"}\n"
            "a\t\t1 2\n");
}

TEST(AttributeFiles, RefuseWhatTheyCannotHold) {
  const TemporaryFolder folder;
  const auto refused = [&](const Dataset& data, ExportFormat format, const std::string& what,
                           const std::string& hint) {
    expect_error(ErrorCode::bad_input, what, hint,
                 [&] { export_dataset(data, folder / "x", format); });
    EXPECT_EQ(folder.names(), std::vector<std::string>{});
  };
  const Dataset untimed = built({{"a", {{1, 2}}, {5}}, {"b", {{1, 2}}, {}}});
  refused(untimed, ExportFormat::mfjson, "trajectory 'b' has no times", "geojson");
  refused(untimed, ExportFormat::kepler, "trajectory 'b' has no times", "geojson");
  const Dataset planar = built({{"a", {{1e6, 2}}, {5}}}, {}, Coordinates::planar);
  for (const auto format : {ExportFormat::mfjson, ExportFormat::kepler, ExportFormat::gpx}) {
    refused(planar, format, "planar", "tsv, csv or geojson");
  }
  for (const std::int64_t time : {std::int64_t{253'402'300'800}, std::int64_t{-62'135'596'801}}) {
    const Dataset far = built({{"a", {{1, 2}}, {time}}});
    refused(far, ExportFormat::mfjson, "outside the years 1 to 9999", "tsv");
    refused(far, ExportFormat::gpx, "outside the years 1 to 9999", "tsv");
  }
  for (const char* id : {"\x01", "a\xef\xbf\xbe", "\x1f"}) {
    refused(built({{id, {{1, 2}}, {}}}), ExportFormat::gpx, "XML cannot hold", "tsv");
  }
  for (const char* id : {" a", "a\n", "\t"}) {
    refused(built({{id, {{1, 2}}, {}}}), ExportFormat::gpx, "blank at an end", "tsv");
  }
  for (const Attribute& attribute : {Attribute{"a", "\x02"}, Attribute{"\x02", true}}) {
    DatasetBuilder builder;
    builder.add(untimed[0], Part::none, std::span(&attribute, 1));
    refused(builder.finish(), ExportFormat::gpx, "in an attribute that XML cannot hold", "tsv");
  }
  const Attribute part{"tsmini:part", "x"};
  DatasetBuilder builder;
  builder.add(untimed[0], Part::none, std::span(&part, 1));
  refused(builder.finish(), ExportFormat::tsv, "called 'tsmini:part'", "another name");
}

TEST(AttributeFiles, KeepTheFirstAndLastDate) {
  const Dataset data = built({{"a", {{1, 2}, {3, 4}}, {-62'135'596'800, 253'402'300'799}}});
  for (const char* name : {"a.mfjson", "a.gpx"}) {
    expect_same(exported_and_imported(data, name), data);
  }
}

}  // namespace
}  // namespace tsmini
