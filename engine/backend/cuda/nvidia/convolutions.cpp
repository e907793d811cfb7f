#include "engine/backend/cuda/nvidia/convolutions.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <cudnn.h>

#include "engine/backend/cuda/nvidia/trial.h"
#include "engine/backend/cuda/products/scratch.h"
#include "engine/backend/cuda/products/transpose.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda::nvidia {
namespace {

constexpr std::size_t kMostWays = 8;
constexpr std::int64_t kMostWorkspace = std::int64_t{1} << 30;
enum : std::int64_t { kImage = 'x', kFilters = 'w', kResult = 'y' };  // names of tensors within a graph

bool isOutOfMemory(cudnnStatus_t status) {
    return status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED || status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
}

void require(cudnnStatus_t status, const char* what) {
    if (status == CUDNN_STATUS_SUCCESS) return;
    throw Error(isOutOfMemory(status) ? ErrorCode::kResourceExhausted : ErrorCode::kInternal,
                std::string(what) + ": " + cudnnGetErrorString(status));
}

class Descriptor {
public:
    explicit Descriptor(cudnnBackendDescriptorType_t type) { require(cudnnBackendCreateDescriptor(type, &descriptor_), "cuDNN"); }
    ~Descriptor() {
        if (descriptor_ != nullptr) cudnnBackendDestroyDescriptor(descriptor_);
    }
    Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, nullptr)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;

    cudnnBackendDescriptor_t get() const { return descriptor_; }
    template <typename T>
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const T& value) {
        require(cudnnBackendSetAttribute(descriptor_, name, type, 1, &value), "cuDNN");
    }
    void set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& values) {
        require(cudnnBackendSetAttribute(descriptor_, name, CUDNN_TYPE_INT64, static_cast<std::int64_t>(values.size()), values.data()),
                "cuDNN");
    }
    void setDescriptor(cudnnBackendAttributeName_t name, const Descriptor& value) { set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, value.get()); }
    void finalize() { require(cudnnBackendFinalize(descriptor_), "cuDNN"); }
    bool tryFinalize() { return cudnnBackendFinalize(descriptor_) == CUDNN_STATUS_SUCCESS; }

private:
    cudnnBackendDescriptor_t descriptor_ = nullptr;
};

std::optional<cudnnDataType_t> typeOf(tensor::DType type) {
    switch (type) {
        case tensor::DType::kFloat32:
            return CUDNN_DATA_FLOAT;
        case tensor::DType::kBFloat16:
            return CUDNN_DATA_BFLOAT16;
        case tensor::DType::kFloat16:
            return CUDNN_DATA_HALF;
        default:
            return std::nullopt;
    }
}

// Images (N, C, H, W) in words, (N, H, W, C) in memory.
Descriptor tensorOf(std::int64_t id, cudnnDataType_t type, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    Descriptor tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
    tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
    tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, std::int64_t{16});
    tensor.set(CUDNN_ATTR_TENSOR_DIMENSIONS, {n, c, h, w});
    tensor.set(CUDNN_ATTR_TENSOR_STRIDES, {h * w * c, 1, w * c, c});
    tensor.finalize();
    return tensor;
}

struct Names {  // of an operation's attributes
    cudnnBackendDescriptorType_t operation;
    cudnnBackendAttributeName_t alpha, beta, convolution, image, filters, result;
};
Names namesOf(ConvolutionWay way) {
    switch (way) {
        case ConvolutionWay::kForward:
            return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
        case ConvolutionWay::kBackInput:
            return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY};
        default:
            return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY};
    }
}

// Descriptors that others were made of stay with them.
struct Graph {
    std::vector<Descriptor> parts;
    Descriptor whole{CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR};
};
struct Way {
    Descriptor config, plan;
    std::int64_t workspace = 0;
};

// The library's filters are (F, kh, kw, C / groups), the plan's (kh, kw, C / groups, F): turned on their side on the way in or out.
struct Prepared {
    Convolution work;
    std::int64_t taps = 0, filters = 0;  // a filter's values; filters
    tensor::DType filter_type = tensor::DType::kFloat32;
    std::vector<Graph> graphs;
    std::vector<Way> ways;
};

}  // namespace

struct Convolutions::State {
    LibraryOptions options;
    Choices* choices = nullptr;
    cudnnHandle_t handle = nullptr;

    State(const LibraryOptions& chosen, Choices& all) : options(chosen), choices(&all) {
        const cudnnStatus_t status = cudnnCreate(&handle);
        if (isOutOfMemory(status)) require(status, "cuDNN");
        if (status != CUDNN_STATUS_SUCCESS) throw Error(ErrorCode::kUnavailable, std::string("cuDNN: ") + cudnnGetErrorString(status));
    }
    ~State() { cudnnDestroy(handle); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    Graph graphOf(const Convolution& work, cudnnDataType_t image_type, cudnnDataType_t filter_type, cudnnDataType_t result_type) const {
        const plan::Window2D& w = work.window;
        Descriptor convolution(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
        convolution.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
        convolution.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION);
        convolution.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, std::int64_t{2});
        convolution.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {w.pad_top, w.pad_left});
        convolution.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {w.pad_bottom, w.pad_right});
        convolution.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {w.dilation_h, w.dilation_w});
        convolution.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {w.stride_h, w.stride_w});
        convolution.finalize();

        const spec::Shape &x = work.x, &y = work.y, &kernel = work.kernel;
        Descriptor image = tensorOf(kImage, image_type, x[0], x[3], x[1], x[2]);
        Descriptor filters = tensorOf(kFilters, filter_type, kernel[3], kernel[2], kernel[0], kernel[1]);
        Descriptor result = tensorOf(kResult, result_type, y[0], y[3], y[1], y[2]);
        const Names names = namesOf(work.way);
        Descriptor operation(names.operation);
        operation.set(names.alpha, CUDNN_TYPE_FLOAT, 1.0F);
        operation.set(names.beta, CUDNN_TYPE_FLOAT, 0.0F);
        operation.setDescriptor(names.convolution, convolution);
        operation.setDescriptor(names.image, image);
        operation.setDescriptor(names.filters, filters);
        operation.setDescriptor(names.result, result);
        operation.finalize();

        Graph graph;
        graph.whole.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle);
        graph.whole.setDescriptor(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
        graph.whole.finalize();
        for (Descriptor* part : {&convolution, &image, &filters, &result, &operation}) graph.parts.push_back(std::move(*part));
        return graph;
    }

    // Sums whose order changes from run to run are never taken; TensorFloat-32 only where it is asked for.
    bool isAllowed(const Descriptor& config, const Convolution& work) const {
        const Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
        cudnnBackendDescriptor_t of = engine.get();
        std::int64_t count = 0;
        require(cudnnBackendGetAttribute(config.get(), CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &of),
                "cuDNN");
        std::array<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> notes{};
        require(cudnnBackendGetAttribute(of, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, CUDNN_NUMERICAL_NOTE_TYPE_COUNT,
                                         &count, notes.data()),
                "cuDNN");
        const bool is_exact = work.type == tensor::DType::kFloat32 && !options.tensor_float_32;
        return std::none_of(notes.begin(), notes.begin() + count, [&](cudnnBackendNumericalNote_t note) {
            return note == CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC || note == CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION ||
                   (is_exact && (note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE || note == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS));
        });
    }

    void addWays(const Descriptor& graph, cudnnBackendHeurMode_t mode, Prepared& prepared) const {
        Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
        heuristics.setDescriptor(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
        heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
        if (!heuristics.tryFinalize()) return;
        std::int64_t count = 0;
        require(
            cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr),
            "cuDNN");
        std::vector<Descriptor> configs;
        std::vector<cudnnBackendDescriptor_t> raw;
        for (std::int64_t i = 0; i < count; ++i) {
            configs.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
            raw.push_back(configs.back().get());
        }
        require(cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, count, &count,
                                         raw.data()),
                "cuDNN");
        for (std::int64_t i = 0; i < count && prepared.ways.size() < kMostWays; ++i) {
            Descriptor& config = configs[static_cast<std::size_t>(i)];
            if (!isAllowed(config, prepared.work)) continue;
            Descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
            plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle);
            plan.setDescriptor(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
            if (!plan.tryFinalize()) continue;
            std::int64_t workspace = 0, found = 0;
            require(cudnnBackendGetAttribute(plan.get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &found, &workspace),
                    "cuDNN");
            if (workspace > kMostWorkspace) continue;
            prepared.ways.push_back({std::move(config), std::move(plan), workspace});
        }
    }

    std::shared_ptr<Prepared> prepare(const Convolution& work) const {
        const auto type = typeOf(work.type), result = typeOf(work.result);
        if (!type || !result) return nullptr;
        auto prepared = std::make_shared<Prepared>();
        prepared->work = work;
        prepared->taps = work.kernel[0] * work.kernel[1] * work.kernel[2];
        prepared->filters = work.kernel[3];
        const bool is_kernel = work.way == ConvolutionWay::kBackKernel;
        // A gradient of the kernel in float32 out of narrower values, or narrow too where no engine does that.
        std::vector<tensor::DType> filter_types{is_kernel ? work.result : work.type};
        if (is_kernel && work.result != work.type) filter_types.push_back(work.type);
        for (tensor::DType filter_type : filter_types) {
            const cudnnDataType_t image_type = work.way == ConvolutionWay::kBackInput ? *result : *type;
            const cudnnDataType_t result_type = work.way == ConvolutionWay::kForward ? *result : *type;
            prepared->filter_type = filter_type;
            try {
                prepared->graphs.push_back(graphOf(work, image_type, *typeOf(filter_type), result_type));
                const Descriptor& graph = prepared->graphs.back().whole;
                addWays(graph, CUDNN_HEUR_MODE_A, *prepared);
                if (prepared->ways.empty()) addWays(graph, CUDNN_HEUR_MODE_FALLBACK, *prepared);
            } catch (const Error& error) {
                if (error.code() == ErrorCode::kResourceExhausted) throw;
                continue;  // a graph that it does not take
            }
            if (!prepared->ways.empty()) return prepared;
        }
        return nullptr;
    }

    bool run(const Prepared& prepared, std::size_t way, cudaStream_t stream, const void* image, const void* filters, const void* result,
             std::byte* workspace) const {
        Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
        const std::array<const void*, 3> pointers{image, filters, result};
        require(cudnnBackendSetAttribute(pack.get(), CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 3, pointers.data()),
                "cuDNN");
        pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {kImage, kFilters, kResult});
        pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, static_cast<void*>(workspace));
        pack.finalize();
        require(cudnnSetStream(handle, stream), "cuDNN");
        return cudnnBackendExecute(handle, prepared.ways[way].plan.get(), pack.get()) == CUDNN_STATUS_SUCCESS;
    }

    std::size_t filterBytes(const Prepared& prepared) const {
        return static_cast<std::size_t>(prepared.taps * prepared.filters) * tensor::sizeOf(prepared.filter_type);
    }

    std::optional<std::size_t> choose(const Prepared& prepared, const std::string& name) const {
        const Convolution& work = prepared.work;
        // The widest type for all: which of them is the result changes with the way.
        const auto bytes = [](const spec::Shape& shape) {
            std::size_t count = sizeof(float);
            for (std::int64_t size : shape) count *= static_cast<std::size_t>(size);
            return count;
        };
        Ways ways;
        ways.name = name;
        ways.count = prepared.ways.size();
        ways.bytes = {.a = bytes(work.x), .b = bytes(work.kernel), .c = bytes(work.y), .bias = 0};
        ways.scratch_bytes = [&](std::size_t way) { return static_cast<std::size_t>(prepared.ways[way].workspace); };
        ways.run = [&](std::size_t way, cudaStream_t stream, const Operands& of, std::byte* scratch) {
            return run(prepared, way, stream, of.a, of.b, of.c, scratch);
        };
        return chooseWay(options, *choices, ways);
    }
};

Convolutions::Convolutions(const LibraryOptions& options, Choices& choices) : state_(std::make_shared<State>(options, choices)) {}
Convolutions::~Convolutions() = default;

std::optional<BoundWork> Convolutions::bind(const Convolution& work) {
    const std::shared_ptr<Prepared> prepared = state_->prepare(work);
    if (prepared == nullptr) return std::nullopt;
    const std::string name =
        state_->options.device + ", " + describe() + (state_->options.tensor_float_32 ? ", tf32: " : ": ") + toString(work);
    const std::optional<std::size_t> way = state_->choose(*prepared, name);
    if (!way) return std::nullopt;
    ScratchLayout layout;
    const std::int64_t filters_at = layout.add(static_cast<std::int64_t>(state_->filterBytes(*prepared)));
    const std::int64_t workspace_at = layout.add(prepared->ways[*way].workspace);
    return BoundWork{.kernel = "cuDNN, way " + std::to_string(*way + 1) + " of " + std::to_string(prepared->ways.size()),
                     .scratch_bytes = layout.bytes(),
                     .enqueue = [=, state = state_, chosen = *way](cudaStream_t stream, const Operands& of, std::byte* scratch) {
                         std::byte *filters = scratch + filters_at, *workspace = scratch + workspace_at;
                         const Convolution& known = prepared->work;
                         bool runs = false;
                         if (known.way != ConvolutionWay::kBackKernel) {
                             enqueueTranspose(stream, of.b, known.type, filters, prepared->filter_type, prepared->taps, prepared->filters);
                         }
                         switch (known.way) {
                             case ConvolutionWay::kForward:
                                 runs = state->run(*prepared, chosen, stream, of.a, filters, of.c, workspace);
                                 break;
                             case ConvolutionWay::kBackInput:
                                 runs = state->run(*prepared, chosen, stream, of.c, filters, of.a, workspace);
                                 break;
                             case ConvolutionWay::kBackKernel:
                                 runs = state->run(*prepared, chosen, stream, of.a, filters, of.b, workspace);
                                 enqueueTranspose(stream, filters, prepared->filter_type, of.c, known.result, prepared->filters,
                                                  prepared->taps);
                                 break;
                         }
                         if (!runs) throw Error(ErrorCode::kInternal, "cuDNN: a convolution that it took before");
                     }};
}

std::string Convolutions::describe() const {
    const std::size_t version = cudnnGetVersion();  // 91300
    return "cuDNN " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
}

}  // namespace engine::backend::cuda::nvidia
