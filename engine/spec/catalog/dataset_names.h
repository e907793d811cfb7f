// The data sets that a project may name, and the formats of a project's own files. Static data, safe from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::spec {

struct NamedDataset {
    std::string name;   // "fashion_mnist"
    std::string title;  // "Fashion-MNIST"
    Shape sample_shape;
    std::int64_t classes = 0;  // 0: labels are numbers
    std::int64_t train_samples = 0, test_samples = 0;
    std::int64_t download_bytes = 0;  // 0: nothing has to be fetched
    bool is_computed = false;         // has no files
};
std::span<const NamedDataset> namedDatasets();
const NamedDataset* findNamedDataset(std::string_view name);  // nullptr for any other name

struct DatasetFormat {
    std::string name;  // "csv"
    std::string title;
    bool has_pairs = false;           // train_images and train_labels; else train_files
    bool is_sharded_by_file = false;  // TensorFlow's readers of lines and records are
    bool is_folder = false;           // train_files is one folder with a sub-folder a class
    bool has_texts = false;           // samples are texts: as they are, or sequences of words by data.text
};
std::span<const DatasetFormat> datasetFormats();
const DatasetFormat* findDatasetFormat(std::string_view name);
bool isFolder(std::string_view name);  // false of what is no format
bool hasTexts(std::string_view name);  // the same

std::vector<std::string> datasetNames();  // of both, sets first

}  // namespace engine::spec
