// The fields of each callback, in Keras' order.
#include "engine/spec/catalog/object_schema.h"

namespace engine::spec {
namespace {

FieldSchema flag(std::string name, bool fallback, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kBool, .fallback = fallback, .hint = std::move(hint)};
}

FieldSchema text(std::string name, std::string fallback, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kString, .fallback = std::move(fallback), .hint = std::move(hint)};
}

FieldSchema count(std::string name, std::int64_t fallback, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kInt, .fallback = fallback, .minimum = 0, .hint = std::move(hint)};
}

FieldSchema change(double fallback) {
    return {.name = "min_delta",
            .kind = FieldKind::kDouble,
            .fallback = fallback,
            .minimum = 0,
            .hint = "Changes smaller than this count as none"};
}

FieldSchema verbose() {
    return {.name = "verbose",
            .kind = FieldKind::kInt,
            .fallback = std::int64_t{0},
            .minimum = 0,
            .maximum = 2,
            .hint = "1: say in the log what is done"};
}

FieldSchema mode() {
    return {.name = "mode",
            .kind = FieldKind::kChoice,
            .fallback = "auto",
            .choices = {"auto", "min", "max"},
            .hint = "Whether a smaller or a larger value is better"};
}

FieldSchema monitor(std::string hint) {
    return text("monitor", "val_loss", std::move(hint));
}

// "epoch" or a number of steps, and other words where there are any.
FieldSchema frequency(std::string name, std::vector<std::string> words, std::string hint) {
    return {.name = std::move(name),
            .kind = FieldKind::kInt,
            .fallback = "epoch",
            .choices = std::move(words),
            .minimum = 1,
            .hint = std::move(hint)};
}

ObjectSchema modelCheckpoint() {
    return {"ModelCheckpoint",
            {text("filepath", "checkpoints/ckpt_{epoch}", "Prefix of the files below the run's folder; {epoch} counts from 1"),
             monitor("The value that tells the best epoch"),
             verbose(),
             flag("save_best_only", false, "Keep only checkpoints better than all before"),
             flag("save_weights_only", false, "Weights without the model's description; TensorFlow's format never has one"),
             mode(),
             frequency("save_freq", {"epoch"}, "\"epoch\", or a number of steps"),
             {.name = "initial_value_threshold", .kind = FieldKind::kDouble, .hint = "A first checkpoint must be better than this"}}};
}

ObjectSchema backupAndRestore() {
    return {"BackupAndRestore",
            {text("backup_dir", "backup", "Folder below the run's folder"),
             frequency("save_freq", {"epoch"}, "\"epoch\", or a number of steps"),
             flag("double_checkpoint", false, "Keep the backup before the last one too"),
             flag("delete_checkpoint", true, "Remove the backup when training is done")}};
}

ObjectSchema earlyStopping() {
    return {"EarlyStopping",
            {monitor("The value that should get better"),
             change(0),
             count("patience", 0, "Epochs without a better value before training ends"),
             verbose(),
             mode(),
             {.name = "baseline", .kind = FieldKind::kDouble, .hint = "A value that must be beaten"},
             flag("restore_best_weights", false, "End with the weights of the best epoch"),
             count("start_from_epoch", 0, "Epochs before this one, from 0, are not looked at")}};
}

ObjectSchema reduceLrOnPlateau() {
    return {"ReduceLROnPlateau",
            {monitor("The value that should get better"),
             {.name = "factor",
              .kind = FieldKind::kDouble,
              .fallback = 0.1,
              .minimum = 0,
              .hint = "The rate is multiplied by this, a number below 1"},
             count("patience", 10, "Epochs without a better value before the rate is reduced"),
             verbose(),
             mode(),
             change(1e-4),
             count("cooldown", 0, "Epochs after a reduction that do not count"),
             {.name = "min_lr", .kind = FieldKind::kDouble, .fallback = 0.0, .minimum = 0, .hint = "The rate does not fall below this"}}};
}

ObjectSchema learningRateScheduler() {
    return {
        "LearningRateScheduler",
        {{.name = "epochs",
          .kind = FieldKind::kIntList,
          .required = true,
          .minimum = 0,
          .hint = "Epochs, from 0, that begin with a new rate"},
         {.name = "rates", .kind = FieldKind::kDoubleList, .required = true, .minimum = 0, .hint = "The rate from each of these epochs on"},
         verbose()}};
}

ObjectSchema csvLogger() {
    return {"CSVLogger",
            {{.name = "filename", .kind = FieldKind::kString, .required = true, .hint = "File below the run's folder"},
             text("separator", ",", "Between two columns"),
             flag("append", false, "Go on in a file that exists")}};
}

ObjectSchema tensorBoard() {
    auto unused = [](std::string name, std::string hint) {
        return FieldSchema{.name = std::move(name),
                           .kind = FieldKind::kInt,
                           .fallback = std::int64_t{0},
                           .minimum = 0,
                           .maximum = 0,
                           .hint = std::move(hint)};
    };
    return {"TensorBoard",
            {text("log_dir", "logs", "Folder below the run's folder"),
             count("histogram_freq", 0, "Epochs between two histograms of weights and gradients; 0: none"),
             flag("write_graph", true, "The model for the page Graphs"),
             flag("write_images", false, "Filters as pictures, with the histograms"),
             flag("write_steps_per_second", false, "How fast training is"),
             frequency("update_freq", {"epoch", "batch"}, "\"epoch\", \"batch\", or a number of steps between two points"),
             unused("profile_batch", "Only 0: no profile"), unused("embeddings_freq", "Only 0: no embeddings")}};
}

// This one is not of Keras: it is the callback of the tutorial, which users define in their code.
ObjectSchema printLr() {
    return {"PrintLR",
            {text("text", "Learning rate for epoch {epoch} is {rate}",
                  "What the log says after each epoch: {epoch} counts from 1, {index} from 0, {rate} or {rate:.5f} is the learning rate")}};
}

ObjectSchema terminateOnNan() {
    return {"TerminateOnNaN", {flag("raise_error", false, "Let the run fail instead of ending it")}};
}

ObjectSchema swapEmaWeights() {
    return {"SwapEMAWeights",
            {flag("swap_on_epoch", false, "Exchange them at the end of an epoch too, for the callbacks that follow")},
            kSinceKeras3};
}

}  // namespace

std::span<const ObjectSchema> callbackSchemas() {
    static const std::vector<ObjectSchema> schemas{modelCheckpoint(),       backupAndRestore(), earlyStopping(), reduceLrOnPlateau(),
                                                   learningRateScheduler(), printLr(),          csvLogger(),     terminateOnNan(),
                                                   tensorBoard(),           swapEmaWeights()};
    return schemas;
}

}  // namespace engine::spec
