// Writes the answers of a verb in the order of their numbers, while all cores make the texts; only
// a few of them are in memory at a time (base/in_order.h).
//
//   write_in_order(queries.size(), [&](std::size_t i) { return text_of(answer(queries[i])); },
//                  [&](const std::string& text) { writer.add(text); });
//
// The first is made alone: what it reads and lays out for all of them, it does on all cores, while
// the others would only wait for it. What `make` or `write` throws ends the whole.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tsmini::cli {

void write_in_order(std::size_t count, const std::function<std::string(std::size_t)>& make,
                    const std::function<void(const std::string&)>& write);

}  // namespace tsmini::cli
