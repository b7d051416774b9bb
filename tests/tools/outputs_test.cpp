// No output takes the place of an input: every verb that writes refuses, and nothing is touched.
#include "common/outputs.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "encode/random_model.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

namespace fs = std::filesystem;
using cli::check_outputs;

class Outputs : public testing::Test {
 protected:
  Outputs() {
    write_file(folder_ / "a.csv", "id,lon,lat\na,1,2\na,3,4\n");
    fs::create_symlink("a.csv", folder_ / "soft.csv");
    fs::create_hard_link(folder_ / "a.csv", folder_ / "hard.csv");
    write_file(folder_ / "city/collection.db", "");
    write_file(folder_ / "city/model.safetensors", "");
    fs::create_symlink("city", folder_ / "town");
    fs::create_symlink("city/model.safetensors", folder_ / "m.safetensors");
  }

  fs::path at(const std::string& name) const { return folder_ / name; }

  void refuse(const std::vector<fs::path>& inputs, const std::vector<fs::path>& outputs,
              const std::string& message) const {
    SCOPED_TRACE(outputs.back());
    expect_error(ErrorCode::usage, message, "choose ", [&] { check_outputs(inputs, outputs); });
  }

  TemporaryFolder folder_;
};

TEST_F(Outputs, AreNoInputs) {
  refuse({at("a.csv")}, {at("a.csv")}, "a.csv is an input and would be written over$");
  refuse({at("x"), at("a.csv")}, {"", at("./city/../a.csv")},
         "same file as the input .*/a.csv and");
  for (const char* name : {"soft.csv", "hard.csv"}) {
    refuse({at("a.csv")}, {at(name)}, "same file as the input");
    refuse({at(name)}, {at("a.csv")}, "same file as the input");
  }
  check_outputs({at("a.csv")}, {at("b.csv"), at("no/such/folder"), "-", "/dev/null"});
  check_outputs({"-", "/dev/null", at("none.csv")}, {at("none.csv"), at("a.csv")});
}

TEST_F(Outputs, AreDifferent) {
  refuse({}, {at("b.csv"), at("b.csv")}, "b.csv and .*b.csv are one file, and both");
  refuse({}, {at("b.csv"), at("city/../b.csv")}, "are one file");
  refuse({}, {at("a.csv"), at("hard.csv")}, "are one file");
  check_outputs({}, {at("b.csv"), at("c.csv"), "-", "", ""});
}

TEST_F(Outputs, LieInNoCollection) {
  for (const char* name : {"city/x.csv", "city/model.safetensors", "town/x.csv", "m.safetensors",
                           "city/below/x.csv", "city/none/../x.csv"}) {
    refuse({}, {at(name)}, "lies inside the collection .*/city$");
  }
  // Nor may a name elsewhere be one of the files that a search reads.
  fs::create_hard_link(at("city/model.safetensors"), at("model"));
  refuse({at("city")}, {at("model")}, "same file as the input .*city/model.safetensors");
  check_outputs({at("city")}, {at("city.csv"), at("x.csv")});
}

// The verbs, with files of their own.
class OutputsOfVerbs : public testing::Test {
 protected:
  OutputsOfVerbs() {
    write_file(folder_ / "a.csv", "id,lon,lat\na,1,2\na,3,4\n");
    write_file(folder_ / "tracks/b.csv", "id,lon,lat\nb,1,2\nb,3,4\n");
    write_file(folder_ / "ids.txt", "trip 0\n");
    NetSettings settings;
    settings.dimension = 32;
    settings.hidden = 32;
    random_model(settings).save(folder_ / "m.safetensors");
    DatasetWriter writer(folder_ / "c.tsd", Coordinates::planar);
    const Dataset trips = random_trips(std::vector<std::size_t>(12, 20));
    for (std::size_t i = 0; i < trips.size(); ++i) writer.add(trips[i]);
    writer.finish();
    EXPECT_EQ(run("index m.safetensors c.tsd -o city --quiet").status, 0);
    fs::create_hard_link(folder_ / "c.tsd", folder_ / "c.csv");
    fs::create_hard_link(folder_ / "c.tsd", folder_ / "c.svg");
    fs::create_hard_link(folder_ / "c.tsd", folder_ / "c.npy.json");
    fs::create_symlink("city/model.safetensors", folder_ / "model.svg");
    fs::create_hard_link(folder_ / "ids.txt", folder_ / "ids.csv");
  }

  ProcessResult run(const std::string& words) const {
    return shell("cd '" + folder_.path().string() + "'; \"$TSMINI\" " + words);
  }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const std::string& name : folder_.names()) {
      const fs::path path = folder_ / name;
      all[name] = fs::is_regular_file(path) ? read_file(path) : "";
    }
    return all;
  }

  TemporaryFolder folder_;
};

TEST_F(OutputsOfVerbs, AreChecked) {
  const auto before = contents();
  for (const char* words : {
           "import a.csv -o a.csv",
           "import a.csv -o ./a.csv --sample 1",
           "import - -o a.csv < a.csv",
           "import tracks -o tracks/b.csv",
           "import a.csv -o city/a.tsd",
           "import c.tsd -o c.tsd --planar",
           "synth -o city/c.tsd",
           "synth -o city/collection.db",
           "info c.tsd --map c.svg",
           "info c.tsd --map city/c.svg",
           "export c.tsd -o c.tsd --format csv",
           "export c.tsd -o c.csv",
           "export c.tsd -o - --format csv >> c.tsd",
           "export c.tsd -o city/c.csv",
           "distance c.tsd -o c.tsd",
           "distance a.csv c.tsd -o c.tsd",
           "distance c.tsd -o c.npy",
           "distance c.tsd -o city/c.npy",
           "knn c.tsd c.tsd -o c.csv",
           "knn c.tsd c.tsd -o city/c.csv",
           "embed m.safetensors c.tsd -o m.safetensors",
           "embed m.safetensors c.tsd -o c.tsd",
           "embed m.safetensors c.tsd -o city/e.npy",
           "index m.safetensors c.tsd -o c.tsd",
           "index m.safetensors c.tsd -o city/inner",
           "search city c.tsd -o city/model.safetensors --format csv",
           "search city c.tsd -o city/new.csv",
           "search city c.tsd -o c.csv",
           "search city c.tsd --only-ids ids.txt -o ids.csv",
           "search city c.tsd --map model.svg",
           "search city c.tsd --map c.svg",
           "search city c.tsd -o x.svg --format csv --map x.svg",
       }) {
    const ProcessResult result = run(words);
    EXPECT_EQ(result.status, 2) << words << "\n" << result.errors;
    EXPECT_EQ(result.output, "") << words;
    EXPECT_TRUE(matches(result.errors, "^error: .* (written over|inside the collection|both)"))
        << words << "\n"
        << result.errors;
    EXPECT_TRUE(matches(result.errors, "hint: .*choose")) << result.errors;
    EXPECT_EQ(contents(), before) << words;
  }
}

TEST_F(OutputsOfVerbs, MayBeBesideTheInputs) {
  for (const char* words : {
           "import tracks -o tracks/all.tsd",
           "export c.tsd -o new.csv",
           "export c.tsd -o new.csv",
           "search city c.tsd -o answers.csv --map answers.svg",
           "distance c.tsd -o new.npy",
           "distance c.tsd -o new.npy",
           "index m.safetensors c.tsd -o tracks/city",
       }) {
    const ProcessResult result = run(words);
    EXPECT_EQ(result.status, 0) << words << "\n" << result.errors;
  }
}

}  // namespace
}  // namespace tsmini
