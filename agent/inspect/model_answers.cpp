#include "agent/inspect/model_answers.h"

#include <array>
#include <charconv>
#include <span>
#include <utility>

#include "agent/inspect/asked_samples.h"
#include "agent/worker/project_loader.h"
#include "engine/data/dataset_catalog.h"
#include "engine/export/atomic_file.h"
#include "engine/export/keras_file.h"
#include "engine/export/numpy/npy_file.h"
#include "engine/export/onnx/onnx_conversion.h"
#include "engine/export/onnx/onnx_file.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/fitting_compile.h"
#include "engine/train/predictor.h"

namespace agent::worker {

namespace spec = engine::spec;
namespace data = engine::data;
namespace exporter = engine::exporter;
using engine::Error;
using engine::ErrorCode;

namespace {

bool isNumpyName(const std::filesystem::path& file) {
    return file.extension() == ".npy";
}

// Rows of numbers, the shortest decimals that read back as the same floats.
std::string csvText(std::span<const float> values, std::size_t columns) {
    std::string text;
    std::array<char, 32> number{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        text.append(number.data(), std::to_chars(number.data(), number.data() + number.size(), values[i]).ptr);
        text += (i + 1) % columns == 0 ? '\n' : ',';
    }
    return text;
}

}  // namespace

spec::ImportedModel importModel(const spec::ImportQuestion& asked) {
    spec::KerasConfig config;
    if (exporter::isOnnxFileName(asked.file)) {
        config.model = exporter::readOnnxModel(asked.file);
    } else {
        config = exporter::readKerasModel(asked.file);
    }
    spec::ImportedModel answer{.run = {}, .is_compiled = config.compile.has_value(), .findings = std::move(config.diagnostics)};
    if (spec::hasErrors(answer.findings)) {
        return answer;
    }
    answer.run.name = config.model.name;
    answer.run.model = std::move(config.model);
    if (config.compile) {
        answer.run.compile = *std::move(config.compile);
    } else {
        answer.run.compile = spec::fittingCompile(answer.run.model);
        answer.findings.push_back(
            {spec::Severity::kInfo, "",
             "expected compile settings in the file, got none: " + spec::compileText(answer.run.compile) + " go with the model's output",
             ""});
    }
    if (exporter::isKerasFileName(asked.file) || exporter::isOnnxFileName(asked.file)) {
        answer.run.fit.initial_weights = std::filesystem::path(asked.file).lexically_normal().string();
    }
    return answer;
}

spec::WrittenFile exportModel(const spec::EngineQuestion& question, const spec::ExportQuestion& asked,
                              const EngineSurroundings& surroundings) {
    spec::RunSpec run = modelAlone(question);
    if (asked.onnx) {
        const auto batch = asked.batch > 0 ? std::optional(asked.batch) : std::nullopt;
        return {exporter::convertToOnnx(asked.checkpoint, run.model, batch, asked.out)};
    }
    exporter::takeVocabulary(asked.checkpoint, run.model);
    const spec::LayerSpec* texts = exporter::hasModelByName(asked.out) ? spec::textLayer(run.model) : nullptr;
    if (texts != nullptr && spec::isAdapted(*texts)) {
        if (run.data.dataset != "text") throw Error(ErrorCode::kInvalidArgument, texts->name + ": expected a vocabulary, got none");
        data::takeAdapted(run, data::loadRunDataset(run, surroundings.dataset_folders, question.base_dir));
    }
    return {exporter::convertToKeras(asked.checkpoint, run.model, run.compile, asked.out)};
}

spec::Prediction predict(const spec::EngineQuestion& question, const spec::PredictQuestion& asked, const EngineSurroundings& surroundings) {
    const std::filesystem::path out = asked.out;
    if (!isNumpyName(out) && out.extension() != ".csv") {
        throw Error(ErrorCode::kInvalidArgument, asked.out + ": expected a name that ends in .npy or .csv");
    }
    spec::RunSpec run = modelAlone(question);
    exporter::takeVocabulary(asked.checkpoint, run.model);
    engine::train::Predictor predictor(run, surroundings.make_executor, asked.threads > 0 ? asked.threads : threadsPerTask(run, ""));
    predictor.loadWeights(asked.checkpoint);
    const auto samples = samplesOf(asked.data, run, surroundings.dataset_folders, question.base_dir);
    const std::vector<float> outputs = predictor.predict(samples);
    spec::Shape shape = predictor.outputShape();
    const auto columns = static_cast<std::size_t>(data::elementsOf(shape));
    shape.insert(shape.begin(), samples->count);
    exporter::writeFileAtomically(out, isNumpyName(out) ? exporter::npyBytes(shape, outputs) : csvText(outputs, columns));
    return {shape};
}

}  // namespace agent::worker
