// Products and convolutions: by NVIDIA's libraries where they are there and take the case, else by plain kernels. Row-major and NHWC, as
// plans have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/backend/cuda/bound_op.h"
#include "engine/thread/mutex.h"

namespace engine::backend::cuda {

// c (m, n) = a (m, k) b (k, n) (+ bias (n)) (relu); of a transposed one the memory holds (k, m) or (n, k).
struct Product {
    std::int64_t m = 0, n = 0, k = 0;
    bool a_transposed = false, b_transposed = false;
    tensor::DType type = tensor::DType::kFloat32;    // of a, b and bias
    tensor::DType result = tensor::DType::kFloat32;  // of c
    bool has_bias = false, relu = false;
};

enum class ConvolutionWay {
    kForward,     // a: x, b: kernel, c: y
    kBackInput,   // a: dy, b: kernel, c: dx
    kBackKernel,  // a: x, b: dy, c: dkernel
};
struct Convolution {
    ConvolutionWay way = ConvolutionWay::kForward;
    plan::Window2D window{};
    spec::Shape x{}, kernel{}, y{};                  // (N, H, W, C), (kh, kw, C / groups, F), (N, OH, OW, F)
    tensor::DType type = tensor::DType::kFloat32;    // of a and b
    tensor::DType result = tensor::DType::kFloat32;  // of c
};

// Device memory, aligned to 16 bytes.
struct Operands {
    const void *a = nullptr, *b = nullptr;
    void* c = nullptr;
    const void* bias = nullptr;
};
struct BoundWork {
    std::string kernel{};
    std::int64_t scratch_bytes = 0;
    std::function<void(cudaStream_t stream, const Operands& operands, std::byte* scratch)> enqueue{};  // as BoundOp's
};

// Algorithms that were tried, by what they were tried for: for other executors of the run, and for the next one by its run.json.
// The key says device and library, too: the number of an algorithm means nothing elsewhere.
class Choices {
public:
    std::optional<std::string> find(const std::string& work) const {
        const MutexLock lock(mutex_);
        const auto found = chosen_.find(work);
        return found == chosen_.end() ? std::nullopt : std::optional(found->second);
    }
    void remember(const std::string& work, const std::string& algorithm) {
        const MutexLock lock(mutex_);
        chosen_[work] = algorithm;
    }
    std::map<std::string, std::string> all() const {
        const MutexLock lock(mutex_);
        return chosen_;
    }

private:
    mutable Mutex mutex_;
    std::map<std::string, std::string> chosen_ TANDEM_GUARDED_BY(mutex_);
};

struct LibraryOptions {
    std::string device{};          // name and capability: algorithms of another are others
    bool tensor_float_32 = false;  // float32 products in TensorFloat-32
    bool tries = true;             // algorithms are measured; else the first that the library's heuristics name: the same in every run
};

// One device's. Work is bound outside of captures: algorithms are tried then, on memory of their own.
class Libraries {
public:
    virtual ~Libraries() = default;
    // Returns nullopt for what the library does not take.
    virtual std::optional<BoundWork> product(const Product& work) = 0;
    virtual std::optional<BoundWork> convolution(const Convolution& work) = 0;
    virtual std::string describe() const = 0;  // "cuBLASLt 13.0, cuDNN 9.13"
};

// Opens the libraries for the current device; null where none are linked. Throws Error(kUnavailable) for a library that cannot be used.
std::unique_ptr<Libraries> openLibraries(const LibraryOptions& options, Choices& choices);

// Both bind the work to the library; without one (null), or where it does not take the case, they bind a plain kernel.
BoundWork bindProduct(Libraries* libraries, const Product& work);
BoundWork bindConvolutionWork(Libraries* libraries, const Convolution& work);
// "product 64x10x128 nt float32": what Choices are kept by.
std::string toString(const Product& work);
std::string toString(const Convolution& work);

}  // namespace engine::backend::cuda
