// What an observer throws, on its way out of a run: nothing in between takes it for a failure of
// its own, whatever it is.
//
//   const TrainObserver told = marked(observer);
//   try {
//     told.event(event);
//   } catch (const Thrown& thrown) {
//     std::rethrow_exception(thrown.what);
//   }
#pragma once

#include <exception>
#include <functional>

#include "tsmini/train.h"

namespace tsmini::learn {

struct Thrown {
  std::exception_ptr what;
};

template <typename... Arguments>
std::function<void(Arguments...)> marked(const std::function<void(Arguments...)>& call) {
  if (!call) return {};
  return [call](Arguments... arguments) {
    try {
      call(arguments...);
    } catch (...) {
      throw Thrown{std::current_exception()};
    }
  };
}

inline TrainObserver marked(const TrainObserver& observer) {
  return {marked(observer.preparing), marked(observer.ready), marked(observer.event),
          observer.pause, marked(observer.stopped)};
}

}  // namespace tsmini::learn
