// Leaving out a part of the numbers while training, by chances that a key and a place decide.
#pragma once

#include <cstddef>
#include <cstdint>

#include "learn/place_uniform.h"

namespace tsmini::learn {

struct Dropout {
  float rate = 0;
  const std::int64_t* key = nullptr;  // of a step; where the numbers are
  std::uint32_t salt = 0;             // of a layer

  // What a number at a place is multiplied with, where the rate is above 0.
  TSMINI_HOST_DEVICE float factor(std::uint64_t place) const {
    return dropout_factor(rate, *key, salt, place);
  }

  // Returns `values` where nothing is dropped, else `left`, filled with the values times their
  // factors; `place` is that of the first.
  template <typename T>
  const T* operator()(std::size_t place, std::size_t count, const T* values, T* left) const {
    if (rate == 0) return values;
    for (std::size_t i = 0; i < count; ++i) left[i] = values[i] * static_cast<T>(factor(place + i));
    return left;
  }
};

}  // namespace tsmini::learn
