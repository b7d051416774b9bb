// Maps as the verbs draw them: one way for all, and the same notes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/map.h"
#include "tsmini/map_lines.h"

#include "common/console.h"

namespace tsmini::cli {

// The trips under the lines of a map: the data set itself where all are wanted.
Dataset ground_of(const Dataset& data, std::span<const std::size_t> indices);

// A query and its answers where they are, without title and ground.
Map answer_map(const Trajectory& query, std::span<const AnswerLine> answers,
               Coordinates coordinates);
// "10 nearest to trip-7", "3 within 250 m of trip-7"
std::string answer_title(const Trajectory& query, std::size_t answers,
                         const std::optional<double>& within, std::string_view unit);

// The trips among `indices` that may touch the box.
std::vector<std::size_t> touching(const Dataset& data, std::span<const std::size_t> indices,
                                  const Box& box);

// Says where it went, and what it cannot show.
MapSummary draw_to(const std::string& file, const Map& map, const Console& console);

}  // namespace tsmini::cli
