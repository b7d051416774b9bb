#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/encoder.h"
#include "tsmini/error.h"
#include "tsmini/model_cost.h"

#include "base/amounts.h"
#include "base/nth_smallest.h"
#include "base/stopwatch.h"
#include "base/timing.h"
#include "bench.h"
#include "common/console.h"
#include "common/document.h"
#include "common/sgemm.h"

namespace tsmini::cli {
namespace {

struct EncodeFigures {
  double one_core = 0, all_cores = 0;  // trips a second: processor time, wall clock
  double gigaflops = 0;                // on one core, of the network's own operations
  std::string library;                 // whose sgemm was measured beside it; empty: none
  double sgemm_gigaflops = 0;
  double alone = 0;  // seconds of a trip whose weights are in no near cache
};

class EncodeBench {
 public:
  EncodeBench(const Model& model, const Dataset& data, std::vector<std::size_t> indices,
              double seconds)
      : data_(data), indices_(std::move(indices)), seconds_(seconds) {
    for (const std::size_t i : indices_)
      operations_ += forward_operations(model.net, data[i].points.size());
  }

  static constexpr std::size_t rounds = 5;

  double operations_a_trip() const { return operations_ / static_cast<double>(indices_.size()); }

  EncodeFigures run(const Encoder& encoder) const {
    EncodeFigures figures;
    const auto trips = static_cast<double>(indices_.size());
    Sgemm sgemm(768, 1);
    figures.library = sgemm.library();
    // In turns, so that both have their share of quiet moments.
    double best = std::numeric_limits<double>::max();
    for (std::size_t round = 0; round < rounds; ++round) {
      if (!sgemm.library().empty())
        figures.sgemm_gigaflops = std::max(
            figures.sgemm_gigaflops,
            1e-9 * sgemm.operations() / best_seconds(seconds_ / rounds, [&] { sgemm.run(); }));
      best = std::min(best, one_pass(encoder));
    }
    figures.one_core = trips / best;
    figures.gigaflops = 1e-9 * operations_ / best;
    figures.all_cores = trips / one_pass_on_all_cores(encoder);
    figures.alone = median_alone(encoder);
    return figures;
  }

 private:
  // Seconds of processor time.
  double one_pass(const Encoder& encoder) const {
    std::vector<float> row(encoder.dimension());
    return best_seconds(seconds_ / rounds, [&] {
      throw_if_interrupted();
      for (const std::size_t i : indices_) encoder.embed(data_[i].points, row);
    });
  }

  // Seconds by the clock.
  double one_pass_on_all_cores(const Encoder& encoder) const {
    std::vector<float> rows(indices_.size() * encoder.dimension());
    double fastest = std::numeric_limits<double>::max();
    const Stopwatch all;
    do {
      throw_if_interrupted();
      const Stopwatch pass;
      encoder.embed(data_, indices_, rows);
      fastest = std::min(fastest, pass.seconds());
    } while (all.seconds() < seconds_);
    return fastest;
  }

  double median_alone(const Encoder& encoder) const {
    constexpr std::size_t cache = 8 << 20;  // larger than a core's own
    std::vector<char> other(cache);
    std::vector<float> row(encoder.dimension());
    std::vector<double> times;
    for (const std::size_t i : indices_) {
      if (times.size() == 100) break;
      for (std::size_t at = 0; at < cache; at += 64) ++other[at];
      const Stopwatch watch;
      encoder.embed(data_[i].points, row);
      times.push_back(watch.seconds());
    }
    return nth_smallest(times, times.size() / 2);
  }

  const Dataset& data_;
  std::vector<std::size_t> indices_;
  double seconds_;
  double operations_ = 0;
};

void print_json(const EncodeFigures& figures, std::size_t trips, double operations) {
  auto json = machine_facts();
  json["trips"] = trips;
  json["megaflop_per_trip"] = 1e-6 * operations;
  json["trips_per_second"] = figures.one_core;
  json["trips_per_second_all_cores"] = figures.all_cores;
  json["ms_alone"] = 1000 * figures.alone;
  json["gigaflops"] = figures.gigaflops;
  if (figures.sgemm_gigaflops > 0) {
    json["sgemm_library"] = figures.library;
    json["sgemm_gigaflops"] = figures.sgemm_gigaflops;
    json["ratio_to_sgemm"] = figures.gigaflops / figures.sgemm_gigaflops;
  }
  print_document(json);
}

void print_table(const EncodeFigures& f, std::size_t trips, double operations) {
  const bool blas = f.sgemm_gigaflops > 0;
  fmt::print("{}\n{} of {} MFLOP; sgemm of {}\n", machine_line(), counted(trips, "trip"),
             human_number(1e-6 * operations), blas ? f.library : "nowhere: no BLAS is installed");
  fmt::print("{:>10}{:>14}{:>12}{:>10}{:>10}{:>8}\n", "trips/s", "on all cores", "alone", "GFLOP/s",
             "sgemm", "ratio");
  fmt::print("{:>10}{:>14}{:>12}{:>10}{:>10}{:>8}\n", human_number(f.one_core),
             human_number(f.all_cores), human_seconds(f.alone), human_number(f.gigaflops),
             blas ? human_number(f.sgemm_gigaflops) : "no BLAS",
             blas ? human_share(f.gigaflops / f.sgemm_gigaflops) : "");
}

}  // namespace

void bench_encode(const BenchArguments& a, const CommonOptions& common) {
  const Model model = Model::load(a.inputs[0]);
  const Trips trips_given = bench_trips(a, 1);
  const Dataset& data = trips_given.data;
  Picking usual;
  if (data.info().has_split && a.picking.part.empty()) usual.part = Part::test;
  std::vector<std::size_t> indices = picked(trips_given, usual);
  indices.resize(std::min(indices.size(), a.queries));
  const std::size_t trips = indices.size();
  const EncodeBench bench(model, data, std::move(indices), a.seconds);
  const EncodeFigures figures = bench.run(Encoder(model));
  if (common.json) {
    print_json(figures, trips, bench.operations_a_trip());
  } else {
    print_table(figures, trips, bench.operations_a_trip());
  }
}

}  // namespace tsmini::cli
