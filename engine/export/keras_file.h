// Keras' model files, read and written: .keras (a zip of metadata.json, config.json and model.weights.h5; of a model with an adapted text
// layer also assets/layers/<L>/vocabulary.txt, a text a line, the special tokens first, which here is in config.json), .weights.h5 (weights
// and optimizer alone), .h5 (the whole model in Keras 2's form, or weights in it) and the JSON of model.to_json(). Files are told by their
// content.
//
// An .h5 of Keras 2's form: root attributes model_config and training_config (JSON); group model_weights with the attribute layer_names and
// a group per layer, whose attribute weight_names gives the paths of its data sets; group optimizer_weights in the same way. Weights alone:
// what is in model_weights lies at the root. Layers with weights are matched by their order.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "engine/export/tf_checkpoint.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/project/run_spec.h"

namespace engine::exporter {

// Tells by the file's name: true for .keras, .h5, .hdf5, and for .npz, which holds weights alone (npz_weights.h). Any other path is taken
// for the prefix of a TensorFlow checkpoint.
bool isKerasFileName(const std::filesystem::path& file);

// Tells by the name of a file to write: true for .keras and .h5, which have the model beside its weights.
bool hasModelByName(const std::filesystem::path& file);

// The model in a .keras, .h5 or JSON file; what of it cannot be represented is in the diagnostics. Errors: kNotFound, kPermissionDenied,
// kDataLoss (damaged, none of these formats), kInvalidArgument (weights without a model).
spec::KerasConfig readKerasModel(const std::filesystem::path& file);

// Fills weights (all must be there, with equal shapes) and those slots of `optimizer` that the file holds.
// Errors: kNotFound (no such file, or a layer's weights are missing, named), kDataLoss (damaged), kInvalidArgument (other layers or shapes;
// JSON, which has no weights). On an error nothing was changed.
RestoredState readKerasWeights(const std::filesystem::path& file, const spec::ModelSpec& model, const spec::ObjectSpec& optimizer,
                               std::span<const MutableVariableView> variables);

// Gives a model whose text layer lacks a vocabulary the one of `file`, with the weights of tf_idf: its weights go by those places. The file
// is a whole model of Keras that begins with a layer of the same class; any other leaves the model as it is. Errors: readKerasModel's.
void takeVocabulary(const std::filesystem::path& file, spec::ModelSpec& model);

// Throws Error(kInvalidArgument) where `file` is a whole model of Keras whose text layer, of the same class, has another vocabulary than
// the model's, which took its own from the training texts: the weights go by the places of the file's words. A file without a vocabulary,
// such as weights alone, says nothing of it. Errors: readKerasModel's.
void requireSameVocabulary(const std::filesystem::path& file, const spec::ModelSpec& model);

// Weights alone, from a Keras file, an ONNX file, a run's backup, a TensorFlow checkpoint's prefix or a folder with a file `checkpoint`.
// Errors as readKerasWeights' and readTfCheckpoint's; kNotFound naming what was expected.
void readWeights(const std::filesystem::path& file, const spec::ModelSpec& model, std::span<const MutableVariableView> variables);

// What a checkpoint (or another Keras file) holds, as a Keras file: weights, and the optimizer's state when it is complete. Returns the
// bytes written. Errors: kNotFound naming what was expected, and those of reading and writing.
std::int64_t convertToKeras(const std::filesystem::path& checkpoint, const spec::ModelSpec& model, const spec::CompileSpec& compile,
                            const std::filesystem::path& file);

// Writes the format that the name asks for: .keras, .weights.h5 or .h5; whole or not at all. The model is compiled in it as `compile` says,
// and the optimizer's state is written when `contents` has all its slots. Returns the bytes written. Errors: kInvalidArgument (another
// name, a variable of the model without values), and writeFileAtomically's.
std::int64_t writeKerasFile(const files::Place& file, const CheckpointContents& contents, const spec::CompileSpec& compile);

}  // namespace engine::exporter
