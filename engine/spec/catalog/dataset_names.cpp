#include "engine/spec/catalog/dataset_names.h"

#include <algorithm>

namespace engine::spec {
namespace {

template <typename Entry>
const Entry* findName(std::span<const Entry> entries, std::string_view name) {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace

std::span<const NamedDataset> namedDatasets() {
    static const std::vector<NamedDataset> sets{{"mnist", "MNIST", {28, 28}, 10, 60000, 10000, 0},
                                                {"fashion_mnist", "Fashion-MNIST", {28, 28}, 10, 60000, 10000, 30878645},
                                                {"kmnist", "Kuzushiji-MNIST", {28, 28}, 10, 60000, 10000, 21000000},
                                                {"cifar10", "CIFAR-10", {32, 32, 3}, 10, 50000, 10000, 170052171},
                                                {"cifar100", "CIFAR-100", {32, 32, 3}, 100, 50000, 10000, 168513733},
                                                {"ones", "Ones for ones", {1}, 0, 100, 100, 0, true}};
    return sets;
}

const NamedDataset* findNamedDataset(std::string_view name) {
    return findName(namedDatasets(), name);
}

std::span<const DatasetFormat> datasetFormats() {
    static const std::vector<DatasetFormat> formats{
        {"idx", "IDX files", true, false},
        {"npy", "NumPy arrays", true, false},
        {"npz", "NumPy archive", false, false},
        {"csv", "CSV table", false, true},
        {.name = "image_folder", .title = "Folder of pictures", .is_folder = true},
        {"tfrecord", "TFRecord files", false, true},
        {"cifar10_files", "CIFAR-10 files", false, true},
        {"cifar100_files", "CIFAR-100 files", false, true},
        {.name = "text", .title = "Labelled texts", .is_sharded_by_file = true, .has_texts = true},
        {.name = "text_folder", .title = "Folder of texts", .is_folder = true, .has_texts = true}};
    return formats;
}

const DatasetFormat* findDatasetFormat(std::string_view name) {
    return findName(datasetFormats(), name);
}

bool isFolder(std::string_view name) {
    const DatasetFormat* format = findDatasetFormat(name);
    return format != nullptr && format->is_folder;
}

bool hasTexts(std::string_view name) {
    const DatasetFormat* format = findDatasetFormat(name);
    return format != nullptr && format->has_texts;
}

std::vector<std::string> datasetNames() {
    std::vector<std::string> names;
    for (const NamedDataset& set : namedDatasets()) {
        names.push_back(set.name);
    }
    for (const DatasetFormat& format : datasetFormats()) {
        names.push_back(format.name);
    }
    return names;
}

}  // namespace engine::spec
