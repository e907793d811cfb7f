#include "engine/data/dataset_catalog.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <future>
#include <optional>
#include <string_view>

#include "engine/data/idx_reader.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

namespace fs = std::filesystem;

// Sets in MNIST's format, and the folder that torchvision gives them.
struct NamedSet {
    std::string_view name;
    std::string_view torchvision;
};
constexpr std::array kNamedSets{NamedSet{"mnist", "MNIST"}, NamedSet{"fashion_mnist", "FashionMNIST"}};

struct IdxPaths {
    fs::path train_images, train_labels, test_images, test_labels;
};

// "train-images-idx3-ubyte.gz", unpacked, or with a dot as some archives have it.
std::optional<fs::path> findFile(const fs::path& folder, const std::string& stem, const std::string& kind) {
    for (const char* separator : {"-", "."}) {
        for (const char* ending : {"", ".gz"}) {
            const fs::path candidate = folder / (stem + separator + kind + ending);
            std::error_code ignored;
            if (fs::is_regular_file(candidate, ignored)) {
                return candidate;
            }
        }
    }
    return std::nullopt;
}

std::optional<IdxPaths> findIn(const fs::path& folder) {
    const auto train_images = findFile(folder, "train-images", "idx3-ubyte");
    const auto train_labels = findFile(folder, "train-labels", "idx1-ubyte");
    if (!train_images || !train_labels) {
        return std::nullopt;
    }
    IdxPaths paths{*train_images, *train_labels, {}, {}};
    const auto test_images = findFile(folder, "t10k-images", "idx3-ubyte");
    const auto test_labels = findFile(folder, "t10k-labels", "idx1-ubyte");
    if (test_images && test_labels) {
        paths.test_images = *test_images;
        paths.test_labels = *test_labels;
    }
    return paths;
}

std::optional<IdxPaths> findNamed(const NamedSet& set, const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) {
        for (const fs::path& candidate : {folder / set.name, folder / set.torchvision / "raw"}) {
            if (auto paths = findIn(candidate)) {
                return paths;
            }
        }
    }
    return std::nullopt;
}

IdxPaths ownFiles(const spec::DataSpec& data, const fs::path& base) {
    const auto below = [&](const std::string& file) { return file.empty() ? fs::path() : base / file; };
    if (data.train_images.empty() || data.train_labels.empty()) {
        throw Error(ErrorCode::kInvalidArgument, "data: expected train_images and train_labels, the files of the data set \"idx\"");
    }
    if (data.test_images.empty() != data.test_labels.empty()) {
        throw Error(ErrorCode::kInvalidArgument, "data: expected test_images and test_labels both or neither, got one of them");
    }
    return {below(data.train_images), below(data.train_labels), below(data.test_images), below(data.test_labels)};
}

IdxPaths resolve(const spec::DataSpec& data, const std::vector<fs::path>& folders, const fs::path& base) {
    if (data.dataset == "idx") {
        return ownFiles(data, base);
    }
    std::string names = "idx";
    for (const NamedSet& set : kNamedSets) {
        if (set.name != data.dataset) {
            names += ", " + std::string(set.name);
            continue;
        }
        if (auto paths = findNamed(set, folders)) {
            return *paths;
        }
        std::string searched;
        for (const fs::path& folder : folders) {
            searched += (searched.empty() ? "" : ", ") + folder.string();
        }
        throw Error(ErrorCode::kNotFound, "data.dataset: \"" + data.dataset + "\" was not found (expected " + data.dataset +
                                              "/train-images-idx3-ubyte.gz and its labels in one of: " +
                                              (searched.empty() ? "no folder" : searched) + "); set TANDEM_DATA_DIR to its parent folder");
    }
    throw Error(ErrorCode::kNotFound, "data.dataset: expected one of " + names + ", got \"" + data.dataset + "\"");
}

void addFolder(std::vector<fs::path>& folders, const fs::path& folder) {
    std::error_code ignored;
    if (!folder.empty() && fs::is_directory(folder, ignored) && std::find(folders.begin(), folders.end(), folder) == folders.end()) {
        folders.push_back(folder);
    }
}

fs::path fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? fs::path() : fs::path(value);
}

}  // namespace

std::vector<fs::path> datasetFolders() {
    std::vector<fs::path> folders;
    addFolder(folders, fromEnvironment("TANDEM_DATA_DIR"));
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    if (!program.empty()) {
        addFolder(folders, (program.parent_path() / "../share/tandem/datasets").lexically_normal());
    }
    const fs::path cache = fromEnvironment("XDG_CACHE_HOME");
    const fs::path home = fromEnvironment("HOME");
    if (!cache.empty() || !home.empty()) {
        addFolder(folders, (cache.empty() ? home / ".cache" : cache) / "tandem/datasets");
    }
    addFolder(folders, "/usr/local/share/tandem/datasets");
    addFolder(folders, "/usr/share/tandem/datasets");
    return folders;
}

std::vector<std::string> availableDatasets(const std::vector<fs::path>& folders) {
    std::vector<std::string> names;
    for (const NamedSet& set : kNamedSets) {
        if (findNamed(set, folders)) {
            names.emplace_back(set.name);
        }
    }
    return names;
}

Dataset loadDataset(const spec::DataSpec& data, const std::vector<fs::path>& folders, const fs::path& base) {
    const IdxPaths paths = resolve(data, folders, base);
    std::future<Samples> test;
    if (!paths.test_images.empty()) {
        test = std::async(std::launch::async, [&paths] { return readIdxPair(paths.test_images, paths.test_labels); });
    }
    Dataset dataset;
    dataset.name = data.dataset;
    dataset.train = std::make_shared<const Samples>(readIdxPair(paths.train_images, paths.train_labels));
    if (test.valid()) {
        dataset.test = std::make_shared<const Samples>(test.get());
    }
    return dataset;
}

}  // namespace engine::data
