// A run's backup: one file that holds everything needed to go on with training as if it had never ended.
//
// Records in TFRecord framing (record_framing.h): first a BackupHeader (formats/backup.proto) with the version, the saved objects and the
// names and shapes of the variables; then each variable's values, float32, little-endian, C order. Every byte is under a checksum, and one
// file is renamed into place as a whole: there is no moment at which half a backup can be read.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/export/saved_object.h"
#include "engine/export/tf_checkpoint.h"

namespace engine::exporter {

// Returns the bytes written. Errors as writeFileAtomically's; an earlier backup is untouched then.
std::int64_t writeBackup(const files::Place& file, const std::vector<SavedObject>& objects, std::span<const VariableView> variables);

// Fills all variables; the file must name exactly these, with equal shapes. Errors: kNotFound (no file), kDataLoss (damaged, or of a newer
// version), kFailedPrecondition (another model or optimizer); each names the file, and nothing was changed then.
std::vector<SavedObject> readBackup(const files::Place& file, std::span<const MutableVariableView> variables);

// A backup is known by its name's end, ".backup".
bool isBackupFileName(const std::filesystem::path& file);

struct BackupPart {
    std::vector<SavedObject> objects;
    std::vector<std::string> missing;  // slots that the file does not have with an equal shape; they were left unchanged
};
// Fills `variables` by their names: weights must all be there with equal shapes, slots (their names have a colon) need not be, and what
// else the file holds is passed over. Errors: kNotFound, kDataLoss, kInvalidArgument (a weight is missing or has another shape, named); on
// an error nothing was changed.
BackupPart readBackupByName(const files::Place& file, std::span<const MutableVariableView> variables);

// The objects alone, whatever model the variables are of. Errors: kNotFound, kDataLoss.
std::vector<SavedObject> readBackupObjects(const files::Place& file);

// Objects as bytes, to send them to a peer. decodeObjects throws Error(kDataLoss) for bytes that encodeObjects did not make.
std::string encodeObjects(const std::vector<SavedObject>& objects);
std::vector<SavedObject> decodeObjects(std::string_view bytes);

}  // namespace engine::exporter
