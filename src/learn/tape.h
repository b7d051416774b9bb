// The operations of a forward pass, in their order, each with what gives its gradients.
//
// An operation (learn/ops) makes its result, then records how the gradient by the result becomes
// those by its inputs. Walking the tape backwards gives the gradient by everything that has one. So
// an operation reads its result's gradient after all that use the result have added to it, and
// nothing reads it later: the memory may be overwritten or passed on to an input.
//
//   Tape<float> tape(arena, Tape<float>::Purpose::training);
//   Array<float> y = product(tape, x, weight);
//   …
//   tape.backward();
//
// A heartbeat beats after each operation, and within those that may take long: what it throws
// leaves the tape and its results unusable.
#pragma once

#include <cassert>
#include <cstddef>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "tsmini/heartbeat.h"

#include "learn/array.h"
#include "learn/storage.h"

namespace tsmini::learn {

template <typename T>
class Tape;

// Copies numbers, or adds them to what is there.
template <typename T>
void deliver(Tape<T>& tape, const T* from, std::size_t count, T* to, bool add);

template <typename T>
class Tape {
 public:
  enum class Purpose {
    training,   // everything is recorded
    embedding,  // nothing is
  };

  using Arena = typename Storage<T>::Arena;
  Tape(Arena& arena, Purpose purpose, Heartbeat heartbeat = {})
      : arena_(arena), purpose_(purpose), heartbeat_(std::move(heartbeat)) {}

  bool training() const { return purpose_ == Purpose::training; }

  // Memory until the arena is cleared.
  T* memory(std::size_t count) { return arena_.template take<T>(count); }
  Arena& arena() { return arena_; }
  const Heartbeat& heartbeat() const { return heartbeat_; }

  // A new array; while training, one with a gradient.
  Array<T> array(std::size_t rows, std::size_t columns) {
    Array<T> made{memory(rows * columns), rows, columns, nullptr};
    if (training()) made.gradient = &gradients_.emplace_back();
    return made;
  }

  // `gradients` is called when the tape is walked back to here, while training.
  void record(std::function<void()> gradients) {
    heartbeat_.beat();
    if (training()) operations_.push_back(std::move(gradients));
  }

  // Where the gradient by an input goes.
  struct Target {
    T* data = nullptr;  // null where nobody asks for it
    bool add = false;   // to what is there
  };
  Target target(const Array<T>& input) {
    if (input.gradient == nullptr) return {};
    Gradient<T>& gradient = *input.gradient;
    if (gradient.data == nullptr) gradient.data = memory(input.size());
    return {gradient.data, std::exchange(gradient.filled, true)};
  }

  // The same for an input that nothing else uses, as all weights are: it is written, not added to.
  T* sole_target(const Array<T>& input) {
    [[maybe_unused]] const Target target = this->target(input);
    assert(target.data != nullptr && !target.add);
    return target.data;
  }

  // The gradient by a result: the operation's own to read and to overwrite.
  T* gradient(const Array<T>& result) const {
    assert(result.gradient != nullptr && result.gradient->filled);
    return result.gradient->data;
  }

  // The gradient by an input is that by the result, and what other uses of the input add to it. The
  // memory goes over where it can.
  void pass_on(const Array<T>& result, const Array<T>& input) {
    if (input.gradient == nullptr) return;
    Gradient<T>& gradient = *input.gradient;
    const T* from = this->gradient(result);
    if (gradient.data == nullptr) {
      gradient = {result.gradient->data, true};
      return;
    }
    const Target to = target(input);
    deliver(*this, from, input.size(), to.data, to.add);
  }

  // Calls what was recorded, the last first.
  void backward() {
    for (; !operations_.empty(); operations_.pop_back()) {
      operations_.back()();
      heartbeat_.beat();
    }
  }

 private:
  Arena& arena_;
  Purpose purpose_;
  Heartbeat heartbeat_;
  std::deque<Gradient<T>> gradients_;  // of arrays; their places do not change
  std::vector<std::function<void()>> operations_;
};

template <typename T>
void deliver(Tape<T>&, const T* from, std::size_t count, T* to, bool add) {
  for (std::size_t i = 0; i < count; ++i) to[i] = add ? to[i] + from[i] : from[i];
}

}  // namespace tsmini::learn
