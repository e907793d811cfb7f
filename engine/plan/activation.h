// Activation functions by number, for plans and kernels alike. Formulas and constants: Keras 3. Where a function has a corner its
// derivative is what Keras computes on TensorFlow, which is one side's, none, or both sides' together.
#pragma once

#include <limits>
#include <string_view>

namespace engine::plan {

// The backward op reads y where the derivative follows from it, else x: derivesFromInput().
enum class Activation {
    kLinear,
    kRelu,         // max(x, 0)
    kSoftmax,      // e^x / sum e^x along the last axis
    kLogSoftmax,   // its logarithm
    kSparsemax,    // max(x - tau, 0) along the last axis. With the values in falling order and S their running sums, the support are the k
                   // first with value_j > (S_j - 1) / j; tau = (sum of their S - 1) / k: Keras' formula, not Martins and Astudillo's
    kRampRelu,     // slope (x - threshold) below the threshold, else x, limit at most: relu6, leaky_relu, the layers ReLU and LeakyReLU
    kElu,          // scale x above 0, else scale alpha (e^x - 1): elu, selu, celu
    kGelu,         // x Phi(x), Phi the normal distribution
    kGeluTanh,     // 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
    kSigmoid,      // 1 / (1 + e^-x)
    kHardSigmoid,  // x / 6 + 0.5 within 0 to 1
    kTanh,
    kHardTanh,         // x within -1 to 1
    kHardTanhOfValue,  // the same where only the value is kept, as recurrent layers do: its derivative at both ends is 0, not 1
    kSoftplus,         // log(1 + e^x)
    kSoftsign,         // x / (1 + |x|)
    kSilu,             // x sigmoid(x)
    kHardSilu,         // x hard_sigmoid(x)
    kMish,             // x tanh(softplus(x))
    kExponential,      // e^x
    kLogSigmoid,       // -softplus(-x)
    kTanhShrink,       // x - tanh(x)
    kSoftShrink,       // x nearer to 0 by 0.5, 0 within
    kHardShrink,       // x outside -0.5 to 0.5, else 0
    kSquareplus,       // (x + sqrt(x^2 + 4)) / 2
    kSparsePlus,       // (x + 1)^2 / 4 within -1 to 1, 0 below, x above
    kSparseSigmoid,    // (x + 1) / 2 within 0 to 1
};
inline constexpr int kActivations = static_cast<int>(Activation::kSparseSigmoid) + 1;

struct ActivationSettings {
    float slope = 0, threshold = 0, limit = std::numeric_limits<float>::infinity();  // kRampRelu
    float at_threshold = 0, at_limit = 1;                                            // kRampRelu: its derivative at exactly these
    float alpha = 1, scale = 1;                                                      // kElu
    float at_zero = 1;                                                               // kElu: its derivative at 0
    friend bool operator==(const ActivationSettings&, const ActivationSettings&) = default;
};

bool derivesFromInput(Activation activation);
// Softmax and its kin: a value depends on its whole row.
bool runsAlongRows(Activation activation);

std::string_view toString(Activation activation);  // "linear", "softmax"

struct NamedActivation {
    std::string_view name{};  // Keras' name; gelu_approximate for gelu with approximate=True
    Activation activation = Activation::kLinear;
    ActivationSettings settings{};
};
// nullptr for a name that no executor has.
const NamedActivation* findActivation(std::string_view name);

}  // namespace engine::plan
