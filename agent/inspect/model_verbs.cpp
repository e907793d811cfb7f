#include "agent/inspect/model_verbs.h"

#include <array>
#include <charconv>
#include <functional>
#include <ostream>

#include "agent/worker/classification_text.h"
#include "agent/worker/project_loader.h"
#include "engine/data/dataset_catalog.h"
#include "engine/data/readers/idx_reader.h"
#include "engine/data/readers/npy_reader.h"
#include "engine/export/atomic_file.h"
#include "engine/export/keras_file.h"
#include "engine/export/npy_file.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"
#include "engine/train/activation_probe.h"
#include "engine/train/classification.h"
#include "engine/train/predictor.h"

namespace agent::worker {

namespace spec = engine::spec;
namespace data = engine::data;
namespace exporter = engine::exporter;
using engine::Error;
using engine::ErrorCode;

namespace {

// The last word of a verb: its exit code, or the reason why there is none.
int guarded(const TaskSurroundings& surroundings, const std::function<int()>& verb) {
    try {
        return verb();
    } catch (const std::exception& error) {
        surroundings.errors << "error: " << error.what() << '\n';
        return kExitFailed;
    }
}

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

// By its name .npy, or .npz (its array x); else IDX.
data::Array arrayOf(const std::string& file) {
    const std::filesystem::path path = file;
    if (isNumpyName(path)) {
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

// `which` as of PredictQuestion; `base`: where the project's relative files lie.
std::shared_ptr<const data::Samples> samplesOf(const std::string& which, const spec::RunSpec& run,
                                               const std::vector<std::filesystem::path>& dataset_folders,
                                               const std::filesystem::path& base) {
    if (which == "test" || which == "train") {
        const data::Dataset set = data::loadDataset(run.data, dataset_folders, base);
        const auto& samples = which == "test" ? set.test : set.train;
        if (samples == nullptr) {
            throw Error(ErrorCode::kFailedPrecondition,
                        "--data: the set \"" + set.name + "\" has no test samples, expected train or a file");
        }
        return samples;
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

}  // namespace

int runImport(const ImportOptions& options, const TaskSurroundings& surroundings) {
    return guarded(surroundings, [&] {
        if (std::filesystem::exists(options.out)) {
            throw Error(ErrorCode::kAlreadyExists, options.out.string() + ": expected the name of a new file, got one that exists");
        }
        const spec::KerasConfig config = exporter::readKerasModel(options.model);
        for (const spec::Diagnostic& diagnostic : config.diagnostics) {
            surroundings.errors << options.model.string() << ": " << spec::toString(diagnostic) << '\n';
        }
        if (spec::hasErrors(config.diagnostics)) {
            return kExitFailed;
        }
        spec::RunSpec run;
        run.name = config.model.name;
        run.model = config.model;
        run.compile = config.compile.value_or(spec::CompileSpec{});
        if (exporter::isKerasFileName(options.model)) {
            run.fit.initial_weights = std::filesystem::absolute(options.model).lexically_normal().string();
        }
        exporter::writeFileAtomically(options.out, spec::toProjectJson(run));
        surroundings.out << options.out.string() << ": " << spec::counted(run.model.layers.size(), "layer") << ", "
                         << (config.compile ? "compiled" : "not compiled: Tandem's default settings") << '\n';
        return kExitDone;
    });
}

int runExport(const ExportOptions& options, const TaskSurroundings& surroundings) {
    const auto project = loadProject(options.project, options.settings, "", surroundings.errors, ClusterUse::kIgnore);
    if (!project) {
        return kExitUsage;
    }
    return guarded(surroundings, [&] {
        const std::int64_t bytes =
            exporter::convertToKeras(options.checkpoint, project->run.model, project->run.compile, std::filesystem::absolute(options.out));
        surroundings.out << options.out.string() << ": " << bytes << " bytes\n";
        return kExitDone;
    });
}

spec::Prediction predict(const spec::EngineQuestion& question, const spec::PredictQuestion& asked, const EngineSurroundings& surroundings) {
    const std::filesystem::path out = asked.out;
    if (!isNumpyName(out) && out.extension() != ".csv") {
        throw Error(ErrorCode::kInvalidArgument, asked.out + ": expected a name that ends in .npy or .csv");
    }
    const spec::RunSpec run = modelAlone(question);
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

int runInspect(const InspectOptions& options, const TaskSurroundings& surroundings) {
    const auto project = loadProject(options.project, options.settings, "", surroundings.errors, ClusterUse::kIgnore);
    if (!project) {
        return kExitUsage;
    }
    return guarded(surroundings, [&] {
        const spec::RunSpec& run = project->run;
        engine::train::ActivationProbe probe(run, options.make_executor, options.threads > 0 ? options.threads : 1);
        probe.loadWeights(options.checkpoint);
        const auto samples =
            samplesOf(options.data, run, options.dataset_folders, std::filesystem::absolute(options.project).parent_path());
        Inspection inspection;
        inspection.activations = probe.look(samples, options.sample);
        inspection.scores = inspection.activations.back().values;
        engine::train::toProbabilities(run.compile, inspection.scores, inspection.scores.size());
        inspection.class_names = samples->class_names;
        inspection.sample_shape = samples->sample_shape;
        inspection.pixels = engine::train::pixelsOf(*samples, options.sample);
        surroundings.out << (options.json ? inspectionJson(inspection) : inspectionText(inspection));
        return kExitDone;
    });
}

}  // namespace agent::worker
