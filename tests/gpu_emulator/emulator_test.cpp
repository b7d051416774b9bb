#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "gpu/blas.h"
#include "gpu/device.h"
#include "gpu/launch.h"
#include "gpu/memory.h"
#include "gpu/mma.cuh"
#include "gpu/warp.cuh"
#include "support/environment.h"
#include "support/error_expectation.h"
#include "support/sanitized.h"

namespace tsmini::gpu {
namespace {

template <typename T>
std::vector<T> copied(const DeviceMemory<T>& memory) {
  std::vector<T> values(memory.size());
  check(cudaMemcpy(values.data(), memory.data(), memory.size() * sizeof(T), cudaMemcpyDeviceToHost),
        "copy");
  return values;
}

std::vector<int> rising(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

// A stream, given back at the end.
struct OwnStream {
  OwnStream() { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "make a stream"); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  ~OwnStream() { cudaStreamDestroy(stream); }

  cudaStream_t stream = nullptr;
};

__global__ void place_kernel(int* out) {
  await_previous();
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned place = block * blockDim.x * blockDim.y * blockDim.z + thread;
  out[place] = static_cast<int>(place);
}

__global__ void hasty_kernel() {}

TEST(GpuEmulatorDeathTest, KernelsMustWaitForTheOneBefore) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(launch(hasty_kernel, {1, 32}), "does not wait for the one before it");
}

TEST(GpuEmulator, RunsEveryThreadOfEveryBlock) {
  const DeviceMemory<int> out(2 * 3 * 4 * 5 * 6 * 7);
  launch(place_kernel, {{2, 3, 4}, {5, 6, 7}}, out.data());
  EXPECT_EQ(copied(out), rising(2 * 3 * 4 * 5 * 6 * 7));
}

TEST(GpuEmulator, MemoryBeginsAsNonsense) {
  for (const float value : copied(DeviceMemory<float>(5))) EXPECT_TRUE(std::isnan(value));
}

// Every thread passes a number on to its neighbour, many times.
__global__ void pass_kernel(int times, int* numbers) {
  await_previous();
  int* shared = shared_memory<int>();
  __shared__ int* also_shared;
  also_shared = shared;
  const int threads = static_cast<int>(blockDim.x);
  shared[thread_place()] = numbers[thread_place()];
  for (int i = 0; i < times; ++i) {
    __syncthreads();
    const int number = also_shared[(thread_place() + 1) % threads];
    __syncthreads();
    shared[thread_place()] = number;
  }
  numbers[thread_place()] = shared[thread_place()];
}

TEST(GpuEmulator, ABlockWaitsForAllItsThreads) {
  for (const int threads : {1, 31, 32, 100, 1024}) {
    const std::vector<int> before = rising(threads);
    const DeviceMemory<int> numbers{std::span<const int>(before)};
    launch(pass_kernel, {1, threads, bytes_of<int>(threads)}, 3, numbers.data());
    std::vector<int> after = before;
    std::rotate(after.begin(), after.begin() + 3 % threads, after.end());
    EXPECT_EQ(copied(numbers), after) << threads;
  }
}

__global__ void nonsense_kernel(unsigned* out) {
  await_previous();
  out[blockIdx.x] = shared_memory<unsigned>()[0];
  shared_memory<unsigned>()[0] = 1;
}

TEST(GpuEmulator, SharedMemoryBeginsAsNonsenseInEveryBlock) {
  const DeviceMemory<unsigned> out(3);
  launch(nonsense_kernel, {3, 1, sizeof(unsigned)}, out.data());
  EXPECT_EQ(copied(out), std::vector<unsigned>(3, ~0U));
}

struct Shuffled {
  int other, across, above, below;
  unsigned odd;
  float sum;

  friend bool operator==(const Shuffled&, const Shuffled&) = default;
};
__global__ void shuffle_kernel(Shuffled* out) {
  await_previous();
  const int lane = lane_place(), mine = 100 * warp_place() + lane;
  out[thread_place()] = {__shfl_sync(~0U, mine, 7),         __shfl_xor_sync(~0U, mine, 1),
                         __shfl_up_sync(~0U, mine, 2),      __shfl_down_sync(~0U, mine, 3),
                         __ballot_sync(~0U, lane % 2 == 1), warp_sum(static_cast<float>(mine))};
}

TEST(GpuEmulator, LanesOfAWarpExchangeNumbers) {
  const DeviceMemory<Shuffled> out(96);
  launch(shuffle_kernel, {1, 96}, out.data());
  const std::vector<Shuffled> found = copied(out);
  for (int i = 0; i < 96; ++i) {
    const int base = 100 * (i / 32), lane = i % 32;
    const Shuffled expected{base + 7,
                            base + (lane ^ 1),
                            base + (lane < 2 ? lane : lane - 2),
                            base + (lane > 28 ? lane : lane + 3),
                            0xAAAAAAAAU,
                            static_cast<float>(32 * base + 496)};
    EXPECT_EQ(found[static_cast<std::size_t>(i)], expected) << i;
  }
}

// sum += a · b, of 16 × 8 by 8 × 8 numbers in rows.
__global__ void product_kernel(const float* a, const float* b, float* sum) {
  await_previous();
  const int g = lane_place() / 4, t = lane_place() % 4;
  float sums[4];
  for (int i = 0; i < 4; ++i) sums[i] = sum[(g + i / 2 * 8) * 8 + 2 * t + i % 2];
  multiply_tf32(sums, {a[g * 8 + t], a[(g + 8) * 8 + t], a[g * 8 + t + 4], a[(g + 8) * 8 + t + 4]},
                {b[t * 8 + g], b[(t + 4) * 8 + g]});
  for (int i = 0; i < 4; ++i) sum[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = sums[i];
}

TEST(GpuEmulator, AWarpMultipliesMatrices) {
  std::vector<float> a(16 * 8), b(8 * 8), sum(16 * 8);
  for (std::size_t i = 0; i < a.size(); ++i) {  // sums of whole numbers: exact
    a[i] = static_cast<float>(i * 7 % 23) - 11;
    b[i % b.size()] = static_cast<float>(i * 5 % 19) - 9;
    sum[i] = static_cast<float>(i);
  }
  std::vector<float> expected = sum;
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      for (std::size_t k = 0; k < 8; ++k) expected[i * 8 + j] += a[i * 8 + k] * b[k * 8 + j];
    }
  }
  const DeviceMemory<float> left{std::span<const float>(a)}, right{std::span<const float>(b)};
  const DeviceMemory<float> out{std::span<const float>(sum)};
  launch(product_kernel, {1, 32}, left.data(), right.data(), out.data());
  EXPECT_EQ(copied(out), expected);
}

TEST(GpuEmulator, TensorCoresDropDigitsThatWereNotRounded) {
  constexpr float digit = 0x1p-10F;  // the last one of a number from 1 to 2
  EXPECT_EQ(to_tf32(1 + 3 * digit), 1 + 3 * digit);
  EXPECT_EQ(to_tf32(1 + 0.49F * digit), 1.0F);
  EXPECT_EQ(to_tf32(1 + 0.5F * digit), 1 + digit);
  EXPECT_EQ(to_tf32(-1 - 0.5F * digit), -1 - digit);
  EXPECT_EQ(to_tf32(2 - 0.25F * digit), 2.0F);
  EXPECT_EQ(to_tf32(0), 0.0F);
  EXPECT_EQ(to_tf32(-INFINITY), -INFINITY);
  EXPECT_TRUE(std::isnan(to_tf32(NAN)));
  const std::vector<float> a(16 * 8, 1 + 0.99F * digit), b(8 * 8, 1), zeros(16 * 8);
  const DeviceMemory<float> left{std::span<const float>(a)}, right{std::span<const float>(b)};
  const DeviceMemory<float> out{std::span<const float>(zeros)};
  launch(product_kernel, {1, 32}, left.data(), right.data(), out.data());
  EXPECT_EQ(copied(out), std::vector<float>(16 * 8, 8));
}

__global__ void block_sum_kernel(float* out) {
  await_previous();
  const float sum = block_sum(static_cast<float>(thread_place()));
  out[thread_place()] = sum;
}

TEST(GpuEmulator, SumsABlock) {
  for (const int threads : {32, 64, 512, 1024}) {
    const DeviceMemory<float> out(static_cast<std::size_t>(threads));
    launch(block_sum_kernel, {1, threads}, out.data());
    const auto sum = static_cast<float>(threads * (threads - 1) / 2);
    EXPECT_EQ(copied(out), std::vector<float>(static_cast<std::size_t>(threads), sum));
  }
}

// Whole warps, and threads before a barrier, may end early.
__global__ void early_kernel(int* out) {
  await_previous();
  if (warp_place() == 1) return;
  if (thread_place() < 5) return;
  __syncthreads();
  out[thread_place()] = 1;
}

TEST(GpuEmulator, ThreadsThatHaveEndedAreNotWaitedFor) {
  const DeviceMemory<int> out{std::span<const int>(std::vector<int>(96))};
  launch(early_kernel, {1, 96}, out.data());
  const std::vector<int> found = copied(out);
  EXPECT_EQ(std::accumulate(found.begin(), found.end(), 0), 96 - 32 - 5);
}

__global__ void standstill_kernel() {
  await_previous();
  if (thread_place() < 16) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}
__global__ void two_places_kernel() {
  await_previous();
  float x = 1;
  if (thread_place() < 16) x = __shfl_xor_sync(~0U, x, 1);
  warp_sum(x);
}
__global__ void ended_lane_kernel(float* out) {
  await_previous();
  if (thread_place() >= 20) return;
  out[thread_place()] = warp_sum(1);
}

TEST(GpuEmulatorDeathTest, SaysWhereThreadsWaitForever) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(launch(standstill_kernel, {1, 32}),
               "no thread can go on.*threads 0 to 15 wait for the block.*threads 16 to 31 wait for "
               "their warp");
  EXPECT_DEATH(launch(two_places_kernel, {1, 32}), "no thread can go on");
  const DeviceMemory<float> out(32);
  EXPECT_DEATH(launch(ended_lane_kernel, {1, 32}, out.data()),
               "reads from lane .*, which does not take part");
}

__global__ void past_end_kernel(int* out) {
  await_previous();
  __syncthreads();
  out[thread_place()] = shared_memory<int>()[thread_place()];
}

TEST(GpuEmulatorDeathTest, ASanitizerSeesWhatKernelsTouch) {
  if (!sanitized) GTEST_SKIP() << "no sanitizer here";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const DeviceMemory<int> out(32);
  EXPECT_NO_THROW(launch(past_end_kernel, {1, 32, bytes_of<int>(32)}, out.data()));
  EXPECT_DEATH(launch(past_end_kernel, {1, 33, bytes_of<int>(33)}, out.data()),
               "AddressSanitizer: heap-buffer-overflow .*WRITE of size 4");
  EXPECT_DEATH(launch(past_end_kernel, {1, 32, bytes_of<int>(31)}, out.data()),
               "AddressSanitizer: heap-buffer-overflow .*READ of size 4");
}

__global__ void add_kernel(int size, int number, int* out) {
  await_previous();
  const int i = block_place() * static_cast<int>(blockDim.x) + thread_place();
  if (i < size) out[i] += number;
}

TEST(GpuEmulator, AGraphDoesWhatWasCapturedWhenItIsLaunched) {
  const OwnStream own;
  const DeviceMemory<int> numbers(100);
  std::vector<int> host = rising(100), back(100);
  ASSERT_EQ(cudaStreamBeginCapture(own.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(numbers.data(), host.data(), 400, cudaMemcpyHostToDevice, own.stream),
            cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(numbers.data(), 0, 40, own.stream), cudaSuccess);
  int number = 5;
  launch(add_kernel, {4, 32, 0, own.stream}, 100, number, numbers.data());
  number = 7;  // too late
  ASSERT_EQ(cudaMemcpyAsync(back.data(), numbers.data(), 400, cudaMemcpyDeviceToHost, own.stream),
            cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(own.stream, &graph), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(back, std::vector<int>(100)) << "nothing is done before the launch";
  for (const int from : {0, 1000}) {
    std::iota(host.begin(), host.end(), from);
    ASSERT_EQ(cudaGraphLaunch(executable, own.stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(own.stream), cudaSuccess);
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(back[static_cast<std::size_t>(i)], 5 + (i < 10 ? 0 : from + i));
  }
  cudaGraphExecDestroy(executable);
}

TEST(GpuEmulator, ACaptureFailsWhereItWouldOnAGpu) {
  const auto captured = [](const auto& act) {
    const OwnStream own;
    EXPECT_EQ(cudaStreamBeginCapture(own.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    act(own.stream);
    cudaGraph_t graph = nullptr;
    const cudaError_t status = cudaStreamEndCapture(own.stream, &graph);
    cudaGraphDestroy(graph);
    return status;
  };
  EXPECT_EQ(captured([](cudaStream_t) {}), cudaSuccess);
  EXPECT_EQ(captured([](cudaStream_t) {
              EXPECT_ANY_THROW(DeviceMemory<int>(3));
              EXPECT_ANY_THROW(PinnedMemory<int>(3));
            }),
            cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(captured([](cudaStream_t stream) {
              EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
            }),
            cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(captured([](cudaStream_t) {
              EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
            }),
            cudaErrorStreamCaptureInvalidated);
  const DeviceMemory<int> memory(1);
  int number = 0;
  EXPECT_EQ(captured([&](cudaStream_t) {
              EXPECT_EQ(cudaMemcpy(&number, memory.data(), 4, cudaMemcpyDeviceToHost),
                        cudaErrorStreamCaptureUnsupported);
            }),
            cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(
      captured([&](cudaStream_t) { std::thread([] { const DeviceMemory<int> other(3); }).join(); }),
      cudaSuccess)
      << "another thread may take memory";
}

TEST(GpuEmulator, ACaptureSpreadsOverStreamsThatMeetAgain) {
  enum class How { met, unmet, asked };
  const auto captured = [](How how) {
    const OwnStream first, second;
    const DeviceMemory<int> numbers{std::span<const int>(std::vector<int>(3))};
    cudaEvent_t fork = nullptr, join = nullptr;
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    cudaStreamBeginCapture(first.stream, cudaStreamCaptureModeThreadLocal);
    cudaEventRecord(fork, first.stream);
    cudaStreamWaitEvent(second.stream, fork);
    launch(add_kernel, {1, 32, 0, second.stream}, 3, 1, numbers.data());
    if (how == How::asked) {
      EXPECT_EQ(cudaEventSynchronize(fork), cudaErrorCapturedEvent);
    }
    cudaEventRecord(join, second.stream);
    if (how != How::unmet) cudaStreamWaitEvent(first.stream, join);
    cudaGraph_t graph = nullptr;
    const cudaError_t status = cudaStreamEndCapture(first.stream, &graph);
    cudaGraphDestroy(graph);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    EXPECT_EQ(copied(numbers), std::vector<int>(3));
    return status;
  };
  EXPECT_EQ(captured(How::met), cudaSuccess);
  EXPECT_EQ(captured(How::unmet), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(captured(How::asked), cudaErrorStreamCaptureInvalidated);
}

TEST(GpuEmulator, RefusesWhatAGpuRefuses) {
  const DeviceMemory<int> numbers(10);
  std::vector<int> host(20);
  EXPECT_THROW(launch(add_kernel, {1, 1025}, 10, 1, numbers.data()), Error);
  EXPECT_THROW(launch(add_kernel, {{1, 70'000}, 1}, 10, 1, numbers.data()), Error);
  EXPECT_NO_THROW(launch(add_kernel, {0, 32}, 10, 1, numbers.data())) << "nothing to do";
  EXPECT_EQ(cudaMemcpy(numbers.data(), host.data(), 44, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), host.data() + 1, 4, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host.data(), 0, 4), cudaErrorInvalidValue);
  expect_error(ErrorCode::failure, "GPU: cannot take memory: out of memory", "a smaller batch",
               [] { const DeviceMemory<char> large(std::size_t{1} << 40); });
}

TEST(GpuEmulator, ProductsAreCapturedToo) {
  const OwnStream own;
  Blas blas(own.stream);
  const DeviceMemory<float> x{std::span<const float>(std::vector<float>{1, 2, 3, 4, 5, 6})};
  const DeviceMemory<float> weight{std::span<const float>(std::vector<float>{1, 0, 2, 0, 1, 1})};
  const DeviceMemory<float> y{std::span<const float>(std::vector<float>{1, 1, 1, 1})};
  cudaStreamBeginCapture(own.stream, cudaStreamCaptureModeThreadLocal);
  blas.forward({2, 3, 2}, x.data(), weight.data(), y.data(), true);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(own.stream, &graph), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiate(&executable, graph);
  cudaGraphDestroy(graph);
  EXPECT_EQ(copied(y), (std::vector<float>{1, 1, 1, 1}));
  cudaGraphLaunch(executable, own.stream);
  EXPECT_EQ(copied(y), (std::vector<float>{8, 6, 17, 12}));
  cudaGraphExecDestroy(executable);
}

TEST(GpuEmulator, TellsWhatIsMissing) {
  EXPECT_EQ(gpu_name(), "emulated GPU");
  EXPECT_NO_THROW(require_gpu());
  {
    const Environment none("TSMINI_EMULATED_GPUS", "0");
    EXPECT_EQ(gpu_name(), "");
    expect_error(ErrorCode::failure, "a.* driver but no GPU", "use the CPU", require_gpu);
    EXPECT_THROW(DeviceMemory<int>(1), Error);
  }
  {
    const Environment none("TSMINI_EMULATED_MEMORY", "0");
    EXPECT_NO_THROW(require_gpu());
    EXPECT_THROW(DeviceMemory<int>(1), OutOfMemory);
  }
  {
    const Environment old("TSMINI_EMULATED_DRIVER", "12020");
    expect_error(ErrorCode::failure, "too old: it knows CUDA 12[.]2, .* built with CUDA 13[.]0",
                 "install a newer driver", require_gpu);
  }
  const Environment none("TSMINI_EMULATED_DRIVER", "0");
  expect_error(ErrorCode::failure, "no NVIDIA driver", "use the CPU", require_gpu);
}

}  // namespace
}  // namespace tsmini::gpu
