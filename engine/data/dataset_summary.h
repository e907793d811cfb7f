// What a person looks at before training: how many samples a class has, what they look like, which cannot be read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/readers/image_decoder.h"

namespace engine::data {

struct SummaryOptions {
    std::int64_t samples_per_class = 12;
    std::uint64_t draw = 0;          // other samples of each class for another number
    std::int64_t largest_side = 48;  // pixels of a picture; larger ones are made smaller
    bool reads_all = false;          // every sample is read, so that the report names all that cannot be, and NaN are counted
    std::function<void(std::int64_t done, std::int64_t total)> progress;  // from the calling thread, a few times a second
    std::function<bool()> is_cancelled;
};

struct SampleLook {
    std::int64_t index = 0;  // in the training set
    Image picture;           // 1 or 3 channels; no pixels when the sample is no picture
    std::string text;        // of any other sample: its first numbers, or how its text begins
};

// A class, or a range of labels that are numbers.
struct LabelGroup {
    std::string name;
    std::int64_t train = 0, test = 0;
    std::vector<SampleLook> samples;
};

struct DatasetSummary {
    bool has_classes = false;        // else groups are ranges of numbers, or one of everything
    std::vector<LabelGroup> groups;  // at most kMostGroups; the largest stay when there are more, by label
    std::int64_t groups_left_out = 0;
    double smallest = 0, largest = 0;  // values of the samples that were looked at
    // With reads_all: how many of all samples and labels have a NaN or an infinity, and where the first is.
    std::int64_t not_finite = 0;
    std::string first_not_finite;
};

inline constexpr std::size_t kMostGroups = 200;

// Bad samples go to the sets' report when that skips them, else they throw. Throws Error(kCancelled).
DatasetSummary summarize(const Dataset& dataset, const SummaryOptions& options);

}  // namespace engine::data
