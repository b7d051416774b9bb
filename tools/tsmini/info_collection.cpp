#include "info_collection.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"

#include "base/amounts.h"
#include "base/text.h"
#include "common/console.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_json(const Collection& collection, const CollectionInfo& info) {
  const Model& model = collection.model();
  Json json;
  json["collection"] = collection.folder().string();
  json["identity"] = info.identity;
  json["bytes"] = info.bytes;
  json["trajectories"] = info.trips;
  json["points"] = info.points;
  json["coordinates"] = name_of(collection.coordinates());
  json["extent"] = nullptr;
  if (const auto& box = info.extent) {
    json["extent"] = {box->min_lon, box->min_lat, box->max_lon, box->max_lat};
  }
  json["times"] = nullptr;
  if (info.times) json["times"] = {{"first", info.times->first}, {"last", info.times->second}};
  json["index"] = {{"kind", info.index ? Json(name_of(*info.index)) : Json(nullptr)},
                   {"trips", info.indexed},
                   {"removed", info.removed},
                   {"tail", info.tail}};
  json["measure"] = name_of(model.measure);
  json["space"] = Json::parse(model.space.to_json());
  json["metric"] = name_of(model.net.metric.kind);
  json["dimension"] = model.net.dimension;
  json["notes"] = collection.notes();
  fmt::print("{}\n", json.dump(2));
}

std::string index_text(const CollectionInfo& info) {
  if (!info.index) return "none, all trips are scanned";
  std::string text = fmt::format("{} of {}", name_of(*info.index), counted(info.indexed, "trip"));
  if (info.removed > 0) text += fmt::format(", {} of them removed", with_thousands(info.removed));
  if (info.tail > 0) text += fmt::format(", {} more are scanned", with_thousands(info.tail));
  return text;
}

void print_table(const Collection& collection, const CollectionInfo& info) {
  const Model& model = collection.model();
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
  table.add("index", index_text(info));
  table.add("model",
            fmt::format("{}, {} of {}", name_of(model.measure), name_of(model.net.metric.kind),
                        counted(model.net.dimension, "dimension")));
  table.add("space", model.space.to_json());
  for (const std::string& note : collection.notes()) table.add("note", note);
  fmt::print("{}", table.text());
}

}  // namespace

bool is_collection(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

void show_collection(const std::string& folder, bool verify, bool json) {
  const Collection collection = Collection::open(folder);
  if (verify) collection.verify();
  const CollectionInfo info = collection.info();
  if (json) {
    print_json(collection, info);
  } else {
    print_table(collection, info);
  }
}

}  // namespace tsmini::cli
