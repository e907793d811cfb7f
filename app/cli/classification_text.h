// What a classifier does, for people and as JSON for programs.
//
// evaluate --json: {"test_accuracy", "test_loss", "samples"}, and where the question wants it behind them: "classes": ["0", ...],
// "sample_shape": [28, 28], "confusion": [[...], ...] (a row a label), "class_accuracy": [...] (null for a class without samples),
// "mistakes": [{"sample", "label", "predicted", "confidence"}].
// inspect --json: {"sample_shape": [28, 28], "pixels": "...", "top": [{"class", "index", "probability"}], "layers": [{"name", "class_name",
// "shape", "least", "greatest", "shown": number of maps, "maps": "..."}]}. Pixels and maps are base64 of a byte an element; for the meaning
// of the values see engine/spec/events/classification.h.
#pragma once

#include <string>

#include "engine/spec/events/engine_question.h"

namespace app::cli {

// All these texts end in a newline.
std::string evaluationJson(const engine::spec::Evaluation& evaluation);
// Three lines; then a table of counts with the accuracy of each class at its right and the mistakes, a line each.
std::string evaluationText(const engine::spec::Evaluation& evaluation);
std::string inspectionJson(const engine::spec::Inspection& inspection);
std::string inspectionText(const engine::spec::Inspection& inspection);

}  // namespace app::cli
