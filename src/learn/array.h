// Numbers in rows, and the gradient of a loss by them.
#pragma once

#include <cstddef>

namespace tsmini::learn {

// Where the gradient by some numbers is gathered, once something is known of it.
template <typename T>
struct Gradient {
  T* data = nullptr;    // as many as the numbers; null until there is memory for them
  bool filled = false;  // what comes is added to what is there
};

// A matrix in memory that somebody else keeps: an arena for what a step makes, Parameters for
// weights. Copying it copies no number.
template <typename T>
struct Array {
  T* data = nullptr;
  std::size_t rows = 0, columns = 0;
  Gradient<T>* gradient = nullptr;  // null where nobody asks for one

  std::size_t size() const { return rows * columns; }
  T* row(std::size_t r) const { return data + r * columns; }
  explicit operator bool() const { return data != nullptr; }
};

}  // namespace tsmini::learn
