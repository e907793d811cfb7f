// Optimizers as executors need them: settings resolved, slots named. Formulas: Keras 3 (SGD, Adam), t = iterations + 1:
//   SGD       w -= lr g
//   momentum  m = mu m - lr g;  w += m;  nesterov: w += mu m - lr g (m already new)
//   Adam      m += (g - m)(1 - b1);  v += (g^2 - v)(1 - b2);  a = lr sqrt(1 - b2^t) / (1 - b1^t);  w -= a m / (sqrt(v) + eps)
//   amsgrad   vhat = max(vhat, v) in the place of v in the last formula
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/fields.h"

namespace engine::plan {

enum class UpdateKind { kSgd, kMomentum, kNesterov, kAdam, kAmsgrad };

struct UpdateRule {
    UpdateKind kind = UpdateKind::kSgd;
    float momentum = 0;
    float beta_1 = 0.9F, beta_2 = 0.999F, epsilon = 1e-7F;
    friend bool operator==(const UpdateRule&, const UpdateRule&) = default;
};

// Throws Error(kUnimplemented) naming an optimizer or a setting (clipnorm, weight_decay, use_ema, ...) that no executor has.
UpdateRule updateRule(const spec::ObjectSpec& optimizer);

// "momentum"; "m", "v"; "m", "v", "vhat". The order of kUpdate's inputs.
std::vector<std::string> slotNames(const UpdateRule& rule);

// Adam's `a` above, in double: the same on every back-end. The learning rate itself for SGD.
float stepSize(const UpdateRule& rule, float learning_rate, std::int64_t iteration);

}  // namespace engine::plan
