#include "engine/backend/cpu/onednn_convolution.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>

namespace engine::backend::cpu {
namespace {

using dnnl::memory;
using Arguments = std::unordered_map<int, memory>;

constexpr std::int64_t kLine = 16;  // floats

// While it lives, OpenMP regions that the calling thread opens have that thread alone.
class OneOpenMpThread {
public:
    OneOpenMpThread() : saved_(omp_get_max_threads()) { omp_set_num_threads(1); }
    ~OneOpenMpThread() { omp_set_num_threads(saved_); }
    OneOpenMpThread(const OneOpenMpThread&) = delete;
    OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

private:
    int saved_;
};

std::int64_t wholeLines(const memory::desc& desc) {
    return divideUp(static_cast<std::int64_t>(desc.get_size()), kLine * static_cast<std::int64_t>(sizeof(float))) * kLine;
}

void* address(const float* values) {
    return const_cast<float*>(values);  // oneDNN's handles have no const; arguments that it reads stay as they are
}

// Measured with AVX-512: groups of whole vectors of channels on both sides. The own kernels are at home where one group has many columns,
// or every channel is a group.
bool isFaster(ConvolutionPass pass, const ConvolutionGeometry& g, Isa isa) {
    const plan::Window2D& w = g.window;
    if (isa != Isa::kAvx512 || pass != ConvolutionPass::kForward || w.groups == 1) return false;
    return g.channels / w.groups % kLine == 0 && g.filters / w.groups % kLine == 0;
}

struct Descriptions {
    memory::desc x, y, bias, plain_kernel, any_kernel;
    memory::dims strides, dilations, pads_begin, pads_end;

    explicit Descriptions(const ConvolutionGeometry& g) {
        using Tag = memory::format_tag;
        constexpr auto kType = memory::data_type::f32;
        const plan::Window2D& w = g.window;
        const std::int64_t channels = g.channels / w.groups, filters = g.filters / w.groups;
        x = {{1, g.channels, g.height, g.width}, kType, Tag::nhwc};
        y = {{1, g.filters, g.out_h, g.out_w}, kType, Tag::nhwc};
        bias = {{g.filters}, kType, Tag::x};
        memory::dims sizes{filters, channels, w.kernel_h, w.kernel_w};
        memory::dims steps{1, g.filters, w.kernel_w * channels * g.filters, channels * g.filters};
        if (w.groups > 1) {
            sizes.insert(sizes.begin(), w.groups);
            steps.insert(steps.begin(), filters);
        }
        plain_kernel = {sizes, kType, steps};
        any_kernel = {sizes, kType, Tag::any};
        strides = {w.stride_h, w.stride_w};
        dilations = {w.dilation_h - 1, w.dilation_w - 1};
        pads_begin = {w.pad_top, w.pad_left};
        pads_end = {w.pad_bottom, w.pad_right};
    }
};

dnnl::convolution_forward::primitive_desc forwardDescription(const Descriptions& d, const OneDnnOptions& options,
                                                             const dnnl::primitive_attr& attributes, const dnnl::engine& device) {
    using Forward = dnnl::convolution_forward;
    constexpr auto kKind = dnnl::prop_kind::forward_training;
    constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
    const auto description =
        options.bias ? Forward::desc(kKind, kAlgorithm, d.x, d.any_kernel, d.bias, d.y, d.strides, d.dilations, d.pads_begin, d.pads_end)
                     : Forward::desc(kKind, kAlgorithm, d.x, d.any_kernel, d.y, d.strides, d.dilations, d.pads_begin, d.pads_end);
    return {description, attributes, device};
}

class Pass final : public OneDnnConvolution {
public:
    Pass(ConvolutionPass pass, const ConvolutionGeometry& geometry, const KernelTable& kernels, const OneDnnOptions& options)
        : pass_(pass), kernels_(kernels), options_(options), descriptions_(geometry), device_(dnnl::engine::kind::cpu, 0) {
        constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
        const Descriptions& d = descriptions_;
        dnnl::primitive_attr attributes;
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        if (pass == ConvolutionPass::kForward) {
            dnnl::primitive_attr with_relu = attributes;
            if (options.relu) {
                dnnl::post_ops after;
                after.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
                with_relu.set_post_ops(after);
            }
            const auto made = forwardDescription(d, options, with_relu, device_);
            adopt(made, made.weights_desc());
            primitive_ = dnnl::convolution_forward(made);
        } else if (pass == ConvolutionPass::kInput) {
            const dnnl::convolution_backward_data::primitive_desc made(
                {kAlgorithm, d.x, d.any_kernel, d.y, d.strides, d.dilations, d.pads_begin, d.pads_end}, attributes, device_,
                forwardDescription(d, {}, attributes, device_));
            adopt(made, made.weights_desc());
            primitive_ = dnnl::convolution_backward_data(made);
        } else {
            const dnnl::convolution_backward_weights::primitive_desc made(
                {kAlgorithm, d.x, d.any_kernel, d.y, d.strides, d.dilations, d.pads_begin, d.pads_end}, attributes, device_,
                forwardDescription(d, {}, attributes, device_));
            adopt(made, made.diff_weights_desc());
            primitive_ = dnnl::convolution_backward_weights(made);
        }
        const memory plain(d.plain_kernel, device_, nullptr), packed(packed_, device_, nullptr);
        pack_ = dnnl::reorder(plain, packed);
        unpack_ = dnnl::reorder(packed, plain);
    }

    bool isVectorised() const { return !std::string_view(implementation_).starts_with("ref"); }
    std::string name() const override { return "onednn " + implementation_; }
    std::int64_t packedElements() const override { return wholeLines(packed_); }
    std::int64_t scratchElements() const override {
        return wholeLines(scratchpad_) + (pass_ == ConvolutionPass::kKernel ? packedElements() : 0);
    }

    void pack(const float* kernel, float* packed) const override { reorder(pack_, descriptions_.plain_kernel, kernel, packed_, packed); }
    void unpack(const float* packed, float* kernel) const override {
        reorder(unpack_, packed_, packed, descriptions_.plain_kernel, kernel);
    }

    void run(const OneDnnArgs& args) const override {
        const OneOpenMpThread alone;
        dnnl::stream stream(device_);
        const Descriptions& d = descriptions_;
        memory x = handle(d.x), y = handle(d.y);
        memory kernel(packed_, device_, address(args.kernel));
        Arguments arguments{{DNNL_ARG_SCRATCHPAD, memory(scratchpad_, device_, args.scratch)}};
        if (pass_ == ConvolutionPass::kForward) {
            arguments.insert({{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, kernel}, {DNNL_ARG_DST, y}});
            if (options_.bias) arguments.emplace(DNNL_ARG_BIAS, memory(d.bias, device_, address(args.bias)));
        } else if (pass_ == ConvolutionPass::kInput) {
            arguments.insert({{DNNL_ARG_DIFF_SRC, x}, {DNNL_ARG_WEIGHTS, kernel}, {DNNL_ARG_DIFF_DST, y}});
        } else {
            kernel.set_data_handle(args.scratch + wholeLines(scratchpad_));
            arguments.insert({{DNNL_ARG_SRC, x}, {DNNL_ARG_DIFF_WEIGHTS, kernel}, {DNNL_ARG_DIFF_DST, y}});
            std::fill_n(args.result, packedElements(), 0.0F);
        }
        for (std::int64_t i = 0; i < args.samples; ++i) {
            float* result = args.result + i * args.result_stride;
            x.set_data_handle(pass_ == ConvolutionPass::kInput ? result : address(args.x + i * args.x_stride));
            y.set_data_handle(pass_ == ConvolutionPass::kForward ? result : address(args.dy + i * args.dy_stride));
            primitive_.execute(stream, arguments);
            if (pass_ != ConvolutionPass::kKernel) continue;
            kernels_.addValues(args.scratch + wholeLines(scratchpad_), static_cast<std::int64_t>(packed_.get_size() / sizeof(float)),
                               args.result);
        }
    }

private:
    template <typename Made>
    void adopt(const Made& made, const memory::desc& packed) {
        implementation_ = made.impl_info_str();
        scratchpad_ = made.scratchpad_desc();
        packed_ = packed;
    }

    memory handle(const memory::desc& desc) const { return memory(desc, device_, nullptr); }

    void reorder(const dnnl::reorder& by, const memory::desc& from_desc, const float* from, const memory::desc& to_desc, float* to) const {
        const OneOpenMpThread alone;
        dnnl::stream stream(device_);
        memory source(from_desc, device_, address(from)), target(to_desc, device_, to);
        by.execute(stream, source, target);
    }

    ConvolutionPass pass_;
    const KernelTable& kernels_;
    OneDnnOptions options_;
    Descriptions descriptions_;
    dnnl::engine device_;
    memory::desc packed_, scratchpad_;
    std::string implementation_;
    dnnl::primitive primitive_;
    dnnl::reorder pack_, unpack_;
};

}  // namespace

std::unique_ptr<OneDnnConvolution> makeOneDnnConvolution(ConvolutionPass pass, const ConvolutionGeometry& geometry,
                                                         const KernelTable& kernels, const OneDnnOptions& options) {
    if (!isFaster(pass, geometry, kernels.isa)) return nullptr;
    const OneOpenMpThread alone;
    try {
        auto made = std::make_unique<Pass>(pass, geometry, kernels, options);
        if (made->isVectorised()) return made;
    } catch (const dnnl::error&) {
        // No implementation for this shape: the own kernels cover all.
    }
    return nullptr;
}

}  // namespace engine::backend::cpu
