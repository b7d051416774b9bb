// Numbers in rows, and the gradient of a loss by them.
#pragma once

#include <cstddef>

namespace tsmini::learn {

// A number in single precision in the memory of a GPU. It stands for float where an array, a tape,
// a network is on a GPU, and has no arithmetic: nothing on the CPU computes with it by mistake.
struct GpuFloat {
  float value;
};

// Where the gradient by some numbers is gathered, once something is known of it.
template <typename T>
struct Gradient {
  T* data = nullptr;    // as many as the numbers; null until there is memory for them
  bool filled = false;  // what comes is added to what is there
};

// A matrix in memory that somebody else keeps: an arena for what a step makes, Parameters for
// weights. Copying it copies no number. T is float, double (for tests) or GpuFloat.
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
