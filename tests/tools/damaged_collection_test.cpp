// What a user is told where a part of a collection is damaged.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"

#include "search/index_bytes.h"
#include "store/index_of.h"
#include "store/small_collection.h"
#include "store/sqlite.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

class DamagedCollection : public testing::Test {
 protected:
  DamagedCollection() {
    Collection collection = Collection::create(folder_ / "c", small_model());
    collection.add(small_trips(100));
    collection.make_index();
    collection.add(small_trips(10, "u", 2));
    write("queries.tsd", small_trips(3, "q", 3));
  }

  void write(const std::string& name, const Dataset& trips) const {
    DatasetWriter writer(folder_ / name, Coordinates::planar);
    for (std::size_t i = 0; i < trips.size(); ++i) writer.add(trips[i]);
    writer.finish();
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  ProcessResult search() const {
    return tsmini_program(
        {"search", file("c"), file("queries.tsd"), "--mode", "fast", "-k", "4", "--json"});
  }

  TemporaryFolder folder_;
};

TEST_F(DamagedCollection, ASearchThatNeedsALostModelNamesItsFile) {
  write_file(folder_ / "c/model-1.safetensors", "");
  const ProcessResult result = search();
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(matches(result.errors, "model-1.safetensors: is not the model.*put its file back"))
      << result.errors;
  const ProcessResult list = tsmini_program({"model", "list", file("c")});
  EXPECT_TRUE(matches(list.errors, "note: .*model-1.safetensors: is not the model")) << list.errors;
}

TEST_F(DamagedCollection, ASearchSaysThatItDoesWithoutItsIndex) {
  const json before = json::parse(search().output);
  EXPECT_EQ(before["notes"], json::array());
  const std::filesystem::path index = index_of(folder_ / "c");
  const FileSection rows = sections_of(read_file(index))[0];
  overwrite(index, rows.offset + 500, std::string(2'000, 'x'));

  const ProcessResult result = search();
  EXPECT_EQ(result.status, 0);
  const json after = json::parse(result.output);
  EXPECT_EQ(after["queries"], before["queries"]);
  const std::string what = "index-.*: section 'rows' was altered.*all trips are scanned instead";
  ASSERT_EQ(after["notes"].size(), 1u);
  EXPECT_TRUE(matches(after["notes"][0].get<std::string>(), what));
  EXPECT_TRUE(matches(result.errors, "note: .*" + what)) << result.errors;
}

TEST_F(DamagedCollection, WhatWasAddedStaysWhereNoIndexCanBeMade) {
  {
    Database database(folder_ / "c" / "collection.db", Database::Access::write);
    database.run(
        "UPDATE embeddings_1 SET embedding = zeroblob(4) WHERE row IN (SELECT row FROM trips WHERE "
        "id = 'u4')");
  }
  write("more.tsd", small_trips(7, "v", 4));
  const ProcessResult result = tsmini_program({"add", file("c"), file("more.tsd")});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(matches(result.errors,
                      "'u4'.*was altered.*; the trips \\(7\\) were added and stay, only the index"))
      << result.errors;
  EXPECT_EQ(Collection::open(folder_ / "c").size(), 117u);
}

}  // namespace
}  // namespace tsmini
