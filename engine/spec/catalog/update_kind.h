// The formulas by which optimizers change weights. Keras 3, t = updates done + 1:
//   SGD       w -= lr g
//   momentum  m = mu m - lr g;  w += m;  nesterov: w += mu m - lr g (m already new)
//   Adam      m += (g - m)(1 - b1);  v += (g^2 - v)(1 - b2);  a = lr sqrt(1 - b2^t) / (1 - b1^t);  w -= a m / (sqrt(v) + eps)
//   amsgrad   vhat = max(vhat, v) in the place of v in the last formula
//   RMSprop   v = rho v + (1 - rho) g^2;  d = v + eps;  centered: mean = rho mean + (1 - rho) g, d = v - mean^2 + eps;
//             i = lr g / sqrt(d);  w -= i;  with momentum: m = mu m + i, w -= m
//   Adagrad   a += g^2;  w -= lr g / sqrt(a + eps)
//   Adadelta  a = rho a + (1 - rho) g^2;  d = -sqrt(D + eps) g / sqrt(a + eps);  D = rho D + (1 - rho) d^2;  w += lr d
//   Adamax    m += (g - m)(1 - b1);  u = max(b2 u, |g|);  w -= lr / (1 - b1^t) m / (u + eps)
//   Nadam     u(t) = b1 (1 - 0.96^t / 2), P = product of u(1..t);  m, v as Adam's;
//             w -= lr (u(t + 1) m / (1 - P u(t + 1)) + (1 - u(t)) g / (1 - P)) / (sqrt(v / (1 - b2^t)) + eps)
//   Ftrl      gs = g + 2 shrinkage w;  n' = n + g^2;  z += gs - (n'^-p - n^-p) / lr w;
//             w = (clip(z, -l1, l1) - z) / (n'^-p / lr + 2 l2 + beta / lr);  n = n'
//   Lion      w -= lr sign(b1 m + (1 - b1) g);  m = b2 m + (1 - b2) g
//   Lamb      m, v as Adam's;  u = m / (1 - b1^t) / (sqrt(v / (1 - b2^t)) + eps);  w -= lr |w| / |u| u, with the norms of the whole
//             variable; 1 in the place of their ratio where one of them is 0
//   schedule-free  v as Adam's;  z -= lr min(t / warmup, 1) g / (sqrt(v / (1 - b2^t)) + eps), z begins as w;
//             x = (w - (1 - b1) z) / b1, z already new (as on TensorFlow);  x += (z - x) / t;  w = (1 - b1) z + b1 x
#pragma once

namespace engine::spec {

enum class UpdateKind {
    kSgd,
    kMomentum,
    kNesterov,
    kAdam,
    kAmsgrad,
    kRmsprop,
    kAdagrad,
    kAdadelta,
    kAdamax,
    kNadam,
    kFtrl,
    kLion,
    kLamb,
    kScheduleFree
};

// True when a step needs norms of the whole variable, so that no part of it can be updated by itself.
constexpr bool takesNorms(UpdateKind kind) {
    return kind == UpdateKind::kLamb;
}

}  // namespace engine::spec
