#include "engine/data/own_files.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/data/read_report.h"
#include "engine/data/readers/cifar_reader.h"
#include "engine/data/readers/class_folders.h"
#include "engine/data/readers/csv_reader.h"
#include "engine/data/readers/idx_reader.h"
#include "engine/data/readers/image_folder_reader.h"
#include "engine/data/readers/npy_reader.h"
#include "engine/data/readers/text_folder_reader.h"
#include "engine/data/readers/text_reader.h"
#include "engine/data/readers/tfrecord_reader.h"
#include "engine/files/name_pattern.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

namespace fs = std::filesystem;

// Below the first folder that has it; where none has, below the first, whose reader then says so.
fs::path locate(const fs::path& file, const SearchFolders& folders) {
    for (const fs::path& folder : folders) {
        std::error_code ignored;
        if (fs::exists(folder / file, ignored)) {
            return folder / file;
        }
    }
    return folders.empty() ? file : folders.front() / file;
}

struct Reading {
    const spec::DataSpec& data;
    const SearchFolders& folders;
    std::shared_ptr<ReadReport> report;

    std::vector<fs::path> trainFiles() const { return expandFiles(data.train_files, folders); }
    std::vector<fs::path> testFiles() const { return expandFiles(data.test_files, folders); }

    // `read` makes samples of a list of files.
    template <typename Read>
    LoadedParts eachPart(Read&& read) const {
        LoadedParts parts;
        parts.train = read(trainFiles());
        parts.train.report = report;
        if (!data.test_files.empty()) {
            parts.test = read(testFiles());
        }
        return parts;
    }
};

LoadedParts readPairs(const Reading& reading, bool is_idx) {
    const spec::DataSpec& data = reading.data;
    const auto read = [&](const std::string& samples, const std::string& labels) {
        if (is_idx) {
            return readIdxPair(locate(samples, reading.folders), locate(labels, reading.folders));
        }
        return pairArrays(readNpy(locate(samples, reading.folders)), readNpy(locate(labels, reading.folders)));
    };
    if (data.train_images.empty() || data.train_labels.empty()) {
        throw Error(ErrorCode::kInvalidArgument,
                    "data: expected train_images and train_labels, the files of the data set \"" + data.dataset + "\"");
    }
    if (data.test_images.empty() != data.test_labels.empty()) {
        throw Error(ErrorCode::kInvalidArgument, "data: expected test_images and test_labels both or neither, got one of them");
    }
    LoadedParts parts;
    parts.train = read(data.train_images, data.train_labels);
    if (!data.test_images.empty()) {
        parts.test = read(data.test_images, data.test_labels);
    }
    return parts;
}

Samples readNpzPair(const fs::path& file, const std::string& samples, const std::string& labels) {
    std::optional<Array> pair[2] = {readNpz(file, samples), readNpz(file, labels)};
    for (std::size_t i = 0; i < 2; ++i) {
        if (!pair[i]) {
            std::string there;
            for (const std::string& name : namesInNpz(file)) {
                there += (there.empty() ? "" : ", ") + name;
            }
            throw Error(ErrorCode::kInvalidArgument, file.string() + ": expected an array \"" + (i == 0 ? samples : labels) +
                                                         "\" (data.npz names the arrays), it has " + (there.empty() ? "none" : there));
        }
    }
    return pairArrays(std::move(*pair[0]), std::move(*pair[1]));
}

// One archive holds both parts; a second one may hold the test arrays.
LoadedParts readNpzParts(const Reading& reading) {
    const spec::NpzFormat& names = reading.data.npz;
    const fs::path train = reading.trainFiles().front();
    LoadedParts parts;
    parts.train = readNpzPair(train, names.train_samples, names.train_labels);
    if (!reading.data.test_files.empty()) {
        parts.test = readNpzPair(reading.testFiles().front(), names.test_samples, names.test_labels);
    } else if (readNpz(train, names.test_labels)) {
        parts.test = readNpzPair(train, names.test_samples, names.test_labels);
    }
    return parts;
}

LoadedParts readFolders(const Reading& reading) {
    LoadedParts parts;
    const spec::DataSpec& data = reading.data;
    parts.train = readImageFolder(reading.trainFiles().front(), data.images, reading.report);
    if (!data.test_files.empty()) {
        parts.test = readImageFolder(reading.testFiles().front(), data.images, reading.report);
        requireSameClasses(parts.train, *parts.test);
    }
    return parts;
}

TextParts readTextFolders(const Reading& reading) {
    TextParts parts;
    parts.train = readTextFolder(reading.trainFiles().front(), *reading.report);
    if (!reading.data.test_files.empty()) {
        parts.test = readTextFolder(reading.testFiles().front(), *reading.report);
        requireSameClasses(parts.train.samples, parts.test->samples);
    }
    return parts;
}

// For a model that takes no texts.
LoadedParts readWordsOfFolders(const Reading& reading) {
    const spec::TextFormat& format = reading.data.text;
    TextParts texts = readTextFolders(reading);
    const Vocabulary vocabulary = vocabularyOf(texts.train.texts, format);
    LoadedParts parts;
    setSequences(texts.train.samples, texts.train.texts, format, vocabulary);
    parts.train = std::move(texts.train.samples);
    parts.train.report = reading.report;
    if (texts.test) {
        setSequences(texts.test->samples, texts.test->texts, format, vocabulary);
        parts.test = std::move(texts.test->samples);
    }
    return parts;
}

std::shared_ptr<ReadReport> reportTo(const spec::DataSpec& data, const std::function<void(const std::string&)>& log) {
    auto report = std::make_shared<ReadReport>(data.on_error);
    if (log) {
        report->onSkip([log](const std::string& what) { log("skipped: " + what); });
    }
    return report;
}

void requireFiles(const spec::DataSpec& data) {
    if (data.train_files.empty()) {
        throw Error(ErrorCode::kInvalidArgument, "data.train_files: expected the files of the data set \"" + data.dataset + "\", got none");
    }
}

}  // namespace

std::vector<fs::path> expandFiles(const std::vector<std::string>& patterns, const SearchFolders& folders) {
    std::vector<fs::path> files;
    for (const std::string& pattern : patterns) {
        const std::string name = fs::path(pattern).filename().string();
        if (name.find('*') == std::string::npos) {
            files.push_back(locate(pattern, folders));
            continue;
        }
        const fs::path whole = locate(fs::path(pattern).parent_path(), folders) / name;
        std::vector<fs::path> found;
        std::error_code failed;
        for (const auto& entry : fs::directory_iterator(whole.parent_path(), failed)) {
            if (files::fitsPattern(entry.path().filename().string(), name)) {
                found.push_back(entry.path());
            }
        }
        if (found.empty()) {
            throw Error(ErrorCode::kNotFound, whole.string() + ": expected files of this pattern, found none");
        }
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

TextParts readOwnTexts(const spec::DataSpec& data, const SearchFolders& folders, const std::function<void(const std::string&)>& log) {
    const Reading reading{data, folders, reportTo(data, log)};
    requireFiles(data);
    if (data.dataset == "text_folder") {
        TextParts of_folders = readTextFolders(reading);
        of_folders.train.samples.report = reading.report;
        return of_folders;
    }
    const std::vector<std::string> labels = readTextLabels(reading.trainFiles());
    TextParts parts;
    parts.train = readTextLines(reading.trainFiles(), labels, *reading.report);
    parts.train.samples.report = reading.report;
    if (!data.test_files.empty()) {
        parts.test = readTextLines(reading.testFiles(), labels, *reading.report);
    }
    return parts;
}

LoadedParts readOwnFiles(const spec::DataSpec& data, const SearchFolders& folders, const std::function<void(const std::string&)>& log) {
    const Reading reading{data, folders, reportTo(data, log)};
    if (data.dataset == "idx" || data.dataset == "npy") {
        return readPairs(reading, data.dataset == "idx");
    }
    requireFiles(data);
    if (data.dataset == "npz") {
        return readNpzParts(reading);
    }
    if (data.dataset == "image_folder") {
        return readFolders(reading);
    }
    if (data.dataset == "text_folder") {
        return readWordsOfFolders(reading);
    }
    if (data.dataset == "csv") {
        const CsvTable table = inspectCsv(reading.trainFiles(), data.csv, data.feature_columns);
        return reading.eachPart([&](const auto& files) { return readCsv(files, data.csv, table, *reading.report); });
    }
    if (data.dataset == "text") {
        const Vocabulary vocabulary = readVocabulary(reading.trainFiles(), data.text);
        return reading.eachPart([&](const auto& files) { return readTexts(files, data.text, vocabulary, *reading.report); });
    }
    if (data.dataset == "tfrecord") {
        return reading.eachPart(
            [&](const auto& files) { return readTfRecords(files, data.tfrecord, data.images, reading.report, data.feature_columns); });
    }
    const CifarLabels hundred = data.cifar_labels == "coarse" ? CifarLabels::kCoarse : CifarLabels::kFine;
    const CifarLabels labels = data.dataset == "cifar10_files" ? CifarLabels::kTen : hundred;
    return reading.eachPart([&](const auto& files) { return readCifar(files, labels); });
}

}  // namespace engine::data
