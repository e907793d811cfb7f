// What a trained classifier makes of a set of samples: which class is taken for which, and where it is wrong and sure of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/spec/events/classification.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/predictor.h"

namespace engine::train {

using spec::Classification;
using spec::Mistake;

// Turns `outputs` (samples, outputs) into probabilities, in place: softmax of logits over each row, for a single output the sigmoid. Where
// the project's loss takes probabilities they are those already.
void toProbabilities(const spec::CompileSpec& compile, std::vector<float>& outputs, std::size_t columns);

// What a model whose labels are sequences of classes (CTC) reads in one sample, by its best path: the likeliest class of each time, classes
// that follow themselves merged, the blank, class 0, left out. `logits`: (times, classes). An entry has the greatest probability that its
// class has while the path stays at it; a class without a name has its number. Empty where every time is blank.
std::vector<spec::ClassScore> bestPath(std::vector<float> logits, std::size_t classes, const std::vector<std::string>& names);

// Classifies every sample and keeps at most `most_mistakes` mistakes. The prediction is the class with the highest output, the first of
// equals; a model with one output tells class 1 from class 0 at one half. Throws Error(kInvalidArgument) when outputs and labels are none
// of a classifier.
Classification classify(const spec::RunSpec& run, Predictor& predictor, const std::shared_ptr<const data::Samples>& samples,
                        std::size_t most_mistakes);

// Some samples with what a classifier gives for them.
struct Scores {
    std::vector<std::string> class_names;
    std::vector<std::int64_t> labels;
    std::vector<float> probabilities;  // (samples, columns): of each class, or of class 1 alone
    std::size_t columns = 0;
    std::vector<std::int64_t> samples{};  // which of the set; those that could not be read are left out
};

// The scores of `outputs` (samples, outputs) for the samples from `first` on. nullopt when outputs and labels are none of a classifier.
std::optional<Scores> scoresOf(const spec::RunSpec& run, const data::Samples& samples, std::int64_t first, std::vector<float> outputs,
                               std::size_t columns);

// One sample as pixels, as of Mistake.
std::vector<std::uint8_t> pixelsOf(const data::Samples& samples, std::int64_t sample);

}  // namespace engine::train
