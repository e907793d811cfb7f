// What a trained classifier makes of a set of samples: which class is taken for which, and where it is wrong and sure of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::spec {

struct Mistake {
    std::int64_t sample = 0;  // its place in the set
    std::int64_t label = 0, predicted = 0;
    float confidence = 0;              // the probability given to the predicted class
    std::vector<std::uint8_t> pixels;  // the sample, C order: bytes as they are, other types stretched from their least to their greatest
    friend bool operator==(const Mistake&, const Mistake&) = default;
};

struct Classification {
    std::int64_t classes = 0;
    std::vector<std::string> class_names;  // of the set, else "0", "1", ...
    Shape sample_shape;                    // (28, 28)
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
    friend bool operator==(const Classification&, const Classification&) = default;
};

// One sample as a trained model sees it: the classes that it holds likeliest, and what every layer makes of the sample on the way.
struct ClassScore {
    std::string name;
    std::int64_t index = 0;
    float probability = 0;
    friend bool operator==(const ClassScore&, const ClassScore&) = default;
};

struct LayerMaps {
    std::string name, class_name;
    Shape shape;  // without the batch
    float least = 0, greatest = 0;
    // The channels of the last axis one after the other, 0 = least, 255 = greatest; where they are many only the first `shown` of them. A
    // layer without places has one map: its values.
    std::int64_t shown = 0;
    std::vector<std::uint8_t> maps;
    friend bool operator==(const LayerMaps&, const LayerMaps&) = default;
};

struct Inspection {
    Shape sample_shape;
    std::vector<std::uint8_t> pixels;  // as of Mistake
    // At most five, the likeliest first; of a model whose labels are sequences: the classes that it reads, one after the other.
    std::vector<ClassScore> top;
    std::vector<LayerMaps> layers;
    friend bool operator==(const Inspection&, const Inspection&) = default;
};

}  // namespace engine::spec
