// Checkpoints in TensorFlow's own format (TensorBundle V2): PREFIX.index, PREFIX.data-00000-of-00001 and the text file `checkpoint` beside
// them, with the object graph that both Keras 2 and Keras 3 programs restore from. And back: files written by TensorFlow restore here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/files/place.h"
#include "engine/spec/model_spec.h"

namespace engine::exporter {

// A weight, or an optimizer slot named "<weight>:<slot>" ("dense/kernel:m"; slots: SGD momentum; Adam m, v, vhat). Not owned.
struct VariableView {
    std::string name;
    spec::Shape shape;
    std::span<const float> values;
};
struct MutableVariableView {
    std::string name;
    spec::Shape shape;
    std::span<float> values;
};

struct CheckpointContents {
    const spec::ModelSpec* model = nullptr;
    spec::ObjectSpec optimizer;
    std::vector<VariableView> variables;  // weights in model order, then slots; a slot that is absent is not written
    std::int64_t iterations = 0;          // updates done
    float learning_rate = 0;              // the rate now
    std::int64_t save_counter = 1;
};

// Writes both files aside, syncs and renames; an earlier checkpoint of that prefix stays whole until then. Returns the bytes written.
// Errors: kResourceExhausted when the disk is full, kPermissionDenied, kInternal; nothing of the new files remains then.
std::int64_t writeTfCheckpoint(const files::Place& prefix, const CheckpointContents& contents);

// What a folder's file `checkpoint` says, TensorFlow's CheckpointState.
struct CheckpointState {
    std::vector<std::string> prefixes;  // oldest first, the last is the latest
    // When each prefix was written, in seconds since 1970, and when the last one was written that stays for good; filled where somebody
    // keeps count as TensorFlow's CheckpointManager does, else empty.
    std::vector<double> timestamps{};
    std::optional<double> last_preserved{};
    friend bool operator==(const CheckpointState&, const CheckpointState&) = default;
};
// Those prefixes that lie below the folder are named relative to it, so that the folder can be moved. Atomic.
void writeCheckpointState(const files::Place& folder, const CheckpointState& state);
// nullopt without the file, or with one that names no latest prefix. Relative prefixes are joined with the folder; timestamps that are not
// one for each prefix count as none. Throws Error as files::Place::openToRead().
std::optional<CheckpointState> readCheckpointState(const files::Place& folder);

// A folder's latest prefix by its `checkpoint` file, nullopt without one. A path that is a prefix already comes back unchanged.
std::optional<std::filesystem::path> latestCheckpoint(const std::filesystem::path& folder_or_prefix);

struct RestoredState {
    std::int64_t iterations = 0;
    std::optional<float> learning_rate;
    std::vector<std::string> missing;  // slots that the file lacks; they were left unchanged
};

// Fills weights (all must be there, with equal shapes) and those slots that the file holds. The file may be written by Keras 2, Keras 3 or
// Tandem. The checksums of all tensors are compared, those that are not asked for too. Errors: kNotFound (no such file, or a weight is
// missing, named), kDataLoss (checksum, truncated, no such format), kInvalidArgument (shape). On an error nothing was changed.
RestoredState readTfCheckpoint(const std::filesystem::path& prefix, const spec::ModelSpec& model,
                               std::span<const MutableVariableView> variables);

// Everything a bundle holds, for inspection and tests: key, dtype as TensorFlow's enum name, shape.
struct BundleEntry {
    std::string key;
    std::string dtype;
    spec::Shape shape;
    std::int64_t bytes = 0;
};
std::vector<BundleEntry> listTfCheckpoint(const std::filesystem::path& prefix);

}  // namespace engine::exporter
