#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/plan/op_table.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/nested_layers.h"

namespace engine::plan {
namespace {

using tensor::DType;

class MixedPrecision {
public:
    MixedPrecision(Plan plan, const spec::ModelSpec& model) : plan_(std::move(plan)), versions_(plan_.tensors.size()) {
        for (const spec::LayerSpec& layer : model.layers) {
            const std::string policy = spec::layerPolicy(model, layer);
            setPolicy(layer.name, policy);
            // Bidirectional, TimeDistributed and SpectralNormalization work in float32 within.
            if (layer.config.getObject("layer") == nullptr) setPolicies(layer, policy);
        }
        for (const auto& [name, dtype] : low_layers_) has_float16_ = has_float16_ || dtype == DType::kFloat16;
        for (const Op& op : plan_.ops) {
            const auto* indexing = std::get_if<Indexing>(&op.attributes);
            const auto low = low_layers_.find(op.layer);
            if (indexing != nullptr && indexing->rounds_input && low != low_layers_.end()) rounding_.emplace(op.layer, low->second);
            if (rowOf(op.kind).stays_float32 && low_layers_.erase(op.layer) > 0) plan_.float32_layers.push_back(op.layer);
        }
        for (std::size_t i = 0; i < versions_.size(); ++i) versions_[i].made = versions_[i].of[0] = static_cast<TensorId>(i);
    }

    Plan run() {
        if (low_layers_.empty() && plan_.float32_layers.empty()) return std::move(plan_);
        plan_.dtype_policy = has_float16_ ? spec::kMixedFloat16Policy : spec::kMixedBfloat16Policy;
        std::vector<Op> ops = std::exchange(plan_.ops, {});
        for (Op& op : ops) rewrite(std::move(op));
        // What predict returns is float32.
        const TensorId output = plan_.output;
        if (!plan_.training) plan_.output = version(output, DType::kFloat32, Phase::kForward, "output");
        if (!copies_.inputs.empty()) plan_.ops.insert(plan_.ops.begin(), copies_);
        return std::move(plan_);
    }

private:
    // A tensor of the plan as lowered, in each type that it was made or cast to; `made`: as its op left it.
    struct Versions {
        TensorId of[3] = {kNoTensor, kNoTensor, kNoTensor};  // float32, bfloat16, float16
        TensorId made = kNoTensor;
    };
    // Those within a layer have its policy.
    void setPolicies(const spec::LayerSpec& layer, const std::string& policy) {
        setPolicy(layer.name, policy);
        for (const spec::LayerSpec& nested : spec::nestedLayers(layer)) setPolicies(nested, policy);
    }
    void setPolicy(const std::string& layer, const std::string& policy) {
        if (policy == spec::kMixedBfloat16Policy) low_layers_[layer] = DType::kBFloat16;
        if (policy == spec::kMixedFloat16Policy) low_layers_[layer] = DType::kFloat16;
    }

    static std::size_t indexOf(DType dtype) { return dtype == DType::kBFloat16 ? 1 : dtype == DType::kFloat16 ? 2 : 0; }

    TensorDesc& tensorOf(TensorId id) { return plan_.tensors[static_cast<std::size_t>(id)]; }
    Versions& versionsOf(TensorId id) { return versions_[static_cast<std::size_t>(id)]; }

    bool isActivation(TensorId id) {
        const TensorDesc& tensor = tensorOf(id);
        return tensor.role == TensorRole::kActivation || (tensor.role == TensorRole::kInput && tensor.dtype != DType::kInt32);
    }

    // What one op works in: the type of the activations that it reads and makes.
    DType typeOf(const Op& op) {
        if (rowOf(op.kind).is_alias) return tensorOf(versionsOf(op.inputs.front()).made).dtype;
        const auto low = low_layers_.find(op.layer);
        return low == low_layers_.end() ? DType::kFloat32 : low->second;
    }

    void rewrite(Op op) {
        const std::vector<TensorId> inputs = op.inputs;
        const DType dtype = typeOf(op);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const TensorRole role = tensorOf(inputs[i]).role;
            const bool is_variable = role == TensorRole::kParameter || role == TensorRole::kState;
            if (i == 0 && rounds(op)) {
                op.inputs[0] = rounded(inputs[0], op);
            } else if (isActivation(inputs[i]) && !(i == 0 && rowOf(op.kind).keeps_first_input)) {
                op.inputs[i] = version(inputs[i], dtype, op.phase, op.layer);
            } else if (is_variable && tensor::isLow(dtype) && rowOf(op.kind).takes_low_variables) {
                op.inputs[i] = copyOf(inputs[i], dtype);
            }
        }
        for (TensorId& output : op.outputs) {
            if (!isActivation(output)) continue;
            Versions& versions = versionsOf(output);
            const bool in_place = std::find(inputs.begin(), inputs.end(), output) != inputs.end();
            const TensorId target = in_place ? versions.of[indexOf(dtype)] : output;
            versions = {.made = target};
            versions.of[indexOf(dtype)] = target;
            tensorOf(target).dtype = dtype;
            output = target;
        }
        if (op.kind == OpKind::kSpectralNorm) changed_.insert(op.outputs.front());
        plan_.ops.push_back(std::move(op));
    }

    // The tensor in this type: cast before the first op that wants it so.
    TensorId version(TensorId id, DType dtype, Phase phase, const std::string& layer) {
        const TensorId known = versionsOf(id).of[indexOf(dtype)];
        if (known != kNoTensor) return known;
        const TensorId made = versionsOf(id).made;
        TensorDesc cast = tensorOf(made);
        cast.name += ":" + std::string(tensor::toString(dtype));
        cast.role = TensorRole::kActivation;
        cast.dtype = dtype;
        const TensorId target = addTensor(std::move(cast));
        versionsOf(id).of[indexOf(dtype)] = target;
        plan_.ops.push_back(
            {.kind = OpKind::kCast, .phase = phase, .name = layer + "/Cast", .layer = layer, .inputs = {made}, .outputs = {target}});
        return target;
    }

    bool rounds(const Op& op) {
        const auto* indexing = std::get_if<Indexing>(&op.attributes);
        return indexing != nullptr && indexing->rounds_input && rounding_.contains(op.layer);
    }

    // The tensor in float32 after it was rounded to the type of the op's layer.
    TensorId rounded(TensorId id, const Op& op) {
        const TensorId low = version(id, rounding_.at(op.layer), op.phase, op.layer);
        TensorDesc wide = tensorOf(low);
        wide.name += ":float32";
        wide.dtype = DType::kFloat32;
        const TensorId target = addTensor(std::move(wide));
        plan_.ops.push_back({.kind = OpKind::kCast,
                             .phase = op.phase,
                             .name = op.layer + "/Round",
                             .layer = op.layer,
                             .inputs = {low},
                             .outputs = {target}});
        return target;
    }

    // One op rounds all variables, before anything else in the step, but for those that the step changed before they are read.
    TensorId copyOf(TensorId variable, DType dtype) {
        const TensorId known = versionsOf(variable).of[indexOf(dtype)];
        if (known != kNoTensor) return known;
        const TensorDesc of = tensorOf(variable);
        const TensorId copy = addTensor({.name = of.name + ":" + std::string(tensor::toString(dtype)),
                                         .role = TensorRole::kCopy,
                                         .dtype = dtype,
                                         .shape = of.shape,
                                         .of = variable,
                                         .layer = of.layer});
        versionsOf(variable).of[indexOf(dtype)] = copy;
        if (changed_.contains(variable)) {
            plan_.ops.push_back(
                {.kind = OpKind::kCast, .name = of.name + "/Cast", .layer = of.layer, .inputs = {variable}, .outputs = {copy}});
            return copy;
        }
        copies_.inputs.push_back(variable);
        copies_.outputs.push_back(copy);
        return copy;
    }

    TensorId addTensor(TensorDesc tensor) {
        plan_.tensors.push_back(std::move(tensor));
        const auto id = static_cast<TensorId>(plan_.tensors.size() - 1);
        versions_.push_back({.of = {}, .made = id});
        return id;
    }

    Plan plan_;
    std::vector<Versions> versions_;           // by tensor
    std::map<std::string, DType> low_layers_;  // by name
    std::map<std::string, DType> rounding_;    // layers that stay in float32 and round what comes in
    std::set<TensorId> changed_;               // kernels behind their kSpectralNorm
    bool has_float16_ = false;
    Op copies_{.kind = OpKind::kCast, .phase = Phase::kForward, .name = "variables/Cast", .layer = "variables"};
};

}  // namespace

Plan withMixedPrecision(Plan plan, const spec::ModelSpec& model) {
    return MixedPrecision(std::move(plan), model).run();
}

}  // namespace engine::plan
