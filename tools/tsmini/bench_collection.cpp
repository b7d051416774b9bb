#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "base/amounts.h"
#include "base/file.h"
#include "base/nth_smallest.h"
#include "base/stopwatch.h"
#include "bench.h"
#include "common/console.h"
#include "common/document.h"

namespace tsmini::cli {
namespace {

// The bytes that this process has read from disks until now.
std::uint64_t bytes_read() {
  std::ifstream file("/proc/self/io");
  for (std::string word; file >> word;) {
    if (word != "read_bytes:") continue;
    std::uint64_t bytes = 0;
    file >> bytes;
    return bytes;
  }
  return 0;
}

// Reads them whole, so that the system holds them in memory where there is room.
void read_files(const std::filesystem::path& folder) {
  std::vector<char> buffer(std::size_t{1} << 20);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()))) {
      throw_if_interrupted();
    }
  }
}

// Asks the system to forget what it holds of the files in memory.
void forget_files(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const FileHandle file = open_for_reading(entry.path());
    ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  }
}

struct FirstAnswer {
  double open = 0, answer = 0;  // milliseconds from the start
  std::uint64_t bytes = 0;      // read from disks
};

FirstAnswer first_answer(const std::filesystem::path& folder, std::span<const Position> query,
                         const SearchRequest& request) {
  FirstAnswer first;
  const std::uint64_t before = bytes_read();
  const Stopwatch clock;
  const Collection collection = Collection::open(folder);
  first.open = clock.milliseconds();
  collection.search(query, request);
  first.answer = clock.milliseconds();
  first.bytes = bytes_read() - before;
  return first;
}

struct Latency {
  double median = 0, p99 = 0, mean = 0;  // milliseconds

  static Latency of(std::vector<double> times) {
    Latency latency;
    std::sort(times.begin(), times.end());
    latency.median = times[times.size() / 2];
    latency.p99 = times[times.size() * 99 / 100];
    for (const double time : times) latency.mean += time / static_cast<double>(times.size());
    return latency;
  }
};

struct MeasureFigures {
  Measure measure;
  Latency nearest, within;
  double radius = 0;     // of within: the median distance of the k-th
  double distances = 0;  // computed a query, for the nearest
};

struct CollectionFigures {
  std::uint64_t trips = 0;
  FirstAnswer warm, cold;
  std::vector<MeasureFigures> measures;
  double rate_one = 0, rate_all = 0;  // queries a second, many at once, by the first measure
  int cores = 1;
};

SearchRequest request_for(Measure measure, const BenchArguments& a) {
  SearchRequest request{.k = a.k, .measure = measure, .mode = SearchMode::exact};
  if (measure == Measure::edr || measure == Measure::lcss) {
    request.settings = MeasureSettings{.epsilon = a.epsilon};
  }
  return request;
}

class CollectionBench {
 public:
  CollectionBench(const Collection& collection, const Dataset& data, const BenchArguments& a)
      : collection_(collection), data_(data), a_(a), count_(a.queries) {}

  MeasureFigures measure(Measure measure, const Heartbeat& heartbeat) const {
    MeasureFigures figures{measure, {}, {}, 0, 0};
    SearchRequest request = request_for(measure, a_);
    collection_.search(data_[0].points, request);  // what is read once
    std::vector<double> last;
    figures.nearest = timed(request, heartbeat, [&](const SearchResult& result) {
      if (!result.answers.empty()) last.push_back(result.answers.back().distance);
      figures.distances += static_cast<double>(result.work.pairs) / static_cast<double>(count_);
    });
    if (last.empty()) return figures;
    figures.radius = nth_smallest(last, last.size() / 2);
    request.within = figures.radius;
    figures.within = timed(request, heartbeat, [](const SearchResult&) {});
    return figures;
  }

  // Queries a second, on so many cores at once.
  double rate(Measure measure, int cores) const {
    const SearchRequest request = request_for(measure, a_);
    tbb::task_arena arena(cores);
    const Stopwatch clock;
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, count_, [&](std::size_t q) {
        throw_if_interrupted();
        collection_.search(data_[q].points, request);
      });
    });
    return 1000 * static_cast<double>(count_) / clock.milliseconds();
  }

 private:
  template <class Look>
  Latency timed(const SearchRequest& request, const Heartbeat& heartbeat, const Look& look) const {
    std::vector<double> times;
    for (std::size_t q = 0; q < count_; ++q) {
      const Stopwatch clock;
      const SearchResult result = collection_.search(data_[q].points, request);
      times.push_back(clock.milliseconds());
      look(result);
      heartbeat.advance(1);
    }
    return Latency::of(std::move(times));
  }

  const Collection& collection_;
  const Dataset& data_;
  const BenchArguments& a_;
  std::size_t count_;
};

nlohmann::ordered_json json_of(const FirstAnswer& first) {
  return {{"open_ms", first.open}, {"answer_ms", first.answer}, {"bytes_read", first.bytes}};
}

nlohmann::ordered_json json_of(const Latency& latency) {
  return {{"p50_ms", latency.median}, {"p99_ms", latency.p99}, {"mean_ms", latency.mean}};
}

void print_json(const CollectionFigures& f, const BenchArguments& a) {
  auto json = machine_facts();
  json["trips"] = f.trips;
  json["queries"] = a.queries;
  json["k"] = a.k;
  json["first_answer"] = json_of(f.warm);
  json["first_answer_from_disk"] = json_of(f.cold);
  auto& list = json["measures"] = nlohmann::ordered_json::array();
  for (const MeasureFigures& m : f.measures) {
    list.push_back({{"measure", name_of(m.measure)},
                    {"nearest", json_of(m.nearest)},
                    {"within", json_of(m.within)},
                    {"radius", m.radius},
                    {"distances_per_query", m.distances}});
  }
  json["join"] = {{"measure", name_of(f.measures.front().measure)},
                  {"queries_per_second_one_core", f.rate_one},
                  {"queries_per_second", f.rate_all},
                  {"cores", f.cores},
                  {"ratio", f.rate_all / f.rate_one}};
  print_document(json);
}

void print_table(const CollectionFigures& f, const BenchArguments& a) {
  const auto time = [](double milliseconds) { return human_seconds(milliseconds / 1000); };
  fmt::print("{}\n{}, {}, {} nearest, exact\n", machine_line(), counted(f.trips, "trip"),
             counted(a.queries, "query"), a.k);
  fmt::print("opened in {}, first answer after {}; from disk after {}, {} read\n",
             time(f.warm.open), time(f.warm.answer), time(f.cold.answer),
             human_bytes(static_cast<double>(f.cold.bytes)));
  fmt::print("{:<20}{:>10}{:>10}{:>12}{:>12}{:>10}{:>10}\n", "measure", "p50", "p99", "distances",
             "within", "p50", "p99");
  for (const MeasureFigures& m : f.measures) {
    fmt::print("{:<20}{:>10}{:>10}{:>12}{:>12}{:>10}{:>10}\n", name_of(m.measure),
               time(m.nearest.median), time(m.nearest.p99), human_number(m.distances),
               human_number(m.radius), time(m.within.median), time(m.within.p99));
  }
  fmt::print("many at once by {}: {} queries/s on one core, {} on {}: {:.2f}x\n",
             name_of(f.measures.front().measure), human_number(f.rate_one),
             human_number(f.rate_all), counted(static_cast<std::size_t>(f.cores), "core"),
             f.rate_all / f.rate_one);
}

CollectionFigures measured(const Dataset& data, const std::vector<Measure>& measures,
                           const BenchArguments& a, const Console& console) {
  CollectionFigures figures;
  const SearchRequest request = request_for(measures.front(), a);
  console.say("reading the files");
  read_files(a.inputs[0]);
  first_answer(a.inputs[0], data[0].points, request);
  figures.warm = first_answer(a.inputs[0], data[0].points, request);
  const Collection collection = Collection::open(a.inputs[0]);
  figures.trips = collection.size();
  const CollectionBench bench(collection, data, a);
  const Heartbeat heartbeat(console.progress("searching", Unit::trips),
                            2 * measures.size() * a.queries);
  for (const Measure measure : measures) {
    figures.measures.push_back(bench.measure(measure, heartbeat));
  }
  console.say("searching many at once");
  figures.cores = tbb::this_task_arena::max_concurrency();
  figures.rate_one = bench.rate(measures.front(), 1);
  figures.rate_all = bench.rate(measures.front(), figures.cores);
  return figures;
}

}  // namespace

void bench_collection(const BenchArguments& a, const CommonOptions& common) {
  std::vector<Measure> measures;
  for (const std::string& name : a.measures) measures.push_back(measure_from(name));
  if (measures.empty()) measures = {Measure::frechet, Measure::hausdorff, Measure::dtw};
  const Dataset data = bench_trips(a, 1).data;
  if (data.size() < a.queries) {
    throw Error(ErrorCode::usage,
                fmt::format("{} has {}, not {}", a.inputs[1], counted(data.size(), "trip"),
                            with_thousands(a.queries)),
                "ask for fewer with --queries");
  }
  const Console console(common.quiet);
  CollectionFigures figures = measured(data, measures, a, console);
  // Last, and once nobody has the files open.
  forget_files(a.inputs[0]);
  figures.cold = first_answer(a.inputs[0], data[0].points, request_for(measures.front(), a));
  if (common.json) {
    print_json(figures, a);
  } else {
    print_table(figures, a);
  }
}

}  // namespace tsmini::cli
