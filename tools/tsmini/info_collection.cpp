#include "info_collection.h"

#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"
#include "tsmini/search.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/document.h"
#include "common/shown.h"
#include "model_facts.h"
#include "recall_table.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_as_json(const Collection& collection, const CollectionInfo& info) {
  Json json;
  json["collection"] = collection.folder().string();
  json["identity"] = info.identity;
  json["bytes"] = info.bytes;
  json["trajectories"] = info.trips;
  json["points"] = info.points;
  json["of_one_point"] = info.of_one_point;
  json["coordinates"] = name_of(collection.coordinates());
  json["extent"] = nullptr;
  if (const auto& box = info.extent) {
    json["extent"] = {box->min_lon, box->min_lat, box->max_lon, box->max_lat};
  }
  json["times"] = nullptr;
  if (info.times) json["times"] = {{"first", info.times->first}, {"last", info.times->second}};
  json["attributes"] = info.attributes;
  json["space"] = Json::parse(collection.space().to_json());
  json["provenance"] = Json::parse(info.provenance);
  if (!info.models.empty()) {  // the first by itself, as it was when there was no other
    const CollectionModel& first = info.models.front();
    json["index"] = index_json(first);
    json["measure"] = name_of(first.model->measure);
    json["metric"] = name_of(first.model->net.metric.kind);
    json["dimension"] = first.model->net.dimension;
  }
  json["models"] = Json::array();
  for (const CollectionModel& model : info.models) {
    json["models"].push_back(model_json(model, info.trips));
  }
  json["notes"] = notes_on(collection, info.models, info.trips);
  print_document(json);
}

// The recall of growing numbers of candidates.
void add_judgement(Table& table, const CollectionModel& model) {
  if (!model.judgement) {
    const bool are_few = model.indexed - model.removed + model.tail <= few_to_rank;
    return table.add("rerank", are_few ? "all trips are candidates, so that none is missed"
                                       : "not measured, so that nobody knows how much it finds "
                                         "(tsmini compact measures it)");
  }
  const Judgement& judgement = *model.judgement;
  const double most = judgement.recall_at(1, std::numeric_limits<std::size_t>::max());
  table.add("rerank", fmt::format("measured with {} among {}; so few promise at most {}",
                                  counted(judgement.samples, "trip"),
                                  counted(judgement.trips, "trip"), human_share(most)));
  for (const std::string& line : recall_lines(judgement.recall)) table.add("", line);
}

void print_table(const Collection& collection, const CollectionInfo& info) {
  const bool degrees = collection.coordinates() == Coordinates::degrees;
  Table table;
  table.add("collection", fmt::format("{}, {}", collection.folder().string(),
                                      human_bytes(static_cast<double>(info.bytes))));
  table.add("trajectories", with_thousands(info.trips));
  table.add("points", with_thousands(info.points));
  if (const auto& box = info.extent) {
    table.add("extent", fmt::format(fmt::runtime(degrees ? "lon {} to {}, lat {} to {}"
                                                         : "x {} to {}, y {} to {} (planar)"),
                                    box->min_lon, box->max_lon, box->min_lat, box->max_lat));
  }
  table.add("times", info.times ? fmt::format("{} to {}", iso_time(info.times->first),
                                              iso_time(info.times->second))
                                : "none");
  if (!info.attributes.empty()) {
    table.add("attributes", shown(fmt::format("{}", fmt::join(info.attributes, ", "))));
  }
  table.add("space", collection.space().to_json());
  table.add("provenance", shown(info.provenance));
  if (info.models.empty()) table.add("models", "none: searched exactly, by any measure");
  for (const CollectionModel& model : info.models) {
    table.add("model", model_text(model, info.trips));
    table.add("index", index_text(model));
    add_judgement(table, model);
  }
  if (info.of_one_point > 0) {
    table.add("of one point",
              fmt::format("{}, which are no answers by edwp", counted(info.of_one_point, "trip")));
  }
  for (const std::string& note : notes_on(collection, info.models, info.trips))
    table.add("note", note);
  fmt::print("{}", table.text());
}

}  // namespace

void show_collection(const std::string& folder, bool verify, bool json) {
  const Collection collection = Collection::open(folder);
  if (verify) collection.verify();
  const CollectionInfo info = collection.info();
  if (json) {
    print_as_json(collection, info);
  } else {
    print_table(collection, info);
  }
}

}  // namespace tsmini::cli
