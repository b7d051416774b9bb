#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/stretch_kernels.cpp"
#include <limits>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/box_vectors-inl.h"
#include "measure/stretch_kernels.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

HWY_INLINE Integers farthest_gap() {
  return hn::Set(IntegerTag(), std::numeric_limits<std::int32_t>::max());
}

// How far each stretch of the query is from the nearest box of a lane, and each box of a lane from
// the nearest stretch of the query, squared.
struct NearestBoxes {
  Integers mine[stretches], theirs[stretches];
};

HWY_INLINE NearestBoxes nearest_boxes(const BoxBlock& block, const StretchQuery& query,
                                      std::size_t lane) {
  NearestBoxes nearest;
  for (Integers& n : nearest.theirs) n = farthest_gap();
  HWY_UNROLL(8)
  for (std::size_t s = 0; s < stretches; ++s) {
    const BoxVectors box = repeat_box(query.stretch[s]);
    nearest.mine[s] = farthest_gap();
    HWY_UNROLL(8)
    for (std::size_t t = 0; t < stretches; ++t) {
      const Integers gap = squared_gap(box, load_boxes(block.stretch[t], lane));
      nearest.mine[s] = hn::Min(nearest.mine[s], gap);
      nearest.theirs[t] = hn::Min(nearest.theirs[t], gap);
    }
  }
  return nearest;
}

// Points of a stretch, at least. The first point stands in the first box, and the last in the last.
HWY_INLINE Vector count_of(const BoxBlock& boxes, const PathBlock& paths, std::size_t t,
                           std::size_t lane) {
  const Tag d;
  const Vector one = hn::Set(d, 1.0f);
  Vector count = hn::Load(d, boxes.inner[t] + lane);
  if (t == 0) count = hn::Add(count, one);
  if (t + 1 == stretches) {
    const Vector others = hn::Sub(hn::Load(d, paths.least_points + lane), one);
    count = hn::Add(count, hn::Min(others, one));
  }
  return count;
}

// How far a point is from the farthest corner.
HWY_INLINE Vector farthest_corner(const FloatBoxes& boxes, Vector x, Vector y) {
  const Vector dx = hn::Max(hn::Sub(x, boxes.low_x), hn::Sub(boxes.high_x, x));
  const Vector dy = hn::Max(hn::Sub(y, boxes.low_y), hn::Sub(boxes.high_y, y));
  return rough_root(hn::MulAdd(dx, dx, hn::Mul(dy, dy)));
}

// The largest of three bounds (stretch_bounds.h): what the points of either side cost at least,
// matched or left; and by how much the sums of distances from the gap point must differ. For the
// latter, `least_sum` takes every counted point at the near edge of its box, and `most_sum` at the
// farthest corner, with the points that a hull does not count, as not all of its trajectories have
// them, at the farthest of all: the true sum is between the two.
void bound_erp(const BoxBlock& boxes, const PathBlock& paths, const StretchQuery& query,
               float* HWY_RESTRICT bounds) {
  const Tag d;
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    const NearestBoxes nearest = nearest_boxes(boxes, query, lane);
    const Vector gap_x = hn::Set(d, query.gap_x), gap_y = hn::Set(d, query.gap_y);
    Vector mine = hn::Zero(d), theirs = hn::Zero(d);
    Vector least_sum = hn::Zero(d), most_sum = hn::Zero(d);
    Vector counted = hn::Zero(d), farthest = hn::Zero(d);
    HWY_UNROLL(8)
    for (std::size_t s = 0; s < stretches; ++s) {
      const Integers to_gap = hn::Set(IntegerTag(), query.squared_to_gap[s]);
      mine =
          hn::MulAdd(root_of(hn::Min(nearest.mine[s], to_gap)), hn::Set(d, query.count[s]), mine);
    }
    HWY_UNROLL(8)
    for (std::size_t t = 0; t < stretches; ++t) {
      const BoxVectors box = load_boxes(boxes.stretch[t], lane);
      const Vector count = count_of(boxes, paths, t, lane);
      const Integers to_gap = squared_gap(repeat_box(query.gap), box);
      theirs = hn::MulAdd(root_of(hn::Min(nearest.theirs[t], to_gap)), count, theirs);
      least_sum = hn::MulAdd(root_of(to_gap), count, least_sum);
      const Vector far = farthest_corner(as_floats(box), gap_x, gap_y);
      most_sum = hn::MulAdd(far, count, most_sum);
      farthest = hn::Max(farthest, far);
      counted = hn::Add(counted, count);
    }
    const Vector uncounted = hn::Sub(hn::Load(d, paths.most_points + lane), counted);
    most_sum = hn::MulAdd(farthest, uncounted, most_sum);
    const Vector scale = hn::Set(d, query.scale);
    const Vector more = hn::Sub(hn::Mul(least_sum, scale), hn::Set(d, query.most_gap_sum));
    const Vector less =
        hn::Sub(hn::Set(d, query.least_gap_sum), hn::Mul(most_sum, hn::Set(d, query.upper_scale)));
    const Vector matched = hn::Mul(hn::Max(mine, theirs), scale);
    hn::StoreU(hn::Max(matched, hn::Max(more, less)), d, bounds + lane);
  }
}

// Points that have no partner within epsilon, at least.
struct Unmatched {
  Vector mine, theirs;
};

HWY_INLINE Unmatched unmatched_points(const BoxBlock& boxes, const PathBlock& paths,
                                      const StretchQuery& query, std::size_t lane) {
  const Tag d;
  const NearestBoxes nearest = nearest_boxes(boxes, query, lane);
  const Integers limit = hn::Set(IntegerTag(), query.squared_epsilon);
  const auto counted_if_far = [&](Integers gap, Vector count) {
    return hn::IfThenElseZero(hn::RebindMask(d, hn::Gt(gap, limit)), count);
  };
  Unmatched points{hn::Zero(d), hn::Zero(d)};
  HWY_UNROLL(8)
  for (std::size_t s = 0; s < stretches; ++s) {
    points.mine = hn::Add(points.mine, counted_if_far(nearest.mine[s], hn::Set(d, query.count[s])));
    points.theirs =
        hn::Add(points.theirs, counted_if_far(nearest.theirs[s], count_of(boxes, paths, s, lane)));
  }
  return points;
}

// Each match takes a point of either side, so there are no more than either side has points that
// can match: of the trajectories of a hull, no more than the most points less those that surely
// cannot. The share of `whole` that is left grows with `whole`, of which a hull has the least.
template <bool of_longer>
void bound_matches(const BoxBlock& boxes, const PathBlock& paths, const StretchQuery& query,
                   float* HWY_RESTRICT bounds) {
  const Tag d;
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    const Unmatched unmatched = unmatched_points(boxes, paths, query, lane);
    const Vector mine = hn::Set(d, query.points);
    const Vector least = hn::Load(d, paths.least_points + lane);
    const Vector most = hn::Load(d, paths.most_points + lane);
    const Vector matches = hn::Min(hn::Sub(mine, unmatched.mine), hn::Sub(most, unmatched.theirs));
    const Vector whole = of_longer ? hn::Max(mine, least) : hn::Min(mine, least);
    const Vector share = hn::Div(hn::Sub(whole, hn::Min(matches, whole)), whole);
    // Where nothing can match the share is 1, and so is the distance.
    const Vector scale =
        hn::IfThenElse(hn::Eq(matches, hn::Zero(d)), hn::Set(d, 1.0f), hn::Set(d, query.scale));
    hn::StoreU(hn::Mul(share, scale), d, bounds + lane);
  }
}

void bound_edr(const BoxBlock& boxes, const PathBlock& paths, const StretchQuery& query,
               float* HWY_RESTRICT bounds) {
  bound_matches<true>(boxes, paths, query, bounds);
}

void bound_lcss(const BoxBlock& boxes, const PathBlock& paths, const StretchQuery& query,
                float* HWY_RESTRICT bounds) {
  bound_matches<false>(boxes, paths, query, bounds);
}

void bound_sspd(const BoxBlock& boxes, const PathBlock& paths, const StretchQuery& query,
                float* HWY_RESTRICT bounds) {
  const Tag d;
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    Vector mine = hn::Zero(d), theirs = hn::Zero(d);
    HWY_UNROLL(8)
    for (std::size_t s = 0; s < stretches; ++s) {
      const BoxVectors my_points = repeat_box(query.stretch[s]);
      const BoxVectors their_points = load_boxes(boxes.stretch[s], lane);
      Integers my_nearest = farthest_gap(), their_nearest = farthest_gap();
      HWY_UNROLL(8)
      for (std::size_t t = 0; t < stretches; ++t) {
        my_nearest = hn::Min(my_nearest, squared_gap(my_points, load_boxes(paths.part[t], lane)));
        their_nearest =
            hn::Min(their_nearest, squared_gap(their_points, repeat_box(query.part[t])));
      }
      mine = hn::MulAdd(root_of(my_nearest), hn::Set(d, query.count[s]), mine);
      theirs = hn::MulAdd(root_of(their_nearest), count_of(boxes, paths, s, lane), theirs);
    }
    const Vector means = hn::Add(hn::Div(mine, hn::Set(d, query.points)),
                                 hn::Div(theirs, hn::Load(d, paths.most_points + lane)));
    hn::StoreU(hn::Mul(means, hn::Set(d, 0.5f * query.scale)), d, bounds + lane);
  }
}

// (S² - max(S - Λ, 0)² + min(D, Λ)²) / 2Λ. The first two are Λ (2S - Λ) where S > Λ, and that is
// how they are computed: S² less something nearly as large would be all rounding.
void bound_edwp(const BoxBlock& boxes, const PathBlock& paths, const StretchQuery& query,
                float* HWY_RESTRICT bounds) {
  const Tag d;
  const Vector zero = hn::Zero(d);
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    const auto apart = [&](const GridBox& mine, const GridBoxes& theirs) {
      return hn::Sqrt(hn::ConvertTo(d, squared_gap(repeat_box(mine), load_boxes(theirs, lane))));
    };
    const Vector first = apart(query.first, boxes.first), last = apart(query.last, boxes.last);
    const Vector length = hn::Add(hn::Set(d, query.length), hn::Load(d, paths.length + lane));
    const Vector sum = hn::Add(first, last);
    const Vector difference = hn::Min(hn::Abs(hn::Sub(first, last)), length);
    const Vector along = hn::Min(sum, length);
    const Vector area =
        hn::MulAdd(along, hn::Sub(hn::Add(sum, sum), along), hn::Mul(difference, difference));
    const Vector bound = hn::Div(hn::Mul(area, hn::Set(d, 0.5f * query.scale)), length);
    const auto has_bound = hn::Gt(hn::Set(d, query.length), zero);
    hn::StoreU(hn::IfThenElseZero(has_bound, bound), d, bounds + lane);
  }
}

// rule.cost(squared, i) is what point i adds when it is assigned to a box at that squared distance;
// rule.better() is the preferred of two sums.
// state[s]: the best sum of the points so far, each assigned to one of the boxes 0..s, with box
// numbers never falling. Matches of erp, edr and lcss are in the order of both sides, and so are
// their boxes, and a point that is left may be assigned to any: so what is looked at includes what
// the measure does, and each point adds no more than it costs (erp), or no less than it matches
// (edr, lcss).
template <class Rule>
HWY_INLINE void align_points(const Rule& rule, StretchAlignment& call) {
  const Tag d;
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    FloatBoxes boxes[stretches];
    Vector state[stretches];
    for (std::size_t s = 0; s < stretches; ++s) {
      boxes[s] = as_floats(load_boxes(call.stretch[s], lane));
      state[s] = hn::Zero(d);
    }
    for (std::size_t i = 0; i < call.count; ++i) {
      const Vector x = hn::Set(d, call.x[i]), y = hn::Set(d, call.y[i]);
      HWY_UNROLL(8)
      for (std::size_t s = 0; s < stretches; ++s) {
        const Vector dx = hn::Sub(x, hn::Min(hn::Max(x, boxes[s].low_x), boxes[s].high_x));
        const Vector dy = hn::Sub(y, hn::Min(hn::Max(y, boxes[s].low_y), boxes[s].high_y));
        const Vector squared = hn::MulAdd(dx, dx, hn::Mul(dy, dy));
        state[s] = hn::Add(state[s], rule.cost(squared, i));
        if (s > 0) state[s] = rule.better(state[s], state[s - 1]);
      }
    }
    hn::StoreU(state[stretches - 1], d, call.result + lane);
  }
}

struct ErpRule {
  const StretchAlignment& call;

  HWY_INLINE Vector cost(Vector squared, std::size_t i) const {
    return hn::Min(rough_root(squared), hn::Set(Tag(), call.to_gap[i]));
  }
  static HWY_INLINE Vector better(Vector a, Vector b) { return hn::Min(a, b); }
};

struct MatchRule {
  const StretchAlignment& call;

  HWY_INLINE Vector cost(Vector squared, std::size_t) const {
    const Tag d;
    return hn::IfThenElseZero(hn::Le(squared, hn::Set(d, call.squared_epsilon)), hn::Set(d, 1.0f));
  }
  static HWY_INLINE Vector better(Vector a, Vector b) { return hn::Max(a, b); }
};

template <class Rule>
void align_by(StretchAlignment& call) {
  align_points(Rule{call}, call);
}

AlignmentKernel alignment_of(Measure measure) {
  switch (measure) {
    case Measure::erp: return &align_by<ErpRule>;
    case Measure::edr:
    case Measure::lcss: return &align_by<MatchRule>;
    default: return nullptr;
  }
}

StretchKernel kernel_of(Measure measure) {
  switch (measure) {
    case Measure::edwp: return &bound_edwp;
    case Measure::erp: return &bound_erp;
    case Measure::edr: return &bound_edr;
    case Measure::lcss: return &bound_lcss;
    case Measure::sspd: return &bound_sspd;
    default: return nullptr;
  }
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

HWY_EXPORT(kernel_of);
HWY_EXPORT(alignment_of);

StretchKernel stretch_kernel(Measure measure) {
  return TSMINI_DISPATCH(kernel_of)(measure);
}

AlignmentKernel alignment_kernel(Measure measure) {
  return TSMINI_DISPATCH(alignment_of)(measure);
}

}  // namespace tsmini
#endif
