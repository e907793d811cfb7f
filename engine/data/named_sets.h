// The data sets that have a name: which files they are, where these lie on this computer, where they can be fetched.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/download.h"

namespace engine::data {

enum class NamedFormat { kIdx, kCifar10, kCifar100 };

struct NamedSet {
    std::string name;  // "fashion_mnist"
    NamedFormat format = NamedFormat::kIdx;
    std::vector<std::string> folders;  // below a folder of data sets: Tandem's own, torchvision's and the archive's name
    std::vector<RemoteFile> files;
    std::vector<std::string> members;  // of the archive that the only file is; empty for plain files
};

// nullptr for a name without files of its own. Static data.
const NamedSet* findNamedSet(const std::string& name);

// The files of a set, training files first. `test_*` are empty when the set lies there without test files.
struct SetFiles {
    std::vector<std::filesystem::path> train, test;  // IDX: images, then labels
};
std::optional<SetFiles> findFiles(const NamedSet& set, const std::vector<std::filesystem::path>& folders);

// Fetches what the set lacks into <folder>/<name> and unpacks it there. TANDEM_DATA_MIRROR, an address below which <name>/<file> lies, is
// tried before the set's own mirrors. Errors as fetchFiles; kDataLoss for an archive without the set's files.
void fetchNamedSet(const NamedSet& set, const std::filesystem::path& folder, const DownloadHooks& hooks);

}  // namespace engine::data
