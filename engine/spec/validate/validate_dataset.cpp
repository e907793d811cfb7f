// Which data set a project names and how its files are read: everything that is known before one of them is opened.
#include <algorithm>
#include <functional>
#include <limits>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/names.h"
#include "engine/spec/project/feature_columns.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

constexpr std::int64_t kLargestSide = 1 << 15;

void refuseData(Diagnostics& diagnostics, std::string path, std::string message, std::string fix = "") {
    diagnostics.push_back({Severity::kError, std::move(path), std::move(message), std::move(fix)});
}

void expectChoice(const char* path, const std::string& value, const std::vector<std::string>& choices, Diagnostics& diagnostics) {
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
        refuseData(diagnostics, path, "expected " + oneOf(choices) + ", got " + (value.empty() ? "none" : value));
    }
}

void expectShape(const char* path, const Shape& shape, Diagnostics& diagnostics) {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
        if (size < 1 || size > kMost / elements) {
            refuseData(diagnostics, path, "expected sizes of at least 1 with at most 2^31 elements, got " + valueText(shape));
            return;
        }
        elements *= size;
    }
}

void checkPairs(const DataSpec& data, Diagnostics& diagnostics) {
    for (const auto& [path, file] : {std::pair{"data.train_images", &data.train_images}, {"data.train_labels", &data.train_labels}}) {
        if (file->empty()) {
            refuseData(diagnostics, path, "expected a file for the data set " + data.dataset + ", got none");
        }
    }
    if (data.test_images.empty() != data.test_labels.empty()) {
        refuseData(diagnostics, data.test_images.empty() ? "data.test_images" : "data.test_labels",
                   "expected both test files or neither, got one of them");
    }
}

void warnUnused(const DataSpec& data, bool pairs, bool lists, Diagnostics& diagnostics) {
    const std::pair<const char*, const std::string*> files[] = {{"data.train_images", &data.train_images},
                                                                {"data.train_labels", &data.train_labels},
                                                                {"data.test_images", &data.test_images},
                                                                {"data.test_labels", &data.test_labels}};
    for (const auto& [path, file] : files) {
        if (!pairs && !file->empty()) {
            diagnostics.push_back({Severity::kWarning, path, "expected no file with the data set " + data.dataset + ", got " + *file,
                                   "Set data.dataset to idx or npy to use it."});
        }
    }
    for (const auto& [path, list] : {std::pair{"data.train_files", &data.train_files}, {"data.test_files", &data.test_files}}) {
        if (!lists && !list->empty()) {
            diagnostics.push_back({Severity::kWarning, path,
                                   "expected no files with the data set " + data.dataset + ", got " + valueText(*list),
                                   "Set data.dataset to the files' format to use them."});
        }
    }
}

void checkCsv(const CsvFormat& csv, Diagnostics& diagnostics) {
    if (csv.delimiter.size() != 1 || csv.delimiter == "\"" || csv.delimiter == "\n" || csv.delimiter == "\r") {
        refuseData(diagnostics, "data.csv.delimiter", "expected one character other than a quote, got \"" + csv.delimiter + "\"");
    }
    if (csv.label.empty()) {
        refuseData(diagnostics, "data.csv.label", "expected the label's column by name or index, got none");
    }
    if (!csv.label.empty() && std::find(csv.features.begin(), csv.features.end(), csv.label) != csv.features.end()) {
        refuseData(diagnostics, "data.csv.features", "expected columns without the label, got " + csv.label + ", which is data.csv.label");
    }
    expectChoice("data.csv.missing", csv.missing, {"refuse", "skip", "zero", "mean"}, diagnostics);
}

// Names of columns are looked for in the file; what can be wrong without it is said here.
void checkFeatureColumns(const RunSpec& run, Diagnostics& diagnostics) {
    const DataSpec& data = run.data;
    const std::size_t faults = diagnostics.size();
    const std::string list = "data.feature_columns";
    if (data.feature_columns.empty()) {
        return;
    }
    if (data.dataset == "csv" && !data.csv.features.empty()) {
        refuseData(diagnostics, list, "expected either feature_columns or csv.features, got both", "Set data.csv.features to [].");
    }
    for (std::size_t i = 0; i < data.feature_columns.size(); ++i) {
        const ObjectSpec& column = data.feature_columns[i];
        const std::string path = list + "[" + std::to_string(i) + "]";
        const ObjectSchema* schema = findSchema(featureColumnSchemas(), column.class_name);
        if (schema == nullptr) {
            refuseData(diagnostics, path, "expected " + oneOf(classNames(featureColumnSchemas())) + ", got " + column.class_name);
            continue;
        }
        const std::size_t before = diagnostics.size();
        reportFields(column.config, schema->fields, path, diagnostics);
        if (diagnostics.size() != before) continue;
        const Settings settings(schema->fields, column.config);
        const bool is_table = data.dataset == "csv";
        const std::string& label = is_table ? data.csv.label : data.tfrecord.label;
        if (const std::string key = settings.getString("key"); key == label) {
            refuseData(diagnostics, path + ".key", "expected a column other than the label, got \"" + key + "\"");
        }
        if (is_table && column.class_name == "NumericColumn" && settings.getInt("shape") != 1) {
            refuseData(
                diagnostics, path + ".shape",
                "expected 1 with the data set csv, whose cells are one number each, got " + std::to_string(settings.getInt("shape")));
        }
        if (column.class_name == "BucketizedColumn") {
            const std::vector<double> boundaries = settings.getDoubles("boundaries");
            if (boundaries.empty() ||
                std::adjacent_find(boundaries.begin(), boundaries.end(), std::greater_equal<>()) != boundaries.end()) {
                refuseData(diagnostics, path + ".boundaries", "expected rising numbers, got " + valueText(boundaries));
            }
        } else if (column.class_name == "CategoricalColumnWithVocabularyList") {
            std::vector<std::string> texts = std::get<std::vector<std::string>>(*column.config.find("vocabulary_list"));
            std::sort(texts.begin(), texts.end());
            if (const auto twice = std::adjacent_find(texts.begin(), texts.end()); twice != texts.end() || texts.empty()) {
                refuseData(
                    diagnostics, path + ".vocabulary_list",
                    texts.empty() ? "expected at least one text, got none" : "expected every text once, got \"" + *twice + "\" twice");
            }
        }
    }
    if (diagnostics.size() != faults) {
        return;
    }
    const std::int64_t width = featureWidth(data.feature_columns);
    std::int64_t taken = 1;
    for (const std::int64_t size : run.model.input_shape) taken *= size;
    if (taken != width) {
        refuseData(
            diagnostics, "model.input_shape",
            "expected [" + std::to_string(width) + "], the numbers that data.feature_columns make, got " + valueText(run.model.input_shape),
            "Set model.input_shape to [" + std::to_string(width) + "].");
    }
}

void checkImages(const ImageFormat& images, Diagnostics& diagnostics) {
    const auto good = [](std::int64_t side) { return side >= 1 && side <= kLargestSide; };
    if (images.size.size() != 2 || !good(images.size[0]) || !good(images.size[1])) {
        refuseData(diagnostics, "data.images.size", "expected rows and columns from 1 to 32768, got " + valueText(images.size));
    }
    expectChoice("data.images.color_mode", images.color_mode, {"rgb", "grayscale"}, diagnostics);
    expectChoice("data.images.interpolation", images.interpolation, {"bilinear", "nearest"}, diagnostics);
}

void checkTfRecord(const DataSpec& data, Diagnostics& diagnostics) {
    const TfRecordFormat& format = data.tfrecord;
    const bool has_columns = !data.feature_columns.empty();  // they are the sample
    for (const auto& [path, name] : {std::pair{"data.tfrecord.sample", &format.sample}, {"data.tfrecord.label", &format.label}}) {
        if (name->empty() && !(has_columns && name == &format.sample)) {
            refuseData(diagnostics, path, "expected the name of a feature, got none");
        }
    }
    expectChoice("data.tfrecord.encoding", format.encoding, {"raw", "image", "list"}, diagnostics);
    expectChoice("data.tfrecord.dtype", format.dtype, {"uint8", "int32", "float32"}, diagnostics);
    expectShape("data.tfrecord.label_shape", format.label_shape, diagnostics);
    if (has_columns) {
        return;
    }
    if (format.encoding == "image") {
        checkImages(data.images, diagnostics);
        return;
    }
    expectShape("data.tfrecord.shape", format.shape, diagnostics);
    if (format.shape.empty()) {
        refuseData(diagnostics, "data.tfrecord.shape", "expected the shape of a sample with encoding " + format.encoding + ", got none");
    }
}

void checkText(const TextFormat& text, Diagnostics& diagnostics) {
    if (text.vocabulary < 3 || text.vocabulary > 1 << 24) {
        refuseData(diagnostics, "data.text.vocabulary", "expected at least 3 and at most 16777216, got " + std::to_string(text.vocabulary));
    }
    if (text.length < 1 || text.length > 1 << 20) {
        refuseData(diagnostics, "data.text.length", "expected at least 1 and at most 1048576, got " + std::to_string(text.length));
    }
}

void checkFormat(const RunSpec& run, const DatasetFormat& format, Diagnostics& diagnostics) {
    const DataSpec& data = run.data;
    warnUnused(data, format.has_pairs, !format.has_pairs, diagnostics);
    if (format.has_pairs) {
        checkPairs(data, diagnostics);
    } else if (data.train_files.empty() || std::find(data.train_files.begin(), data.train_files.end(), "") != data.train_files.end()) {
        refuseData(diagnostics, "data.train_files", "expected at least one file for the data set " + data.dataset + ", got none");
    } else if ((format.name == "npz" || format.is_folder) && (data.train_files.size() > 1 || data.test_files.size() > 1)) {
        refuseData(diagnostics, data.train_files.size() > 1 ? "data.train_files" : "data.test_files",
                   "expected one " + std::string(format.name == "npz" ? "archive" : "folder") + " with the data set " + data.dataset +
                       ", got " + std::to_string(std::max(data.train_files.size(), data.test_files.size())));
    }
    if (format.name == "csv") {
        checkCsv(data.csv, diagnostics);
        checkFeatureColumns(run, diagnostics);
    } else if (format.name == "image_folder") {
        checkImages(data.images, diagnostics);
    } else if (format.name == "tfrecord") {
        checkTfRecord(data, diagnostics);
        checkFeatureColumns(run, diagnostics);
    } else if (format.has_texts) {
        checkText(data.text, diagnostics);
    } else if (format.name == "cifar100_files") {
        expectChoice("data.cifar_labels", data.cifar_labels, {"fine", "coarse"}, diagnostics);
    }
}

void checkNamed(const DataSpec& data, const NamedDataset& set, Diagnostics& diagnostics) {
    warnUnused(data, false, false, diagnostics);
    if (set.name == "cifar100") {
        expectChoice("data.cifar_labels", data.cifar_labels, {"fine", "coarse"}, diagnostics);
    }
}

// FILE sharding gives whole files to workers.
void checkSharding(const RunSpec& run, const DatasetFormat* format, Diagnostics& diagnostics) {
    const auto workers = run.cluster.spec.trainingTasks().size();
    const AutoShardPolicy policy = run.data.auto_shard;
    if (workers < 2 || policy == AutoShardPolicy::kData || policy == AutoShardPolicy::kOff) {
        return;
    }
    if (format == nullptr || !format->is_sharded_by_file) {
        if (policy == AutoShardPolicy::kFile) {
            refuseData(diagnostics, "data.auto_shard",
                       "expected DATA, AUTO or OFF with the data set " + run.data.dataset + ", which is not read file by file, got FILE",
                       "Set data.auto_shard to AUTO.");
        }
        return;
    }
    const bool has_pattern = std::any_of(run.data.train_files.begin(), run.data.train_files.end(),
                                         [](const std::string& file) { return file.find('*') != std::string::npos; });
    if (!has_pattern && run.data.train_files.size() < workers) {
        refuseData(diagnostics, "data.auto_shard",
                   "expected at least one file for each of " + std::to_string(workers) +
                       " workers, which AUTO and FILE give whole files to, got " + std::to_string(run.data.train_files.size()),
                   "Set data.auto_shard to DATA.");
    }
}

}  // namespace

void validateDataset(const RunSpec& run, Diagnostics& diagnostics) {
    const DataSpec& data = run.data;
    const DatasetFormat* format = findDatasetFormat(data.dataset);
    const NamedDataset* named = findNamedDataset(data.dataset);
    if (data.dataset == "imdb" || data.dataset == "reuters") {
        refuseData(
            diagnostics, "data.dataset",
            "expected a set that is read without running foreign code, got " + data.dataset + ", whose archive holds pickled objects",
            "Save padded sequences with numpy.savez and use data.dataset npz, or lines \"label<TAB>text\" and data.dataset text.");
    } else if (format == nullptr && named == nullptr) {
        refuseData(diagnostics, "data.dataset",
                   "expected " + oneOf(datasetNames()) + ", got " + (data.dataset.empty() ? "none" : data.dataset));
    } else if (format != nullptr) {
        checkFormat(run, *format, diagnostics);
    } else {
        checkNamed(data, *named, diagnostics);
    }
    if (!data.feature_columns.empty() && data.dataset != "csv" && data.dataset != "tfrecord") {
        refuseData(diagnostics, "data.feature_columns",
                   "expected none with the data set " + data.dataset + ", which has no columns, got " +
                       std::to_string(data.feature_columns.size()),
                   "Set data.dataset to csv or tfrecord.");
    }
    checkSharding(run, format, diagnostics);
    const bool has_pixels = data.dataset != "csv" && !hasTexts(data.dataset) && data.dataset != "ones";
    if (!has_pixels && run.model.input_dtype != kTextInput && data.scale == DataSpec{}.scale) {
        diagnostics.push_back({Severity::kWarning, "data.scale",
                               "expected 1 with the data set " + data.dataset + ", which holds no pixels, got " + valueText(data.scale),
                               "Set data.scale to 1."});
    }
}

}  // namespace engine::spec
