// A stream beside the thread's own, and moments on streams that others wait for.
#pragma once

#include <utility>

#include <cuda_runtime.h>

#include "gpu/status.h"

namespace tsmini::gpu {

class OwnStream {
 public:
  OwnStream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream");
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  ~OwnStream() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// A point in the work of a stream, which others can wait for. Before the first record() nobody
// waits.
class Event {
 public:
  // Events that others only wait for cost less than those that know when they were.
  enum class Kind { untimed, timed };

  explicit Event(Kind kind = Kind::untimed) {
    const unsigned untimed = kind == Kind::untimed ? cudaEventDisableTiming : 0;
    check(cudaEventCreateWithFlags(&event_, untimed | cudaEventBlockingSync), "make an event");
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "record an event"); }
  // The stream goes on when what was recorded is done.
  void hold_back(cudaStream_t stream) const {
    check(cudaStreamWaitEvent(stream, event_, 0), "wait for an event");
  }
  // This thread waits till what was recorded is done.
  void wait() const { check(cudaEventSynchronize(event_), "wait for an event"); }
  // The time between the two on the device; both are timed and over.
  float milliseconds_since(const Event& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "read the time");
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace tsmini::gpu
