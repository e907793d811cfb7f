// What Keras' losses ask of labels, and over which axes of the model's output they are taken. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/spec/model_spec.h"

namespace engine::spec {

enum class LossLabels {
    kValues,     // numbers of the output's shape
    kClasses,    // the place of a value along the output's last axis, one a row
    kNames,      // whole numbers, one a sample: which samples are of one kind
    kSequences,  // some classes a sample, counted from 1, with zeros behind them up to the length that all samples have
};

// The labels of a loss by its class; a class that no schema has takes values.
LossLabels lossLabels(std::string_view class_name);
// True for labels that are whole numbers: classes, names or sequences of classes.
bool takesWholeLabels(std::string_view class_name);

// Neighbouring axes, from 0, the batch.
struct AxisRange {
    std::int64_t first = 0, count = 0;
    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};
// The axes that make one loss of an output of `rank` axes with the batch: all of them where a loss with the field axis names none, the last
// of a loss without the field. Nothing where lossAxesFault() has something to say.
std::optional<AxisRange> lossAxes(const ObjectSpec& loss, std::size_t rank);
// Returns what is wrong with the axes, "expected ..., got ..."; empty when nothing is.
std::string lossAxesFault(const ObjectSpec& loss, std::size_t rank);
// True when a loss compares the samples of a batch: of replicas with a part of the batch each, none can compute it.
bool joinsSamples(const ObjectSpec& loss, std::size_t rank);

}  // namespace engine::spec
