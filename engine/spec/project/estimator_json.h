// The section "estimator" of a project's JSON. Only files of this folder include it.
#pragma once

#include "engine/spec/diagnostic.h"
#include "engine/spec/json_text.h"
#include "engine/spec/project/estimator_spec.h"

namespace engine::spec {

// Paths of what is reported begin with "estimator". What `value` does not name stays as it is.
void readEstimator(const Json& value, EstimatorSpec& estimator, Diagnostics& diagnostics);
// Every key, so that a project shows what may be set.
Json estimatorJson(const EstimatorSpec& estimator);

}  // namespace engine::spec
