// How tandem-worker tells what a classifier does: for people, and as JSON for programs.
//
// evaluate --json, behind "samples": "classes": ["0", ...], "sample_shape": [28, 28], "confusion": [[...], ...] (a row a label),
// "class_accuracy": [...] (null for a class without samples), "mistakes": [{"sample", "label", "predicted", "confidence", "pixels"}].
// inspect --json: {"sample_shape": [28, 28], "pixels": "...", "top": [{"class", "index", "probability"}], "layers": [{"name", "class_name",
// "shape", "least", "greatest", "shown": number of maps, "maps": "..."}]}. Pixels and maps are base64 of a byte an element; a layer's maps
// are the channels of its last axis one after the other, 0 = its least value, 255 = its greatest; where they are many only the first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/train/activation_probe.h"
#include "engine/train/classification.h"

namespace agent::worker {

// The members of an object, without its braces.
std::string classificationJson(const engine::train::Classification& classification, bool with_pictures);
// A table of counts with the accuracy of each class at its right, then the mistakes, a line each.
std::string classificationText(const engine::train::Classification& classification);

struct Inspection {
    std::vector<engine::train::LayerActivation> activations;
    std::vector<float> scores;  // probabilities by class; of a single output that of class 1
    std::vector<std::string> class_names;
    engine::spec::Shape sample_shape;
    std::vector<std::uint8_t> pixels;
};

std::string inspectionJson(const Inspection& inspection);  // ends in a newline, as the next
std::string inspectionText(const Inspection& inspection);

}  // namespace agent::worker
