#include "engine/script/torch/torch_script.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/script/data_reader.h"
#include "engine/script/python_text.h"
#include "engine/script/script_api.h"
#include "engine/script/torch/model_program.h"
#include "engine/script/torch/program_text.h"
#include "engine/script/torch/training_rows.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/keras/python/python_literal.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/estimator_run.h"
#include "engine/spec/project/schedule.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::script::torch {
namespace {

using spec::RunSpec;

std::string writePrepare(const RunSpec& run, const DataReader& reader, bool whole_labels) {
    const spec::DataSpec& data = run.data;
    std::string prepare;
    const auto say = [&](const std::string& line) { prepare += "        " + line + "\n"; };
    const auto scale = [&] {
        if (data.scale == 1 && data.offset == 0) return;
        say("x = x * " + pyNumber(data.scale) + (data.offset == 0 ? "" : " + " + pyNumber(data.offset)));
    };
    const bool normalizes = !data.std.empty();
    const bool first = normalizes && spec::meaningOf(data, spec::passesOf(run)).normalizes_first;
    if (!first) scale();
    if (normalizes) say("x = (x - torch.tensor(" + pyList(data.mean) + ")) / torch.tensor(" + pyList(data.std) + ")");
    if (first) scale();
    return filled(kProgramData, {{"READER", reader.text}, {"PREPARE", prepare}, {"LABELS", whole_labels ? "y.long()" : "y.float()"}});
}

std::string strategyText(const RunSpec& run) {
    const std::optional<spec::StrategyKind> kind = spec::strategyKind(run.strategy.name);
    std::string text = "The project's strategy is " + run.strategy.name + ". ";
    if (kind == spec::StrategyKind::kParameterServer) {
        return text +
               "PyTorch's DistributedDataParallel has no parameter servers: here all processes step\ntogether and apply the mean of their "
               "gradients, "
               "while servers apply each worker's by itself.\n";
    }
    if (kind == spec::StrategyKind::kTpu) return text + "Here it trains on GPUs or the processor; a TPU needs torch_xla beside.\n";
    if (kind == spec::StrategyKind::kCentralStorage) {
        return text + "Here every process has a copy of the variables of its own, which stay equal.\n";
    }
    if (kind == spec::StrategyKind::kDefault || kind == spec::StrategyKind::kOneDevice) {
        const bool clips_shares = clipsShares(run.compile.optimizer);
        return text + "One process does the same; more " + (clips_shares ? "add their gradients up" : "are DistributedDataParallel") +
               ".\n";
    }
    if (clipsShares(run.compile.optimizer)) {
        return text + "Its equal is a copy in every process, and the sum of their gradients, which each clips first.\n";
    }
    return text + "DistributedDataParallel is its equal: a copy in every process, the\nmean of their gradients in every step.\n";
}

std::string importLines(const DataReader& reader) {
    std::set<std::string> modules{"argparse", "collections", "itertools", "json", "math", "os", "pathlib", "time"};
    for (const std::string& module : reader.imports) {
        if (module != "PIL") modules.insert(module);
    }
    std::string text;
    for (const std::string& module : modules) text += "import " + module + "\n";
    return text;
}

bool readsPictures(const DataReader& reader) {
    return std::find(reader.imports.begin(), reader.imports.end(), "PIL") != reader.imports.end();
}

struct Reduction {
    std::string lines;
    bool is_summed = false;  // over the processes too, where DistributedDataParallel takes the mean
};
Reduction reductionOf(const RunSpec& run) {
    const std::string kind = run.compile.loss.config.getString("reduction", "sum_over_batch_size");
    const bool weighs = !run.fit.class_weight.empty();
    std::string text;
    if (weighs) {
        text +=
            "    weights = (weights_of(y) if is_trained else torch.ones(len(y), device=y.device)).reshape((-1,) + (1,) * (losses.dim() - "
            "1))\n"
            "    losses = losses * weights\n";
    }
    if (kind == "sum") return {text + "    return losses.sum()\n", true};
    const bool by_weight = kind == "mean_with_sample_weight" && weighs;
    // Labels of a class to ignore count for nothing in a mean.
    const spec::FieldValue* ignored = run.compile.loss.config.find("ignore_class");
    if (ignored != nullptr && !std::holds_alternative<std::monostate>(*ignored)) {
        const std::string counted =
            "(y.reshape(losses.shape) != " + std::to_string(run.compile.loss.config.getInt("ignore_class", 0)) + ")";
        return {text + "    return losses.sum() / " +
                    (by_weight ? "(weights.expand_as(losses) * " + counted + ").sum()\n" : counted + ".sum().clamp(min=1)\n"),
                false};
    }
    if (by_weight) return {text + "    return losses.sum() / weights.expand_as(losses).sum()\n", false};
    return {text + "    return losses.mean()\n", false};
}

std::string classWeights(const RunSpec& run) {
    if (run.fit.class_weight.empty()) return {};
    std::string table;
    for (const auto& [label, weight] : run.fit.class_weight)
        table += (table.empty() ? "" : ", ") + std::to_string(label) + ": " + pyNumber(weight);
    return "CLASS_WEIGHT = {" + table + "}\n\n\ndef weights_of(y):\n    labels = " +
           (run.data.one_hot > 0 ? std::string("y.argmax(-1)") : std::string("y.reshape(len(y))")) +
           "\n    return torch.tensor([CLASS_WEIGHT.get(int(label), 1.0) for label in labels], device=y.device)\n\n\n";
}

void checkOrder(const RunSpec& run, spec::Diagnostics& findings) {
    const spec::OrderMeaning meaning = spec::meaningOf(run.data, spec::passesOf(run));
    spec::OrderMeaning usual;
    usual.normalizes_first = meaning.normalizes_first;
    if (meaning == usual) return;
    findings.push_back({spec::Severity::kError, "data.order",
                        "expected the order take, cache, shuffle, repeat, batch, which PyTorch's DataLoader has, got another one", ""});
}

}  // namespace

Script writeTorchScript(const RunSpec& asked) {
    Script script;
    RunSpec run = spec::trainedRun(asked);
    std::int64_t steps = asked.fit.steps;
    if (asked.estimator) {
        steps = asked.estimator->train_spec.max_steps.value_or(0);
        run.fit.epochs = asked.estimator->train_spec.input_repeats > 0 ? asked.estimator->train_spec.input_repeats : 1000000;
        run.fit.steps_per_epoch = 0;
        run.data.validate_on_test = asked.data.validate_on_test;
    } else if (steps > 0) {
        run.fit.epochs = 1000000;
    }
    checkOrder(run, script.findings);
    const DataReader reader = writeDataReader(run, script.findings);
    const LogitModel made = logitModel(run);
    ModelWriter writer(script.findings);
    const std::string model = writeModel(made, writer, script.findings);
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(run.model);
    const std::int64_t outputs = infos.empty() || infos.back().output_shape.empty() ? 1 : infos.back().output_shape.back();
    const Scores scores = writeScores(run, outputs, made.activation, script.findings);
    const std::string optimizer = writeOptimizer(run.model, run.compile.optimizer, script.findings);
    const Hooks hooks = writeHooks(run, script.findings);
    if (spec::hasErrors(script.findings)) return script;

    const bool whole_labels = spec::takesWholeLabels(run.compile.loss.class_name);
    const std::string penalty = penaltyFunction(writer), constrain = constrainFunction(writer),
                      schedule = writeSchedule(run.compile.optimizer);
    const Reduction reduction = reductionOf(run);
    const std::string match = whole_labels ? "" : "y = y.reshape(outputs.shape) if y.numel() == outputs.numel() else y\n    ";
    const std::string plus = penalty.empty() ? "" : " + penalty_of(model)";
    const std::string pictures =
        std::string(readsPictures(reader) ? ", Pillow" : "") + (hooks.imports.empty() ? "" : ", tensorboard for the callback TensorBoard");
    const bool clips_shares = clipsShares(run.compile.optimizer);
    std::string more;
    for (const std::string& line : hooks.imports) more += line + "\n";
    if (readsPictures(reader)) more += "from PIL import Image\n";
    const std::string name = run.name.empty() ? run.model.name : run.name;

    std::string text =
        filled(kProgramHead, {{"NAME", name},
                              {"STRATEGY", strategyText(run)},
                              {"FILE", std::string(rowOf(Api::kTorch).file)},
                              {"NEEDS", pictures},
                              {"IMPORTS", importLines(reader)},
                              {"DISTRIBUTED", clips_shares ? "" : "from torch.nn.parallel import DistributedDataParallel\n"},
                              {"MORE", more},
                              {"EPOCHS", std::to_string(run.fit.epochs)},
                              {"FIRST_EPOCH", std::to_string(run.fit.initial_epoch)},
                              {"STEPS_PER_EPOCH", std::to_string(run.fit.steps_per_epoch)},
                              {"STEPS", std::to_string(steps)},
                              {"BATCH", std::to_string(run.data.batch_size_per_replica)},
                              {"DROP_REMAINDER", pyBool(run.data.drop_remainder)},
                              {"VALIDATION_BATCH", std::to_string(run.fit.validation_batch_size > 0 ? run.fit.validation_batch_size
                                                                                                    : run.data.batch_size_per_replica)},
                              {"VALIDATION_STEPS", std::to_string(run.fit.validation_steps)},
                              {"SEED", std::to_string(run.fit.seed)}});
    text += writePrepare(run, reader, whole_labels) + model;
    const std::string predictions = made.activation.empty()        ? "outputs"
                                    : made.activation == "softmax" ? "F.softmax(outputs, -1)"
                                                                   : "torch.sigmoid(outputs)";
    const std::string save =
        run.fit.save_weights.empty() ? "None" : spec::pythonText(run.fit.save_weights.substr(0, run.fit.save_weights.find('.')) + ".npz");
    text += filled(
        kProgramTraining,
        {{"SCORES", scores.functions},
         {"CLASS_WEIGHTS", classWeights(run)},
         {"WEIGHS", run.fit.class_weight.empty() ? "" : ", is_trained=True"},
         {"UNWEIGHED", run.fit.class_weight.empty() ? "" : ", is_trained=False"},
         {"WEIGHTS", initialWeights(run, {".npz"}, script.findings)},
         {"MATCH", match},
         {"LOSS", scores.loss},
         {"REDUCE", reduction.lines},
         {"PENALTY", penalty},
         {"CONSTRAIN", constrain},
         {"PREDICTIONS", predictions},
         {"METRICS", scores.metrics},
         {"LOGIT_METRICS",
          scores.from_logits.empty() ? "" : "FROM_LOGITS = (" + scores.from_logits + ")  # metrics of what the model gives\n"},
         {"SCORES_OF_METRIC", scores.from_logits.empty() ? "predictions" : "outputs.detach() if name in FROM_LOGITS else predictions"},
         {"SCHEDULE", schedule.empty() ? std::string("\n") : "\n" + schedule},
         {"OPTIMIZER", optimizer},
         {"MATCH_METRIC", whole_labels ? "" : "y = y.reshape(predictions.shape) if y.numel() == predictions.numel() else y\n            "},
         {"PLUS_PENALTY", plus},
         {"CLASSES", hooks.classes},
         {"FOLDER", reader.folder},
         {"REPLICA", std::string(clips_shares ? kReplicaOfSums : kReplicaOfMeans)},
         {"TAKE_FIRST", clips_shares ? std::string(kTakeFirstFunction) : std::string()},
         {"SAME_BUFFERS",
          clips_shares ? "        take_first(model.buffers(), world)  # means of batches, which each process has of its own\n" : ""},
         {"ADAPT", writer.adapted().empty()
                       ? ""
                       : "    if not arguments.weights:\n        model." + writer.adapted() + ".adapt(Samples(x_train, y_train))\n"},
         {"SAVE_WEIGHTS", save},
         {"LOG_EVERY", std::to_string(std::max<std::int64_t>(run.fit.log_every, 1))},
         {"SHUFFLE", pyBool(run.data.shuffle > 0)},
         {"RATE", pyNumber(spec::optimizerRate(run.compile.optimizer, 0))},
         {"BEGIN", indented(hooks.begin, 4)},
         {"EPOCH_BEGIN", indented(hooks.epoch_begin, 8)},
         {"STEP_RATE", schedule.empty() ? "" : "            rate = rate_of(optimizer.iterations)\n"},
         {"BACKWARD", reduction.is_summed ? "(loss * world)" : "loss"},
         {"CONSTRAINED", constrain.empty() ? "" : "            constrain(model)\n"},
         {"STEP_END", indented(hooks.step_end, 12)},
         {"VALIDATES", asked.estimator ? std::string("stops or epoch + 1 == EPOCHS") : validatesText(run.fit)},
         {"EPOCH_END", indented(hooks.epoch_end, 8)},
         {"END", indented(hooks.end, 4)}});
    script.text = std::move(text);
    return script;
}

}  // namespace engine::script::torch
