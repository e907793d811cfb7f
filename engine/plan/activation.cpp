#include "engine/plan/activation.h"

#include <algorithm>
#include <array>

namespace engine::plan {
namespace {

using enum Activation;

constexpr std::array<NamedActivation, 31> kNames{{
    {"linear", kLinear},
    {"relu", kRelu},
    {"relu6", kRampRelu, {.limit = 6, .at_limit = 0}},
    {"leaky_relu", kRampRelu, {.slope = 0.2F, .at_threshold = 0.2F}},
    {"elu", kElu},
    {"selu", kElu, {.alpha = 1.6732632423543772F, .scale = 1.0507009873554805F, .at_zero = 1.0507009873554805F}},
    {"celu", kElu, {.at_zero = 2}},  // with alpha 1, the only one that the name alone means; both of its terms count at 0
    {"gelu", kGelu},
    {"gelu_approximate", kGeluTanh},
    {"sigmoid", kSigmoid},
    {"hard_sigmoid", kHardSigmoid},
    {"tanh", kTanh},
    {"hard_tanh", kHardTanh},
    {"softmax", kSoftmax},
    {"log_softmax", kLogSoftmax},
    {"sparsemax", kSparsemax},
    {"softplus", kSoftplus},
    {"softsign", kSoftsign},
    {"silu", kSilu},
    {"swish", kSilu},
    {"hard_silu", kHardSilu},
    {"hard_swish", kHardSilu},
    {"mish", kMish},
    {"exponential", kExponential},
    {"log_sigmoid", kLogSigmoid},
    {"tanh_shrink", kTanhShrink},
    {"soft_shrink", kSoftShrink},
    {"hard_shrink", kHardShrink},
    {"squareplus", kSquareplus},
    {"sparse_plus", kSparsePlus},
    {"sparse_sigmoid", kSparseSigmoid},
}};

}  // namespace

bool derivesFromInput(Activation activation) {
    switch (activation) {
        case kSparsemax:
        case kRampRelu:
        case kGelu:
        case kGeluTanh:
        case kHardTanh:
        case kSoftplus:
        case kSilu:
        case kHardSilu:
        case kMish:
        case kLogSigmoid:
        case kTanhShrink:
        case kSoftShrink:
        case kHardShrink:
        case kSquareplus:
        case kSparsePlus:
        case kSparseSigmoid:
            return true;
        default:
            return false;
    }
}

bool runsAlongRows(Activation activation) {
    return activation == kSoftmax || activation == kLogSoftmax || activation == kSparsemax;
}

std::string_view toString(Activation activation) {
    switch (activation) {
        case kRampRelu:
            return "ramp_relu";
        case kGeluTanh:
            return "gelu_approximate";
        case kHardTanhOfValue:
            return "hard_tanh";
        default:
            break;
    }
    const auto named = std::find_if(kNames.begin(), kNames.end(), [activation](const auto& row) { return row.activation == activation; });
    return named == kNames.end() ? "?" : named->name;
}

const NamedActivation* findActivation(std::string_view name) {
    const auto named = std::find_if(kNames.begin(), kNames.end(), [name](const auto& row) { return row.name == name; });
    return named == kNames.end() ? nullptr : &*named;
}

}  // namespace engine::plan
