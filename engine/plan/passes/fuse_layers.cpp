#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/plan/index/plan_index.h"
#include "engine/plan/op_table.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

bool isHalvingPool(const Window2D& w) {
    return w.kernel_h == 2 && w.kernel_w == 2 && w.stride_h == 2 && w.stride_w == 2 && w.pad_top == 0 && w.pad_bottom == 0 &&
           w.pad_left == 0 && w.pad_right == 0;
}

// What the fused kernels cover; the rest stays in single ops.
bool isFusable(const Window2D& w) {
    return w.dilation_h == 1 && w.dilation_w == 1 && w.groups == 1;
}

// A chain conv/matmul, bias, activation, pool of one layer or more, found in the plan. Members are op indices, -1 = not there.
struct Chain {
    int product = -1, bias = -1, activation = -1, pool = -1;
    int pool_back = -1, activation_back = -1, bias_back = -1, input_back = -1, weight_back = -1;

    std::vector<int> forward() const { return present({product, bias, activation, pool}); }
    std::vector<int> backward() const { return present({pool_back, activation_back, bias_back, input_back, weight_back}); }

private:
    static std::vector<int> present(std::initializer_list<int> members) {
        std::vector<int> found;
        for (int member : members) {
            if (member >= 0) found.push_back(member);
        }
        return found;
    }
};

class LayerFusion {
public:
    explicit LayerFusion(Plan plan) : plan_(std::move(plan)), index_(plan_) {}

    Plan run() {
        std::vector<std::optional<Op>> replacement(plan_.ops.size());
        std::vector<bool> removed(plan_.ops.size(), false);
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const std::optional<Chain> chain = findChain(static_cast<int>(i));
            if (!chain) continue;
            replace(chain->forward(), fusedForward(*chain), replacement, removed);
            if (!chain->backward().empty()) replace(chain->backward(), fusedBackward(*chain), replacement, removed);
        }
        std::vector<Op> ops;
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            if (replacement[i]) {
                ops.push_back(*std::move(replacement[i]));
            } else if (!removed[i]) {
                ops.push_back(std::move(plan_.ops[i]));
            }
        }
        plan_.ops = std::move(ops);
        return std::move(plan_);
    }

private:
    const Op& op(int i) const { return plan_.ops[static_cast<std::size_t>(i)]; }

    // The one reader of `id` in `phase` with this kind, -1 when there is none or another one as well.
    int onlyReader(TensorId id, Phase phase, OpKind kind) const {
        int found = -1;
        for (int reader : index_.consumers(id)) {
            if (op(reader).phase != phase) continue;
            if (found >= 0 || op(reader).kind != kind) return -1;
            found = reader;
        }
        return found;
    }
    int maker(TensorId id, OpKind kind) const {
        for (int producer : index_.producers(id)) {
            if (op(producer).kind == kind) return producer;
        }
        return -1;
    }
    int reader(TensorId id, OpKind kind) const {
        for (int consumer : index_.consumers(id)) {
            if (op(consumer).kind == kind) return consumer;
        }
        return -1;
    }

    std::optional<Chain> findChain(int start) const {
        const Op& first = op(start);
        const bool is_conv = first.kind == OpKind::kConv2D;
        if (!is_conv && first.kind != OpKind::kMatMul) return std::nullopt;
        if (is_conv && !isFusable(std::get<ConvolutionAttributes>(first.attributes).window)) return std::nullopt;
        Chain longest;
        longest.product = start;
        longest.bias = onlyReader(first.outputs.front(), Phase::kForward, OpKind::kBiasAdd);
        if (longest.bias < 0) return std::nullopt;
        TensorId y = op(longest.bias).outputs.front();
        const int activation = onlyReader(y, Phase::kForward, OpKind::kActivation);
        if (activation >= 0 && std::get<ActivationAttributes>(op(activation).attributes).function == Activation::kRelu) {
            longest.activation = activation;
            y = op(activation).outputs.front();
        }
        if (is_conv) {
            const int pool = onlyReader(y, Phase::kForward, OpKind::kMaxPool2D);
            if (pool >= 0 && isHalvingPool(std::get<Window2D>(op(pool).attributes))) longest.pool = pool;
        }
        // The longest chain whose inner tensors nobody else reads.
        for (Chain chain : {longest, withoutPool(longest), withoutActivation(withoutPool(longest))}) {
            addBackward(chain);
            if (isClosed(chain)) return chain;
        }
        return std::nullopt;
    }

    static Chain withoutPool(Chain chain) {
        chain.pool = -1;
        return chain;
    }
    static Chain withoutActivation(Chain chain) {
        chain.activation = -1;
        return chain;
    }

    // Backward ops are found from the weight gradient upwards: each reads what the one above it made.
    void addBackward(Chain& chain) const {
        const bool is_conv = op(chain.product).kind == OpKind::kConv2D;
        const Op& product = op(chain.product);
        for (int consumer : index_.consumers(product.inputs.front())) {
            const Op& back = op(consumer);
            if (back.kind == (is_conv ? OpKind::kConv2DBackKernel : OpKind::kMatMulBackWeight) && back.layer == product.layer)
                chain.weight_back = consumer;
        }
        if (chain.weight_back < 0) return;
        TensorId dy = op(chain.weight_back).inputs.back();
        chain.input_back = reader(dy, is_conv ? OpKind::kConv2DBackInput : OpKind::kMatMulBackInput);
        chain.bias_back = reader(dy, OpKind::kBiasAddBack);
        if (chain.activation >= 0) {
            chain.activation_back = maker(dy, OpKind::kActivationBack);
            if (chain.activation_back >= 0) dy = op(chain.activation_back).inputs.back();
        }
        if (chain.pool >= 0) chain.pool_back = maker(dy, OpKind::kMaxPool2DBack);
    }

    bool isClosed(const Chain& chain) const {
        if (plan_.training) {
            const bool complete = chain.weight_back >= 0 && chain.bias_back >= 0 && (chain.activation < 0 || chain.activation_back >= 0) &&
                                  (chain.pool < 0 || chain.pool_back >= 0);
            if (!complete) return false;
        }
        const std::vector<int> forward = chain.forward();
        const std::vector<int> backward = chain.backward();
        std::set<int> members(forward.begin(), forward.end());
        members.insert(backward.begin(), backward.end());
        for (std::size_t i = 0; i + 1 < forward.size(); ++i) {
            if (!isInner(op(forward[i]).outputs.front(), members)) return false;
        }
        for (int back : {chain.pool_back, chain.activation_back}) {
            if (back >= 0 && !isInner(op(back).outputs.front(), members)) return false;
        }
        return true;
    }

    bool isInner(TensorId id, const std::set<int>& members) const {
        if (id == plan_.output) return false;
        const std::vector<int>& readers = index_.consumers(id);
        return std::all_of(readers.begin(), readers.end(), [&](int reader) { return members.contains(reader); });
    }

    Op fusedForward(const Chain& chain) const {
        const Op& product = op(chain.product);
        const Op& last = op(chain.forward().back());
        Op fused = attributes(chain);
        fused.kind = product.kind == OpKind::kConv2D ? OpKind::kFusedConvBlock : OpKind::kFusedDense;
        fused.phase = Phase::kForward;
        fused.inputs = {product.inputs[0], product.inputs[1], op(chain.bias).inputs[1]};
        fused.outputs = last.outputs;
        fused.name = product.layer + "/" + std::string(toString(fused.kind));
        return fused;
    }

    Op fusedBackward(const Chain& chain) const {
        const Op& product = op(chain.product);
        const Op& last = op(chain.forward().back());
        Op fused = attributes(chain);
        fused.kind = product.kind == OpKind::kConv2D ? OpKind::kFusedConvBlockBack : OpKind::kFusedDenseBack;
        fused.phase = Phase::kBackward;
        fused.inputs = {product.inputs[0], product.inputs[1]};
        const TensorId dy = outerGradient(chain);
        if (chain.activation < 0 && chain.pool < 0) {
            fused.inputs.push_back(dy);  // y would be kept for a product that does not read it
        } else {
            fused.inputs.insert(fused.inputs.end(), last.outputs.begin(), last.outputs.end());
        }
        fused.inputs.push_back(dy);
        fused.outputs = {op(chain.weight_back).outputs.front(), op(chain.bias_back).outputs.front()};
        if (chain.input_back >= 0) fused.outputs.push_back(op(chain.input_back).outputs.front());
        fused.name = product.layer + "/" + std::string(toString(fused.kind));
        return fused;
    }

    TensorId outerGradient(const Chain& chain) const {
        if (chain.pool_back >= 0) return op(chain.pool_back).inputs.front();
        if (chain.activation_back >= 0) return op(chain.activation_back).inputs.back();
        return op(chain.weight_back).inputs.back();
    }

    Op attributes(const Chain& chain) const {
        Op fused;
        fused.layer = op(chain.product).layer;
        const Activation activation = chain.activation >= 0 ? Activation::kRelu : Activation::kLinear;
        if (op(chain.product).kind == OpKind::kMatMul) {
            fused.attributes = ActivationAttributes{activation};
            return fused;
        }
        ConvolutionAttributes block = std::get<ConvolutionAttributes>(op(chain.product).attributes);
        block.activation = activation;
        if (chain.pool >= 0) block.pool = std::get<Window2D>(op(chain.pool).attributes);
        fused.attributes = block;
        return fused;
    }

    // The fused op stands where the last of its parts stood: everything it reads is there by then.
    static void replace(const std::vector<int>& members, Op fused, std::vector<std::optional<Op>>& replacement,
                        std::vector<bool>& removed) {
        for (int member : members) removed[static_cast<std::size_t>(member)] = true;
        replacement[static_cast<std::size_t>(*std::max_element(members.begin(), members.end()))] = std::move(fused);
    }

    Plan plan_;
    PlanIndex index_;
};

}  // namespace

Plan fuseLayers(Plan plan) {
    ENGINE_CHECK(plan.buckets.empty());
    return LayerFusion(std::move(plan)).run();
}

}  // namespace engine::plan
