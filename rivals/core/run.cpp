#include "rivals/core/run.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/rivals.h"

#include "learn/data_parts.h"
#include "rivals/core/pair_losses.h"
#include "rivals/core/pretrained.h"
#include "rivals/core/saved.h"
#include "rivals/core/timer.h"

namespace tsmini::rivals {
namespace {

using Indices = std::vector<std::size_t>;

constexpr std::int64_t most_pair_queries = 50;  // a rival of pairs is asked so often a validation

// The plane of cells: metres, or the unit of planar data.
Space metres_of(const Dataset& data) {
  const bool degrees = data.info().coordinates == Coordinates::degrees;
  return Space::fit(degrees ? SpaceKind::mercator : SpaceKind::planar, data);
}

City city_of(const Dataset& data, const Indices& all, const Indices& train) {
  const Space space = metres_of(data);
  return {PlanarSet(data, space, all), PlanarSet(data, space, train)};
}

std::uint64_t table_of(const Ground& ground) {
  const auto found = ground.tensors.find("vectors");
  if (found == ground.tensors.end()) return 0;
  return static_cast<std::uint64_t>(found->second.numel());
}

// What libraries load when they are first used is not what embedding takes.
void warm_up(Rival& rival, const PlanarSet& trips, bool pairs) {
  const std::vector<int> some{0, 1};
  const Streams streams = rival.prepare(trips.subset(some));
  if (pairs)
    rival.distances(streams, all_ids(2), {});
  else
    embeddings(rival, streams);
}

}  // namespace

RunRecord make_run(const Dataset& data, const RunRequest& request,
                   const std::filesystem::path& output, const RunWatch& watch) {
  const Settings& settings = request.settings;
  check_fit_for_rivals(data, settings.seed);
  const Indices all = trips_for_rivals(data);
  const learn::DataParts parts = learn::parts_of(data, settings.seed);
  const City city = city_of(data, all, parts.train);
  const std::string known = learn::checksum_of(data, {all, parts.train, 0});
  const Pretrained before = pretrained(request, city, known, output.parent_path(), watch);
  const std::shared_ptr<Rival> rival = before.rival(request);
  RunRecord record;
  record.parameters = rival->parameter_count();
  record.table = table_of(before.ground);
  record.cells = before.ground.cells.known().size();
  record.pretraining = before.result;
  record.ground_seconds = before.ground_seconds;

  if (watch.begins) watch.begins("measuring");
  const Timer timer;
  const Space space = Space::fit(request.space, data);
  const Streams validation = rival->prepare(PlanarSet(data, metres_of(data), parts.validation));
  const Tensor truth = true_distances(settings.measure, PlanarSet(data, space, parts.validation),
                                      settings.device, watch.progress);
  std::vector<std::int64_t> queries = all_ids(truth.size(0));
  if (request.kind->pairs)
    queries.resize(static_cast<std::size_t>(std::min(most_pair_queries, truth.size(0))));
  const Validate validate = [&] {
    return score_of(rival->distances(validation, queries, watch.progress), truth);
  };
  const TrainingSet set{rival->prepare(city.train),
                        labels_of(settings.measure, PlanarSet(data, space, parts.train),
                                  settings.seed, settings.device, watch.progress)};
  record.label_seconds = timer.seconds();
  torch::manual_seed(settings.seed);
  if (const std::optional<Stage> stage = rival->training(set)) {
    if (watch.begins) watch.begins("training");
    record.training = train(*rival, *stage, request.budget, validate, watch.training);
  } else {
    rival->eval();
    record.training.best = validate();
    if (watch.training)
      watch.training({before.result.steps, before.result.steps, before.result.seconds,
                      before.result.loss, &*record.training.best});
  }
  save_rival(output, {request.kind, settings, request.space, before.ground, rival});
  return record;
}

Predicted predict(const SavedRival& saved, const Dataset& data, bool move,
                  const Progress& progress) {
  const Indices all = trips_for_rivals(data), indices = data.indices_of(Part::test);
  if (indices.size() < 2)
    throw Error(ErrorCode::bad_input,
                fmt::format("{} trips marked test are too few to compare", indices.size()),
                "import the data with --split");
  std::shared_ptr<Rival> rival = saved.rival;
  if (move) {
    const Indices train = data.indices_of(Part::train);
    const City city = city_of(data, all, train.empty() ? indices : train);
    rival = saved.kind->make(saved.settings, settle(*saved.kind, city, saved.settings, progress));
    give_net(*rival, net_of(*saved.rival), true);
    rival->eval();
  }
  const PlanarSet trips(data, metres_of(data), indices);
  warm_up(*rival, trips, saved.kind->pairs);
  torch::manual_seed(saved.settings.seed);
  const Timer timer;
  const Streams streams = rival->prepare(trips);
  Predicted predicted;
  predicted.values = saved.kind->pairs
                         ? rival->distances(streams, all_ids(streams.front().size()), progress)
                         : embeddings(*rival, streams, progress);
  predicted.seconds = timer.seconds();
  if (!predicted.values.isfinite().all().item<bool>())
    throw Error(ErrorCode::failure, "what the rival makes of these trips is not finite",
                "train it again, or use --move in another city");
  return predicted;
}

double share_outside(const SavedRival& saved, const Dataset& data) {
  const PlanarBox& box = saved.ground.cells.box();
  const PlanarSet trips(data, metres_of(data), data.indices_of(Part::test));
  double outside = 0, all = 0;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const Planar& point : trips[i]) {
      ++all;
      if (!box.contains(point)) ++outside;
    }
  }
  return all > 0 ? outside / all : 0;
}

Judged judge(const SavedRival& saved, const Dataset& data, bool move, const Progress& progress) {
  const Predicted predicted = predict(saved, data, move, progress);
  const PlanarSet trips(data, Space::fit(saved.space, data), data.indices_of(Part::test));
  const Tensor truth =
      true_distances(saved.settings.measure, trips, saved.settings.device, progress);
  const Tensor distances = saved.kind->pairs ? predicted.values
                                             : exact_distances(saved.rival->metric().kind,
                                                               predicted.values, predicted.values);
  return {score_of(distances, truth), predicted.seconds};
}

}  // namespace tsmini::rivals
