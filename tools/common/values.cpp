#include "common/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "base/utf8.h"

namespace tsmini::cli {
namespace {

template <std::size_t N>
std::optional<std::array<double, N>> numbers_from(std::string_view text) {
  std::array<double, N> values{};
  for (std::size_t i = 0; i < N; ++i) {
    const std::size_t end = std::min(text.find(','), text.size());
    const bool last = i + 1 == N;
    const auto number = number_from(text.substr(0, end));
    if (!number || !std::isfinite(*number) || last != (end == text.size())) return std::nullopt;
    values[i] = *number;
    text.remove_prefix(last ? text.size() : end + 1);
  }
  return values;
}

[[noreturn]] void refuse(std::string_view option, std::string_view text, const char* form) {
  throw Error(ErrorCode::usage, fmt::format("{}: '{}' is not {}", option, printable(text), form));
}

}  // namespace

Box box_from(std::string_view text) {
  const auto v = numbers_from<4>(text);
  if (!v || (*v)[0] > (*v)[2] || (*v)[1] > (*v)[3]) {
    refuse("--bbox", text,
           "MINLON,MINLAT,MAXLON,MAXLAT, for example "
           "--bbox=-8.7005,41.1001,-8.5192,41.2086");
  }
  return {(*v)[0], (*v)[1], (*v)[2], (*v)[3]};
}

std::pair<std::size_t, std::size_t> point_range_from(std::string_view text) {
  const auto v = numbers_from<2>(text);
  const auto is_count = [](double x) { return x >= 0 && x == std::floor(x) && x < 1e15; };
  if (!v || !std::all_of(v->begin(), v->end(), is_count) || (*v)[0] > (*v)[1]) {
    refuse("--points", text, "FIRST,LAST, counted from 0, for example --points 10,40");
  }
  return {static_cast<std::size_t>((*v)[0]), static_cast<std::size_t>((*v)[1])};
}

SplitOptions split_from(std::string_view text) {
  const auto v = numbers_from<3>(text);
  const auto all = [&](auto good) { return v && std::all_of(v->begin(), v->end(), good); };
  const bool counts = all([](double x) { return x >= 0 && x == std::floor(x) && x < 1e15; });
  const bool shares = all([](double x) { return x >= 0 && x < 1; });
  if (!counts && !shares) {
    refuse("--split", text,
           "TRAIN,VALIDATION,TEST, for example --split 7000,1000,2000 or "
           "--split 0.7,0.1,0.2");
  }
  return {(*v)[0], (*v)[1], (*v)[2], false};
}

void require_npy_name(const std::string& output) {
  const std::filesystem::path path = output;
  const std::string ending = path.extension().string();
  if (ending.empty() || equal_ignoring_case(ending, ".npy")) return;
  throw Error(ErrorCode::usage, fmt::format("{}: only NumPy files can be written", output),
              fmt::format("end the name in .npy, for example {}.npy; numpy.load reads it",
                          path.stem().string()));
}

CutOptions::Stay stay_from(std::string_view text) {
  const auto v = numbers_from<2>(text);
  if (!v || (*v)[0] <= 0 || (*v)[1] < 1 || (*v)[1] > 1e9) {
    refuse("--cut-stay", text, "METRES,SECONDS, for example --cut-stay 100,900");
  }
  return {(*v)[0], static_cast<std::int64_t>((*v)[1])};
}

double speed_from(std::string_view text) {
  struct Unit {
    std::string_view name;
    double metres_per_second;
  };
  constexpr std::array<Unit, 4> units{{{"", 1}, {"m/s", 1}, {"km/h", 1 / 3.6}, {"kmh", 1 / 3.6}}};
  std::string_view rest = text;
  double number = 0;
  if (take_number(rest, number) && std::isfinite(number) && number > 0) {
    for (const Unit& unit : units) {
      if (equal_ignoring_case(trimmed(rest), unit.name)) return number * unit.metres_per_second;
    }
  }
  refuse("--max-speed", text, "a speed above 0 in m/s or km/h, for example 12.5 or 45km/h");
}

}  // namespace tsmini::cli
