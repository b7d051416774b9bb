#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "tsmini/embedding_index.h"
#include "tsmini/encoder.h"
#include "tsmini/error.h"
#include "tsmini/exact_search.h"
#include "tsmini/pair_engine.h"

#include "base/amounts.h"
#include "base/array.h"
#include "base/stopwatch.h"
#include "base/timing.h"
#include "bench.h"
#include "common/console.h"
#include "common/document.h"

namespace tsmini::cli {
namespace {

using Answers = std::vector<std::vector<Hit>>;

constexpr std::size_t many = 50;             // answers of the scans
constexpr std::size_t most_exact = 100'000;  // trips of the exact search

double milliseconds(double seconds) {
  return 1000 * seconds;
}

// Memory as that of the rows, and how it is read fastest: by the C library, looking for what is not
// there.
class ReadTest {
 public:
  explicit ReadTest(std::size_t bytes) : bytes_(bytes) {
    std::memset(memory_.grow(bytes), 1, bytes);
  }
  void operator()() const {
    if (std::memchr(memory_.data(), 2, bytes_) != nullptr) std::abort();
  }

 private:
  Array<std::uint8_t> memory_;
  std::size_t bytes_;
};

struct ScanFigures {
  double bytes = 0;                   // of the rows
  double read_one = 0, read_all = 0;  // seconds to read them, on one core and on all
  double flat_one = 0, flat_all = 0;  // seconds a query; on all cores, of one query a core
  double flat_each = 0;               // processor seconds a query, many at once
  double coded_one = 0, coded_recall = 0;
};

struct GraphFigures {
  double build = 0;  // processor seconds
  struct AtEf {
    std::size_t ef;
    double seconds, recall;  // a query
  };
  std::vector<AtEf> at_ef;
};

struct ExactFigures {
  std::size_t base = 0;
  double build = 0;                        // processor seconds
  double guided = 0, plain = 0, scan = 0;  // seconds a query
  double distances = 0;                    // computed a query, with candidates
  bool equal = true;                       // guided and plain
};

class SearchBench {
 public:
  SearchBench(const Model& model, const Dataset& data, const BenchArguments& a,
              const Console& console)
      : model_(model), data_(data), k_(a.k), seconds_(a.seconds), queries_(a.queries) {
    const Encoder encoder(model);
    std::vector<std::size_t> all(data.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    embeddings_.resize(all.size() * encoder.dimension());
    encoder.embed(data, all, embeddings_, console.progress("embedding", Unit::trips));
  }

  std::size_t base_size() const { return data_.size() - queries_; }

  ScanFigures scans() {
    ScanFigures figures;
    EmbeddingIndex flat = made(IndexKind::flat, {});
    figures.bytes = static_cast<double>(base().size_bytes());
    const ReadTest read(base().size_bytes());
    std::size_t next = 0;
    const auto ask = [&](const EmbeddingIndex& index) {
      throw_if_interrupted();
      index.nearest(query(next++ % queries_), many);
    };
    figures.read_one = best_seconds(seconds_, read);
    figures.flat_one = best_seconds(seconds_, [&] { ask(flat); });
    figures.read_all = on_all_cores([&](std::size_t) { read(); });
    figures.flat_all =
        on_all_cores([&](std::size_t core) { flat.nearest(query(core % queries_), many); });
    const double before = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
    truth_ = flat.nearest_each(queries(), many);
    figures.flat_each =
        (processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - before) / static_cast<double>(queries_);
    const EmbeddingIndex coded = made(IndexKind::coded, {});
    figures.coded_one = best_seconds(seconds_, [&] { ask(coded); });
    figures.coded_recall = recall(coded.nearest_each(queries(), many), many);
    return figures;
  }

  // To be called after scans(), whose answers are the truth.
  GraphFigures graph(const Progress& progress) {
    GraphFigures figures;
    const double before = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const EmbeddingIndex index = made(IndexKind::hnsw, progress);
    figures.build = processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - before;
    for (const std::size_t ef : {3 * k_, 5 * k_, 10 * k_, 20 * k_}) {
      Answers answers(queries_);
      const double start = processor_seconds();
      for (std::size_t q = 0; q < queries_; ++q) {
        throw_if_interrupted();
        answers[q] = index.nearest(query(q), k_, {}, ef);
      }
      const double spent = processor_seconds() - start;
      figures.at_ef.push_back({ef, spent / static_cast<double>(queries_), recall(answers, k_)});
    }
    return figures;
  }

  // Candidates are the nearest by embedding, five times as many as answers.
  ExactFigures exact() const {
    ExactFigures figures;
    figures.base = std::min(base_size(), most_exact);
    const PlanarSet query_trips = trips(0, queries_), base_trips = trips(queries_, figures.base);
    EmbeddingIndex index({.dimension = dimension(), .metric = model_.net.metric});
    index.add(base().first(figures.base * dimension()));
    const Answers guesses = index.nearest_each(queries(), 5 * k_);
    const double before = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const ExactSearch search(model_.measure, base_trips, model_.measure_settings);
    figures.build = processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - before;
    const PairEngine engine(model_.measure, base_trips, model_.measure_settings);
    std::vector<float> distances(figures.base);
    std::vector<std::vector<Neighbour>> plain(queries_), guided(queries_);
    SearchWork work;
    figures.plain = a_query([&](std::size_t q) { plain[q] = search.nearest(query_trips[q], k_); });
    figures.guided = a_query([&](std::size_t q) {
      std::vector<std::size_t> candidates;
      for (const Hit& hit : guesses[q]) candidates.push_back(hit.row);
      guided[q] = search.nearest(query_trips[q], k_, {.candidates = candidates}, &work);
    });
    figures.scan = best_seconds(seconds_, [&] {
      throw_if_interrupted();
      engine.one_to_many(query_trips[0], std::span(distances));
    });
    figures.distances =
        static_cast<double>(work.single + work.doubled) / static_cast<double>(queries_);
    figures.equal = plain == guided;
    return figures;
  }

 private:
  std::size_t dimension() const { return model_.net.dimension; }
  std::span<const float> queries() const {
    return std::span(embeddings_).first(queries_ * dimension());
  }
  std::span<const float> query(std::size_t q) const {
    return queries().subspan(q * dimension(), dimension());
  }
  std::span<const float> base() const {
    return std::span(embeddings_).subspan(queries_ * dimension());
  }

  EmbeddingIndex made(IndexKind kind, const Progress& progress) const {
    EmbeddingIndex index({.dimension = dimension(), .metric = model_.net.metric, .kind = kind});
    index.add(base(), progress);
    return index;
  }

  PlanarSet trips(std::size_t first, std::size_t count) const {
    std::vector<std::size_t> indices(count);
    for (std::size_t i = 0; i < count; ++i) indices[i] = first + i;
    return {data_, model_.space, indices};
  }

  // The share of the first k of each query's truth that was found.
  double recall(const Answers& answers, std::size_t k) const {
    std::size_t found = 0, wanted = 0;
    for (std::size_t q = 0; q < answers.size(); ++q) {
      const auto& truth = truth_[q];
      const auto end = truth.begin() + static_cast<std::ptrdiff_t>(std::min(k, truth.size()));
      for (auto t = truth.begin(); t != end; ++t, ++wanted) {
        const auto same = [t](const Hit& hit) { return hit.row == t->row; };
        if (std::any_of(answers[q].begin(), answers[q].end(), same)) ++found;
      }
    }
    return static_cast<double>(found) / static_cast<double>(wanted);
  }

  template <class Work>
  double a_query(const Work& work) const {
    const double start = processor_seconds();
    for (std::size_t q = 0; q < queries_; ++q) {
      throw_if_interrupted();
      work(q);
    }
    return (processor_seconds() - start) / static_cast<double>(queries_);
  }

  // Wall-clock seconds for which every core does the work once: the best of a few.
  template <class Work>
  static double on_all_cores(const Work& work) {
    const auto cores = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    double best = std::numeric_limits<double>::max();
    for (int round = 0; round < 5; ++round) {
      throw_if_interrupted();
      const Stopwatch watch;
      tbb::parallel_for(std::size_t{0}, cores, work, tbb::simple_partitioner());
      best = std::min(best, watch.seconds() / static_cast<double>(cores));
    }
    return best;
  }

  const Model& model_;
  const Dataset& data_;
  std::size_t k_;
  double seconds_;
  std::size_t queries_;
  std::vector<float> embeddings_;
  Answers truth_;
};

struct SearchFigures {
  ScanFigures scans;
  GraphFigures graph;
  ExactFigures exact;
};

void print_json(const SearchFigures& f, const Model& model, std::size_t base,
                const BenchArguments& a) {
  auto json = machine_facts();
  const double gigabytes = 1e-9 * f.scans.bytes;
  json["rows"] = base;
  json["dimension"] = model.net.dimension;
  json["metric"] = name_of(model.net.metric.kind);
  json["queries"] = a.queries;
  json["k"] = a.k;
  json["flat"] = {{"ms", milliseconds(f.scans.flat_one)},
                  {"gb_per_second", gigabytes / f.scans.flat_one},
                  {"memory_gb_per_second", gigabytes / f.scans.read_one},
                  {"ratio_to_memory", f.scans.read_one / f.scans.flat_one},
                  {"gb_per_second_all_cores", gigabytes / f.scans.flat_all},
                  {"memory_gb_per_second_all_cores", gigabytes / f.scans.read_all},
                  {"ratio_to_memory_all_cores", f.scans.read_all / f.scans.flat_all},
                  {"ms_many_at_once", milliseconds(f.scans.flat_each)}};
  json["coded"] = {{"ms", milliseconds(f.scans.coded_one)},
                   {"ratio_to_flat", f.scans.flat_one / f.scans.coded_one},
                   {"recall50", f.scans.coded_recall}};
  auto& graph = json["hnsw"] = {{"build_processor_seconds", f.graph.build}};
  graph["efforts"] = nlohmann::ordered_json::array();
  for (const GraphFigures::AtEf& at : f.graph.at_ef) {
    graph["efforts"].push_back({{"ef", at.ef},
                                {"effort", at.ef},  // as 0.1.0 called it
                                {"ms", milliseconds(at.seconds)},
                                {"recall", at.recall}});
  }
  json["exact"] = {{"measure", name_of(model.measure)},
                   {"trips", f.exact.base},
                   {"build_seconds", f.exact.build},
                   {"ms", milliseconds(f.exact.guided)},
                   {"knn_ms", milliseconds(f.exact.plain)},
                   {"scan_ms", milliseconds(f.exact.scan)},
                   {"ratio_to_scan", f.exact.scan / f.exact.guided},
                   {"distances_per_query", f.exact.distances},
                   {"equal", f.exact.equal}};
  print_document(json);
}

void print_table(const SearchFigures& f, const Model& model, std::size_t base,
                 const BenchArguments& a) {
  const auto rate = [&](double seconds) { return human_bytes(f.scans.bytes / seconds) + "/s"; };
  fmt::print("{}\n{} of {}, {}; {}\n", machine_line(), counted(base, "embedding"),
             counted(model.net.dimension, "dimension"), name_of(model.net.metric.kind),
             counted(a.queries, "query"));
  fmt::print("flat      {} a query, {}: {} of memory's {}\n", human_seconds(f.scans.flat_one),
             rate(f.scans.flat_one), human_share(f.scans.read_one / f.scans.flat_one),
             rate(f.scans.read_one));
  fmt::print("  on all cores {}: {} of {}; many at once {} a query\n", rate(f.scans.flat_all),
             human_share(f.scans.read_all / f.scans.flat_all), rate(f.scans.read_all),
             human_seconds(f.scans.flat_each));
  fmt::print("coded     {}, {}x flat, recall@{} {:.5f}\n", human_seconds(f.scans.coded_one),
             human_number(f.scans.flat_one / f.scans.coded_one), many, f.scans.coded_recall);
  fmt::print("hnsw      built in {} of processor time\n", human_seconds(f.graph.build));
  for (const GraphFigures::AtEf& at : f.graph.at_ef) {
    fmt::print("  ef {:<6}{:>8}, recall@{} {:.4f}\n", at.ef, human_seconds(at.seconds), a.k,
               at.recall);
  }
  fmt::print("exact     {} of {}: {} with candidates, {} without, {} to scan\n",
             name_of(model.measure), counted(f.exact.base, "trip"), human_seconds(f.exact.guided),
             human_seconds(f.exact.plain), human_seconds(f.exact.scan));
  fmt::print("  {}x the scan, {} distances a query, built in {}, equal: {}\n",
             human_number(f.exact.scan / f.exact.guided), human_number(f.exact.distances),
             human_seconds(f.exact.build), f.exact.equal ? "yes" : "no");
}

}  // namespace

void bench_search(const BenchArguments& a, const CommonOptions& common) {
  const Model model = Model::load(a.inputs[0]);
  const Dataset data = bench_trips(a, 1).data;
  if (data.size() <= a.queries) {
    throw Error(ErrorCode::usage,
                fmt::format("{} has {}, of which {} leave nothing to search", a.inputs[1],
                            counted(data.size(), "trip"), counted(a.queries, "query")),
                "ask for fewer with --queries");
  }
  const Console console(common.quiet);
  SearchBench bench(model, data, a, console);
  SearchFigures figures;
  console.say("scanning");
  figures.scans = bench.scans();
  figures.graph = bench.graph(console.progress("linking", Unit::trips));
  console.say("searching exactly");
  figures.exact = bench.exact();
  if (common.json) {
    print_json(figures, model, bench.base_size(), a);
  } else {
    print_table(figures, model, bench.base_size(), a);
  }
}

}  // namespace tsmini::cli
