#include "tsmini/measure.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/enum_names.h"
#include "base/utf8.h"
#include "measure/check.h"
#include "measure/frechet_continuous.h"
#include "measure/naive.h"

namespace tsmini {

std::string_view name_of(Measure measure) {
  return name_in(measure_names, measure);
}

Measure measure_from(std::string_view name) {
  if (const auto measure = value_in<Measure>(measure_names, name)) return *measure;
  throw Error(ErrorCode::usage, fmt::format("unknown measure '{}'", printable(name)),
              fmt::format("the measures are {}", listed(measure_names, "and")), "measure");
}

bool needs_epsilon(Measure measure) {
  return measure == Measure::edr || measure == Measure::lcss;
}

bool is_defined(Measure measure, std::size_t points) {
  return measure != Measure::edwp || points > 1;
}

void check_settings(Measure measure, const MeasureSettings& settings) {
  if (needs_epsilon(measure) && !(settings.epsilon > 0 && std::isfinite(settings.epsilon))) {
    throw Error(ErrorCode::usage,
                fmt::format("the measure '{}' needs an epsilon above 0, not {}", name_of(measure),
                            settings.epsilon),
                "say how near two points must be to match, in the unit of the space: `epsilon=100`",
                "epsilon");
  }
  if (settings.band && measure != Measure::dtw) {
    throw Error(ErrorCode::usage, fmt::format("the measure '{}' takes no band", name_of(measure)),
                "only 'dtw' does", "band");
  }
  if (!std::isfinite(settings.gap.x) || !std::isfinite(settings.gap.y)) {
    throw Error(ErrorCode::usage, "the gap point is not finite", {}, "gap");
  }
}

void check_length(Measure measure, std::size_t points) {
  if (points == 0) throw Error(ErrorCode::bad_input, "a trajectory has no points");
  if (measure == Measure::edwp && points < 2) {
    throw Error(ErrorCode::bad_input, "the measure 'edwp' needs two points, a trajectory has one",
                "drop trajectories of a single point, or choose another measure");
  }
}

double distance(Measure measure, std::span<const Planar> p, std::span<const Planar> q,
                const MeasureSettings& settings, const Heartbeat& heartbeat) {
  check_settings(measure, settings);
  check_points(measure, p);
  check_points(measure, q);
  Pulse pulse(heartbeat);
  if (measure == Measure::edwp) return naive_edwp(p, q, pulse);
  if (p.size() < q.size()) std::swap(p, q);
  switch (measure) {
    case Measure::dtw:
      return settings.band ? banded_dtw(p, q, *settings.band, pulse) : naive_dtw(p, q, pulse);
    case Measure::frechet: return naive_frechet(p, q, pulse);
    case Measure::frechet_continuous: return frechet_continuous(p, q, pulse);
    case Measure::hausdorff: return naive_hausdorff(p, q, pulse);
    case Measure::hausdorff_segment: return naive_hausdorff_segment(p, q, pulse);
    case Measure::erp: return naive_erp(p, q, settings.gap, pulse);
    case Measure::edr: return naive_edr(p, q, settings.epsilon, pulse);
    case Measure::lcss: return naive_lcss(p, q, settings.epsilon, pulse);
    case Measure::sspd: return naive_sspd(p, q, pulse);
    case Measure::edwp: break;
  }
  return 0;
}

}  // namespace tsmini
