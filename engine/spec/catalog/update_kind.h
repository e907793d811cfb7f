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
//   Adafactor, p = min(lr, 1 / sqrt(t)), b = 1 - t^decay, q = g^2 + eps_1
//             of two axes or more: r = b r + (1 - b) mean of q along the last axis;  c the same along the one before it;
//             v = r / (mean of r along its last axis) c, one r and one c for each element;  else v = b v + (1 - b) q
//             u = g / sqrt(v);  w -= max(eps_2, rms(w)) p u / max(1, rms(u) / clip), with the root mean squares of the whole variable
//   Muon      of two axes, but for those that its settings leave to Adam: m = mu m + g;  x = g + mu m with nesterov, else m;
//             x /= |x| + 1e-7;  ns_steps times: A = x x', x = a x + (b A + c A A) x (of x' where that is the wider one);
//             w -= lr x, with rms_rate times sqrt(the longer side) of it
//             else Adam with its own weight decay, and adam_lr_ratio lr in the formula
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
    kAdafactor,
    kMuon,
    kScheduleFree
};

// True when a step needs the whole variable, its norm or more, so that no part of it can be updated by itself.
constexpr bool takesWholeVariables(UpdateKind kind) {
    return kind == UpdateKind::kLamb || kind == UpdateKind::kAdafactor || kind == UpdateKind::kMuon;
}

}  // namespace engine::spec
