// SPDX-License-Identifier: GPL-3.0-or-later
// compile, fit, callbacks and an estimator.
#include <QCoreApplication>

#include "ui/models/findings/sentences.h"

namespace ui::models::findings {
namespace {

constexpr const char* kTrainingSentences[] = {
    QT_TRANSLATE_NOOP("FindingTexts", "expected one way to clip gradients, got %1 too"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a momentum above 0 with nesterov, got 0: it changes nothing"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected compile settings in the file, got none: %1 go with the model's output"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected regular expressions, got \"%1\""),
    QT_TRANSLATE_NOOP("FindingTexts", "expected none beside loss_scale, whose scale takes its place"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected false with a last layer that ends in %1, got true"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set from_logits to false or remove the %1."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected true with a last layer without %1, got false"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set from_logits to true or end the model in %1."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a last layer that ends in softmax with %1, which takes probabilities, got another"),
    QT_TRANSLATE_NOOP("FindingTexts", "End the model in softmax."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected neighbouring axes of the model's output, each once, from 0 to %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected one replica with a loss that compares the samples of a batch, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set axis to axes of a sample, from 1 on, or train on one device."),
    QT_TRANSLATE_NOOP("FindingTexts", "Train on one device."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected no weights of classes with an axis that joins samples alone, got some"),
    QT_TRANSLATE_NOOP("FindingTexts", "End the model with Flatten and Dense, or give every position a label."),
    QT_TRANSLATE_NOOP("FindingTexts", "End the model with a Dense layer behind one that puts out sequences."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a model output without a mask with %1, which takes all times, got one"),
    QT_TRANSLATE_NOOP("FindingTexts", "Remove Masking, or mask_zero of the Embedding."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a last layer without softmax with %1, which takes logits, got one that ends in it"),
    QT_TRANSLATE_NOOP("FindingTexts", "Remove the softmax."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected no weights of classes with %1, whose labels are sequences of them, got some"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected no metric beside %1, whose labels are sequences, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Remove it."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least 2 classes as model output, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected micro, macro or weighted, got none: a value for each class is not one number of a curve"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set average to macro."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a metric of labels that are classes, as %1 has them, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a metric of labels that are values, as %1 has them, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set it to accuracy."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected false where labels are rows of classes, got true"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected class ids from 0 to %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a model output of at least 2 values a row, along which it correlates them, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected every metric once, got %1 a second time"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at most %1 metrics, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Weighted ones and every threshold count."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected names of their own in the logs, got %1 twice"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set name of one of them."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected less than the %1 epochs, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected weights (.weights.h5, .keras, .h5 or a checkpoint), got JSON: %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the file of a training that goes on in fit.initial_weights, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "Name a run's checkpoint or backup in fit.initial_weights."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a checkpoint, a backup or a .keras file with its optimizer, got weights alone: %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set fit.initial_state to false to begin with the weights."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a name that ends in .weights.h5, .keras or .h5, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Write weights.keras; --save-weights of the command line takes any place."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least 0 and less than 1, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a file outside of checkpoints and backup, which hold the run's own, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected every { with its }, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected %1 between braces, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a format like 02d or .4f of %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected min or max for %1, whose name does not tell, got auto"),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected a learning rate that is a number beside a callback that sets it, got a schedule in the optimizer"),
    QT_TRANSLATE_NOOP("FindingTexts", "Remove the callback or set compile.optimizer.learning_rate to a number."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the ending .weights.h5 with save_weights_only, or none, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the ending .keras or .h5 without save_weights_only, or none, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least one epoch, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected one rate for each of the %1 epochs, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected true beside the callback SwapEMAWeights, got false"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set it to true or remove the callback."),
    QT_TRANSLATE_NOOP(
        "FindingTexts",
        "expected a name beside the run's own files (project.tandem, run.json, finished.json, checkpoints.jsonl, journal, lock), got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected every callback once, got %1 a second time"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected seconds of at least 0, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected hours above 0, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected either steps or seconds between checkpoints, got %1 steps and %2 seconds"),
    QT_TRANSLATE_NOOP("FindingTexts", "Leave one of them empty (None)."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a number of steps where the input repeats without end, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set estimator.train_spec.max_steps, or estimator.train_spec.input_repeats to a number of passes."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected an estimator that counts steps alone, got fit.steps %1 beside it"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set fit.steps to 0."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a name for each exporter, got %1 a second time"),
    QT_TRANSLATE_NOOP("FindingTexts", "Write a plain name."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a name without a slash, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected none with an estimator, which has no callbacks, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "It has no effect: estimator.run_config says when checkpoints are written."),
};

}  // namespace

Sentences ofTraining() {
    return kTrainingSentences;
}

}  // namespace ui::models::findings
