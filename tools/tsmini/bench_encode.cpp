#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/encoder.h"
#include "tsmini/error.h"
#include "tsmini/model_cost.h"

#include "base/amounts.h"
#include "base/timing.h"
#include "bench.h"
#include "common/console.h"
#include "common/sgemm.h"

namespace tsmini::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct EncodeFigures {
  Arithmetic arithmetic = Arithmetic::fp32;
  double one_core = 0, all_cores = 0;  // trips a second: processor time, wall clock
  double gigaflops = 0;                // on one core, of the network's own operations
  std::string library;                 // whose sgemm was measured beside it; empty: none
  double sgemm_gigaflops = 0;
  double alone = 0;  // seconds of a trip whose weights are in no near cache
};

std::string_view name_of(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::bf16 ? "bf16" : "fp32";
}

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
    figures.arithmetic = encoder.arithmetic();
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
    const auto start = Clock::now();
    do {
      throw_if_interrupted();
      const auto begin = Clock::now();
      encoder.embed(data_, indices_, rows);
      fastest = std::min(fastest, seconds_since(begin));
    } while (seconds_since(start) < seconds_);
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
      const auto start = Clock::now();
      encoder.embed(data_[i].points, row);
      times.push_back(seconds_since(start));
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
  }

  const Dataset& data_;
  std::vector<std::size_t> indices_;
  double seconds_;
  double operations_ = 0;
};

void print_json(const std::vector<EncodeFigures>& all, std::size_t trips, double operations) {
  auto json = machine_facts();
  json["trips"] = trips;
  json["megaflop_per_trip"] = 1e-6 * operations;
  auto& list = json["arithmetic"] = nlohmann::ordered_json::array();
  for (const EncodeFigures& figures : all) {
    nlohmann::ordered_json row = {{"precision", name_of(figures.arithmetic)},
                                  {"trips_per_second", figures.one_core},
                                  {"trips_per_second_all_cores", figures.all_cores},
                                  {"ms_alone", 1000 * figures.alone},
                                  {"gigaflops", figures.gigaflops}};
    if (figures.sgemm_gigaflops > 0) {
      row["sgemm_library"] = figures.library;
      row["sgemm_gigaflops"] = figures.sgemm_gigaflops;
      row["ratio_to_sgemm"] = figures.gigaflops / figures.sgemm_gigaflops;
    }
    list.push_back(std::move(row));
  }
  fmt::print("{}\n", json.dump(2));
}

void print_table(const std::vector<EncodeFigures>& all, std::size_t trips, double operations) {
  const std::string& library = all.front().library;
  fmt::print("{}\n{} of {} MFLOP; sgemm of {}\n", machine_line(), counted(trips, "trip"),
             human_number(1e-6 * operations),
             library.empty() ? "nowhere: no BLAS is installed" : library);
  fmt::print("{:<10}{:>10}{:>14}{:>12}{:>10}{:>10}{:>8}\n", "precision", "trips/s", "on all cores",
             "alone", "GFLOP/s", "sgemm", "ratio");
  for (const EncodeFigures& f : all) {
    const bool blas = f.sgemm_gigaflops > 0;
    fmt::print("{:<10}{:>10}{:>14}{:>12}{:>10}{:>10}{:>8}\n", name_of(f.arithmetic),
               human_number(f.one_core), human_number(f.all_cores), human_seconds(f.alone),
               human_number(f.gigaflops), blas ? human_number(f.sgemm_gigaflops) : "no BLAS",
               blas ? human_share(f.gigaflops / f.sgemm_gigaflops) : "");
  }
}

}  // namespace

void bench_encode(const BenchArguments& a, const CommonOptions& common) {
  const Model model = Model::load(a.inputs[0]);
  const Trips trips_given = bench_trips(a, 1);
  const Dataset& data = trips_given.data;
  const Console console(common.quiet);
  Picking usual;
  if (data.info().has_split && a.picking.part.empty()) usual.part = Part::test;
  std::vector<std::size_t> indices = picked(trips_given, usual);
  indices.resize(std::min(indices.size(), a.queries));
  const std::size_t trips = indices.size();
  const EncodeBench bench(model, data, std::move(indices), a.seconds);
  std::vector<EncodeFigures> all;
  for (const Arithmetic arithmetic : {Arithmetic::fp32, Arithmetic::bf16}) {
    const Encoder encoder(model, arithmetic);
    if (encoder.arithmetic() != arithmetic) {
      console.say("bf16 is left out: this processor or target has no tiles for it (AMX)");
      continue;
    }
    all.push_back(bench.run(encoder));
  }
  if (common.json) {
    print_json(all, trips, bench.operations_a_trip());
  } else {
    print_table(all, trips, bench.operations_a_trip());
  }
}

}  // namespace tsmini::cli
