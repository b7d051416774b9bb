// What was laid out for exact search by the last few measures, as each takes memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <utility>

#include "tsmini/measure.h"

namespace tsmini {

// Whether two settings mean the same to the measure.
inline bool is_same(Measure measure, const MeasureSettings& a, const MeasureSettings& b) {
  switch (measure) {
    case Measure::edr:
    case Measure::lcss: return a.epsilon == b.epsilon;
    case Measure::erp: return a.gap.x == b.gap.x && a.gap.y == b.gap.y;
    case Measure::dtw: return a.band == b.band;
    default: return true;
  }
}

// To be used by one thread at a time.
template <class View>
class RecentExact {
 public:
  // Null where it is not there.
  std::shared_ptr<const View> find(Measure measure, const MeasureSettings& settings) {
    const auto place = place_of(measure, settings);
    if (place == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, place);
    return kept_.front().view;
  }

  void keep(Measure measure, const MeasureSettings& settings, std::shared_ptr<const View> view) {
    const auto place = place_of(measure, settings);
    if (place != kept_.end()) kept_.erase(place);
    kept_.push_front({measure, settings, std::move(view)});
    if (kept_.size() > most) kept_.pop_back();
  }

 private:
  static constexpr std::size_t most = 3;

  struct Kept {
    Measure measure;
    MeasureSettings settings;
    std::shared_ptr<const View> view;
  };

  typename std::list<Kept>::iterator place_of(Measure measure, const MeasureSettings& settings) {
    return std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) {
      return k.measure == measure && is_same(measure, k.settings, settings);
    });
  }

  std::list<Kept> kept_;  // the last used first
};

}  // namespace tsmini
