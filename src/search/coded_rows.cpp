#include "search/coded_rows.h"

#include <algorithm>
#include <cmath>

#include <tbb/parallel_for.h>

#include "base/nth_smallest.h"
#include "search/code_kernels.h"
#include "search/scan.h"
#include "search/scan_stretches.h"

namespace tsmini {
namespace {

constexpr float last_code = 255;

struct Ends {
  float low, high;
};

// The ends of all values, but no farther outside the middle 98 % than that is wide.
Ends ends_of(std::vector<float>& values) {
  const auto at = [&](double quantile) {
    const auto place = static_cast<std::size_t>(quantile * static_cast<double>(values.size()));
    return nth_smallest(values, std::min(place, values.size() - 1));
  };
  const float low = at(0.01), high = at(0.99);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {std::max(*least, low - (high - low)), std::min(*most, high + (high - low))};
}

}  // namespace

CodedRows::CodedRows(const IndexSettings& settings)
    : layout_(settings.metric, settings.dimension, code_lanes), low_(settings.dimension) {}

CodedRows::CodedRows(const IndexSettings& settings, const SectionReader& file)
    : CodedRows(settings) {
  const auto section = file.mapped<float>(index_file::ranges_section, 1 + settings.dimension);
  const std::span<const float> ranges = section.values();
  step_ = ranges[0];
  std::copy(ranges.begin() + 1, ranges.end(), low_.begin());
  const bool are_finite =
      std::all_of(ranges.begin(), ranges.end(), [](float x) { return std::isfinite(x); });
  if (!are_finite || !(step_ > 0)) file.refuse("its codes have no size");
  ends_of_ = file.fields<index_file::Fields>().coded_rows;
  codes_ = file.mapped<std::uint8_t>(index_file::codes_section,
                                     file.fields<index_file::Fields>().rows * layout_.width());
}

void CodedRows::take_ends(const RowStore& rows) {
  ends_of_ = rows.size();
  const std::size_t sample = std::min<std::size_t>(rows.size(), 20'000);
  const LaneLayout& layout = rows.layout();
  std::vector<Ends> ends(layout.dimension());
  tbb::parallel_for(std::size_t{0}, layout.dimension(), [&](std::size_t i) {
    std::vector<float> values(sample);
    for (std::size_t s = 0; s < sample; ++s) {
      const std::size_t row = s * rows.size() / sample;
      values[s] = rows.values()[row * layout.width() + layout.place(i)];
    }
    ends[i] = ends_of(values);
  });
  float widest = 0;
  for (const Ends& e : ends) widest = std::max(widest, e.high - e.low);
  step_ = std::max(widest / last_code, std::numeric_limits<float>::min());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    low_[i] = ends[i].low + (ends[i].high - ends[i].low) / 2 - step_ * last_code / 2;
  }
}

void CodedRows::code(const LaneLayout& rows, const float* placed, std::uint8_t* codes) const {
  for (std::size_t i = 0; i < layout_.dimension(); ++i) {
    const float steps = (placed[rows.place(i)] - low_[i]) / step_;
    codes[layout_.place(i)] = static_cast<std::uint8_t>(std::clamp(steps + 0.5F, 0.0F, last_code));
  }
}

bool CodedRows::in_range(const LaneLayout& rows, const PlacedQuery& query) const {
  constexpr float margin = 16;
  for (std::size_t i = 0; i < layout_.dimension(); ++i) {
    const float steps = (query.data()[rows.place(i)] - low_[i]) / step_;
    if (!(steps >= -margin && steps <= last_code + margin)) return false;
  }
  return true;
}

void CodedRows::extend(const RowStore& rows) {
  const std::size_t width = layout_.width();
  std::size_t first = codes_.size() / width;
  if (rows.size() > 2 * ends_of_) {
    take_ends(rows);
    first = 0;
  }
  codes_.grow(rows.size() * width - codes_.size());
  std::uint8_t* codes = codes_.writable();
  tbb::parallel_for(first, rows.size(), [&](std::size_t row) {
    code(rows.layout(), rows.values().data() + row * rows.layout().width(), codes + row * width);
  });
}

std::vector<std::vector<Hit>> CodedRows::nearest(const RowStore& rows,
                                                 std::span<const PlacedQuery> queries,
                                                 std::size_t k, const Allowed& allowed) const {
  std::vector<std::vector<Hit>> answers(queries.size());
  std::vector<std::size_t> coded;  // queries
  for (std::size_t q = 0; q < queries.size(); ++q) {
    if (in_range(rows.layout(), queries[q])) {
      coded.push_back(q);
    } else {
      answers[q] = scan(rows, queries.subspan(q, 1), k, allowed).front();
    }
  }
  const std::size_t width = layout_.width();
  std::vector<std::uint8_t> codes(coded.size() * width);
  for (std::size_t c = 0; c < coded.size(); ++c) {
    code(rows.layout(), queries[coded[c]].data(), codes.data() + c * width);
  }
  const CodeKernel kernel = code_kernel(layout_);
  const std::size_t candidates = std::min(4 * k + 100, rows.size());
  auto nearest = scan_stretches<std::uint32_t>(
      {rows.size(), width, coded.size()}, candidates, allowed,
      [&](std::size_t c, std::size_t first, std::size_t count, std::uint32_t* distances) {
        const auto rows_codes = codes_.part(first * width, count * width);
        kernel(layout_, {codes.data() + c * width, rows_codes.data(), count, distances});
      });
  for (std::size_t c = 0; c < coded.size(); ++c) {
    std::vector<std::uint32_t> best;
    for (const auto& item : nearest[c].take()) best.push_back(item.row);
    answers[coded[c]] = scan_some(rows, best, queries[coded[c]], k);
  }
  return answers;
}

void CodedRows::save(SectionWriter& file, index_file::Fields& fields) const {
  fields.coded_rows = ends_of_;
  std::vector<float> ranges{step_};
  ranges.insert(ranges.end(), low_.begin(), low_.end());
  file.add(index_file::ranges_section, std::span<const float>(ranges));
  file.add(index_file::codes_section, codes_.values());
}

}  // namespace tsmini
