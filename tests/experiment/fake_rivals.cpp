// A stand-in for tsmini-rivals that learns nothing: its embedding of a trip is 16 points of it, and
// what it tells is made up. Named by FAKE_RIVALS_FAILS or FAKE_RIVALS_STOPS, a rival fails for want
// of memory, or is interrupted; by FAKE_RIVALS_REFUSES, it does not take the data; by
// FAKE_RIVALS_FORGETS, it learns and then cannot embed; by FAKE_RIVALS_MUMBLES, it embeds too few.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"
#include "tsmini/error.h"
#include "tsmini/planar_set.h"

#include "base/npy.h"
#include "experiment/sketch.h"

namespace {

using tsmini::experiment::Sketch, tsmini::experiment::sketches;

struct Call {
  std::vector<std::string> places;             // verb and files
  std::map<std::string, std::string> options;  // flags have an empty value
};

Call call_of(int argc, char** argv) {
  const std::map<std::string, bool> flags{
      {"--json", true}, {"--quiet", true}, {"--move", true}, {"--as-released", true}};
  Call call;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with('-'))
      call.places.push_back(word);
    else
      call.options[word] = flags.contains(word) || i + 1 == argc ? "" : argv[++i];
  }
  return call;
}

bool is_named(const char* variable, const std::string& rival) {
  const char* value = std::getenv(variable);
  return value != nullptr && rival == value;
}

int train(const Call& call) {
  const std::string rival = call.options.at("--rival");
  std::cerr << "training " << rival << '\n';
  if (is_named("FAKE_RIVALS_STOPS", rival)) return 130;
  if (is_named("FAKE_RIVALS_FAILS", rival)) {
    std::cerr << "error: out of memory\n  hint: take a larger machine\n";
    return 1;
  }
  if (is_named("FAKE_RIVALS_REFUSES", rival)) {
    std::cerr << "error: a trip is too long\n  hint: thin it\n";
    return 3;
  }
  const tsmini::Dataset data = tsmini::Dataset::open(call.places.at(1));
  if (data.indices_of(tsmini::Part::train).empty()) {
    std::cerr << "error: nothing to learn from\n";
    return 3;
  }
  std::ofstream(call.options.at("-o")) << rival;
  const double seconds =
      call.options.contains("--seconds") ? std::stod(call.options.at("--seconds")) : 1000;
  std::cout << nlohmann::json{{"rival", rival},
                              {"parameters", call.options.contains("--as-released") ? 7 : 1220237},
                              {"table", 4096},
                              {"steps", 500},
                              {"recipe_steps", 1100},
                              {"seconds", seconds},
                              {"pretraining_steps", 100},
                              {"pretraining_seconds", seconds / 2},
                              {"label_seconds", 1.5},
                              {"hr10", .5},
                              {"rising", rival == "trajcl"},
                              {"device", "CPU"}};
  return 0;
}

int embed(const Call& call) {
  std::string rival;
  std::ifstream(call.places.at(1)) >> rival;
  if (is_named("FAKE_RIVALS_FORGETS", rival)) return 1;
  const tsmini::Dataset data = tsmini::Dataset::open(call.places.at(2));
  const tsmini::PlanarSet trips(data, tsmini::Space::fit(tsmini::SpaceKind::mercator, data),
                                data.indices_of(tsmini::Part::test));
  const Sketch& sketch = sketches().front();
  const bool pairs = rival == "tmn";
  const std::size_t n = trips.size() - (is_named("FAKE_RIVALS_MUMBLES", rival) ? 1 : 0),
                    width = pairs ? n : sketch.numbers;
  std::vector<float> rows;
  if (pairs) rows = tsmini::experiment::sketch_distances(sketch, trips, tsmini::Measure::dtw);
  for (std::size_t i = 0; i < n && !pairs; ++i) {
    for (const tsmini::Planar& point : sketch.points(trips[i])) {
      rows.push_back(static_cast<float>(point.x - trips.origin().x));
      rows.push_back(static_cast<float>(point.y - trips.origin().y));
    }
  }
  const auto out =
      tsmini::NpyWriter::create(call.options.at("-o"), {tsmini::NpyType::float32, {n, width}});
  std::copy(rows.begin(), rows.end(), out.values<float>().begin());
  std::cout << nlohmann::json{{"rival", rival},
                              {"trips", n},
                              {"seconds", call.options.contains("--move") ? .25 : .125},
                              {"metric", "l2"},
                              {"distances", pairs}};
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Call call = call_of(argc, argv);
    return call.places.at(0) == "train" ? train(call) : embed(call);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 3;
  }
}
