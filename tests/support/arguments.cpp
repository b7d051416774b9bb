#include "support/arguments.h"

#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tsmini {
namespace {

std::vector<double> numbers_from(const std::string& text) {
  std::vector<double> numbers;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) numbers.push_back(std::stod(part));
  return numbers;
}

using Setters = std::map<std::string, std::function<void(const std::string&)>>;

Setters flags_of(ImportOptions& o) {
  return {
      {"--planar", [&](const auto&) { o.read.planar = true; }},
      {"--swap-lonlat", [&](const auto&) { o.read.swap_lonlat = true; }},
      {"--sort-by-time", [&](const auto&) { o.clean.sort_by_time = true; }},
      {"--keep-duplicates", [&](const auto&) { o.clean.keep_duplicates = true; }},
  };
}

Setters values_of(ImportOptions& o) {
  return {
      {"--format", [&](const auto& v) { o.read.format = format_from(v); }},
      {"--columns", [&](const auto& v) { o.read.columns = v; }},
      {"--time-format", [&](const auto& v) { o.read.time_format = v; }},
      {"--where", [&](const auto& v) { o.read.where.push_back(condition_from(v)); }},
      {"--cut-on", [&](const auto& v) { o.read.cut_on = v; }},
      {"--pattern", [&](const auto& v) { o.read.pattern = v; }},
      {"--attributes",
       [&](const auto& v) {
         auto& names = o.read.attributes.emplace();
         std::istringstream in(v == "none" ? "" : v);
         for (std::string name; std::getline(in, name, ',');) names.push_back(name);
       }},
      {"--min-length", [&](const auto& v) { o.clean.min_length = std::stod(v); }},
      {"--min-duration", [&](const auto& v) { o.clean.min_duration = std::stoll(v); }},
      {"--on-error",
       [&](const auto& v) { o.on_error = v == "skip" ? OnError::skip : OnError::fail; }},
      {"--min-points", [&](const auto& v) { o.clean.min_points = std::stoull(v); }},
      {"--max-points", [&](const auto& v) { o.clean.max_points = std::stoull(v); }},
      {"--bbox",
       [&](const auto& v) {
         const auto n = numbers_from(v);
         o.clean.bbox = Box{n.at(0), n.at(1), n.at(2), n.at(3)};
       }},
      {"--max-speed", [&](const auto& v) { o.clean.max_speed = std::stod(v); }},
      {"--thin", [&](const auto& v) { o.clean.thin = std::stoll(v); }},
      {"--cut-gap", [&](const auto& v) { o.cut.gap = std::stoll(v); }},
      {"--cut-stay",
       [&](const auto& v) {
         const auto n = numbers_from(v);
         o.cut.stay = CutOptions::Stay{n.at(0), static_cast<std::int64_t>(n.at(1))};
       }},
      {"--cut-length", [&](const auto& v) { o.cut.length = std::stoull(v); }},
      {"--sample", [&](const auto& v) { o.sample = std::stoull(v); }},
      {"--split",
       [&](const auto& v) {
         const auto n = numbers_from(v);
         o.split = SplitOptions{n.at(0), n.at(1), n.at(2), false};
       }},
      {"--split-order", [&](const auto& v) { o.split.value().random = v == "random"; }},
      {"--seed", [&](const auto& v) { o.seed = std::stoull(v); }},
  };
}

}  // namespace

ImportOptions import_options_from(std::string_view words) {
  ImportOptions options;
  const Setters flags = flags_of(options), values = values_of(options);
  std::istringstream in{std::string(words)};
  for (std::string word; in >> word;) {
    if (const auto flag = flags.find(word); flag != flags.end()) {
      flag->second("");
      continue;
    }
    const std::size_t equals = word.find('=');
    std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (equals == std::string::npos) in >> value;
    const auto found = values.find(word.substr(0, equals));
    if (found == values.end()) throw std::invalid_argument("unknown option " + word);
    found->second(value);
  }
  return options;
}

}  // namespace tsmini
