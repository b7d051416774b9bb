// What a model is called.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tsmini/measure.h"
#include "tsmini/model.h"

namespace tsmini {

// The name of a model unless told otherwise: "frechet", or the first of "frechet-2", "frechet-3" …
// that is not taken.
template <class IsTaken>
std::string free_name(Measure measure, const IsTaken& is_taken) {
  std::string name(name_of(measure));
  for (int n = 2; is_taken(std::string_view(name)); ++n) {
    name = fmt::format("{}-{}", name_of(measure), n);
  }
  return name;
}

}  // namespace tsmini
