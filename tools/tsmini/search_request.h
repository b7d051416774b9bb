// What a search is asked for: the options of the verb, and the request they make.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tsmini/collection.h"

#include "common/answers.h"
#include "common/console.h"
#include "common/measure_options.h"
#include "common/neighbour_options.h"
#include "common/pick_options.h"

namespace tsmini::cli {

struct SearchArguments {
  std::string collection, queries, measure, output = "-", map;
  std::string bbox, from, to, only_ids, model;
  std::optional<SearchMode> mode;
  std::optional<AnswerStyle> format;
  std::vector<std::string> where;
  NeighbourOptions wanted;
  PickOptions picking;      // of the queries
  MeasureOptions settings;  // of the measure
  std::optional<double> recall;
  std::size_t candidates = 0;
};

// The request but for its space and settings. Throws Error(usage) for options that contradict each
// other, before anything is opened.
SearchRequest request_of(const SearchArguments& arguments);
// The request with its space and settings, as far as they were asked for or the collection leaves
// them open.
SearchRequest request_in(const Collection& collection, SearchRequest request,
                         const SearchArguments& arguments, const Console& console);

}  // namespace tsmini::cli
