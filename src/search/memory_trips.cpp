#include "tsmini/memory_trips.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "tsmini/embedding_index.h"
#include "tsmini/error.h"
#include "tsmini/pick.h"
#include "tsmini/planar_set.h"
#include "tsmini/search.h"

#include "base/utf8.h"
#include "search/answering.h"
#include "search/candidates.h"
#include "search/embedding_batch.h"
#include "search/exact_part.h"
#include "search/judge.h"
#include "search/memory_source.h"
#include "search/model_fit.h"
#include "search/model_name.h"
#include "search/request_plan.h"
#include "search/trip_source.h"

namespace tsmini {
namespace {

Space space_for(const Dataset& data) {
  const bool planar = data.info().coordinates == Coordinates::planar;
  return planar ? Space() : Space::fit(SpaceKind::ground, data);
}

class MemoryModel final : public EmbeddedTrips {
 public:
  MemoryModel(const Model& model, std::string name, const Dataset& data,
              std::span<const std::size_t> all, const Progress& progress)
      : model_(model),
        encoder_(model),
        name_(std::move(name)),
        index_({.dimension = model.net.dimension,
                .metric = model.net.metric,
                .kind = index_kind_for(data.size())}) {
    const EmbeddingBatch batch = embed_batch(model_, encoder_, data, all, progress);
    rows_.assign(batch.fit.begin(), batch.fit.end());
    unfit_.assign(batch.unfit.begin(), batch.unfit.end());
    index_.add(batch.rows);
  }

  const std::string& name() const override { return name_; }
  const Model& model() const override { return model_; }
  const Encoder& encoder() const override { return encoder_; }
  bool is_complete() const override { return true; }
  std::size_t size() const override { return rows_.size(); }
  std::span<const std::int64_t> unfit() const override { return unfit_; }
  const Judgement* judgement() const override { return judgement_ ? &*judgement_ : nullptr; }

  // `count`: trips in all, with and without an embedding.
  void judge(const TripSource& trips, std::size_t count, const Progress& progress) {
    if (rows_.size() <= few_to_rank) return;
    std::vector<std::int64_t> rows(std::min(judged_rows, rows_.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = rows_[i * rows_.size() / rows.size()];
    judgement_ = judge_model(trips, *this, count, rows, judging_limit, progress);
  }

  std::vector<RowDistance> nearest(std::span<const float> embedding, std::size_t k,
                                   const RowPredicate& allowed) const override {
    RowFilter filter;
    if (allowed) filter = [&](std::uint32_t position) { return allowed(rows_[position]); };
    std::vector<RowDistance> found;
    for (const Hit& hit : index_.nearest(embedding, k, filter)) {
      found.push_back({rows_[hit.row], hit.distance});
    }
    return found;
  }

 private:
  Model model_;
  Encoder encoder_;
  std::string name_;
  EmbeddingIndex index_;
  std::vector<std::int64_t> rows_, unfit_;  // the first by position in the index
  std::optional<Judgement> judgement_;
};

class TripsInMemory final : public MemorySource {
 public:
  TripsInMemory(const Dataset& data, const Space& space)
      : data_(data), space_(space), points_(data, space), all_(data.size()) {
    std::iota(all_.begin(), all_.end(), std::size_t{0});
    for (const std::size_t i : all_) {
      if (rows_.emplace(data_[i].id, i).second) continue;
      throw Error(ErrorCode::bad_input,
                  fmt::format("trip '{}' comes twice in the data", printable(data_[i].id)),
                  "drop one of the two, or give it another id");
    }
  }

  std::string add_model(const Model& model, const Progress& progress) override {
    std::optional<Box> extent;
    if (data_.size() > 0) extent = data_.info().extent;
    check_fit(model, space_, extent);
    std::string name = free_name(model.measure, [&](std::string_view taken) {
      return std::any_of(models_.begin(), models_.end(),
                         [&](const auto& other) { return other->name() == taken; });
    });
    auto added = std::make_shared<MemoryModel>(model, name, data_, all_, progress);
    added->judge(*this, data_.size(), progress);
    models_.push_back(std::move(added));
    return name;
  }

  const Space& space() const override { return space_; }
  const Models& models() const override { return models_; }

  StoredTrip trip(std::int64_t row) const override {
    const Trajectory trip = data_[static_cast<std::size_t>(row)];
    return {static_cast<std::uint64_t>(row),
            std::string(trip.id),
            {trip.points.begin(), trip.points.end()},
            {trip.times.begin(), trip.times.end()},
            owned(attributes_of(data_, static_cast<std::size_t>(row))),
            data_.part(static_cast<std::size_t>(row))};
  }

  std::vector<std::int64_t> rows() const override { return {all_.begin(), all_.end()}; }

  RowSelection select(const SearchFilter& filter) const override {
    RowSelection selection;
    selection.excluded = rows_of(filter.excluded);
    if (filter.ids) selection.rows = shared(rows_of(*filter.ids));
    if (!filter.box && !filter.times && filter.where.empty()) return selection;
    std::vector<std::int64_t> passing;
    for (const std::size_t i : pick(data_, {.where = filter.where})) {
      const auto row = static_cast<std::int64_t>(i);
      if ((!selection.rows || selection.allows(row)) && passes(data_[i], filter)) {
        passing.push_back(row);
      }
    }
    selection.rows = shared(std::move(passing));
    return selection;
  }

  std::shared_ptr<const ExactTrips> exact(Measure measure, const MeasureSettings& settings,
                                          const Heartbeat&) const override {
    const auto points = [this](std::span<const std::int64_t> rows,
                               std::vector<std::span<const Planar>>& into) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        into[i] = points_[static_cast<std::size_t>(rows[i])];
      }
    };
    return std::make_shared<const ExactParts>(measure, settings, ExactParts::List{part()}, points);
  }

 private:
  // The part that holds all trips; made when it is first needed.
  std::shared_ptr<const ExactPart> part() const {
    std::call_once(is_laid_out_, [&] {
      // A thread that waits here for others must not take up another search, which would wait for
      // this one.
      part_ = tbb::this_task_arena::isolate(
          [&] { return std::make_shared<const ExactPart>(rows(), points_); });
    });
    return part_;
  }

  std::vector<std::int64_t> rows_of(const std::vector<std::string>& ids) const {
    std::vector<std::int64_t> rows;
    for (const std::string& id : ids) {
      const auto place = rows_.find(id);
      if (place != rows_.end()) rows.push_back(static_cast<std::int64_t>(place->second));
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());  // an id may come twice
    return rows;
  }

  static std::vector<OwnedAttribute> owned(std::vector<Attribute> attributes) {
    std::erase_if(attributes, [](const Attribute& a) { return !has_value(a.value); });
    return {attributes.begin(), attributes.end()};
  }

  static bool passes(const Trajectory& trip, const SearchFilter& filter) {
    if (filter.times && (!trip.has_times() || trip.times.front() < filter.times->first ||
                         trip.times.back() > filter.times->second)) {
      return false;
    }
    return !filter.box || std::all_of(trip.points.begin(), trip.points.end(),
                                      [&](const auto& p) { return filter.box->contains(p); });
  }

  Dataset data_;
  Space space_;
  PlanarSet points_;
  std::vector<std::size_t> all_;
  std::unordered_map<std::string_view, std::size_t> rows_;  // by id
  Models models_;
  mutable std::once_flag is_laid_out_;
  mutable std::shared_ptr<const ExactPart> part_;
};

}  // namespace

std::unique_ptr<MemorySource> memory_source(const Dataset& data, std::optional<Space> space) {
  return std::make_unique<TripsInMemory>(data, space ? *std::move(space) : space_for(data));
}

struct MemoryTrips::Impl {
  std::unique_ptr<MemorySource> source;
};

MemoryTrips::MemoryTrips(const Dataset& data, std::optional<Space> space)
    : impl_(std::make_unique<Impl>(Impl{memory_source(data, std::move(space))})) {}
MemoryTrips::~MemoryTrips() = default;
MemoryTrips::MemoryTrips(MemoryTrips&&) noexcept = default;

const Space& MemoryTrips::space() const {
  return impl_->source->space();
}

std::size_t MemoryTrips::size() const {
  return impl_->source->rows().size();
}

std::string MemoryTrips::add_model(const Model& model, const Progress& progress) {
  return impl_->source->add_model(model, progress);
}

SearchRequest MemoryTrips::completed(const SearchRequest& request) const {
  return tsmini::completed(request, *impl_->source);
}

SearchResult MemoryTrips::search(std::span<const Position> query, const SearchRequest& request,
                                 const Heartbeat& heartbeat) const {
  return answer(*impl_->source, query, request, heartbeat);
}

}  // namespace tsmini
