// What a trained classifier makes of a set of samples: which class is taken for which, and where it is wrong and sure of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/predictor.h"

namespace engine::train {

struct Mistake {
    std::int64_t sample = 0;  // its place in the set
    std::int64_t label = 0, predicted = 0;
    float confidence = 0;              // the probability given to the predicted class
    std::vector<std::uint8_t> pixels;  // the sample, C order: bytes as they are, other types stretched from their least to their greatest
};

struct Classification {
    std::int64_t classes = 0;
    std::vector<std::string> class_names;  // of the set, else "0", "1", ...
    spec::Shape sample_shape;              // (28, 28)
    std::int64_t samples = 0;
    std::vector<std::int64_t> confusion;  // (classes, classes): row = the label, column = the prediction
    std::vector<Mistake> mistakes;        // surest first, ties by place

    std::int64_t count(std::int64_t label, std::int64_t predicted) const {
        return confusion[static_cast<std::size_t>(label * classes + predicted)];
    }
    std::int64_t samplesOf(std::int64_t label) const;
    // Right answers among the samples of a class; NaN for a class without samples.
    double classAccuracy(std::int64_t label) const;
    double accuracy() const;
};

// The probabilities of `outputs` (samples, outputs): softmax of logits over each row, for a single output the sigmoid; where the project's
// loss takes probabilities they are those already. In place.
void toProbabilities(const spec::CompileSpec& compile, std::vector<float>& outputs, std::size_t columns);

// Of every sample, with at most `most_mistakes` mistakes. The prediction is the class with the highest output, the first of equals; a model
// with one output tells class 1 from class 0 at one half. Throws Error(kInvalidArgument) when outputs and labels are none of a classifier.
Classification classify(const spec::RunSpec& run, Predictor& predictor, const std::shared_ptr<const data::Samples>& samples,
                        std::size_t most_mistakes);

// One sample as pixels, as of Mistake.
std::vector<std::uint8_t> pixelsOf(const data::Samples& samples, std::int64_t sample);

}  // namespace engine::train
