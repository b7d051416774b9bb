// Columns of text files as attributes of the data set, from end to end.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tsmini/pick.h"

#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

using Values = std::vector<std::string>;

Values values_of(const Dataset& data, std::string_view name) {
  Values values;
  const AttributeColumn* column = data.attribute(name);
  if (column == nullptr) return {"no column"};
  for (std::size_t i = 0; i < data.size(); ++i) values.push_back(text_of((*column)[i]));
  return values;
}

const std::string rows =
    "id,time,lon,lat,taxi,rating,night,note,speed\n"
    "a,1,1,1,7,4.5,true,\"say \"\"hi\"\"\",1\n"
    "a,2,1,2,7,4.5,true,\"say \"\"hi\"\"\",2\n"
    "b,1,2,1,8,3,false,,3\n"
    "b,2,2,2,8,3,false,,4\n"
    "c,1,2,1,9,,false,x,5\n"
    "c,2,2,2,9,,true,x,6\n";

TEST(ImportAttributes, TypedByAllValues) {
  const Imported found = import_text(rows, "a.csv");
  EXPECT_EQ(values_of(found.data, "taxi"), (Values{"7", "8", "9"}));
  EXPECT_EQ(values_of(found.data, "rating"), (Values{"4.5", "3.0", ""}));
  EXPECT_EQ(values_of(found.data, "night"), (Values{"true", "false", ""}));
  EXPECT_EQ(values_of(found.data, "note"), (Values{"say \"hi\"", "", "x"}));
  EXPECT_EQ(found.data.attribute("speed"), nullptr);
  ASSERT_NE(found.data.attribute("taxi"), nullptr);
  EXPECT_EQ(found.data.attribute("taxi")->type(), AttributeType::integer);
  EXPECT_EQ(found.data.attribute("rating")->type(), AttributeType::number);
  EXPECT_EQ(found.data.attribute("night")->type(), AttributeType::boolean);
  EXPECT_EQ(found.data.attribute("note")->type(), AttributeType::text);
}

TEST(ImportAttributes, SurviveASample) {
  const Imported found = import_text(rows, "a.csv", "--sample 2 --seed 3");
  const Imported all = import_text(rows, "a.csv");
  ASSERT_EQ(found.data.size(), 2u);
  ASSERT_NE(found.data.attribute("taxi"), nullptr);
  for (std::size_t i = 0; i < found.data.size(); ++i) {
    const std::size_t at = static_cast<std::size_t>(found.data[i].id[0] - 'a');
    EXPECT_EQ(values_of(found.data, "taxi")[i], values_of(all.data, "taxi")[at]);
    EXPECT_EQ(found.data.attribute("taxi")->type(), AttributeType::integer);
  }
}

TEST(ImportAttributes, OnlyThoseThatAreAskedFor) {
  const Imported some = import_text(rows, "a.csv", "--attributes taxi,note");
  EXPECT_EQ(some.data.attributes().size(), 2u);
  const Imported none = import_text(rows, "a.csv", "--attributes none");
  EXPECT_EQ(none.data.attributes().size(), 0u);
}

const std::string features = R"({"type":"Feature","id":"a","properties":{"k":1,"K":2,"Taxi":7},)"
                             R"("geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}})"
                             "\n"
                             R"({"type":"Feature","id":"b","properties":{"k":2,"K":1,"Taxi":8},)"
                             R"("geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}})";

// To the letter first, else the only one in another case; the same before an import and after it.
TEST(ImportAttributes, AreMeantByTheirNames) {
  const std::string table =
      "id,lon,lat,k,K,Taxi\na,1,2,1,2,7\na,3,4,1,2,7\nb,1,2,2,1,8\nb,3,4,2,1,8\n";
  const auto expect_ids = [&](const std::string& condition, const std::string& id) {
    for (const auto& [text, name] :
         {std::pair(features, std::string("a.geojson")), std::pair(table, std::string("a.csv"))}) {
      const Imported found = import_text(text, name, "--where " + condition);
      ASSERT_EQ(found.data.size(), 1u) << name << ' ' << condition;
      EXPECT_EQ(found.data[0].id, id) << name << ' ' << condition;
      const Dataset all = import_text(text, name).data;
      Picking picking;
      picking.where = {condition_from(condition)};
      const std::vector<std::size_t> picked = pick(all, picking);
      ASSERT_EQ(picked.size(), 1u) << condition;
      EXPECT_EQ(all[picked[0]].id, id) << condition;
    }
  };
  expect_ids("k=1", "a");
  expect_ids("K=1", "b");
  expect_ids("taxi=8", "b");
  expect_ids("Taxi=7", "a");
}

TEST(ImportAttributes, InDifferentCasesAreNotGuessed) {
  const auto feature = [](const std::string& properties) {
    return R"({"type":"Feature","properties":{)" + properties +
           R"(},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}})" + "\n";
  };
  const std::string mixed = feature(R"("k":1)") + feature(R"("K":1)");
  expect_error(ErrorCode::bad_input, "have 'k' in different cases", "there are: k, K",
               [&] { import_text(mixed, "a.geojson", "--where k=1"); });
  expect_error(ErrorCode::bad_input, "no trip has an attribute 'kK'", "there are: kk, KK",
               [&] { import_text(feature(R"("kk":1,"KK":1)"), "a.geojson", "--where kK=1"); });
  expect_error(ErrorCode::bad_input, "no column 'kK'", "kk, KK", [&] {
    import_text("id,lon,lat,kk,KK\na,1,2,1,2\na,2,3,1,2\n", "a.csv", "--where kK=1");
  });
}

TEST(ImportAttributes, KeepTheBlanksOfAQuotedName) {
  const std::string text = "id,lon,lat,\" a \", b \na,1,2,7,8\na,2,3,7,8\n";
  const Imported found = import_text(text, "a.csv");
  EXPECT_EQ(values_of(found.data, " a "), Values{"7"});
  EXPECT_EQ(values_of(found.data, "b"), Values{"8"});
  EXPECT_EQ(import_text(text, "a.csv", "--where a=7").data.size(), 1u);
  const std::string open = "id,lon,lat,\" a \na,1,2,7\na,2,3,7\n";  // a quote without its end
  EXPECT_EQ(import_text(open, "a.csv", "--columns id=1,lon=2,lat=3").data.size(), 1u);
}

TEST(ImportAttributes, AreAskedForInAnyCase) {
  EXPECT_EQ(values_of(import_text(rows, "a.csv", "--attributes TAXI").data, "taxi"),
            (Values{"7", "8", "9"}));
  EXPECT_EQ(values_of(import_text(features, "a.geojson", "--attributes TAXI").data, "Taxi"),
            (Values{"7", "8"}));
  expect_error(ErrorCode::bad_input, "no trip has an attribute 'nosuch'", "there are: .*taxi.*note",
               [] { import_text(rows, "a.csv", "--attributes taxi,nosuch"); });
  expect_error(ErrorCode::bad_input, "no trip has an attribute 'nosuch'", "there are: Taxi, k, K",
               [] { import_text(features, "a.geojson", "--attributes taxi,nosuch"); });
}

TEST(ImportAttributes, TooManyOfOneTrip) {
  const auto feature = [](int count) {
    std::string properties = "\"a0\":0";
    for (int i = 1; i < count; ++i) properties += fmt::format(",\"a{}\":{}", i, i);
    return R"({"type":"Feature","properties":{)" + properties +
           R"(,"a0":7},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}})" + "\n";
  };
  const Imported found = import_text(feature(1024) + feature(1025), "a.json", "--on-error skip");
  EXPECT_EQ(values_of(found.data, "a0"), Values{"7"});
  ASSERT_EQ(found.summary.bad_records, 1u);
  EXPECT_TRUE(
      matches(found.summary.bad_examples[0], "a\\.json:2: more than 1,024 attributes of one trip"));
}

TEST(ImportAttributes, WhatIsNotUtf8IsReplaced) {
  const Imported found = import_text("id,lon,lat,name\na,1,2,caf\xe9\na,2,3,caf\xe9\n", "a.csv");
  EXPECT_EQ(values_of(found.data, "name"), Values{"caf\xef\xbf\xbd"});
}

TEST(ImportAttributes, OfPorto) {
  const std::string porto =
      "\"TRIP_ID\",\"CALL_TYPE\",\"ORIGIN_STAND\",\"TAXI_ID\",\"TIMESTAMP\",\"DAY_TYPE\","
      "\"MISSING_DATA\",\"POLYLINE\"\n"
      "\"1\",\"C\",\"\",\"20000589\",\"1372636858\",\"A\",\"False\",\"[[-8.6,41.1],[-8.7,41.2]]\"\n"
      "\"2\",\"B\",\"7\",\"20000596\",\"1372637303\",\"A\",\"False\",\"[[-8.6,41.1],[-8.7,41.3]]"
      "\"\n";
  const Imported found = import_text(porto, "train.csv");
  EXPECT_EQ(values_of(found.data, "TAXI_ID"), (Values{"20000589", "20000596"}));
  EXPECT_EQ(values_of(found.data, "CALL_TYPE"), (Values{"C", "B"}));
  EXPECT_EQ(values_of(found.data, "ORIGIN_STAND"), (Values{"", "7"}));
  EXPECT_EQ(found.data.attributes().size(), 4u);
  EXPECT_EQ(values_of(import_text(porto, "t.csv", "--where CALL_TYPE=B").data, "TAXI_ID"),
            Values{"20000596"});
}

TEST(ImportAttributes, OfWkt) {
  const std::string wkt =
      "id;taxi;wkt;name\n"
      "a;7;LINESTRING (1 2, 3 4);x\n"
      "b;8;\"LINESTRING (1 2, 3 5)\";\"y;z\"\n";
  const Imported found = import_text(wkt, "a.csv");
  EXPECT_EQ(lines_of(found.data), (Values{"a |  | 1 2,3 4", "b |  | 1 2,3 5"}));
  EXPECT_EQ(values_of(found.data, "taxi"), (Values{"7", "8"}));
  EXPECT_EQ(values_of(found.data, "name"), (Values{"x", "y;z"}));
}

TEST(ImportAttributes, OfRowsThatAreWanted) {
  const Imported found = import_text(rows, "a.csv", "--where taxi>7");
  EXPECT_EQ(values_of(found.data, "taxi"), (Values{"8", "9"}));
  const Imported cut = import_text(rows, "a.csv", "--cut-on speed --min-points 1");
  EXPECT_EQ(values_of(cut.data, "speed"), (Values{"1", "2", "3", "4", "5", "6"}));
}

const std::string commas =
    "id;lon;lat;speed;note;share\n"
    "a;1,5;2;9,5;x;0,125\na;3;4;9,5;x;0,125\n"
    "b;1;2,5;10;1,5;1\nb;3;4;10;1,5;1\n";

TEST(ImportAttributes, WithDecimalCommas) {
  const Imported found = import_text(commas, "a.csv");
  ASSERT_NE(found.data.attribute("speed"), nullptr);
  EXPECT_EQ(found.data.attribute("speed")->type(), AttributeType::number);
  EXPECT_EQ(values_of(found.data, "speed"), (Values{"9.5", "10.0"}));
  EXPECT_EQ(values_of(found.data, "share"), (Values{"0.125", "1.0"}));
  EXPECT_EQ(values_of(found.data, "note"), (Values{"x", "1,5"})) << "text stays as it is";
}

// In quotes or not, and whichever trip comes first.
TEST(ImportAttributes, OfTextAreKeptWithTheirCommas) {
  const std::string text =
      "id;lon;lat;tags;plus\na;1,5;2;1,2;+1,5\na;3;4;1,2;+1,5\n"
      "b;1;2,5;\"a,b\";2\nb;3;4;\"a,b\";2\nc;1;2;\"3,4\";2\nc;3;4;\"3,4\";2\n";
  const Imported found = import_text(text, "a.csv");
  EXPECT_EQ(values_of(found.data, "tags"), (Values{"1,2", "a,b", "3,4"}));
  EXPECT_EQ(values_of(found.data, "plus"), (Values{"+1,5", "2", "2"}));
  EXPECT_EQ(lines_of(import_text(text, "a.csv", "--where tags=a,b").data).size(), 1u);
  EXPECT_EQ(lines_of(import_text(text, "a.csv", "--where tags=1,2").data).size(), 1u);
}

TEST(ImportAttributes, WithDecimalCommasInOneFileAndPointsInTheOther) {
  const TemporaryFolder folder;
  write_file(folder / "a.csv", "id;lon;lat;v\na;1,5;2;9,5\na;3;4;9,5\n");
  write_file(folder / "b.csv", "id;lon;lat;v\nb;1.5;2;9.25\nb;3;4;9.25\n");
  import_files({folder / "a.csv", folder / "b.csv"}, folder / "x.tsd", {});
  EXPECT_EQ(values_of(Dataset::open(folder / "x.tsd"), "v"), (Values{"9.5", "9.25"}));
}

TEST(ImportAttributes, WithDecimalCommasAreComparedAsNumbers) {
  for (const char* condition : {"speed<10", "speed=9.5", "speed=9,5", "speed<=9,50", "share<0.2"}) {
    EXPECT_EQ(lines_of(import_text(commas, "a.csv", std::string("--where ") + condition).data),
              Values{"a |  | 1.5 2,3 4"})
        << condition;
  }
}

// A value that is copied from the file into a condition means the same there.
TEST(ImportAttributes, WithThreeDigitsBehindTheirDecimalComma) {
  const std::string text = "id;lon;lat;v\na;1,5;2;1,500\na;3;4;1,500\nb;1,5;2;2,250\nb;3;4;2,250\n";
  const auto ids = [&](const std::string& condition, const std::string& more = "") {
    std::string found;
    const Imported kept = import_text(text, "a.csv", "--min-points 1 --where " + condition + more);
    for (std::size_t i = 0; i < kept.data.size(); ++i) found += kept.data[i].id;
    return found;
  };
  EXPECT_EQ(ids("v>1,600"), "b");
  EXPECT_EQ(ids("v=1,500"), "a");
  EXPECT_EQ(ids("v!=1,500"), "b");
  EXPECT_EQ(ids("v=1.5"), "a");
  EXPECT_EQ(ids("v<10"), "ab");
  EXPECT_EQ(ids("lon=1,500"), "ab");
  EXPECT_EQ(ids("v=1,500", " --planar"), "a") << "as text";
}

TEST(ImportAttributes, InQuotesWithDecimalCommas) {
  const std::string text = "id,lon,lat,speed\na,\"1,5\",2,\"9,5\"\na,\"2,5\",2,\"9,5\"\n";
  EXPECT_EQ(values_of(import_text(text, "a.csv").data, "speed"), Values{"9.5"});
}

// A comma is a decimal one where the coordinates say so, and not otherwise.
TEST(ImportAttributes, WithCommasThatAreNotDecimal) {
  const std::string points = "id;lon;lat;rooms\na;1.5;2;1,2\na;3;4;1,2\n";
  EXPECT_EQ(values_of(import_text(points, "a.csv").data, "rooms"), Values{"1,2"});
  const std::string plane = "id;lon;lat;n\na;1,5;2;1,250\na;3;4;1,250\n";
  EXPECT_EQ(values_of(import_text(plane, "a.csv", "--planar").data, "n"), Values{"1,250"})
      << "thousands?";
}

// As in any other CSV: blanks in quotes are the value's own, and a quote is doubled.
TEST(ImportAttributes, InQuotesOfPortoAndWkt) {
  const std::string porto =
      "TRIP_ID,NOTE,KIND,POLYLINE\n\"a \"\"b\"\"\",\" x \", y ,\"[[1,2],[3,4]]\"\n";
  const Imported first = import_text(porto, "a.csv");
  EXPECT_EQ(lines_of(first.data), Values{"a \"b\" |  | 1 2,3 4"});
  EXPECT_EQ(values_of(first.data, "NOTE"), Values{" x "});
  EXPECT_EQ(values_of(first.data, "KIND"), Values{"y"});
  const std::string wkt =
      "id,note,kind,wkt,more\n\" 7\",\" x \", y ,\"LINESTRING (1 2, 3 4)\",\" z\"\n";
  const Imported second = import_text(wkt, "a.csv");
  EXPECT_EQ(lines_of(second.data), Values{" 7 |  | 1 2,3 4"});
  EXPECT_EQ(values_of(second.data, "note"), Values{" x "});
  EXPECT_EQ(values_of(second.data, "kind"), Values{"y"});
  EXPECT_EQ(values_of(second.data, "more"), Values{" z"});
}

TEST(ImportAttributes, ThatNameAPart) {
  const std::string csv = "id,lon,lat,tsmini:part\na,1,2,{}\na,3,4,{}\nb,1,2,\nb,3,4,\n";
  const auto with = [&](std::string_view part) {
    return fmt::format(fmt::runtime(csv), part, part);
  };
  const Imported good = import_text(with("test"), "a.csv");
  EXPECT_EQ(lines_of(good.data), (Values{"a |  | 1 2,3 4 | test", "b |  | 1 2,3 4 | none"}));
  EXPECT_TRUE(good.data.attributes().empty());
  EXPECT_TRUE(good.summary.columns.empty());
  const Imported mixed = import_text(with("test") + "c,1,2,test\nc,3,4,train\n", "a.csv");
  EXPECT_EQ(mixed.data.part(2), Part::none);
  ASSERT_EQ(mixed.summary.columns.size(), 1u);  // told where one is lost
  EXPECT_EQ(mixed.summary.columns[0].kept, 1u);
  EXPECT_EQ(mixed.summary.columns[0].changes, 1u);
  expect_error(ErrorCode::bad_input, "a.csv:2: 'tsmini:part' is 'blue', which is no part",
               "train, validation or test.*`columns=NAME=COLUMN`.*`on_error=skip`",
               [&] { import_text(with("blue"), "a.csv"); });
  const Imported skipped = import_text(with("blue"), "a.csv", "--on-error skip");
  EXPECT_EQ(skipped.summary.bad_records, 1u);
  EXPECT_EQ(skipped.summary.trajectories, 1u);
  EXPECT_EQ(skipped.summary.points, 2u);
  EXPECT_EQ(lines_of(skipped.data), Values{"b |  | 1 2,3 4"});
  const Imported renamed = import_text(with("blue"), "a.csv", "--columns colour=4");
  EXPECT_EQ(values_of(renamed.data, "colour"), (Values{"blue", ""}));
}

TEST(ImportAttributes, ThatNameAPartInJson) {
  const auto with = [](std::string_view part) {
    return fmt::format(R"({{"type":"Feature","properties":{{"tsmini:part":{}}},)"
                       R"("geometry":{{"type":"LineString","coordinates":[[1,2],[3,4]]}}}})",
                       part);
  };
  EXPECT_EQ(lines_of(import_text(with("\"train\""), "a.json").data),
            Values{"a-1 |  | 1 2,3 4 | train"});
  EXPECT_EQ(lines_of(import_text(with("null"), "a.json").data), Values{"a-1 |  | 1 2,3 4"});
  for (const char* wrong : {"\"Train\"", "1", "true"}) {
    expect_error(ErrorCode::bad_input, "a.json:1: 'tsmini:part' is ", "train, validation or test",
                 [&] { import_text(with(wrong), "a.json"); });
  }
}

}  // namespace
}  // namespace tsmini
