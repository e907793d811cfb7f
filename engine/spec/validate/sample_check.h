// What is known of a set's samples before one of its files is opened, beside the model's input and what the loss takes.
#pragma once

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// Errors that any task of the run would end with: samples of another size than the model's input, labels that the loss cannot take, no
// whole batch to train on, means that are not one a channel. It finds nothing where only the files can say. Pure. A project that is being
// edited may well have these: validate() leaves them out.
Diagnostics checkSamples(const RunSpec& run);

// Everything that is known of a project before a file is opened: validate(), and where it finds no error checkSamples(), whose errors take
// the place of warnings about the same setting. What says that a project can be launched, anywhere, asks this. Pure.
Diagnostics checkProject(const RunSpec& run);

}  // namespace engine::spec
