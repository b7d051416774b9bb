// What 0.1.0 wrote stays readable, and means what it meant: tests/data/golden/0.1.0.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"
#include "tsmini/encoder.h"

#include "base/npy.h"
#include "store/small_collection.h"
#include "store/sqlite.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

using nlohmann::json;

const std::filesystem::path golden = TSMINI_SOURCE_DIR "/tests/data/golden/0.1.0";
// Other machines add in other orders; the embeddings are near 1, and 32 numbers wide.
constexpr double rounding = 1e-5;

// A search writes beside the database.
class Released : public testing::Test {
 protected:
  Released() {
    std::filesystem::copy(golden / "collection", folder_ / "collection",
                          std::filesystem::copy_options::recursive);
  }

  Collection collection() const { return Collection::open(folder_ / "collection"); }
  Dataset city() const { return Dataset::open(golden / "city.tsd"); }

  void expect_answers(const Collection& trips, SearchMode mode) const {
    const Dataset queries = city();
    const json answers = json::parse(read_file(golden / "answers.json"))[name_of(mode)];
    ASSERT_EQ(answers.size(), 5U);
    for (std::size_t q = 0; q < answers.size(); ++q) {
      const Trajectory query = queries[q];
      ASSERT_EQ(answers[q]["query"], query.id);
      SearchRequest request{.k = 5, .measure = Measure::frechet, .mode = mode};
      request.candidates = 25;  // what it took by itself
      request.filter.excluded = {std::string(query.id)};
      const SearchResult result = trips.search(query.points, request);
      const json& expected = answers[q]["neighbours"];
      ASSERT_EQ(result.answers.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(result.answers[i].trip.id, expected[i]["id"].get<std::string>())
            << name_of(mode) << ' ' << query.id;
        const double distance = expected[i]["distance"];
        EXPECT_NEAR(result.answers[i].distance, distance, rounding * distance);
      }
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Released, DataSetsOpen) {
  const Dataset data = city();
  data.verify();
  EXPECT_EQ(data.size(), 160U);
  EXPECT_EQ(data.point_count(), 8518U);
  EXPECT_EQ(data.indices_of(Part::train).size(), 100U);
  EXPECT_EQ(data.indices_of(Part::test).size(), 40U);
  EXPECT_EQ(data[0].id, "trip-0000001");
  EXPECT_EQ(data[0].times.size(), data[0].points.size());
}

TEST_F(Released, ModelsEmbedAsTheyDid) {
  const Dataset data = city();
  const std::vector<std::size_t> test = data.indices_of(Part::test);
  for (const std::string name : {"frechet", "dtw", "hausdorff"}) {
    const Model model = Model::load(golden / (name + ".safetensors"));
    EXPECT_EQ(name_of(model.measure), name);
    const Encoder encoder(model);
    const NpyArray expected(golden / (name + ".npy"));
    const auto rows = expected.values<float>();
    std::vector<float> embedding(encoder.dimension());
    ASSERT_EQ(rows.size(), test.size() * embedding.size());
    for (std::size_t i = 0; i < test.size(); ++i) {
      encoder.embed(data[test[i]].points, embedding);
      for (std::size_t d = 0; d < embedding.size(); ++d) {
        const float before = rows[i * embedding.size() + d];
        EXPECT_NEAR(embedding[d], before, rounding * std::max(1.0F, std::abs(before)))
            << name << ' ' << data[test[i]].id;
      }
    }
  }
}

TEST_F(Released, IndexesHoldTheSameRows) {
  const EmbeddingIndex flat = EmbeddingIndex::load(golden / "flat.index");
  const EmbeddingIndex coded = EmbeddingIndex::load(golden / "coded.index");
  const EmbeddingIndex hnsw = EmbeddingIndex::load(golden / "hnsw.index");
  EXPECT_EQ(coded.settings().kind, IndexKind::coded);
  EXPECT_EQ(hnsw.settings().kind, IndexKind::hnsw);
  for (const EmbeddingIndex* index : {&flat, &coded, &hnsw}) {
    index->verify();
    ASSERT_EQ(index->size(), 160U);
    for (std::uint32_t row = 0; row < 160; ++row) {
      EXPECT_EQ(index->row(row), flat.row(row));
      EXPECT_EQ(index->nearest(flat.row(row), 10), flat.nearest(flat.row(row), 10)) << row;
      // With so few candidates the graph is followed, not all rows looked at.
      EXPECT_EQ(index->nearest(flat.row(row), 1, {}, 5).front().distance, 0) << row;
    }
  }
}

TEST_F(Released, CollectionsAnswerAsTheyDid) {
  const Collection trips = collection();
  trips.verify();
  const CollectionInfo info = trips.info();
  EXPECT_EQ(info.trips, 157U);
  EXPECT_EQ(info.models.at(0).index, IndexKind::hnsw);
  EXPECT_EQ(info.models.at(0).indexed, 130U);
  EXPECT_EQ(info.models.at(0).removed, 2U);
  EXPECT_EQ(info.models.at(0).tail, 29U);
  for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
    expect_answers(trips, mode);
  }
}

// They know nothing of recall: of so few trips all are candidates.
TEST_F(Released, CollectionsWereNotJudged) {
  const Collection trips = collection();
  EXPECT_FALSE(trips.models().at(0).judgement.has_value());
  const Dataset data = city();
  SearchRequest request{.k = 5, .mode = SearchMode::rerank};
  const SearchResult result = trips.search(data[0].points, request);
  EXPECT_EQ(result.expected_recall, 1);
  EXPECT_EQ(result.candidates, 157U);
  request.mode = SearchMode::exact;
  EXPECT_EQ(ids_of(trips.search(data[0].points, request)), ids_of(result));
  request.mode = SearchMode::fast;
  EXPECT_FALSE(trips.search(data[0].points, request).expected_recall.has_value());
}

TEST_F(Released, CollectionsAreReadAsTheyAre) {
  const std::string before = read_file(golden / "collection/collection.db");
  {
    const Collection trips = collection();
    trips.verify();
    for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
      expect_answers(trips, mode);
    }
    EXPECT_EQ(trips.models().at(0).name, "model");
    EXPECT_EQ(trips.notes().size(), 1U) << "that of its index";
  }
  EXPECT_EQ(read_file(folder_ / "collection/collection.db"), before);
}

// Whoever has it open sees no difference.
TEST_F(Released, TheFirstWriteBringsThemToTheCurrentFormat) {
  const Collection reader = collection();
  expect_answers(reader, SearchMode::rerank);
  {
    Collection trips = collection();
    Model model = Model::load(golden / "hausdorff.safetensors");
    expect_error(ErrorCode::bad_input, "in the space 'mercator'", "`space=ground`",
                 [&] { trips.add_model(model); });
    model.space = trips.space();
    EXPECT_EQ(trips.add_model(model), "hausdorff");
    ASSERT_EQ(trips.notes().size(), 1U);
    EXPECT_TRUE(matches(trips.notes()[0], "was brought to the format of this version"));
    trips.verify();
  }
  for (const Collection& trips : {collection(), collection()}) {
    for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
      expect_answers(trips, mode);
      expect_answers(reader, mode);
    }
    EXPECT_EQ(trips.models().at(0).indexed, 130U);
    EXPECT_EQ(trips.models().at(1).name, "hausdorff");
    EXPECT_EQ(reader.models().at(1).tail + reader.models().at(1).unfit, 157U);
    const Dataset data = city();
    const SearchRequest request{.k = 1, .measure = Measure::hausdorff, .mode = SearchMode::rerank};
    EXPECT_EQ(ids_of(trips.search(data[0].points, request)).front(), data[0].id);
    trips.verify();
  }
}

// Its format changes; that it was altered is still found, and it can be removed.
TEST_F(Released, AnAlteredTripStaysOne) {
  {
    Database database(folder_ / "collection/collection.db", Database::Access::write);
    database.run("UPDATE trips SET points = zeroblob(length(points)) WHERE id = 'trip-0000005'");
  }
  Collection trips = collection();
  EXPECT_EQ(trips.remove(std::vector<std::string>{"trip-0000001"}), 1U);
  expect_error(ErrorCode::bad_input, "'trip-0000005' .* was altered", "remove the trip",
               [&] { trips.find("trip-0000005"); });
  expect_error(ErrorCode::bad_input, "was altered", "", [&] { trips.verify(); });
  EXPECT_EQ(trips.remove(std::vector<std::string>{"trip-0000005"}), 1U);
  trips.verify();
}

TEST_F(Released, CollectionsGoOnBeingWritten) {
  Collection trips = collection();
  const std::vector<std::string> there{"trip-0000001"};
  EXPECT_EQ(trips.remove(there), 1U);
  EXPECT_EQ(trips.add(city(), {.duplicates = Duplicates::skip}).added, 4U);
  trips.make_index();
  trips.compact();
  trips.verify();
  EXPECT_EQ(trips.size(), 160U);
  const Dataset data = city();
  for (const std::size_t i : {0U, 159U}) {
    EXPECT_EQ(ids_of(trips.search(data[i].points, {.k = 1})).front(), data[i].id);
  }
}

}  // namespace
}  // namespace tsmini
