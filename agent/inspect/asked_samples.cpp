#include "agent/inspect/asked_samples.h"

#include <optional>
#include <utility>

#include "engine/data/dataset_catalog.h"
#include "engine/data/readers/idx_reader.h"
#include "engine/data/readers/npy_reader.h"
#include "engine/data/texts/text_samples.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"

namespace agent::worker {

namespace spec = engine::spec;
namespace data = engine::data;
using engine::Error;
using engine::ErrorCode;

namespace {

// Reads a file by the end of its name: .npy, .npz (its array x), else IDX.
data::Array arrayOf(const std::string& file) {
    const std::filesystem::path path = file;
    if (path.extension() == ".npy") {
        return data::readNpy(path);
    }
    if (path.extension() == ".npz") {
        std::optional<data::Array> array = data::readNpz(path, "x");
        if (!array) {
            throw Error(ErrorCode::kInvalidArgument, file + ": expected an array x, got none");
        }
        return std::move(*array);
    }
    data::IdxArray array = data::readIdx(path);
    return {file, std::move(array.shape), array.dtype, std::move(array.values)};
}

}  // namespace

std::shared_ptr<const data::Samples> samplesOf(const std::string& which, const spec::RunSpec& run,
                                               const std::vector<std::filesystem::path>& dataset_folders,
                                               const std::filesystem::path& base) {
    if (which == "test" || which == "train") {
        const data::Dataset set = data::loadRunDataset(run, dataset_folders, base);
        const auto& samples = which == "test" ? set.test : set.train;
        if (samples == nullptr) {
            throw Error(ErrorCode::kFailedPrecondition,
                        "--data: the set \"" + set.name + "\" has no test samples, expected train or a file");
        }
        return samples;
    }
    if (const spec::LayerSpec* layer = spec::textLayer(run.model)) {
        if (spec::hasVocabulary(*layer)) return data::readEncodedTexts(which, *layer);
        return data::readEncodedTexts(which, data::loadRunDataset(run, dataset_folders, base).adapted.value_or(*layer));
    }
    data::Array array = arrayOf(which);
    if (array.shape.empty()) {
        throw Error(ErrorCode::kInvalidArgument, which + ": expected samples along a first axis, got a single value");
    }
    auto samples = std::make_shared<data::Samples>();
    samples->source = which;
    samples->count = array.shape.front();
    samples->sample_shape.assign(array.shape.begin() + 1, array.shape.end());
    samples->sample_dtype = array.dtype;
    samples->samples = std::move(array.values);
    return samples;
}

}  // namespace agent::worker
