// Texts made on all cores, in any order, and written in theirs: answers to a million queries, of
// which only a few are in memory at a time.
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
