// The subjects of `tsmini bench`, a file each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/pick_options.h"
#include "verbs.h"

namespace tsmini::cli {

struct BenchArguments {
  std::string what, target, output;
  std::vector<std::string> inputs;
  std::size_t points = 100;
  double seconds = 0.3;
  std::vector<std::string> measures;
  std::size_t queries = 1000, k = 10;
  double epsilon = 200;
  PickOptions picking;
};

void bench_measures(const BenchArguments& a, const CommonOptions& common);
void bench_knn(const BenchArguments& a, const CommonOptions& common);
void bench_encode(const BenchArguments& a, const CommonOptions& common);
void bench_search(const BenchArguments& a, const CommonOptions& common);
void bench_growth(const BenchArguments& a, const CommonOptions& common);
void bench_collection(const BenchArguments& a, const CommonOptions& common);

// Trips of the data set among the inputs, and those of them that were picked.
Trips bench_trips(const BenchArguments& a, std::size_t input);

// What figures depend on: as JSON, and as a line.
nlohmann::ordered_json machine_facts();
std::string machine_line();

}  // namespace tsmini::cli
