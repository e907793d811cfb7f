#include "engine/plan/lower.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/plan/constraint.h"
#include "engine/plan/index/plan_index.h"
#include "engine/plan/layers/layer_table.h"
#include "engine/plan/loss.h"
#include "engine/plan/metric.h"
#include "engine/plan/optimizer.h"
#include "engine/plan/penalty.h"
#include "engine/spec/catalog/keras_path.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

// The function whose input a loss of probabilities takes instead, where the model ends in it. Keras' loss with a class to ignore takes a
// copy of the output without the other classes' rows, which no longer tells where it came from: it goes by the probabilities.
std::optional<Activation> activationBefore(const LossAttributes& loss) {
    switch (loss.kind) {
        case LossKind::kSparseCategoricalCrossentropy:
            return loss.ignored_class ? std::nullopt : std::optional(Activation::kSoftmax);
        case LossKind::kCategoricalCrossentropy:
            return Activation::kSoftmax;
        case LossKind::kBinaryCrossentropy:
        case LossKind::kBinaryFocalCrossentropy:
            return Activation::kSigmoid;
        default:
            return std::nullopt;
    }
}

// One lowering: the model's values, and the plan under construction.
class Lowering {
public:
    Lowering(const spec::ModelSpec& model, const LowerOptions& options)
        : model_(model), options_(options), infos_(spec::inferShapes(model)), builder_(plan_, &penalised_outputs_) {
        if (options.batch < 1 || options.replicas < 1) {
            throw Error(ErrorCode::kInvalidArgument, "plan: expected a batch and replicas of 1 at least, got " +
                                                         std::to_string(options.batch) + " and " + std::to_string(options.replicas));
        }
        plan_.batch = options.batch;
        plan_.replicas = options.replicas;
        plan_.training = options.training;
        checkModel();
    }

    Plan takePlan() { return std::move(plan_); }
    std::size_t outputRank() const { return infos_.back().output_shape.size() + 1; }

    void addParametersAndSlots(const spec::ObjectSpec* optimizer) {
        forEachLayer([this](LayerLowering) { builder_.addParameters(); });
        if (optimizer == nullptr) return;
        const spec::KerasPaths paths(model_);
        for (const Slot& slot : slotsOf(*optimizer)) {
            for (TensorId id : parametersOf(plan_)) {
                const TensorDesc parameter = plan_.tensors[static_cast<std::size_t>(id)];
                const std::optional<spec::Shape> shape =
                    spec::slotShape(*optimizer, slot.form, {paths.of(parameter.name), parameter.shape});
                if (!shape) continue;
                plan_.tensors.push_back({.name = parameter.name + ":" + slot.name,
                                         .role = TensorRole::kSlot,
                                         .shape = *shape,
                                         .of = id,
                                         .slot_name = slot.name,
                                         .initial = slot.initial,
                                         .layer = parameter.layer});
            }
        }
    }

    void addInput() {
        spec::Shape shape{options_.batch};
        const spec::Shape sample = spec::fedShape(model_);
        shape.insert(shape.end(), sample.begin(), sample.end());
        plan_.input = addTensor({.name = "input", .role = TensorRole::kInput, .shape = shape, .layer = "input"});
    }

    void addLabelAndGather(const LossAttributes& loss) {
        const spec::Shape& output = infos_.back().output_shape;
        plan_.label = addTensor({.name = "label",
                                 .role = TensorRole::kLabel,
                                 .dtype = hasClassLabels(loss.kind) ? tensor::DType::kInt32 : tensor::DType::kFloat32,
                                 .shape = labelShape(loss, options_.batch, output),
                                 .layer = "input"});
        Op gather{.kind = OpKind::kGather, .name = "input/Gather", .layer = "input", .outputs = {plan_.input, plan_.label}};
        GatherAttributes attributes{.whole_numbers = spec::isFedAsItIs(model_),
                                    .ignored_class = loss.ignored_class,
                                    .any_class = loss.kind == LossKind::kCircle,
                                    .sequences = hasSequences(loss.kind)};
        if (options_.training && !options_.class_weights.empty()) {
            if (output.size() != 1) {
                throw Error(ErrorCode::kUnimplemented, "fit.class_weight: expected a model output of rank 2 (batch, values), got rank " +
                                                           std::to_string(output.size() + 1));
            }
            attributes.class_weights = options_.class_weights;
            plan_.sample_weight =
                addTensor({.name = "sample_weight", .role = TensorRole::kLabel, .shape = {options_.batch}, .layer = "input"});
            gather.outputs.push_back(plan_.sample_weight);
        }
        gather.attributes = std::move(attributes);
        plan_.ops.push_back(std::move(gather));
    }

    void addForward() {
        TensorId x = plan_.input;
        forEachLayer([this, &x](LayerLowering lowering) {
            x = lowering(builder_, x);
            if (!infos_[static_cast<std::size_t>(builder_.position())].output_mask) builder_.setMask(kNoTensor);
            for (const spec::LayerSpec& owner : spec::owningLayers(builder_.layer())) {
                collectPenalties(owner, x);
                collectConstraints(owner);
            }
            for (const auto& [y, penalty] : std::exchange(penalised_outputs_, {})) {
                penalised_.push_back(y);
                penalties_.push_back(penalty);
            }
        });
        plan_.output = x;
        if (model_.input_dtype == "int32") keepWholeNumbers();
    }

    // Whole numbers that come in are cast to no other type, whatever the policy.
    void keepWholeNumbers() {
        for (Op& op : plan_.ops) {
            if (auto* indexing = std::get_if<Indexing>(&op.attributes)) indexing->rounds_input = false;
        }
    }

    // What the output is a copy of. ActivityRegularization hands on what it gets, as it is: in Keras that goes on telling where it came
    // from.
    TensorId handedOn() const {
        TensorId id = plan_.output;
        const auto hands_on = [this](const Op& op) {
            return std::any_of(model_.layers.begin(), model_.layers.end(), [&op](const spec::LayerSpec& layer) {
                return layer.class_name == "ActivityRegularization" && layer.name == op.layer;
            });
        };
        for (auto op = plan_.ops.rbegin(); op != plan_.ops.rend() && !op->outputs.empty() && op->outputs.front() == id && hands_on(*op);
             ++op) {
            id = op->inputs.front();
        }
        return id;
    }

    // What goes into the activation that the model ends in; the output where that is no such one.
    TensorId inputOfLast(Activation activation) const {
        const TensorId last = handedOn(), input = builder_.inputOf(activation, last);
        return input == last ? plan_.output : input;
    }

    // What each metric reads in the place of the model's output, or kNoTensor: one that is the mean of a cross-entropy takes what goes into
    // the last activation, as the loss of that class does.
    std::vector<TensorId> scoresOf(std::vector<NamedMetric>& metrics) const {
        std::vector<TensorId> read;
        for (NamedMetric& metric : metrics) {
            read.push_back(kNoTensor);
            if (metric.attributes.kind != MetricKind::kMeanLoss) continue;
            const std::optional<Activation> last = activationBefore(metric.attributes.loss);
            const TensorId scores = last ? inputOfLast(*last) : plan_.output;
            if (scores == plan_.output) continue;
            metric.attributes.loss.from_logits = true;
            read.back() = scores;
        }
        return read;
    }

    // Returns the gradient of the layers' last tensor that remains.
    TensorId addLoss(LossAttributes loss, const spec::CompileSpec& compile) {
        std::vector<NamedMetric> metrics = resolveMetrics(compile, loss.kind, infos_.back().output_shape.back());
        const std::vector<TensorId> read = scoresOf(metrics);
        const std::optional<Activation> last = activationBefore(loss);
        const TensorId scores = last ? inputOfLast(*last) : plan_.output;
        if (scores != plan_.output) loss.from_logits = true;
        bool is_joined = false;  // the loss' gradient and those of penalties
        if (options_.training && scores != plan_.output) {
            // A penalty reads the output, and so does a layer behind the activation.
            bool is_read = handedOn() != plan_.output || std::find(penalised_.begin(), penalised_.end(), plan_.output) != penalised_.end();
            for (std::size_t i = 0; i < metrics.size(); ++i) {
                is_read = is_read || (read[i] == kNoTensor && !looksAtOrderAlone(metrics[i].attributes));
            }
            if (is_read) {
                is_joined = builder_.goBackFrom(scores, plan_.output);
            } else {
                plan_.output = builder_.dropFinalActivation(plan_.output);
            }
        }
        const TensorId mask = builder_.mask();
        if (mask != kNoTensor && builder_.shape(mask).size() + 1 != builder_.shape(scores).size()) {
            throw Error(ErrorCode::kUnimplemented, model_.layers.back().name +
                                                       ": expected an output with a mask of all axes but the last, got one of rank " +
                                                       std::to_string(builder_.shape(mask).size()));
        }
        const TensorId gradient = lowerLoss(plan_, scores, loss, mask, is_joined ? "of_loss:grad" : "grad");
        lowerMetrics(plan_, std::move(metrics), read, mask);
        if (!penalised_.empty()) {
            plan_.ops.push_back({.kind = OpKind::kPenalty,
                                 .phase = Phase::kForward,
                                 .name = "loss/Penalty",
                                 .layer = "loss",
                                 .inputs = penalised_,
                                 .outputs = {plan_.header},
                                 .attributes = PenaltyAttributes{penalties_}});
        }
        return gradient;
    }

    void addBackward(TensorId doutput) {
        builder_.differentiate(doutput, options_.input_gradient ? InputGradient::kNeeded : InputGradient::kNotNeeded);
        addPenaltyGradients();
    }

    // Removes the masks of layers behind which nothing asks for the mask.
    void dropUnreadMasks() {
        std::vector<std::int64_t> readers(plan_.tensors.size());
        for (const Op& op : plan_.ops) {
            for (const TensorId id : op.inputs) {
                if (id != kNoTensor) ++readers[static_cast<std::size_t>(id)];
            }
        }
        std::vector<bool> removed(plan_.ops.size());
        // The loop goes from the end: a folded mask is made of another.
        for (std::size_t i = plan_.ops.size(); i-- > 0;) {
            const TensorId made = plan_.ops[i].outputs.empty() ? kNoTensor : plan_.ops[i].outputs.front();
            const bool is_mask =
                plan_.ops[i].kind == OpKind::kMask ||
                (plan_.ops[i].kind == OpKind::kReshape && plan_.tensors[static_cast<std::size_t>(made)].dtype == tensor::DType::kUInt8);
            if (!is_mask || readers[static_cast<std::size_t>(made)] > 0) continue;
            removed[i] = true;
            for (const TensorId id : plan_.ops[i].inputs) --readers[static_cast<std::size_t>(id)];
        }
        std::vector<Op> kept;
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            if (!removed[i]) kept.push_back(std::move(plan_.ops[i]));
        }
        plan_.ops = std::move(kept);
    }

    TensorId addOutputGradient() {
        const TensorDesc output = plan_.tensors[static_cast<std::size_t>(plan_.output)];
        return addTensor({.name = "output:grad", .role = TensorRole::kInput, .shape = output.shape, .layer = output.layer});
    }

    void addMovingAverages() {
        std::vector<Op> averages;
        for (const Op& op : plan_.ops) {
            for (TensorId id : op.outputs) {
                const TensorDesc& step = plan_.tensors[static_cast<std::size_t>(id)];
                if (step.role != TensorRole::kStatistic || step.of == kNoTensor) continue;
                averages.push_back({.kind = OpKind::kMovingAverage,
                                    .phase = Phase::kUpdate,
                                    .name = plan_.tensors[static_cast<std::size_t>(step.of)].name + "/MovingAverage",
                                    .layer = step.layer,
                                    .inputs = {step.of, id},
                                    .outputs = {step.of},
                                    .attributes = op.attributes});
            }
        }
        std::move(averages.begin(), averages.end(), std::back_inserter(plan_.ops));
    }

    // Adds the updates in the order in which the backward pass completes the gradients.
    void addUpdates(const spec::ObjectSpec& optimizer) {
        std::vector<TensorId> gradients;
        std::vector<bool> is_known(plan_.tensors.size());  // a penalty adds to a gradient that another op made
        for (const Op& op : plan_.ops) {
            for (TensorId id : op.outputs) {
                if (!isTrainedGradient(plan_, id) || is_known[static_cast<std::size_t>(id)]) continue;
                is_known[static_cast<std::size_t>(id)] = true;
                gradients.push_back(id);
            }
        }
        const SlotIndex slots(plan_);
        if (gradients.empty())
            throw Error(ErrorCode::kInvalidArgument, "model " + model_.name + ": expected a layer with trainable weights, got none");
        if (preparesGradients(updateRule(optimizer))) addPreparation(optimizer, gradients, slots);
        for (const TensorId gradient : gradients) plan_.ops.push_back(updateOp(plan_, gradient, {optimizer}, slots));
        addAveragesOfUnchanged(gradients, slots);
        plan_.ops.insert(plan_.ops.end(), constraints_.begin(), constraints_.end());
    }

private:
    // A weight that nothing depends on has no gradient, and as in Keras no update. Its moving average, where the optimizer keeps one, is
    // the weight itself from the first step on.
    void addAveragesOfUnchanged(const std::vector<TensorId>& gradients, const SlotIndex& slots) {
        std::vector<bool> is_updated(plan_.tensors.size());
        for (const TensorId gradient : gradients) {
            is_updated[static_cast<std::size_t>(plan_.tensors[static_cast<std::size_t>(gradient)].of)] = true;
        }
        for (const TensorId parameter : parametersOf(plan_)) {
            if (is_updated[static_cast<std::size_t>(parameter)]) continue;
            const TensorDesc& of = plan_.tensors[static_cast<std::size_t>(parameter)];
            for (const TensorId slot : slots.of(parameter)) {
                if (plan_.tensors[static_cast<std::size_t>(slot)].slot_name != kAverageSlot) continue;
                plan_.ops.push_back({.kind = OpKind::kMovingAverage,
                                     .phase = Phase::kUpdate,
                                     .name = of.name + "/MovingAverage",
                                     .layer = of.layer,
                                     .inputs = {slot, parameter},
                                     .outputs = {slot},
                                     .attributes = BatchNormAttributes{.momentum = 0}});
            }
        }
    }

    // Collects the constraints of the variables that are trained.
    void collectConstraints(const spec::LayerSpec& layer) {
        for (const auto& entry : layer.config.entries()) {
            const std::string& field = entry.first;
            if (!field.ends_with("_constraint")) continue;
            const TensorId id = penalisedVariable(variables_, layer, field);
            if (id == kNoTensor) continue;
            const TensorDesc& variable = plan_.tensors[static_cast<std::size_t>(id)];
            const auto constraint = constraintOf(layer, field, variable.shape.size());
            if (!constraint || variable.role != TensorRole::kParameter) continue;
            constraints_.push_back({.kind = OpKind::kConstrain,
                                    .phase = Phase::kUpdate,
                                    .name = variable.name + "/Constrain",
                                    .layer = variable.layer,
                                    .inputs = {id},
                                    .outputs = {id},
                                    .attributes = *constraint});
        }
    }

    // Collects the penalties of the layer just lowered, or of one within it; y is the output.
    void collectPenalties(const spec::LayerSpec& layer, TensorId y) {
        for (const auto& entry : layer.config.entries()) {
            const std::string& field = entry.first;
            if (!field.ends_with("_regularizer")) continue;
            const std::optional<Penalty> penalty = penaltyOf(layer, field);
            if (!penalty) continue;
            const TensorId penalised = penalty->of_activity ? y : penalisedVariable(variables_, layer, field);
            // Keras leaves out what is not trained.
            const bool is_trained =
                penalised != kNoTensor && plan_.tensors[static_cast<std::size_t>(penalised)].role == TensorRole::kParameter;
            if (!penalty->of_activity && !is_trained) continue;
            const std::size_t rank = builder_.shape(penalised).size();
            if (penalty->vectors != PenalisedVectors::kNone && (penalty->of_activity || rank != 2)) {
                throw Error(ErrorCode::kInvalidArgument, layer.name + ": " + field +
                                                             ": expected weights of two axes for OrthogonalRegularizer, got rank " +
                                                             std::to_string(rank));
            }
            if (penalty->of_activity) {
                builder_.penaliseOutput(y, *penalty);
                continue;
            }
            penalised_.push_back(penalised);
            penalties_.push_back(*penalty);
        }
    }

    // Puts each op behind everything else that its layer's backward pass does: fused ops write their gradients at the place of their last
    // part.
    void addPenaltyGradients() {
        std::map<std::string, std::size_t> end_of_layer;  // the index behind its last op; 0 for a layer without ops
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) end_of_layer[plan_.ops[i].layer] = i + 1;
        std::vector<std::vector<Op>> before(plan_.ops.size() + 1);
        for (std::size_t i = 0; i < penalised_.size(); ++i) {
            if (penalties_[i].of_activity) continue;
            const TensorId parameter = penalised_[i], gradient = builder_.gradientOf(parameter);
            const TensorDesc& of = plan_.tensors[static_cast<std::size_t>(parameter)];
            before[end_of_layer[of.layer]].push_back({.kind = OpKind::kPenaltyBack,
                                                      .phase = Phase::kBackward,
                                                      .name = of.name + "/PenaltyBack",
                                                      .layer = of.layer,
                                                      .inputs = {parameter, gradient},
                                                      .outputs = {gradient},
                                                      .attributes = PenaltyAttributes{{penalties_[i]}}});
        }
        std::vector<Op> ops;
        for (std::size_t i = 0; i < before.size(); ++i) {
            std::move(before[i].begin(), before[i].end(), std::back_inserter(ops));
            if (i < plan_.ops.size()) ops.push_back(std::move(plan_.ops[i]));
        }
        plan_.ops = std::move(ops);
    }

    // One op on all gradients: a norm may be that of all of them.
    void addPreparation(const spec::ObjectSpec& optimizer, std::vector<TensorId> gradients, const SlotIndex& slots) {
        const auto parameter_of = [this](TensorId gradient) { return plan_.tensors[static_cast<std::size_t>(gradient)].of; };
        std::sort(gradients.begin(), gradients.end(), [&](TensorId a, TensorId b) { return parameter_of(a) > parameter_of(b); });
        Op op{.kind = OpKind::kPrepareGradients,
              .phase = Phase::kUpdate,
              .name = "gradients/PrepareGradients",
              .inputs = gradients,
              .attributes = OptimizerAttributes{optimizer}};
        for (TensorId gradient : gradients) {
            for (TensorId slot : slots.of(parameter_of(gradient))) {
                if (plan_.tensors[static_cast<std::size_t>(slot)].slot_name == kAccumulatorSlot) op.outputs.push_back(slot);
            }
        }
        op.inputs.insert(op.inputs.end(), op.outputs.begin(), op.outputs.end());
        plan_.ops.push_back(std::move(op));
    }

    void checkModel() const {
        if (model_.layers.empty())
            throw Error(ErrorCode::kInvalidArgument, "model " + model_.name + ": expected a layer at least, got none");
        if (model_.input_dtype != "float32" && model_.input_dtype != "int32" && model_.input_dtype != spec::kTextInput) {
            throw Error(ErrorCode::kUnimplemented,
                        "model " + model_.name + ": expected input_dtype float32, int32 or string, got " + model_.input_dtype);
        }
        if ((model_.input_dtype == spec::kTextInput) != spec::takesTexts(model_.layers.front())) {
            throw Error(ErrorCode::kInvalidArgument,
                        "model " + model_.name + ": expected input_dtype string with a first layer that takes " +
                            "texts and with no other, got " + model_.input_dtype + " with a layer " + model_.layers.front().class_name);
        }
        if (std::any_of(model_.input_shape.begin(), model_.input_shape.end(), [](std::int64_t size) { return size < 1; })) {
            throw Error(ErrorCode::kInvalidArgument, "model " + model_.name + ": expected sizes of 1 at least in input_shape");
        }
        std::set<std::string> names;
        for (std::size_t i = 0; i < model_.layers.size(); ++i) {
            const spec::LayerSpec& layer = model_.layers[i];
            if (!names.insert(layer.name).second) {
                throw Error(ErrorCode::kInvalidArgument, layer.name + ": expected a layer name of its own, got it a second time");
            }
            if (!infos_[i].known) throw Error(ErrorCode::kInvalidArgument, layer.name + ": " + infos_[i].error);
            if (findLayerLowering(layer.class_name) == nullptr) {
                throw Error(ErrorCode::kUnimplemented, layer.name + ": layers of class " + layer.class_name + " are not supported");
            }
        }
    }

    template <typename Function>
    void forEachLayer(Function&& function) {
        for (std::size_t i = 0; i < model_.layers.size(); ++i) {
            builder_.beginLayer(model_.layers[i], infos_[i], static_cast<int>(i));
            function(findLayerLowering(model_.layers[i].class_name));
        }
    }

    TensorId addTensor(TensorDesc tensor) {
        plan_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(plan_.tensors.size() - 1);
    }

    const spec::ModelSpec& model_;
    const LowerOptions& options_;
    std::vector<spec::LayerInfo> infos_;
    Plan plan_;
    NameIndex variables_{plan_};                      // asked while layers are lowered, before the last activation may go
    std::vector<PenalisedOutput> penalised_outputs_;  // of the layer just lowered
    LayerBuilder builder_;
    std::vector<TensorId> penalised_;  // variables and outputs of layers
    std::vector<Penalty> penalties_;   // of each
    std::vector<Op> constraints_;
};

}  // namespace

Plan lower(const spec::ModelSpec& model, const spec::CompileSpec& compile, const LowerOptions& options) {
    updateRule(compile.optimizer);  // refuses what no executor has, in a plan without updates as well
    Lowering lowering(model, options);
    const LossAttributes loss = lossAttributes(compile.loss, lowering.outputRank());
    lowering.addParametersAndSlots(options.training ? &compile.optimizer : nullptr);
    lowering.addInput();
    lowering.addLabelAndGather(loss);
    lowering.addForward();
    const TensorId doutput = lowering.addLoss(loss, compile);
    if (options.training) {
        lowering.addBackward(doutput);
        lowering.addUpdates(compile.optimizer);
        lowering.addMovingAverages();
    }
    lowering.dropUnreadMasks();
    return lowering.takePlan();
}

Plan lowerLayers(const spec::ModelSpec& model, const LowerOptions& options) {
    Lowering lowering(model, options);
    lowering.addParametersAndSlots(nullptr);
    lowering.addInput();
    lowering.addForward();
    if (options.training) {
        lowering.addBackward(lowering.addOutputGradient());
        lowering.addMovingAverages();
    }
    lowering.dropUnreadMasks();
    return lowering.takePlan();
}

}  // namespace engine::plan
