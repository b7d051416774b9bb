// How fast files are read: a Porto CSV, a GeoJSON, and a point per row between commas and between
// blanks, each of a stated size, made by repeating trips, are imported and compared with a plain
// read and with `wc -l` of the same file, in the same run. Also the time to open a .tsd of a
// million trajectories.
//
//   bench_import [MEGABYTES]        trips of $TSMINI_DATA/porto.tsv.gz, else of the synthetic city
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tsmini/city.h"
#include "tsmini/dataset.h"
#include "tsmini/import.h"

#include "base/stopwatch.h"

namespace {

using namespace tsmini;
namespace fs = std::filesystem;

constexpr int repetitions = 5;

struct Timing {
  double best = 0, mean = 0, deviation = 0;
};

Timing measure(const std::function<void()>& work) {
  work();  // warm-up
  std::vector<double> seconds;
  Stopwatch watch;
  for (int i = 0; i < repetitions; ++i) {
    work();
    seconds.push_back(watch.restart());
  }
  Timing t;
  t.best = *std::min_element(seconds.begin(), seconds.end());
  for (const double s : seconds) t.mean += s / repetitions;
  for (const double s : seconds) t.deviation += (s - t.mean) * (s - t.mean) / repetitions;
  t.deviation = std::sqrt(t.deviation);
  return t;
}

Dataset load_trips(const fs::path& folder) {
  const char* data = std::getenv("TSMINI_DATA");
  const fs::path real = data != nullptr ? fs::path(data) / "porto.tsv.gz" : fs::path();
  if (!real.empty() && fs::exists(real)) {
    import_files({real}, folder / "trips.tsd", {});
    fmt::print("trips: Porto, from TSMINI_DATA\n");
    return Dataset::open(folder / "trips.tsd");
  }
  fmt::print("trips: synthetic city (TSMINI_DATA is not set)\n");
  DatasetBuilder builder;
  synthesize_city({}, [&](const Trajectory& t) { builder.add(t); });
  return builder.finish();
}

// Repeats the trips until the file has its size.
void write_repeated(const Dataset& trips, const fs::path& path, std::uint64_t bytes,
                    const std::string& head, const std::string& tail,
                    const std::function<std::string(const Trajectory&, std::uint64_t)>& record) {
  std::ofstream out(path, std::ios::binary);
  out << head;
  std::uint64_t written = head.size();
  for (std::uint64_t n = 0; written < bytes; ++n) {
    const std::string text = record(trips[n % trips.size()], n);
    out << text;
    written += text.size();
  }
  out << tail;
}

std::string coordinates_of(const Trajectory& t) {
  std::string text = "[";
  for (const Position& p : t.points) {
    fmt::format_to(std::back_inserter(text), "{}[{},{}]", text.size() > 1 ? "," : "", p.lon, p.lat);
  }
  return text + "]";
}

void write_porto(const Dataset& trips, const fs::path& path, std::uint64_t bytes) {
  write_repeated(trips, path, bytes,
                 "\"TRIP_ID\",\"CALL_TYPE\",\"ORIGIN_CALL\",\"ORIGIN_STAND\",\"TAXI_ID\","
                 "\"TIMESTAMP\",\"DAY_TYPE\",\"MISSING_DATA\",\"POLYLINE\"\n",
                 "", [](const Trajectory& t, std::uint64_t n) {
                   return fmt::format(
                       "\"{}\",\"C\",\"\",\"\",\"20000589\",\"{}\",\"A\",\"False\",\"{}\"\n",
                       1372636858620000589 + n, t.times.empty() ? 0 : t.times.front(),
                       coordinates_of(t));
                 });
}

void write_geojson(const Dataset& trips, const fs::path& path, std::uint64_t bytes) {
  write_repeated(trips, path, bytes, "{\"type\":\"FeatureCollection\",\"features\":[\n", "\n]}\n",
                 [](const Trajectory& t, std::uint64_t n) {
                   return fmt::format(
                       "{}{{\"type\":\"Feature\",\"properties\":{{\"id\":\"{}\"}},"
                       "\"geometry\":{{\"type\":\"LineString\",\"coordinates\":{}}}}}",
                       n > 0 ? ",\n" : "", n, coordinates_of(t));
                 });
}

void write_rows(const Dataset& trips, const fs::path& path, std::uint64_t bytes, char separator) {
  write_repeated(trips, path, bytes, fmt::format("id{0}time{0}lon{0}lat\n", separator), "",
                 [&](const Trajectory& t, std::uint64_t n) {
                   std::string rows;
                   for (std::size_t i = 0; i < t.size(); ++i) {
                     const auto time =
                         t.times.empty() ? static_cast<std::int64_t>(15 * i) : t.times[i];
                     fmt::format_to(std::back_inserter(rows), "{1}{0}{2}{0}{3}{0}{4}\n", separator,
                                    n, time, t.points[i].lon, t.points[i].lat);
                   }
                   return rows;
                 });
}

void read_plainly(const fs::path& path) {
  std::vector<char> buffer(std::size_t{1} << 20);
  const int file = ::open(path.c_str(), O_RDONLY);
  while (::read(file, buffer.data(), buffer.size()) > 0) {
  }
  ::close(file);
}

// Peak memory of a process that does nothing but this import, in MB.
double import_memory(const fs::path& in, const fs::path& out) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/proc/self/exe", "bench_import", "--import", in.c_str(), out.c_str(), nullptr);
    std::_Exit(1);
  }
  rusage usage{};
  int status = 0;
  ::wait4(child, &status, 0, &usage);
  if (status != 0) std::exit(1);
  return static_cast<double>(usage.ru_maxrss) / 1000;
}

void bench_file(const std::string& name, const fs::path& in, const fs::path& folder) {
  const fs::path out = folder / "out.tsd";
  const double megabytes = static_cast<double>(fs::file_size(in)) / 1e6;
  const double memory = import_memory(in, out);
  const Timing import = measure([&] { import_files({in}, out, {}); });
  const Timing plain = measure([&] { read_plainly(in); });
  const std::string wc = fmt::format("wc -l {} > /dev/null", in.string());
  const Timing count = measure([&] {
    if (std::system(wc.c_str()) != 0) std::exit(1);
  });
  fmt::print(
      "{:<10} {:>6.0f} MB  {:>6.0f} MB/s (mean of {}: {:.2f} ± {:.2f} s)  peak {:>4.0f} MB  "
      "{:.1f} x the time of wc -l, {:.1f} x a plain read\n",
      name, megabytes, megabytes / import.mean, repetitions, import.mean, import.deviation, memory,
      import.mean / count.mean, import.mean / plain.mean);
}

void bench_open(const Dataset& trips, const fs::path& folder) {
  constexpr std::uint64_t count = 1'000'000;
  const fs::path path = folder / "million.tsd";
  DatasetWriter writer(path);
  for (std::uint64_t n = 0; n < count; ++n) writer.add(trips[n % trips.size()]);
  writer.finish();
  const Timing open = measure([&] {
    if (Dataset::open(path).size() != count) std::exit(1);
  });
  const Timing first = measure([&] {
    if (Dataset::open(path)[count / 2].size() == 0) std::exit(1);
  });
  fmt::print(
      "open       {} trajectories, {:.0f} MB: {:.3f} ms; to the first trajectory, all sections "
      "verified: {:.0f} ms\n",
      count, static_cast<double>(fs::file_size(path)) / 1e6, 1e3 * open.mean, 1e3 * first.mean);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--import") {
    import_files({argv[2]}, argv[3], {});
    return 0;
  }
  const std::uint64_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 500;
  const fs::path folder = fs::temp_directory_path() / fmt::format("tsmini-bench-{}", ::getpid());
  fs::create_directories(folder);
  {
    const Dataset trips = load_trips(folder);
    write_porto(trips, folder / "porto.csv", megabytes * 1'000'000);
    write_geojson(trips, folder / "trips.geojson", megabytes * 1'000'000);
    write_rows(trips, folder / "rows.csv", megabytes * 1'000'000, ',');
    write_rows(trips, folder / "rows.txt", megabytes * 1'000'000, ' ');
    bench_file("porto csv", folder / "porto.csv", folder);
    bench_file("geojson", folder / "trips.geojson", folder);
    bench_file("rows ,", folder / "rows.csv", folder);
    bench_file("rows blank", folder / "rows.txt", folder);
    bench_open(trips, folder);
  }
  fs::remove_all(folder);
}
