// No output takes the place of an input: every verb that writes refuses, and nothing is touched.
#include "common/outputs.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/small_city.h"

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

// The verbs, with files that have two names.
class OutputsOfVerbs : public SmallCity {
 protected:
  OutputsOfVerbs() {
    write_file(folder_ / "a.csv", "id,lon,lat\na,1,2\na,3,4\n");
    write_file(folder_ / "tracks/b.csv", "id,lon,lat\nb,1,2\nb,3,4\n");
    write_file(folder_ / "ids.txt", "trip 0\n");
    fs::create_hard_link(folder_ / "ids.txt", folder_ / "ids.csv");
    for (const char* name : {"trips.csv", "trips.svg", "trips.npy.json"}) {
      fs::create_hard_link(folder_ / "trips.tsd", folder_ / name);
    }
    fs::create_symlink("city/model-1.safetensors", folder_ / "model.svg");
  }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const std::string& name : folder_.names()) {
      const fs::path path = folder_ / name;
      all[name] = fs::is_regular_file(path) ? read_file(path) : "";
    }
    return all;
  }
};

TEST_F(OutputsOfVerbs, AreChecked) {
  const auto before = contents();
  for (const char* words : {
           "import a.csv -o a.csv",
           "import a.csv -o ./a.csv --sample 1",
           "import - -o a.csv < a.csv",
           "import tracks -o tracks/b.csv",
           "import a.csv -o city/a.tsd",
           "import trips.tsd -o trips.tsd --planar",
           "synth -o city/c.tsd",
           "synth -o city/collection.db",
           "info trips.tsd --map trips.svg",
           "info trips.tsd --map city/c.svg",
           "export trips.tsd -o trips.tsd --format csv",
           "export trips.tsd -o trips.csv",
           "export trips.tsd -o - --format csv >> trips.tsd",
           "export trips.tsd -o city/c.csv",
           "distance trips.tsd -o trips.tsd",
           "distance a.csv trips.tsd -o trips.tsd",
           "distance trips.tsd -o trips.npy",
           "distance trips.tsd -o city/c.npy",
           "knn trips.tsd trips.tsd -o trips.csv",
           "knn trips.tsd trips.tsd -o city/c.csv",
           "knn trips.tsd trips.tsd --map trips.svg",
           "join trips.tsd city -o trips.csv",
           "join trips.tsd city --map trips.svg",
           "join trips.tsd city -o x.svg.csv --map city/c.svg",
           "find trips.tsd city --piece 'trip 0' -o trips.csv",
           "find trips.tsd city --piece 'trip 0' --map trips.svg",
           "duplicates trips.tsd -o trips.tsd",
           "duplicates trips.tsd -o city/c.csv",
           "duplicates trips.tsd --ids-from ids.txt -o ids.csv",
           "cluster trips.tsd -o trips.csv",
           "cluster city --map model.svg",
           "outliers trips.tsd -o trips.tsd",
           "outliers trips.tsd --map trips.svg",
           "map trips.tsd -o trips.svg",
           "map city -o city/c.svg",
           "embed m.safetensors trips.tsd -o m.safetensors",
           "embed m.safetensors trips.tsd -o trips.tsd",
           "embed m.safetensors trips.tsd -o city/e.npy",
           "index m.safetensors trips.tsd -o trips.tsd",
           "index m.safetensors trips.tsd -o city/inner",
           "search city trips.tsd -o city/model-1.safetensors --format csv",
           "search city trips.tsd -o city/new.csv",
           "search city trips.tsd -o trips.csv",
           "search city trips.tsd --only-ids ids.txt -o ids.csv",
           "search city trips.tsd --map model.svg",
           "search city trips.tsd --map trips.svg",
           "search city trips.tsd -o x.svg --format csv --map x.svg",
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
           "export trips.tsd -o new.csv",
           "export trips.tsd -o new.csv",
           "search city trips.tsd -o answers.csv --map answers.svg",
           "distance trips.tsd -o new.npy",
           "distance trips.tsd -o new.npy",
           "index m.safetensors trips.tsd -o tracks/city",
       }) {
    const ProcessResult result = run(words);
    EXPECT_EQ(result.status, 0) << words << "\n" << result.errors;
  }
}

}  // namespace
}  // namespace tsmini
