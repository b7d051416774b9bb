#include "tsmini/net_settings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/enum_names.h"
#include "base/text.h"
#include "model/architecture.h"
#include "model/json_fields.h"
#include "model/net_settings_json.h"

namespace tsmini {
namespace {

using Json = nlohmann::json;

// Far above what is of use, and far below what would exhaust a machine.
constexpr std::size_t most_layers = 64;
constexpr std::size_t most_octaves = 16;
constexpr std::size_t widest = 16384;

[[noreturn]] void refuse(std::string_view field, const std::string& what,
                         const std::string& remedy) {
  throw Error(ErrorCode::usage, what, remedy, fmt::format("net.{}", field));
}

void check_range(std::string_view name, std::size_t value, std::size_t low, std::size_t high) {
  if (value >= low && value <= high) return;
  refuse(name, fmt::format("a network cannot have {} {}", name, value),
         fmt::format("'{}' must be from {} to {}", name, low, high));
}

void check_divides(std::string_view name, std::size_t divisor, std::string_view whole_name,
                   std::size_t whole) {
  if (divisor > 0 && whole % divisor == 0) return;
  refuse(name, fmt::format("{} {} does not divide {} {}", name, divisor, whole_name, whole),
         fmt::format("choose '{}' among the divisors of {}", name, whole));
}

void check_pooling(const std::vector<Pool>& pooling) {
  if (pooling.empty()) {
    refuse("pooling", "a network needs a pooling",
           fmt::format("choose one or more of {}", fmt::join(pool_names, ", ")));
  }
  for (auto pool = pooling.begin(); pool != pooling.end(); ++pool) {
    if (std::find(pooling.begin(), pool, *pool) != pool) {
      refuse("pooling", fmt::format("pooling '{}' comes twice", name_of(*pool)), "name each once");
    }
  }
}

}  // namespace

std::string_view name_of(Pool pool) {
  return name_in(pool_names, pool);
}

Pool pool_from(std::string_view name) {
  return named<Pool>(pool_names, name, "pooling", "net.pooling");
}

std::string_view name_of(BlockKind kind) {
  return name_in(block_kind_names, kind);
}

BlockKind block_kind_from(std::string_view name) {
  return named<BlockKind>(block_kind_names, name, "kind of block", "net.block");
}

void check_settings(const NetSettings& settings) {
  if (!(settings.cell_metres > 0) || !std::isfinite(settings.cell_metres)) {
    refuse("cell_metres", fmt::format("a grid cell cannot be {} m wide", settings.cell_metres),
           "'cell_metres' must be above 0");
  }
  check_range("octaves", settings.fourier_octaves, 0, most_octaves);
  check_range("layers", settings.layers, 1, most_layers);
  check_range("dimension", settings.dimension, 2, widest);
  if (settings.dimension % 2 != 0) {
    refuse("dimension", fmt::format("a network cannot have dimension {}", settings.dimension),
           "'dimension' must be even: positions are pairs of sine and cosine");
  }
  check_range("heads", settings.heads, 1, most_heads);
  check_divides("key_heads", settings.key_heads, "heads", settings.heads);
  check_range("hidden", settings.hidden, 1, widest);
  if (!(settings.dropout >= 0 && settings.dropout < 1)) {
    refuse("dropout", fmt::format("a network cannot have dropout {}", settings.dropout),
           "'dropout' must be from 0 to below 1");
  }
  check_pooling(settings.pooling);
  if (settings.metric.kind == MetricKind::chebyshev) {
    check_divides("group", settings.metric.group, "dimension", settings.dimension);
  }
}

Json json_of(const NetSettings& settings) {
  Json pooling = Json::array();
  for (const Pool pool : settings.pooling) pooling.push_back(name_of(pool));
  return {
      {"sub_views", settings.sub_views},
      {"cell_metres", settings.cell_metres},
      {"fourier_octaves", settings.fourier_octaves},
      {"block", name_of(settings.block)},
      {"layers", settings.layers},
      {"heads", settings.heads},
      {"key_heads", settings.key_heads},
      {"hidden", settings.hidden},
      {"dropout", settings.dropout},
      {"pooling", std::move(pooling)},
      {"dimension", settings.dimension},
      {"unit_norm", settings.unit_norm},
      {"metric", name_of(settings.metric.kind)},
      {"group", settings.metric.group},
  };
}

NetSettings net_settings_from(const Json& object) {
  const Json known = json_of(NetSettings{});
  for (const auto& [key, value] : object.items()) {
    if (!known.contains(key))
      refuse_field(key, "is not a setting of a network that this version knows");
  }
  NetSettings settings;
  settings.sub_views = flag_field(object, "sub_views");
  settings.cell_metres = number_field(object, "cell_metres");
  settings.fourier_octaves = count_field(object, "fourier_octaves");
  settings.block = block_kind_from(text_field(object, "block"));
  settings.layers = count_field(object, "layers");
  settings.heads = count_field(object, "heads");
  settings.key_heads = count_field(object, "key_heads");
  settings.hidden = count_field(object, "hidden");
  settings.dropout = number_field(object, "dropout");
  settings.pooling.clear();
  const Json& pooling = field(object, "pooling");
  if (!pooling.is_array()) refuse_field("pooling", "must be a list of names");
  for (const Json& pool : pooling) {
    if (!pool.is_string()) refuse_field("pooling", "must be a list of names");
    settings.pooling.push_back(pool_from(pool.get_ref<const std::string&>()));
  }
  settings.dimension = count_field(object, "dimension");
  settings.unit_norm = flag_field(object, "unit_norm");
  settings.metric.kind = metric_kind_from(text_field(object, "metric"));
  settings.metric.group = count_field(object, "group");
  check_settings(settings);
  return settings;
}

std::string to_json(const NetSettings& settings) {
  return json_of(settings).dump();
}

}  // namespace tsmini
