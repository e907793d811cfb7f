// SPDX-License-Identifier: GPL-3.0-or-later
// The data set, the order of its steps, and samples beside the model.
#include <QCoreApplication>

#include "ui/models/findings/sentences.h"

namespace ui::models::findings {
namespace {

constexpr const char* kSentences[] = {
    QT_TRANSLATE_NOOP("FindingTexts", "expected 0 with %1, which takes class indices, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.one_hot to 0, or the loss to CategoricalCrossentropy."),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected auto_shard OFF with a seed per worker, got another policy: the workers' shards come from one order"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.auto_shard to OFF."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected each step once, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Leave data.order out for the usual one."),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "prefetch: expected it behind all other steps, where it readies whole batches while a step runs, got it before %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Move prefetch to the end."),
    QT_TRANSLATE_NOOP("FindingTexts", "cache: expected it before repeat, got it behind: samples without an end never fill a cache"),
    QT_TRANSLATE_NOOP("FindingTexts", "Move cache before repeat."),
    QT_TRANSLATE_NOOP(
        "FindingTexts",
        "take: expected it before repeat, where it shortens each epoch, got it behind: the data would end in the middle of the run"),
    QT_TRANSLATE_NOOP("FindingTexts", "Move take before repeat."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a buffer of at most %1 batches behind repeat, which would fill any, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a buffer of at most %1 samples behind repeat, which would fill any, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Move shuffle before repeat."),
    QT_TRANSLATE_NOOP(
        "FindingTexts",
        "cache: expected it before shuffle, which then makes a new order in each epoch, got it behind: every epoch has the first one's"),
    QT_TRANSLATE_NOOP("FindingTexts", "Move cache before shuffle, unless one order is meant."),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "shuffle: expected it before batch, where it mixes samples, got it behind: whole batches change places, the samples "
                      "of each stay together"),
    QT_TRANSLATE_NOOP("FindingTexts", "Move shuffle before batch, unless that is meant."),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "take: expected it before cache, got it behind: TensorFlow gives up a cache that is not read to its end"),
    QT_TRANSLATE_NOOP("FindingTexts", "Move take before cache."),
    QT_TRANSLATE_NOOP("FindingTexts", "take behind shuffle: other samples in each epoch"),
    QT_TRANSLATE_NOOP("FindingTexts", "take behind shuffle, before cache: samples drawn once, the same in each epoch"),
    QT_TRANSLATE_NOOP("FindingTexts", "take behind batch: it counts batches"),
    QT_TRANSLATE_NOOP("FindingTexts", "repeat before shuffle: batches of two epochs are mixed at their border"),
    QT_TRANSLATE_NOOP("FindingTexts", "repeat before shuffle: samples of two epochs are mixed at their border"),
    QT_TRANSLATE_NOOP("FindingTexts", "repeat behind batch: each epoch drops its own remainder"),
    QT_TRANSLATE_NOOP("FindingTexts", "repeat behind batch: each epoch ends in its own smaller batch"),
    QT_TRANSLATE_NOOP("FindingTexts", "normalize before scale: (x - mean) / std * scale + offset"),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected a set that is read without running foreign code, got %1, whose archive holds pickled objects"),
    QT_TRANSLATE_NOOP(
        "FindingTexts",
        "Save padded sequences with numpy.savez and use data.dataset npz, or lines \"label<TAB>text\" and data.dataset text."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a file for the data set %1, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected both test files or neither, got one of them"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected no file with the data set %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.dataset to idx or npy to use it."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected no files with the data set %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.dataset to the files' format to use them."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least one file for the data set %1, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected one archive with the data set %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected one folder with the data set %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected one character other than a quote, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the label's column by name or index, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected columns without the label, got %1, which is data.csv.label"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected either feature_columns or csv.features, got both"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.csv.features to []."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a column other than the label, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected 1 with the data set csv, whose cells are one number each, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least one text, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected every text once, got %1 twice"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected %1, the numbers that data.feature_columns make, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set model.input_shape to %1."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected none with the data set %1, which has no columns, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.dataset to csv or tfrecord."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected text, which has texts for the model's input of type string, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.dataset to text."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the name of a feature, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the shape of a sample with encoding %1, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected DATA, AUTO or OFF with the data set %1, which is not read file by file, got FILE"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.auto_shard to AUTO."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least one file for each of %1 workers, which AUTO and FILE give whole files to, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.auto_shard to DATA."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected 1 with the data set %1, which holds no pixels, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.scale to 1."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected %1, the rows and columns of the model's input %2, got %3"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.images.size to %1, or the model's input to the pictures'."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected %1 for the model's input %2, got rgb (3 channels)"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected %1 for the model's input %2, got grayscale (1 channel)"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected 1 or 3 channels in the model's input %1, got rgb (3 channels)"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected 1 or 3 channels in the model's input %1, got grayscale (1 channel)"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected as many values as a sample of %1 has, %2, got %3"),
    QT_TRANSLATE_NOOP("FindingTexts", "%1 makes samples of another shape."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected one label for each place of the model's output %1, %2 has one a sample"),
    QT_TRANSLATE_NOOP("FindingTexts", "End the model with Flatten and Dense."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a model output of at least the %1 classes of %2, got %3"),
    QT_TRANSLATE_NOOP("FindingTexts", "Give the last layer %1 units."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least the %1 classes of %2, got %3"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the %1 values of the model's output, which %2 compares with the labels, got %3"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected labels of the model's output %1 with %2, %3 has class indices"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set data.one_hot to %1, or the loss to SparseCategoricalCrossentropy."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected labels from 0 to 1 with %1, %2 has the classes 0 to %3"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a share that leaves some of the %1 training samples of %2 to train on, got %3"),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected a whole batch in the %1 samples that are trained on, got %2 a replica with data.drop_remainder"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected 1 or %1 numbers for samples of shape %2, got %3"),
};

}  // namespace

Sentences ofData() {
    return kSentences;
}

}  // namespace ui::models::findings
