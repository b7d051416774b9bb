#include <charconv>
#include <concepts>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/recipe.h"

#include "base/enum_names.h"
#include "base/utf8.h"
#include "model/architecture.h"

namespace tsmini {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view wanted) {
  throw Error(ErrorCode::usage, fmt::format("{}={} does not fit", name, value),
              fmt::format("it takes {}", wanted), std::string(name));
}

template <typename T>
void parse_number(std::string_view name, std::string_view value, T& out) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (error != std::errc{} || end != value.data() + value.size())
    refuse(name, value, std::integral<T> ? "a whole number" : "a number");
}

void parse(std::string_view name, std::string_view value, std::integral auto& out) {
  parse_number(name, value, out);
}
void parse(std::string_view name, std::string_view value, double& out) {
  parse_number(name, value, out);
}
void parse(std::string_view name, std::string_view value, bool& out) {
  if (value != "true" && value != "false") refuse(name, value, "true or false");
  out = value == "true";
}
void parse(std::string_view, std::string_view value, MetricKind& out) {
  out = metric_kind_from(value);
}
void parse(std::string_view, std::string_view value, BlockKind& out) {
  out = block_kind_from(value);
}
void parse(std::string_view name, std::string_view value, Schedule& out) {
  const auto schedule = value_in<Schedule>(schedule_names, value);
  if (!schedule) refuse(name, value, listed(schedule_names, "or"));
  out = *schedule;
}
void parse(std::string_view, std::string_view value, std::vector<Pool>& out) {
  out.clear();
  while (!value.empty()) {
    const std::size_t end = value.find('+');
    out.push_back(pool_from(value.substr(0, end)));
    value = end == std::string_view::npos ? "" : value.substr(end + 1);
  }
}

std::string print(const std::integral auto& value) {
  return fmt::format("{}", value);
}
std::string print(double value) {
  return fmt::format("{}", value);
}
std::string print(bool value) {
  return value ? "true" : "false";
}
std::string print(MetricKind value) {
  return std::string(name_of(value));
}
std::string print(BlockKind value) {
  return std::string(name_of(value));
}
std::string print(Schedule value) {
  return std::string(name_in(schedule_names, value));
}
std::string print(const std::vector<Pool>& value) {
  std::string text;
  for (const Pool pool : value) text += (text.empty() ? "" : "+") + std::string(name_of(pool));
  return text;
}

struct Field {
  RecipeField about;
  std::function<void(Recipe&, std::string_view)> set;
  std::function<std::string(const Recipe&)> get;
};

template <typename Reach>
Field field(std::string_view name, Reach reach, std::string meaning) {
  return {
      {name, std::move(meaning)},
      [name, reach](Recipe& recipe, std::string_view value) { parse(name, value, reach(recipe)); },
      [reach](const Recipe& recipe) {
        Recipe copy = recipe;
        return print(reach(copy));
      }};
}

const std::vector<Field>& fields() {
// NOLINTBEGIN(bugprone-macro-parentheses): a member cannot stand in parentheses
#define TSMINI_AT(path)     \
  [](Recipe & r) -> auto& { \
    return r.path;          \
  }
  static const std::vector<Field> all{
      field("net.sub_views", TSMINI_AT(net.sub_views), "false: grid cells instead (w/o-S)"),
      field("net.cell_metres", TSMINI_AT(net.cell_metres), "side of a grid cell"),
      field("net.octaves", TSMINI_AT(net.fourier_octaves), "octaves of Fourier features of x, y"),
      field("net.block", TSMINI_AT(net.block), listed(block_kind_names, "or")),
      field("net.layers", TSMINI_AT(net.layers), "encoder layers"),
      field("net.heads", TSMINI_AT(net.heads), fmt::format("attention heads of {}", head_size)),
      field("net.key_heads", TSMINI_AT(net.key_heads), "heads for keys and values (gqa: 2)"),
      field("net.hidden", TSMINI_AT(net.hidden), "width of the feed-forward part"),
      field("net.dropout", TSMINI_AT(net.dropout), "share left out while training"),
      field("net.pooling", TSMINI_AT(net.pooling),
            fmt::format("of {}; joined by +", fmt::join(pool_names, ", "))),
      field("net.dimension", TSMINI_AT(net.dimension), "of the embedding"),
      field("net.unit_norm", TSMINI_AT(net.unit_norm), "embeddings of length 1"),
      field("net.metric", TSMINI_AT(net.metric.kind), listed(metric_kind_names, "or")),
      field("net.group", TSMINI_AT(net.metric.group), "dimensions a group (chebyshev)"),
      field("loss.lambda", TSMINI_AT(loss.lambda), "share of the squared error (w/o-K: 1)"),
      field("loss.k", TSMINI_AT(loss.k), "positions the ranking looks at; 0: all"),
      field("loss.slope", TSMINI_AT(loss.slope), "of the ranking's sigmoid"),
      field("loss.focus", TSMINI_AT(loss.focus), "exponent of a pair's weight (1 - t)"),
      field("loss.rank_mean", TSMINI_AT(loss.rank_mean), "ranking averaged over the batch"),
      field("augment_to", TSMINI_AT(augment_to), "compose trips where there are fewer"),
      field("rough", TSMINI_AT(rough), "share of composed trips that lack points or misplace them"),
      field("batch", TSMINI_AT(batch), "trajectories a step"),
      field("steps", TSMINI_AT(steps), "budget"),
      field("rate", TSMINI_AT(rate), "learning rate"),
      field("weight_decay", TSMINI_AT(weight_decay), "added to the gradient"),
      field("warmup", TSMINI_AT(warmup), "steps over which the rate rises"),
      field("schedule", TSMINI_AT(schedule), listed(schedule_names, "or")),
      field("average", TSMINI_AT(average), "decay of the weights' average; 0: none"),
      field("validations", TSMINI_AT(validations), "over the budget"),
      field("patience", TSMINI_AT(patience), "validations without gain before it stops; 0: never"),
  };
#undef TSMINI_AT
  // NOLINTEND(bugprone-macro-parentheses)
  return all;
}

const Field& find(std::string_view name) {
  if (name == "lessons") name = "augment_to";  // before 0.2
  for (const Field& field : fields()) {
    if (field.about.name == name) return field;
  }
  const auto name_of_field = [](const Field& field) { return field.about.name; };
  throw Error(ErrorCode::usage, fmt::format("there is no setting '{}'", printable(name)),
              fmt::format("choose one of {}", fmt::join(names_of(fields(), name_of_field), ", ")),
              std::string(name));
}

}  // namespace

const std::vector<RecipeField>& recipe_fields() {
  static const std::vector<RecipeField> all = [] {
    std::vector<RecipeField> list;
    for (const Field& field : fields()) list.push_back(field.about);
    return list;
  }();
  return all;
}

void set_field(Recipe& recipe, std::string_view name, std::string_view value) {
  find(name).set(recipe, value);
}

std::string field_value(const Recipe& recipe, std::string_view name) {
  return find(name).get(recipe);
}

}  // namespace tsmini
