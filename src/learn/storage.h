// Where numbers of a kind are kept, and how they get there and back: the only thing, beside the
// operations themselves, that differs between the CPU and a GPU (cuda/gpu_storage.h).
#pragma once

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

#include "learn/arena.h"

namespace tsmini::learn {

template <typename T>
struct Storage {
  using Value = T;             // what a number is on this machine
  using Arena = learn::Arena;  // of a step
  template <typename U>
  using Block = std::vector<U>;  // that lasts
  template <typename U>
  static Block<U> block(std::span<const U> values) {
    return {values.begin(), values.end()};
  }
};

// Writes values where T's are.
template <typename T>
void copy_in(std::span<const typename Storage<T>::Value> values, std::span<T> target) {
  assert(values.size() == target.size());
  std::copy(values.begin(), values.end(), target.begin());
}

// Reads them.
template <typename T>
std::vector<typename Storage<T>::Value> copy_out(std::span<const T> values) {
  return {values.begin(), values.end()};
}

// A block of these values.
template <typename T>
typename Storage<T>::template Block<T> block_of(
    std::span<const typename Storage<T>::Value> values) {
  typename Storage<T>::template Block<T> block(values.size());
  copy_in<T>(values, {block.data(), block.size()});
  return block;
}

}  // namespace tsmini::learn
