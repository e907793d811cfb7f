// ONNX files (.onnx): a model with its weights as onnxruntime and others run it, for predictions alone.
//
// Read are graphs that are a chain, as PyTorch and Keras (tf2onnx) write Sequential models: each node takes the output of the one before,
// with weights that the file holds. Images and sequences whose first operator wants the channels first are inputs with the channels last
// here, as all of Keras' layers want them: chain_reader.h.
//
// Written with opset 17 and IR 8. The graph computes what the plan of a prediction computes (engine/plan), op by op: graph_writer.h. Input
// and output are called "input" and "output" and have Keras' shapes, channels last.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "engine/export/tf_checkpoint.h"
#include "engine/spec/model_spec.h"

namespace engine::exporter {

// True when the file's name ends as those of ONNX do.
bool isOnnxFileName(const std::filesystem::path& file);

// `batch`: the only number of samples that the file takes; nothing: any. Throws Error(kInvalidArgument) for a model whose shapes do not
// fit, a weight without values, or a model above the 2 GiB that a file can hold.
std::string onnxBytes(const spec::ModelSpec& model, std::span<const VariableView> weights, std::optional<std::int64_t> batch);

// The model of a file, whose layers have Keras' automatic names; it says nothing about compile(). Throws Error: kNotFound,
// kPermissionDenied, kDataLoss (damaged, no such format), kInvalidArgument naming the node that is no chain's or that no layer stands for.
spec::ModelSpec readOnnxModel(const std::filesystem::path& file);
// Fills the model's weights, all of which the file must hold with equal shapes: in the order of the layers, whatever they are called.
// Errors as readOnnxModel()'s. On an error nothing was changed.
void readOnnxWeights(const std::filesystem::path& file, const spec::ModelSpec& model, std::span<const MutableVariableView> variables);

}  // namespace engine::exporter
