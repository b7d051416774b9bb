// What there is to say about the models of a collection.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tsmini/collection.h"

namespace tsmini::cli {

// How many of so many trips it has yet to embed.
std::uint64_t unseen_by(const CollectionModel& model, std::uint64_t trips);

// Whether it cannot take so many trips that another should be trained: 1 % and a hundred of them,
// or 5 %.
bool is_outgrown(const CollectionModel& model, std::uint64_t trips);

// "dtw: dtw, l2 of 128 dimensions; 12 trips (0.3 %) are more than it can take …"
std::string model_text(const CollectionModel& model, std::uint64_t trips);
std::string index_text(const CollectionModel& model);
nlohmann::ordered_json model_json(const CollectionModel& model, std::uint64_t trips);
nlohmann::ordered_json index_json(const CollectionModel& model);

// What a collection has to say, in the words of the command line.
std::vector<std::string> notes_of(const Collection& collection);

// What is amiss, and what to do about it: what the collection has noted, a model that has not seen
// all trips, one that is outgrown.
std::vector<std::string> notes_on(const Collection& collection,
                                  std::span<const CollectionModel> models, std::uint64_t trips);

}  // namespace tsmini::cli
