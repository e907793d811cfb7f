#include "engine/data/dataset_catalog.h"

#include <algorithm>
#include <cstdlib>
#include <future>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "engine/data/mix_samples.h"
#include "engine/data/named_sets.h"
#include "engine/data/ones.h"
#include "engine/data/own_files.h"
#include "engine/data/pipeline.h"
#include "engine/data/readers/cifar_reader.h"
#include "engine/data/readers/idx_reader.h"
#include "engine/data/texts/text_adaptation.h"
#include "engine/data/texts/text_samples.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"

namespace engine::data {
namespace {

namespace fs = std::filesystem;

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

std::string listOf(const std::vector<fs::path>& folders) {
    std::string text;
    for (const fs::path& folder : folders) {
        text += (text.empty() ? "" : ", ") + folder.string();
    }
    return text.empty() ? "no folder" : text;
}

SetFiles locate(const NamedSet& set, const spec::DataSpec& data, const std::vector<fs::path>& folders, const LoadHooks& hooks) {
    if (auto files = findFiles(set, folders)) {
        return *files;
    }
    const std::string expected = set.name + "/" + (set.members.empty() ? set.files.front().name : set.members.front());
    const std::string missing = "data.dataset: \"" + set.name + "\" was not found (expected " + expected +
                                " and the files beside it in one of: " + listOf(folders) + "); set TANDEM_DATA_DIR to its parent folder";
    if (!data.download || hooks.download_folder.empty()) {
        throw Error(ErrorCode::kNotFound, missing + (data.download ? "" : ", or " + hooks.how_to_fetch));
    }
    try {
        fetchNamedSet(set, hooks.download_folder, hooks.download);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kUnavailable) {
            throw;
        }
        throw Error(ErrorCode::kUnavailable, missing + "; it could not be fetched either, is this computer offline? " + error.what());
    }
    auto files = findFiles(set, {hooks.download_folder});
    ENGINE_CHECK(files.has_value());
    return *files;
}

Samples readPart(const NamedSet& set, const std::vector<fs::path>& files, const std::string& cifar_labels) {
    if (set.format == NamedFormat::kIdx) {
        return readIdxPair(files[0], files[1]);
    }
    const CifarLabels hundred = cifar_labels == "coarse" ? CifarLabels::kCoarse : CifarLabels::kFine;
    Samples samples = readCifar(files, set.format == NamedFormat::kCifar10 ? CifarLabels::kTen : hundred);
    samples.files.clear();  // what Keras gives by this name are arrays, which are sharded by samples
    return samples;
}

// Training and test files at the same time, on two threads.
LoadedParts readNamed(const NamedSet& set, const SetFiles& files, const spec::DataSpec& data, const LoadHooks& hooks) {
    std::future<Samples> test;
    if (files.test.empty() && hooks.download.log) {
        hooks.download.log(set.name + ": expected test files beside " + files.train.front().string() +
                           ", found none: there are no test samples");
    }
    if (!files.test.empty()) {
        test = std::async(std::launch::async, [&] { return readPart(set, files.test, data.cifar_labels); });
    }
    LoadedParts parts;
    parts.train = readPart(set, files.train, data.cifar_labels);
    if (test.valid()) {
        parts.test = test.get();
    }
    return parts;
}

LoadedParts readParts(const spec::DataSpec& data, const std::vector<fs::path>& folders, const fs::path& base, const LoadHooks& hooks) {
    if (data.dataset == "ones") {
        return {ones(100), ones(100)};
    }
    if (const NamedSet* set = findNamedSet(data.dataset)) {
        return readNamed(*set, locate(*set, data, folders, hooks), data, hooks);
    }
    if (spec::findDatasetFormat(data.dataset) == nullptr) {
        throw Error(ErrorCode::kNotFound, "data.dataset: expected " + spec::oneOf(spec::datasetNames()) + ", got \"" + data.dataset + "\"");
    }
    std::vector<fs::path> searched{base};
    searched.insert(searched.end(), folders.begin(), folders.end());
    return readOwnFiles(data, searched, hooks.download.log);
}

std::shared_ptr<const Samples> finish(Samples samples, const spec::DataSpec& data) {
    if (data.one_hot > 0) {
        oneHotLabels(samples, data.one_hot);
    }
    if (samples.decoder != nullptr && data.cache) {
        samples.cache = makeCache(samples);
    }
    return std::make_shared<const Samples>(std::move(samples));
}

}  // namespace

fs::path downloadFolder() {
    const fs::path cache = fromEnvironment("XDG_CACHE_HOME");
    const fs::path home = fromEnvironment("HOME");
    if (cache.empty() && home.empty()) {
        return {};
    }
    return (cache.empty() ? home / ".cache" : cache) / "tandem/datasets";
}

std::vector<fs::path> datasetFolders() {
    std::vector<fs::path> folders;
    addFolder(folders, fromEnvironment("TANDEM_DATA_DIR"));
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    if (!program.empty()) {
        addFolder(folders, (program.parent_path() / "../share/tandem/datasets").lexically_normal());
    }
    addFolder(folders, downloadFolder());
    addFolder(folders, "/usr/local/share/tandem/datasets");
    addFolder(folders, "/usr/share/tandem/datasets");
    return folders;
}

std::vector<std::string> availableDatasets(const std::vector<fs::path>& folders) {
    std::vector<std::string> names;
    for (const spec::NamedDataset& set : spec::namedDatasets()) {
        const NamedSet* files = findNamedSet(set.name);
        if (files == nullptr || findFiles(*files, folders)) {
            names.push_back(set.name);
        }
    }
    return names;
}

Dataset loadDataset(const spec::DataSpec& data, const std::vector<fs::path>& folders, const fs::path& base, const LoadHooks& hooks) {
    LoadedParts parts = readParts(data, folders, base, hooks);
    if (data.split_seed >= 0) {
        mixSamples(parts.train, static_cast<std::uint64_t>(data.split_seed));
    }
    Dataset dataset;
    dataset.name = data.dataset;
    dataset.train = finish(std::move(parts.train), data);
    if (parts.test) {
        dataset.test = finish(std::move(*parts.test), data);
    }
    return dataset;
}

Dataset loadRunDataset(const spec::RunSpec& run, const std::vector<fs::path>& folders, const fs::path& base, const LoadHooks& hooks) {
    const spec::LayerSpec* layer = spec::textLayer(run.model);
    if (layer == nullptr || !spec::hasTexts(run.data.dataset)) {
        return loadDataset(run.data, folders, base, hooks);
    }
    std::vector<fs::path> searched{base};
    searched.insert(searched.end(), folders.begin(), folders.end());
    TextParts parts = readOwnTexts(run.data, searched, hooks.download.log);
    if (run.data.split_seed >= 0) {
        mixSamples(parts.train.samples, static_cast<std::uint64_t>(run.data.split_seed));
    }
    std::vector<std::string> texts = takeTexts(parts.train);
    Dataset dataset;
    dataset.name = run.data.dataset;
    if (!spec::hasVocabulary(*layer)) {
        const Extent trained = splitTraining(run.data, parts.train.samples.count).train;
        dataset.adapted = adaptedToTexts(*layer, std::span(std::as_const(texts)).subspan(trained.begin, trained.end - trained.begin));
    }
    const auto encoder = std::make_shared<const TextEncoder>(dataset.adapted ? *dataset.adapted : *layer);
    setEncoded(parts.train.samples, std::move(texts), encoder);
    dataset.train = finish(std::move(parts.train.samples), run.data);
    if (parts.test) {
        std::vector<std::string> tested = takeTexts(*parts.test);
        setEncoded(parts.test->samples, std::move(tested), encoder);
        dataset.test = finish(std::move(parts.test->samples), run.data);
    }
    return dataset;
}

std::string takeAdapted(spec::RunSpec& run, const Dataset& dataset) {
    if (!dataset.adapted) {
        return {};
    }
    run.model.layers.front() = *dataset.adapted;
    const std::size_t words = spec::textTable(*dataset.adapted).tokens.size();
    return dataset.adapted->name + ": a vocabulary of " + spec::counted(words, "text") + " from the training samples";
}

}  // namespace engine::data
