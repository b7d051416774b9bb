// Streams, events and graphs: everything is done at once, but what is captured.
#include "streams.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace gpu_emulator {
namespace {

using Work = std::vector<std::function<void()>>;

struct Capture {
  // Work that a stream brought in, and how much of it the origin waits for.
  struct Share {
    std::size_t brought = 0, awaited = 0;
  };

  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  std::map<cudaStream_t, Share> streams;
  Work work;
  bool is_broken = false;

  // Whether it forbids this thread what would wait for a GPU.
  bool forbids() const {
    return mode == cudaStreamCaptureModeGlobal ||
           (mode == cudaStreamCaptureModeThreadLocal && thread == std::this_thread::get_id());
  }
};

// Those under way.
struct Captures {
  std::mutex mutex;
  std::vector<std::shared_ptr<Capture>> all;
};
Captures& captures() {
  static auto* const kept = new Captures;
  return *kept;
}

}  // namespace

cudaError_t refuse_in_capture() {
  const std::lock_guard lock(captures().mutex);
  bool found = false;
  for (const auto& capture : captures().all) {
    if (!capture->forbids()) continue;
    capture->is_broken = found = true;
  }
  return found ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

}  // namespace gpu_emulator

using gpu_emulator::Capture;
using gpu_emulator::captures;

struct CUstream_st {
  std::shared_ptr<Capture> capture;
};
struct CUevent_st {
  unsigned flags = 0;
  bool is_recorded = false;
  std::chrono::steady_clock::time_point when;
  // While its stream is captured.
  std::shared_ptr<Capture> capture;
  cudaStream_t stream = nullptr;
  std::size_t after = 0;
};
struct CUgraph_st {
  gpu_emulator::Work work;
};
struct CUgraphExec_st {
  gpu_emulator::Work work;
};

namespace {

CUstream_st own_name;

// Each thread has a default stream of its own, as CUDA_API_PER_THREAD_DEFAULT_STREAM asks for.
CUstream_st& stream_of(cudaStream_t name) {
  thread_local CUstream_st own_stream;
  return name == nullptr || name == cudaStreamPerThread ? own_stream : *name;
}

}  // namespace

const cudaStream_t cudaStreamPerThread = &own_name;

cudaError_t gpu_emulator::submit(cudaStream_t name, std::function<void()> work) {
  CUstream_st& stream = stream_of(name);
  if (stream.capture) {
    stream.capture->work.push_back(std::move(work));
    ++stream.capture->streams[&stream].brought;
    return cudaSuccess;
  }
  work();
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  if (const cudaError_t status = gpu_emulator::require_device(); status != cudaSuccess)
    return status;
  *stream = new CUstream_st;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamPerThread) return cudaErrorInvalidResourceHandle;
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t name) {
  const CUstream_st& stream = stream_of(name);
  if (!stream.capture) return cudaSuccess;
  stream.capture->is_broken = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t cudaDeviceSynchronize() {
  return gpu_emulator::refuse_in_capture();
}

// A stream that waits for work that is captured is captured too, until the origin has waited for
// it.
cudaError_t cudaStreamWaitEvent(cudaStream_t name, cudaEvent_t event, unsigned) {
  CUstream_st& stream = stream_of(name);
  if (!event->capture) return cudaSuccess;
  if (stream.capture && stream.capture != event->capture) return cudaErrorStreamCaptureUnsupported;
  stream.capture = event->capture;
  auto& awaited = event->capture->streams[event->stream].awaited;
  awaited = std::max(awaited, event->after);
  event->capture->streams[&stream];
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t name, cudaStreamCaptureMode mode) {
  CUstream_st& stream = stream_of(name);
  if (stream.capture) return cudaErrorInvalidValue;
  stream.capture = std::make_shared<Capture>();
  stream.capture->origin = &stream;
  stream.capture->mode = mode;
  stream.capture->thread = std::this_thread::get_id();
  const std::lock_guard lock(captures().mutex);
  captures().all.push_back(stream.capture);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t name, cudaGraph_t* graph) {
  *graph = nullptr;
  CUstream_st& stream = stream_of(name);
  const std::shared_ptr<Capture> capture = stream.capture;
  if (!capture || capture->origin != &stream) return cudaErrorStreamCaptureUnmatched;
  {
    const std::lock_guard lock(captures().mutex);
    std::erase(captures().all, capture);
  }
  bool is_joined = true;
  for (const auto& [other, share] : capture->streams) {
    other->capture.reset();
    is_joined = is_joined && (other == &stream || share.awaited == share.brought);
  }
  stream.capture.reset();
  if (capture->is_broken) return cudaErrorStreamCaptureInvalidated;
  if (!is_joined) return cudaErrorStreamCaptureUnjoined;
  *graph = new CUgraph_st{std::move(capture->work)};
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  *event = new CUevent_st;
  (*event)->flags = flags;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t name) {
  CUstream_st& stream = stream_of(name);
  event->is_recorded = true;
  event->when = std::chrono::steady_clock::now();
  event->capture = stream.capture;
  event->stream = &stream;
  if (stream.capture) event->after = stream.capture->streams[&stream].brought;
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!event->capture) return cudaSuccess;
  event->capture->is_broken = true;
  return cudaErrorCapturedEvent;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  for (const cudaEvent_t event : {from, to}) {
    if (!event->is_recorded || (event->flags & cudaEventDisableTiming) != 0)
      return cudaErrorInvalidResourceHandle;
  }
  *milliseconds = std::chrono::duration<float, std::milli>(to->when - from->when).count();
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  *executable = new CUgraphExec_st{graph->work};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return gpu_emulator::submit(stream, [work = executable->work] {
    for (const auto& step : work) step();
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
