// What of a program in PyTorch follows from the model's layers: its class, its variables, and the functions over these. Only files of this
// folder include it.
#pragma once

#include <cstddef>
#include <string>

#include "engine/script/torch/model_writer.h"
#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::script::torch {

// The model without the softmax or sigmoid at its end, where the loss or a metric is taken from logits, as Keras does it.
struct LogitModel {
    spec::ModelSpec model;
    std::string activation{};  // that was taken out: "softmax", "sigmoid"; empty: none
    std::size_t from = 0;      // layers from this one on put out what the activation takes
};
LogitModel logitModel(const spec::RunSpec& run);

// Writes each layer of the model into `writer`, and gives the part of the program that is the model.
std::string writeModel(const LogitModel& made, ModelWriter& writer, spec::Diagnostics& findings);

// The functions penalty_of() and constrain() of what regularizers and constraints ask for, after writeModel(); empty where none does.
std::string penaltyFunction(const ModelWriter& writer);
std::string constrainFunction(const ModelWriter& writer);

}  // namespace engine::script::torch
