#include "engine/spec/validate/sample_check.h"

#include <algorithm>
#include <utility>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/shape.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

std::int64_t elementsOf(const Shape& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
        elements *= size;
    }
    return elements;
}

bool hasPictures(const DataSpec& data) {
    return data.dataset == "image_folder" || (data.dataset == "tfrecord" && data.tfrecord.encoding == "image");
}

// Empty when only the files say.
Shape sampleShape(const DataSpec& data) {
    if (const NamedDataset* set = findNamedDataset(data.dataset)) {
        return set->sample_shape;
    }
    if (hasPictures(data)) {
        return {data.images.size.at(0), data.images.size.at(1), data.images.color_mode == "grayscale" ? 1 : 3};
    }
    if (data.dataset == "tfrecord") {
        return data.tfrecord.shape;
    }
    if (hasTexts(data.dataset)) {
        return {data.text.length};
    }
    return data.dataset == "cifar10_files" || data.dataset == "cifar100_files" ? Shape{32, 32, 3} : Shape{};
}

// The number of classes of labels that are one class a sample; 0 when only the files say.
std::int64_t classesOf(const DataSpec& data) {
    const NamedDataset* set = findNamedDataset(data.dataset);
    if (set == nullptr) {
        return 0;
    }
    return set->name == "cifar100" && data.cifar_labels == "coarse" ? 20 : set->classes;
}

void checkPictures(const RunSpec& run, Diagnostics& found) {
    const Shape& input = run.model.input_shape;
    const ImageFormat& images = run.data.images;
    const Shape size{input[0], input[1]};
    if (images.size != size) {
        found.push_back({Severity::kError, "data.images.size",
                         "expected " + valueText(size) + ", the rows and columns of the model's input " + shapeText(input) + ", got " +
                             valueText(images.size),
                         "Set data.images.size to " + valueText(size) + ", or the model's input to the pictures'."});
    }
    const std::int64_t channels = images.color_mode == "grayscale" ? 1 : 3;
    if (input[2] != channels) {
        found.push_back({Severity::kError, "data.images.color_mode",
                         "expected " +
                             std::string(input[2] == 1   ? "grayscale"
                                         : input[2] == 3 ? "rgb"
                                                         : "1 or 3 channels in") +
                             (input[2] == 1 || input[2] == 3 ? " for" : "") + " the model's input " + shapeText(input) + ", got " +
                             images.color_mode + " (" + std::to_string(channels) + (channels == 1 ? " channel)" : " channels)"),
                         ""});
    }
}

void checkInput(const RunSpec& run, Diagnostics& found) {
    if (run.model.input_dtype == kTextInput) {  // its first layer says what a text becomes
        if (hasTexts(run.data.dataset)) return;
        found.push_back({Severity::kError, "data.dataset",
                         "expected text or text_folder, which have texts for the model's input of type string, got " + run.data.dataset,
                         "Set data.dataset to text or text_folder."});
        return;
    }
    const Shape sample = sampleShape(run.data);
    const Shape& input = run.model.input_shape;
    if (sample.empty() || elementsOf(sample) == elementsOf(input)) {
        return;
    }
    if (hasPictures(run.data) && input.size() == 3) {
        checkPictures(run, found);
        return;
    }
    const char* field = hasPictures(run.data)            ? "data.images.size"
                        : hasTexts(run.data.dataset)     ? "data.text.length"
                        : run.data.dataset == "tfrecord" ? "data.tfrecord.shape"
                                                         : "";
    found.push_back(
        {Severity::kError, "model.input_shape",
         "expected as many values as a sample of " + run.data.dataset + " has, " + shapeText(sample) + ", got " + shapeText(input),
         *field == 0 ? "" : std::string(field) + " makes samples of another shape."});
}

void checkLabels(const RunSpec& run, const Shape& output, Diagnostics& found) {
    const std::string& set = run.data.dataset;
    const std::string& loss = run.compile.loss.class_name;
    const std::int64_t classes = classesOf(run.data), one_hot = run.data.one_hot;
    const std::int64_t values = elementsOf(output);
    const auto refuse = [&](const char* path, const std::string& message, const std::string& fix) {
        found.push_back({Severity::kError, path, message, fix});
    };
    const std::string text = std::to_string(classes);
    if (lossLabels(loss) == LossLabels::kNames) return;  // one a sample, whatever the output
    if (lossLabels(loss) == LossLabels::kClasses) {
        if (values != output.back()) {
            refuse("compile.loss",
                   "expected one label for each place of the model's output " + batchShapeText(output) + ", " + set + " has one a sample",
                   "End the model with Flatten and Dense.");
        } else if (output.back() < classes && run.compile.loss.config.find("ignore_class") == nullptr) {
            refuse("compile.loss",
                   "expected a model output of at least the " + text + " classes of " + set + ", got " + batchShapeText(output),
                   "Give the last layer " + text + " units.");
        }
    } else if (one_hot > 0) {
        if (one_hot < classes) {
            refuse("data.one_hot", "expected at least the " + text + " classes of " + set + ", got " + std::to_string(one_hot), "");
        } else if (one_hot != values) {
            refuse("data.one_hot",
                   "expected the " + std::to_string(values) + " values of the model's output, which " + loss +
                       " compares with the labels, got " + std::to_string(one_hot),
                   "");
        }
    } else if (values != 1) {
        refuse("compile.loss",
               "expected labels of the model's output " + batchShapeText(output) + " with " + loss + ", " + set + " has class indices",
               "Set data.one_hot to " + std::to_string(values) + ", or the loss to SparseCategoricalCrossentropy.");
    } else if (loss.starts_with("Binary") && classes > 2) {
        refuse("compile.loss",
               "expected labels from 0 to 1 with " + loss + ", " + set + " has the classes 0 to " + std::to_string(classes - 1), "");
    }
}

// What a loss of sequences asks of a set: some classes a sample. Of arrays the files say it.
void checkSequences(const RunSpec& run, Diagnostics& found) {
    const std::string &set = run.data.dataset, &loss = run.compile.loss.class_name;
    if (set == "npy" || set == "npz") {
        return;
    }
    if (set != "tfrecord") {
        found.push_back({Severity::kError, "compile.loss",
                         "expected labels that are sequences of classes with " + loss + ", " + set + " has one number a sample",
                         "Set data.dataset to npz, npy or tfrecord."});
    } else if (run.data.tfrecord.label_shape.size() != 1) {
        found.push_back(
            {Severity::kError, "data.tfrecord.label_shape",
             "expected one axis with " + loss + ", the most classes of a label, got " + shapeText(run.data.tfrecord.label_shape), ""});
    }
}

// How many tasks share the samples; workers of servers go through all of them each.
int sharers(const RunSpec& run) {
    const StrategyRow* strategy = findStrategy(run.strategy.name);
    const bool has_servers = strategy != nullptr && strategy->has_servers && run.cluster.spec.taskCount("ps") > 0;
    return has_servers ? 1 : std::max(1, static_cast<int>(run.cluster.spec.trainingTasks().size()));
}

// An epoch that would have no step.
void checkSteps(const RunSpec& run, Diagnostics& found) {
    const NamedDataset* set = findNamedDataset(run.data.dataset);
    if (set == nullptr || run.fit.steps_per_epoch > 0) {
        return;
    }
    const std::int64_t trained = trainedSamples(run.data, set->train_samples);
    const std::string samples = std::to_string(set->train_samples) + " training samples of " + set->name;
    if (trained < 1) {
        found.push_back(
            {Severity::kError, "data.validation_split",
             "expected a share that leaves some of the " + samples + " to train on, got " + valueText(run.data.validation_split), ""});
    } else if (stepsPerEpoch(run, set->train_samples, sharers(run)) < 1) {
        found.push_back({Severity::kError, "data.batch_size_per_replica",
                         "expected a whole batch in the " + std::to_string(trained) + " samples that are trained on, got " +
                             std::to_string(run.data.batch_size_per_replica) + " a replica with data.drop_remainder",
                         ""});
    }
}

// data.mean and data.std: one number, or one for each channel.
void checkChannels(const RunSpec& run, Diagnostics& found) {
    const Shape sample = sampleShape(run.data);
    if (sample.empty() || run.model.input_dtype == kTextInput) {
        return;
    }
    for (const auto& [path, values] : {std::pair{"data.mean", &run.data.mean}, std::pair{"data.std", &run.data.std}}) {
        if (values->size() > 1 && static_cast<std::int64_t>(values->size()) != sample.back()) {
            found.push_back({Severity::kError, path,
                             "expected 1 or " + std::to_string(sample.back()) + " numbers for samples of shape " + shapeText(sample) +
                                 ", got " + std::to_string(values->size()),
                             ""});
        }
    }
}

}  // namespace

Diagnostics checkSamples(const RunSpec& run) {
    Diagnostics found;
    checkSteps(run, found);
    checkChannels(run, found);
    if (!run.model.input_shape.empty()) {
        checkInput(run, found);
    }
    if (lossLabels(run.compile.loss.class_name) == LossLabels::kSequences) {
        checkSequences(run, found);
        return found;
    }
    const std::vector<LayerInfo> infos = inferShapes(run.model);
    if (classesOf(run.data) > 0 && !infos.empty() && infos.back().known && !infos.back().output_shape.empty()) {
        checkLabels(run, infos.back().output_shape, found);
    }
    return found;
}

Diagnostics checkProject(const RunSpec& run) {
    Diagnostics found = validate(run);
    if (hasErrors(found)) {
        return found;
    }
    const Diagnostics of_samples = checkSamples(run);
    std::erase_if(found, [&](const Diagnostic& general) {
        return std::any_of(of_samples.begin(), of_samples.end(), [&](const Diagnostic& one) { return one.path == general.path; });
    });
    found.insert(found.end(), of_samples.begin(), of_samples.end());
    return found;
}

}  // namespace engine::spec
