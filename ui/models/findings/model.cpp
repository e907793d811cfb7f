// SPDX-License-Identifier: GPL-3.0-or-later
// The model and its layers.
#include <QCoreApplication>

#include "ui/models/findings/sentences.h"

namespace ui::models::findings {
namespace {

constexpr const char* kModelSentences[] = {
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least one layer, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least one cell, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected an RNN around the cell, got %1 alone"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a layer with trainable weights, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at most 1e12 values in a sample, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at most 1e12 values in the output and in each variable, got output %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "MNIST's images are [28, 28, 1]."),
    QT_TRANSLATE_NOOP("FindingTexts", "mixed_%1 computes in %2 and keeps the weights in float32."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a policy for processors as well, got mixed_float16, which trains on GPUs alone"),
    QT_TRANSLATE_NOOP("FindingTexts", "A task that runs on a processor refuses it; mixed_bfloat16 runs on both and needs no loss scaling."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected none on a processor, got a LossScaleOptimizer, which is for GPUs alone"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected %1 on a processor, got %2, which is for GPUs alone"),
    QT_TRANSLATE_NOOP("FindingTexts", "mixed_bfloat16 runs on both and needs no loss scaling."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a name of its own, got %1 a second time"),
    QT_TRANSLATE_NOOP("FindingTexts", "Rename one of the layers."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected ids from the model's input, got the output of a layer %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Put the %1 first."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected each value once, got %1 again"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least the %1 places of the vocabulary, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected int with invert, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a number with pad_to_max_tokens, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a number where there is no vocabulary, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected true where there is no vocabulary, got false"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected more than the %1 places in front of the vocabulary, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected none beside bin_boundaries, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected none without tf_idf, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected none without farmhash, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected a layer that takes values from the training samples as the model's first, got %1 behind a layer %2"),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected a layer that takes values from the training samples as the model's first, got %1 in a layer %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Put it first, or give it these values."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected no layer that takes values from the training samples with an estimator, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Give it these values."),
    QT_TRANSLATE_NOOP("FindingTexts", "Give it a vocabulary."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a project of at most %1 bytes with the vocabulary of %2, got %3 bytes with its %4 texts"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set max_tokens to %1, which keeps the most frequent texts."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a layer that takes texts as the model's first, got %1 behind a layer %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a layer that takes texts as the model's first, got %1 in a layer %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected string, the type of the texts that a layer %1 takes, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set model.input_dtype to string."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a layer that takes the texts of the model's input, got a layer %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Put a TextVectorization first, or set model.input_dtype to float32."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected more than the %1 places in front of the vocabulary, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected an output with a mask of the sizes %1 or none, got one of %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "A Flatten or a Reshape behind it drops the mask."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected none of a layer inside another (not supported), got one"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected layers that make the output %1 of the input %2, such as a %3, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected an output as that of the layers, %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected layers that take numbers, got an Embedding, which takes ids"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected layers that pass the mask of the input on, got %1, which drops it"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at most 1e12 values behind each layer, got %1 behind %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected one of the two layers with go_backwards, got it in both"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected one of the two layers with go_backwards, got it in none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a layer with class_name and config, got its name alone"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the return_sequences of the forward layer, got another"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the %1 units of the forward layer, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected to leave a cell of the input at least, %1, got %2 to take from %3"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected 1 with strides above 1, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Did you mean %1?"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected no field, got %1"),
};

}  // namespace

Sentences ofModel() {
    return kModelSentences;
}

}  // namespace ui::models::findings
