#include "tsmini/knn.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "common/answers.h"
#include "common/console.h"
#include "common/measure_options.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct KnnArguments {
  std::string queries, base, output = "-";
  std::size_t k = 10;
  std::optional<double> within;
  std::optional<std::size_t> limit;
  bool skip_self = false;
  MeasureOptions measure;
};

using Neighbours = std::vector<Neighbour>;

std::size_t width_of(const MeasuredSet& queries) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) width = std::max(width, queries.id(i).size());
  return width;
}

// Answers queries on all cores, and tells how far it is.
class Answerer {
 public:
  Answerer(const KnnArguments& a, const MeasureSetup& setup, const MeasuredSet& queries,
           const MeasuredSet& base, const Progress& progress)
      : a_(a),
        queries_(queries),
        base_(base),
        search_(setup.measure(), base.points, setup.settings()),
        count_(std::min(queries.size(), a.limit.value_or(queries.size()))),
        heartbeat_(progress, count_) {}

  std::size_t count() const { return count_; }
  bool has_bounds() const { return search_.has_bounds(); }
  const SearchWork& work() const { return work_; }

  void run(AnswerWriter& writer) {
    constexpr std::size_t block = 256;
    std::vector<Neighbours> answers(std::min(block, count_));
    for (std::size_t begin = 0; begin < count_; begin += block) {
      const std::size_t end = std::min(begin + block, count_);
      tbb::parallel_for(begin, end, [&](std::size_t query) {
        SearchWork work;
        answers[query - begin] = answer(query, work);
        add(work);
        heartbeat_.advance(1);
      });
      for (std::size_t query = begin; query < end; ++query) {
        std::vector<WrittenAnswer> written;
        for (const Neighbour& n : answers[query - begin]) {
          written.push_back({base_.data[base_.indices[n.index]], n.distance});
        }
        writer.add(queries_.data[queries_.indices[query]], written);
      }
    }
  }

 private:
  // Leaving out one trajectory is the search's business, leaving out several of the same id ours.
  Neighbours answer(std::size_t query, SearchWork& work) const {
    const auto points = queries_.points[query];
    if (a_.within) {
      Neighbours found =
          search_.within(points, *a_.within, ExactSearch::nothing, &work, heartbeat_);
      if (a_.skip_self) drop_self(query, found);
      return found;
    }
    for (std::size_t wanted = a_.k + (a_.skip_self ? 1 : 0);; wanted *= 2) {
      Neighbours found = search_.nearest(points, wanted, ExactSearch::nothing, &work, heartbeat_);
      const bool all = found.size() < wanted;
      if (a_.skip_self) drop_self(query, found);
      if (!all && found.size() < a_.k) continue;
      found.resize(std::min(found.size(), a_.k));
      return found;
    }
  }

  void drop_self(std::size_t query, Neighbours& found) const {
    const std::string_view id = queries_.id(query);
    found.erase(std::remove_if(found.begin(), found.end(),
                               [&](const Neighbour& n) { return base_.id(n.index) == id; }),
                found.end());
  }

  void add(const SearchWork& work) {
    const std::lock_guard lock(mutex_);
    work_.single += work.single;
    work_.doubled += work.doubled;
  }

  const KnnArguments& a_;
  const MeasuredSet& queries_;
  const MeasuredSet& base_;
  ExactSearch search_;
  std::size_t count_;
  Heartbeat heartbeat_;
  std::mutex mutex_;
  SearchWork work_;
};

void run(const KnnArguments& a, const CommonOptions& common) {
  const Console console(common.quiet);
  const AnswerStyle style = answer_style("", a.output, common.json);
  MeasureSetup setup(a.measure);
  const MeasuredSet base = setup.load(a.base);
  const MeasuredSet queries = setup.load(a.queries);
  AnswerWriter writer(style, a.output, width_of(queries));
  const auto start = std::chrono::steady_clock::now();
  const Progress progress = console.progress("searching", Unit::trips);
  Answerer answerer(a, setup, queries, base, progress);
  if (!answerer.has_bounds()) {
    console.say(
        "note: no bounds rule anything out for {} on data of this scale: every distance is "
        "computed",
        name_of(setup.measure()));
  }
  Json facts = {{"measure", name_of(setup.measure())},
                {"space", Json::parse(setup.space().to_json())}};
  facts[a.within ? "within" : "k"] = a.within ? Json(*a.within) : Json(a.k);
  writer.begin(facts);
  answerer.run(writer);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const SearchWork work = answerer.work();
  writer.end({{"work", {{"single", work.single}, {"double", work.doubled}}}, {"seconds", seconds}});
  const double pairs = static_cast<double>(answerer.count()) * static_cast<double>(base.size());
  console.say("{} queries in {} ({:.3g} ms each); {} of {} distances computed ({:.2g} %)",
              with_thousands(answerer.count()), human_seconds(seconds),
              1000 * seconds / static_cast<double>(std::max<std::size_t>(answerer.count(), 1)),
              with_thousands(work.single + work.doubled),
              with_thousands(static_cast<std::uint64_t>(pairs)),
              100 * static_cast<double>(work.single + work.doubled) / std::max(pairs, 1.0));
}

}  // namespace

void add_knn(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<KnnArguments>();
  CLI::App* verb =
      app.add_subcommand("knn", "Find the true nearest trajectories by an exact measure");
  verb->footer(
      "No model is needed; lower bounds spare most distances for dtw, frechet and hausdorff.\n"
      "Examples:\n"
      "  tsmini knn queries.tsd city.tsd -k 10\n"
      "  tsmini knn city.tsd city.tsd --part test --skip-self --measure dtw -o nearest.csv\n"
      "  tsmini knn queries.tsd city.tsd --within 250 --json");
  verb->add_option("QUERIES", a->queries, "A data set (.tsd): what to look for")
      ->required()
      ->option_text("QUERIES");
  verb->add_option("BASE", a->base, "A data set: where to look; the space is fitted to it")
      ->required()
      ->option_text("BASE");
  CLI::Option* k = verb->add_option("-k", a->k, "How many neighbours (default 10)")
                       ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
                       ->option_text("N");
  verb->add_option("--within", a->within, "All within this distance instead")
      ->check(CLI::NonNegativeNumber)
      ->excludes(k)
      ->option_text("DISTANCE");
  verb->add_flag("--skip-self", a->skip_self, "Leave out what has the id of the query");
  verb->add_option("--limit", a->limit, "Only the first so many queries")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 40))
      ->option_text("N");
  verb->add_option("-o,--output", a->output, "Write the answers there (.csv, .json or .geojson)")
      ->option_text("FILE");
  add_measure_options(*verb, a->measure);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
