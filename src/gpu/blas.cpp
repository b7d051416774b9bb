#include "gpu/blas.h"

#include <limits>
#include <string>
#include <vector>

#include <cublas_v2.h>
#include <dlfcn.h>

#include "tsmini/error.h"

#include "gpu/event.h"
#include "gpu/memory.h"

namespace tsmini::gpu {
namespace {

// What cuBLAS asks for on Hopper. A workspace of ours stays where it is, as a captured graph needs,
// and makes the same call give the same bits.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

const std::string built_for = std::to_string(CUDART_VERSION / 1000);  // version of CUDA

// The names of the library, to be tried in this order.
std::vector<std::string> library_names() {
  std::vector<std::string> names{"libcublas.so." + built_for};
  for (const char* other : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
    if (names.front() != other) names.emplace_back(other);
  }
  return names;
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw Error(ErrorCode::failure, dlerror());
}

// The functions of a cuBLAS. Throws where it cannot be loaded or, too new for the driver, cannot
// start. What was loaded stays so.
struct Library {
  explicit Library(const std::string& name) {
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw Error(ErrorCode::failure, dlerror());
    find(library, "cublasCreate_v2", create);
    find(library, "cublasDestroy_v2", destroy);
    find(library, "cublasSetStream_v2", set_stream);
    find(library, "cublasSetWorkspace_v2", set_workspace);
    find(library, "cublasGemmEx", multiply);
    find(library, "cublasGetStatusString", status_string);
    cublasHandle_t handle = nullptr;
    const cublasStatus_t status = create(&handle);
    if (status == CUBLAS_STATUS_SUCCESS)
      destroy(handle);
    else if (status != CUBLAS_STATUS_ALLOC_FAILED)  // no fault of its own
      throw Error(ErrorCode::failure, name + ": cannot start: " + status_string(status));
  }

  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasDestroy_v2) destroy = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasSetWorkspace_v2) set_workspace = nullptr;
  cublasStatus_t (*multiply)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                             const void*, const void*, cudaDataType, int, const void*, cudaDataType,
                             int, const void*, void*, cudaDataType, int, cublasComputeType_t,
                             cublasGemmAlgo_t) = nullptr;
  decltype(&cublasGetStatusString) status_string = nullptr;
};

Library first_of_use() {
  std::string tried;
  for (const std::string& name : library_names()) {
    try {
      return Library(name);
    } catch (const Error& error) {
      tried += (tried.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  throw Error(ErrorCode::failure, "cuBLAS cannot be used: " + tried,
              "install the cuBLAS of CUDA " + built_for +
                  ", name its folder in LD_LIBRARY_PATH, or use the CPU (`device=cpu`)");
}

const Library& library() {
  static const Library loaded = first_of_use();
  return loaded;
}

void check_blas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string message =
      std::string("GPU: cuBLAS cannot ") + what + ": " + library().status_string(status);
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemory(message);
  throw Error(ErrorCode::failure, message);
}

int to_int(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error(ErrorCode::failure, "GPU: a matrix has " + std::to_string(size) + " rows",
                "use a smaller batch");
  return static_cast<int>(size);
}

// cuBLAS on one stream, with a workspace of its own.
class Handle {
 public:
  Handle(cudaStream_t stream, Blas::Precision precision)
      : library_(library()),
        stream_(stream),
        compute_(precision == Blas::Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                    : CUBLAS_COMPUTE_32F_PEDANTIC),
        workspace_(workspace_bytes) {
    check_blas(library_.create(&handle_), "start");
    try {
      check_blas(library_.set_stream(handle_, stream), "take a stream");
      check_blas(library_.set_workspace(handle_, workspace_.data(), workspace_.size()),
                 "take a workspace");
    } catch (...) {
      library_.destroy(handle_);
      throw;
    }
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { library_.destroy(handle_); }

  // A matrix as cuBLAS sees it, which counts by columns: a row-major one is its own transpose.
  struct Factor {
    const float* data;
    std::size_t stride;  // numbers of a row as it lies there
    cublasOperation_t operation;
  };
  // [rows, columns], row-major: right · left over `inner`, since the transpose swaps factors.
  void multiply(std::size_t rows, std::size_t columns, std::size_t inner, const Factor& left,
                const Factor& right, float* result, bool add) const {
    const float one = 1, old = add ? 1 : 0;
    check_blas(
        library_.multiply(handle_, left.operation, right.operation, to_int(columns), to_int(rows),
                          to_int(inner), &one, left.data, CUDA_R_32F, to_int(left.stride),
                          right.data, CUDA_R_32F, to_int(right.stride), &old, result, CUDA_R_32F,
                          to_int(columns), compute_, CUBLAS_GEMM_DEFAULT),
        "multiply");
  }

  cudaStream_t stream() const { return stream_; }

 private:
  const Library& library_;
  cudaStream_t stream_;
  cublasComputeType_t compute_;
  DeviceMemory<unsigned char> workspace_;
  cublasHandle_t handle_ = nullptr;
};

}  // namespace

class Blas::Impl {
 public:
  Impl(cudaStream_t stream, Precision precision)
      : main_(stream, precision), beside_(side_.get(), precision) {}

  const Handle& main() const { return main_; }
  // What is done by this goes on beside the main stream, between fork() and join().
  const Handle& beside() const { return beside_; }
  void fork() {
    forked_.record(main_.stream());
    forked_.hold_back(side_.get());
  }
  void join() {
    joined_.record(side_.get());
    joined_.hold_back(main_.stream());
  }

 private:
  OwnStream side_;
  Event forked_, joined_;
  Handle main_, beside_;
};

void require_blas() {
  library();
}

Blas::Blas(cudaStream_t stream, Precision precision)
    : impl_(std::make_unique<Impl>(stream, precision)) {}
Blas::~Blas() = default;

void Blas::forward(const Sizes& sizes, const float* x, const float* weight, float* y, bool add) {
  if (sizes.rows == 0) return;
  impl_->main().multiply(sizes.rows, sizes.outs, sizes.ins, {weight, sizes.ins, CUBLAS_OP_T},
                         {x, sizes.ins, CUBLAS_OP_N}, y, add);
}

void Blas::backward(const Sizes& sizes, const float* dy, const float* x, const float* weight,
                    const Gradients& to) {
  if (sizes.rows == 0) {
    check(cudaMemsetAsync(to.dweight, 0, sizes.outs * sizes.ins * sizeof(float),
                          impl_->main().stream()),
          "clear a gradient");
    return;
  }
  const auto by_weight = [&](const Handle& handle) {
    handle.multiply(sizes.outs, sizes.ins, sizes.rows, {x, sizes.ins, CUBLAS_OP_N},
                    {dy, sizes.outs, CUBLAS_OP_T}, to.dweight, false);
  };
  if (to.dx == nullptr) return by_weight(impl_->main());
  impl_->fork();
  by_weight(impl_->beside());
  impl_->main().multiply(sizes.rows, sizes.ins, sizes.outs, {weight, sizes.ins, CUBLAS_OP_N},
                         {dy, sizes.outs, CUBLAS_OP_N}, to.dx, to.add);
  impl_->join();
}

}  // namespace tsmini::gpu
