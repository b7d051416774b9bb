#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/clusters.h"
#include "tsmini/density_clusters.h"
#include "tsmini/error.h"
#include "tsmini/map_lines.h"
#include "tsmini/medoids.h"
#include "tsmini/radius.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "common/option_checks.h"
#include "common/text_columns.h"
#include "finding.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class Method { dbscan, hdbscan, k_medoids };
constexpr std::array<std::string_view, 3> method_names{"dbscan", "hdbscan", "k-medoids"};
constexpr std::array<std::string_view, 2> selection_names{"leaf", "eom"};

struct ClusterArguments {
  FindingOptions finding;
  std::optional<Method> method;
  std::optional<ClusterSelection> select;
  std::optional<double> within;
  std::optional<std::size_t> min_points, min_size, k, sample;
  std::uint64_t seed = 1;
};

struct Found {
  Clusters clusters;
  std::vector<double> stability;  // hdbscan
  SearchWork work;
  Json facts;
};

// The one that was named, or the one whose option was given.
Method method_of(const ClusterArguments& a) {
  const Method method = a.method   ? *a.method
                        : a.k      ? Method::k_medoids
                        : a.within ? Method::dbscan
                                   : Method::hdbscan;
  const auto refuse = [&](const char* option, std::string_view whose) {
    throw Error(ErrorCode::usage,
                fmt::format("{} means nothing to {}", option, name_in(method_names, method)),
                fmt::format("it is for --method {}", whose));
  };
  const auto keep_for = [&](Method whose, bool given, const char* option) {
    if (given && method != whose) refuse(option, name_in(method_names, whose));
  };
  keep_for(Method::dbscan, a.within.has_value(), "--within");
  keep_for(Method::hdbscan, a.min_size.has_value(), "--min-size");
  keep_for(Method::hdbscan, a.select.has_value(), "--select");
  keep_for(Method::k_medoids, a.k.has_value(), "-k");
  keep_for(Method::k_medoids, a.sample.has_value(), "--sample");
  if (a.min_points && method == Method::k_medoids)
    refuse("--min-points", listed(NameList(method_names).first(2), "and"));
  return method;
}

double radius_for(const ClusterArguments& a, std::size_t min_points, Finding& finding) {
  if (a.within) return *a.within;
  const ClusterRadius found =
      cluster_radius(finding.search(), std::max<std::size_t>(min_points, 2) - 1, {.seed = a.seed},
                     finding.progress("looking around"));
  finding.assume(
      fmt::format("radius {}, the knee of the distances of {} to neighbour {} (--within sets it)",
                  finding.text(found.radius), counted(found.sample, "trip"), found.k));
  return found.radius;
}

Found by_radius(const ClusterArguments& a, Finding& finding) {
  const std::size_t min_points = a.min_points.value_or(DbscanOptions().min_points);
  if (!a.min_points)
    finding.assume(fmt::format("{} within the radius make a trip core", min_points));
  const double radius = radius_for(a, min_points, finding);
  DensityClusters found = dbscan(finding.search(), {.radius = radius, .min_points = min_points},
                                 finding.progress("clustering"));
  return {std::move(found.clusters),
          {},
          found.work,
          {{"method", name_in(method_names, Method::dbscan)},
           {"radius", radius},
           {"min_points", min_points}}};
}

Found by_density(const ClusterArguments& a, Finding& finding) {
  const HdbscanOptions usual;
  const HdbscanOptions options{.min_points = a.min_points.value_or(usual.min_points),
                               .min_cluster_size = a.min_size.value_or(usual.min_cluster_size),
                               .selection = a.select.value_or(usual.selection)};
  if (!a.min_points) finding.assume(fmt::format("{} make a trip core", options.min_points));
  if (!a.min_size) {
    finding.assume(
        fmt::format("a cluster has at least {}", counted(options.min_cluster_size, "trip")));
  }
  if (!a.select) finding.assume("clusters are those that hold no smaller ones (leaf)");
  DensityClusters found = hdbscan(finding.search(), options, finding.progress("clustering"));
  if (found.clusters.count == 0) {
    finding.assume("all trips together are no cluster (--within makes them one)");
  }
  return {std::move(found.clusters),
          std::move(found.stability),
          found.work,
          {{"method", name_in(method_names, Method::hdbscan)},
           {"min_points", options.min_points},
           {"min_cluster_size", options.min_cluster_size},
           {"selection", name_in(selection_names, options.selection)}}};
}

Found around_medoids(const ClusterArguments& a, Finding& finding) {
  MedoidOptions options{.seed = a.seed};
  options.k = a.k.value_or(options.k);
  options.sample = std::max(a.sample.value_or(options.sample), options.k);
  if (!a.k) finding.assume(fmt::format("{} (-k sets it)", counted(options.k, "cluster")));
  MedoidClusters found = k_medoids(finding.search(), options, finding.progress("clustering"));
  if (found.sample == options.sample && found.sample < finding.trips().size()) {
    finding.assume(fmt::format("medoids are chosen among {}, drawn with seed {}",
                               counted(found.sample, "trip"), a.seed));
  }
  return {std::move(found.clusters),
          {},
          found.work,
          {{"method", name_in(method_names, Method::k_medoids)},
           {"k", options.k},
           {"sample", found.sample},
           {"mean_distance", found.mean}}};
}

Found clusters_of(const ClusterArguments& a, Method method, Finding& finding) {
  if (method == Method::hdbscan) return by_density(a, finding);
  if (method == Method::k_medoids) return around_medoids(a, finding);
  return by_radius(a, finding);
}

Json json_of(const Finding& finding, const Found& found,
             const std::vector<ClusterSummary>& summaries) {
  Json list = Json::array();
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const ClusterSummary& s = summaries[i];
    list.push_back({{"cluster", i + 1},
                    {"size", s.size},
                    {"medoid", finding.trips().id(s.medoid)},
                    {"medoid_among", s.medoid_sample},
                    {"mean_distance", s.mean},
                    {"median_distance", s.median},
                    {"farthest", s.farthest}});
    if (!found.stability.empty()) list.back()["stability"] = found.stability[i];
  }
  return list;
}

std::string table_of(const Finding& finding, const Found& found,
                     const std::vector<ClusterSummary>& summaries, std::size_t top) {
  const auto all = static_cast<double>(std::max<std::size_t>(finding.trips().size(), 1));
  TextColumns table({"cluster", "trips", "share", "median", "farthest", "typical trip"});
  for (std::size_t i = 0; i < std::min(top, summaries.size()); ++i) {
    const ClusterSummary& s = summaries[i];
    table.add({std::to_string(i + 1), with_thousands(s.size),
               human_share(static_cast<double>(s.size) / all), finding.text(s.median),
               finding.text(s.farthest), finding.id_text(s.medoid)});
  }
  return fmt::format("{}{}in no cluster: {} ({})\n", summaries.empty() ? "" : table.text(),
                     more_text(summaries.size(), top), counted(found.clusters.noise_trips, "trip"),
                     human_share(static_cast<double>(found.clusters.noise_trips) / all));
}

TripTable rows_of(const Finding& finding, const Found& found,
                  const std::vector<ClusterSummary>& summaries) {
  TripTable table = finding.table();
  const std::vector<std::int32_t>& labels = found.clusters.labels;
  table.columns.push_back({"cluster", [&labels](std::size_t row) -> AttributeValue {
                             if (labels[row] == noise) return {};
                             return std::int64_t{labels[row]} + 1;
                           }});
  table.columns.push_back({"is_medoid", [&](std::size_t row) -> AttributeValue {
                             const std::int32_t label = labels[row];
                             return label != noise &&
                                    summaries[static_cast<std::size_t>(label)].medoid == row;
                           }});
  return table;
}

void draw(const Finding& finding, const std::vector<ClusterSummary>& summaries, std::size_t top) {
  std::vector<RouteLine> routes;
  for (std::size_t i = 0; i < std::min(top, summaries.size()); ++i) {
    routes.push_back(
        {finding.trip(summaries[i].medoid), summaries[i].size, fmt::format("cluster {}", i + 1)});
  }
  const std::string title =
      routes.size() < summaries.size()
          ? fmt::format("The {} largest of {}", routes.size(), counted(summaries.size(), "cluster"))
          : counted(summaries.size(), "cluster");
  finding.draw(title, route_lines(routes));
}

void run(const CLI::App& verb, const ClusterArguments& a, const CommonOptions& common) {
  const Method method = method_of(a);
  Finding finding(verb, a.finding, common);
  if (!a.method) finding.assume(fmt::format("method {}", name_in(method_names, method)));
  Found found = clusters_of(a, method, finding);
  finding.lap("clustering");
  const std::vector<ClusterSummary> summaries = summarize(
      finding.search(), found.clusters, {.seed = a.seed}, finding.progress("summarizing"));
  finding.lap("summarizing");
  found.facts["seed"] = a.seed;
  found.facts["clusters"] = json_of(finding, found, summaries);
  found.facts["noise"] = found.clusters.noise_trips;
  if (finding.draws()) draw(finding, summaries, a.finding.top);
  finding.write(rows_of(finding, found, summaries), found.facts,
                table_of(finding, found, summaries, a.finding.top), found.work);
}

}  // namespace

void add_cluster(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<ClusterArguments>();
  CLI::App* verb =
      app.add_subcommand("cluster", "Group trips that are alike, and show typical ones");
  verb->footer(
      "dbscan: trips that have so many others within a radius, and what is near these, are a\n"
      "cluster; what is left is in none. Without --within the radius is the knee of the distances\n"
      "to near neighbours, which in a city often joins most trips to one cluster. hdbscan: the "
      "same\n"
      "over all radii at once, for data that is dense here and sparse there; of the clusters "
      "within\n"
      "clusters that this gives, --select leaf takes the smallest, which in a city are its "
      "routes,\n"
      "and eom (excess of mass) those that last longest. k-medoids: so many clusters, each around "
      "its\n"
      "middle trip, every trip in one. Distances are exact and the clusters do not depend on the "
      "order of trips. The\n"
      "typical trip of a cluster is the one that is nearest to all of it; median and farthest are\n"
      "distances to that. Clusters are numbered from 1, the largest.\n"
      "-o writes every trip with its cluster: as attribute of a data set (.tsd), for a "
      "spreadsheet\n"
      "(.csv), for a program (.json) or a map (.geojson).\n"
      "Examples:\n"
      "  tsmini cluster city.tsd\n"
      "  tsmini cluster city.tsd --within 400 --map clusters.html -o clusters.csv\n"
      "  tsmini cluster city.tsd --method hdbscan --min-size 50 --measure dtw -o grouped.tsd\n"
      "  tsmini cluster city -k 12 --map routes.svg");
  add_choice(*verb, "--method", a->method, method_names,
             "How (default hdbscan; with --within dbscan, with -k k-medoids)");
  verb->add_option("--within", a->within,
                   "dbscan: the radius, in the unit of the measure (default: found in the data)")
      ->check(at_least(0))
      ->option_text("DISTANCE");
  verb->add_option("--min-points", a->min_points,
                   "dbscan, hdbscan: so many trips, itself among them, make one core (default 5)")
      ->check(between(1, 1'000'000))
      ->option_text("N");
  verb->add_option("--min-size", a->min_size, "hdbscan: the least trips of a cluster (default 5)")
      ->check(at_least(2))
      ->option_text("N");
  add_choice(*verb, "--select", a->select, selection_names,
             "hdbscan: which clusters are taken (default leaf)");
  verb->add_option("-k", a->k, "k-medoids: how many clusters (default 10)")
      ->check(between(1, most_medoid_sample))
      ->option_text("N");
  verb->add_option("--sample", a->sample,
                   "k-medoids: how many trips medoids are chosen among (default 2048)")
      ->check(between(1, most_medoid_sample))
      ->option_text("N");
  verb->add_option("--seed", a->seed, "Of what is drawn at random (default 1)")->option_text("N");
  add_finding_options(*verb, a->finding,
                      "Write every trip with its cluster there (.csv, .json, .geojson or .tsd)",
                      "Rows of the table and lines of the map (default 10)");
  add_common(*verb, common, Reports::yes);
  verb->callback([verb, a, &common] { run(*verb, *a, common); });
}

}  // namespace tsmini::cli
