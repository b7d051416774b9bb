#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/exact_search.h"
#include "tsmini/pair_engine.h"

#include "base/amounts.h"
#include "base/timing.h"
#include "bench.h"
#include "common/console.h"
#include "common/document.h"
#include "common/measure_options.h"

namespace tsmini::cli {
namespace {

using Neighbours = std::vector<Neighbour>;

struct KnnFigures {
  Measure measure;
  double bounded = 0;         // milliseconds a query
  double scanned = 0;         // the same without bounds, in the precision of the bounded search
  double scanned_double = 0;  // and in double precision
  double distances = 0;       // computed a query, where there are bounds
  bool equal = true;          // to the nearest of all distances in double precision

  double ratio() const { return scanned / bounded; }
};

// What a search computes first.
Precision first_precision(Measure measure) {
  switch (measure) {
    case Measure::edwp:
    case Measure::edr:
    case Measure::lcss: return Precision::double_precision;
    default: return Precision::single_precision;
  }
}

// The nearest of all, as a search without bounds finds them.
template <class T>
Neighbours scan(const PairEngine& engine, std::span<const Planar> query, std::size_t k) {
  std::vector<T> distances(engine.size());
  engine.one_to_many(query, std::span<T>(distances));
  Neighbours all;
  all.reserve(distances.size());
  for (std::size_t i = 0; i < distances.size(); ++i) all.push_back({i, distances[i]});
  const std::size_t wanted = std::min(k, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wanted), all.end());
  all.resize(wanted);
  return all;
}

class KnnBench {
 public:
  KnnBench(const PlanarSet& base, const PlanarSet& queries, const MeasureSettings& settings,
           std::size_t k)
      : base_(base), queries_(queries), settings_(settings), k_(k) {}

  static constexpr std::size_t rounds = 3;  // of which the best counts
  static constexpr std::size_t passes = 2 * rounds + 1;

  // `pass` is called after each pass over all queries.
  template <class Pass>
  KnnFigures run(Measure measure, const Pass& pass) const {
    KnnFigures figures{measure, forever, forever, forever};
    const ExactSearch search(measure, base_, settings_);
    SearchWork work;
    std::vector<Neighbours> answers(queries_.size());
    {
      const PairEngine first(measure, base_, settings_, first_precision(measure));
      Neighbours ignored;
      for (std::size_t round = 0; round < rounds; ++round) {
        work = {};
        keep_best(figures.bounded, [&](std::size_t q) {
          answers[q] = search.nearest(queries_[q], k_, ExactSearch::nothing, &work);
        });
        pass();
        keep_best(figures.scanned,
                  [&](std::size_t q) { ignored = scan<float>(first, queries_[q], k_); });
        pass();
      }
    }
    const PairEngine exact(measure, base_, settings_, Precision::double_precision);
    keep_best(figures.scanned_double, [&](std::size_t q) {
      if (answers[q] != scan<double>(exact, queries_[q], k_)) figures.equal = false;
    });
    pass();
    figures.distances =
        static_cast<double>(work.single + work.doubled) / static_cast<double>(queries_.size());
    return figures;
  }

 private:
  static constexpr double forever = std::numeric_limits<double>::infinity();

  template <class Answer>
  void keep_best(double& milliseconds, const Answer& answer) const {
    const double start = processor_seconds();
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      throw_if_interrupted();
      answer(q);
    }
    const double seconds = processor_seconds() - start;
    milliseconds = std::min(milliseconds, 1000 * seconds / static_cast<double>(queries_.size()));
  }

  const PlanarSet& base_;
  const PlanarSet& queries_;
  const MeasureSettings& settings_;
  std::size_t k_;
};

void print_json(const std::vector<KnnFigures>& rows, std::size_t base, const BenchArguments& a) {
  auto json = machine_facts();
  json["queries"] = a.queries;
  json["base"] = base;
  json["k"] = a.k;
  auto& list = json["measures"] = nlohmann::ordered_json::array();
  for (const KnnFigures& row : rows) {
    list.push_back({{"measure", name_of(row.measure)},
                    {"ms_per_query", row.bounded},
                    {"scan_ms_per_query", row.scanned},
                    {"double_scan_ms_per_query", row.scanned_double},
                    {"ratio", row.ratio()},
                    {"distances_per_query", row.distances},
                    {"equal", row.equal}});
  }
  print_document(json);
}

void print_table(const std::vector<KnnFigures>& rows, std::size_t base, const BenchArguments& a) {
  fmt::print("{}\n{} nearest of {} to {}: milliseconds a query\n", machine_line(), a.k,
             with_thousands(base), counted(a.queries, "query"));
  fmt::print("{:<20}{:>10}{:>10}{:>10}{:>9}{:>12}{:>8}\n", "measure", "bounds", "scan", "double",
             "ratio", "distances", "equal");
  for (const KnnFigures& row : rows) {
    fmt::print("{:<20}{:>10.4f}{:>10.3f}{:>10.3f}{:>8.1f}x{:>12.1f}{:>8}\n", name_of(row.measure),
               row.bounded, row.scanned, row.scanned_double, row.ratio(), row.distances,
               row.equal ? "yes" : "no");
  }
}

}  // namespace

void bench_knn(const BenchArguments& a, const CommonOptions& common) {
  std::vector<Measure> measures;
  for (const std::string& name : a.measures) measures.push_back(measure_from(name));
  if (measures.empty()) measures = {Measure::dtw, Measure::frechet, Measure::hausdorff};
  const Console console(common.quiet);
  MeasureSetup setup({});
  const MeasuredSet set = setup.load(bench_trips(a, 0), {}, console);
  if (set.size() <= a.queries) {
    throw Error(ErrorCode::usage,
                fmt::format("{} has {}, of which {} leave nothing to search", a.inputs[0],
                            counted(set.size(), "trip"), counted(a.queries, "query")),
                "ask for fewer with --queries");
  }
  const std::span<const std::size_t> indices = set.indices;
  const PlanarSet queries(set.data, setup.space(), indices.first(a.queries));
  const PlanarSet base(set.data, setup.space(), indices.subspan(a.queries));
  const Progress progress = console.progress("searching", Unit::trips);
  MeasureSettings settings = setup.settings();  // with the gap point of erp
  settings.epsilon = a.epsilon;
  const KnnBench bench(base, queries, settings, a.k);
  std::vector<KnnFigures> rows;
  rows.reserve(measures.size());
  std::uint64_t done = 0;
  for (const Measure measure : measures) {
    rows.push_back(bench.run(measure, [&] {
      progress({done += queries.size(), measures.size() * KnnBench::passes * queries.size()});
    }));
  }
  if (common.json) {
    print_json(rows, base.size(), a);
  } else {
    print_table(rows, base.size(), a);
  }
}

}  // namespace tsmini::cli
