#include "engine/backend/cuda/nvidia/products.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <cublasLt.h>

#include "engine/backend/cuda/nvidia/trial.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda::nvidia {
namespace {

constexpr std::size_t kMostWorkspace = std::size_t{32} << 20;
constexpr int kMostWays = 8;
const void* const kSomewhere = reinterpret_cast<const void*>(std::uintptr_t{1} << 12);

void require(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw Error(status == CUBLAS_STATUS_ALLOC_FAILED ? ErrorCode::kResourceExhausted : ErrorCode::kInternal,
                std::string(what) + ": " + cublasLtGetStatusString(status));
}

std::optional<cudaDataType_t> typeOf(tensor::DType type) {
    switch (type) {
        case tensor::DType::kFloat32:
            return CUDA_R_32F;
        case tensor::DType::kBFloat16:
            return CUDA_R_16BF;
        case tensor::DType::kFloat16:
            return CUDA_R_16F;
        default:
            return std::nullopt;
    }
}

template <typename Handle, cublasStatus_t (*kDestroy)(Handle)>
struct Owned {
    Handle handle = nullptr;
    Owned() = default;
    ~Owned() {
        if (handle != nullptr) kDestroy(handle);
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
};
using Layout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Description = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

// The library's matrices are by columns: what it computes is the transposed product, b' a'.
struct Prepared {
    Description description;
    Layout first, second, result;
    std::vector<cublasLtMatmulHeuristicResult_t> ways;
    bool has_bias = false;
};

template <typename T>
void set(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute, const T& value) {
    require(cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value), "cuBLASLt");
}

void makeLayout(Layout& layout, cudaDataType_t type, std::int64_t rows, std::int64_t columns) {
    require(cublasLtMatrixLayoutCreate(&layout.handle, type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), rows),
            "cuBLASLt");
}

}  // namespace

struct Products::State {
    LibraryOptions options;
    Choices* choices = nullptr;
    cublasLtHandle_t handle = nullptr;

    State(const LibraryOptions& chosen, Choices& all) : options(chosen), choices(&all) {
        const cublasStatus_t status = cublasLtCreate(&handle);
        if (status == CUBLAS_STATUS_ALLOC_FAILED) require(status, "cuBLASLt");
        if (status != CUBLAS_STATUS_SUCCESS) {
            throw Error(ErrorCode::kUnavailable, std::string("cuBLASLt: ") + cublasLtGetStatusString(status));
        }
    }
    ~State() { cublasLtDestroy(handle); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    bool run(const Prepared& prepared, std::size_t way, cudaStream_t stream, const Operands& of, std::byte* scratch) const {
        if (prepared.has_bias) set(prepared.description.handle, CUBLASLT_MATMUL_DESC_BIAS_POINTER, of.bias);
        const float one = 1, zero = 0;
        const cublasLtMatmulHeuristicResult_t& chosen = prepared.ways[way];
        return cublasLtMatmul(handle, prepared.description.handle, &one, of.b, prepared.first.handle, of.a, prepared.second.handle, &zero,
                              of.c, prepared.result.handle, of.c, prepared.result.handle, &chosen.algo, scratch, chosen.workspaceSize,
                              stream) == CUBLAS_STATUS_SUCCESS;
    }

    std::shared_ptr<Prepared> prepare(const Product& work) const {
        const auto type = typeOf(work.type), result = typeOf(work.result);
        if (!type || !result) return nullptr;
        auto prepared = std::make_shared<Prepared>();
        const cublasComputeType_t compute =
            work.type == tensor::DType::kFloat32 && options.tensor_float_32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
        require(cublasLtMatmulDescCreate(&prepared->description.handle, compute, CUDA_R_32F), "cuBLASLt");
        const cublasLtMatmulDesc_t description = prepared->description.handle;
        set(description, CUBLASLT_MATMUL_DESC_TRANSA, work.b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
        set(description, CUBLASLT_MATMUL_DESC_TRANSB, work.a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
        prepared->has_bias = work.has_bias;
        const cublasLtEpilogue_t epilogue = work.has_bias ? (work.relu ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_BIAS)
                                            : work.relu   ? CUBLASLT_EPILOGUE_RELU
                                                          : CUBLASLT_EPILOGUE_DEFAULT;
        set(description, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
        if (work.has_bias) {
            set(description, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, *type);
            set(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, kSomewhere);  // heuristics look at its alignment alone
        }
        makeLayout(prepared->first, *type, work.b_transposed ? work.k : work.n, work.b_transposed ? work.n : work.k);
        makeLayout(prepared->second, *type, work.a_transposed ? work.m : work.k, work.a_transposed ? work.k : work.m);
        makeLayout(prepared->result, *result, work.n, work.m);

        Preference preference;
        require(cublasLtMatmulPreferenceCreate(&preference.handle), "cuBLASLt");
        const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
            require(cublasLtMatmulPreferenceSetAttribute(preference.handle, attribute, &value, sizeof value), "cuBLASLt");
        };
        prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kMostWorkspace);
        for (auto attribute : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                               CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
            prefer(attribute, std::uint32_t{16});
        }
        // Parts of a sum meet in float32, whatever the result is.
        prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
               static_cast<std::uint32_t>(work.result == tensor::DType::kFloat32 ? CUBLASLT_REDUCTION_SCHEME_MASK
                                                                                 : CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
        std::array<cublasLtMatmulHeuristicResult_t, kMostWays> found{};
        int count = 0;
        const cublasStatus_t status =
            cublasLtMatmulAlgoGetHeuristic(handle, description, prepared->first.handle, prepared->second.handle, prepared->result.handle,
                                           prepared->result.handle, preference.handle, kMostWays, found.data(), &count);
        if (status != CUBLAS_STATUS_SUCCESS) return nullptr;
        for (int i = 0; i < count; ++i) {
            if (found[static_cast<std::size_t>(i)].state == CUBLAS_STATUS_SUCCESS)
                prepared->ways.push_back(found[static_cast<std::size_t>(i)]);
        }
        return prepared->ways.empty() ? nullptr : prepared;
    }

    std::optional<std::size_t> choose(const Prepared& prepared, const Product& work, const std::string& name) const {
        const auto bytes = [](std::int64_t rows, std::int64_t columns, tensor::DType type) {
            return static_cast<std::size_t>(rows * columns) * tensor::sizeOf(type);
        };
        Ways ways;
        ways.name = name;
        ways.count = prepared.ways.size();
        ways.bytes = {.a = bytes(work.m, work.k, work.type),
                      .b = bytes(work.k, work.n, work.type),
                      .c = bytes(work.m, work.n, work.result),
                      .bias = work.has_bias ? bytes(1, work.n, work.type) : 0};
        ways.scratch_bytes = [&](std::size_t way) { return prepared.ways[way].workspaceSize; };
        ways.run = [&](std::size_t way, cudaStream_t stream, const Operands& operands, std::byte* scratch) {
            return run(prepared, way, stream, operands, scratch);
        };
        return chooseWay(options, *choices, ways);
    }
};

Products::Products(const LibraryOptions& options, Choices& choices) : state_(std::make_shared<State>(options, choices)) {}
Products::~Products() = default;

std::optional<BoundWork> Products::bind(const Product& work) {
    const std::shared_ptr<Prepared> prepared = state_->prepare(work);
    if (prepared == nullptr) return std::nullopt;
    const std::string name =
        state_->options.device + ", " + describe() + (state_->options.tensor_float_32 ? ", tf32: " : ": ") + toString(work);
    const std::optional<std::size_t> way = state_->choose(*prepared, work, name);
    if (!way) return std::nullopt;
    return BoundWork{.kernel = "cuBLASLt, way " + std::to_string(*way + 1) + " of " + std::to_string(prepared->ways.size()),
                     .scratch_bytes = static_cast<std::int64_t>(prepared->ways[*way].workspaceSize),
                     .enqueue = [state = state_, prepared, chosen = *way](cudaStream_t stream, const Operands& of, std::byte* scratch) {
                         if (!state->run(*prepared, chosen, stream, of, scratch)) {
                             throw Error(ErrorCode::kInternal, "cuBLASLt: a product that it took before");
                         }
                     }};
}

std::string Products::describe() const {
    const std::size_t version = cublasLtGetVersion();  // 130002
    return "cuBLASLt " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
}

}  // namespace engine::backend::cuda::nvidia
