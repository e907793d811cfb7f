#include "app/cli/verbs/export/export_keras.h"

#include <ostream>

#include "app/cli/engine_call.h"
#include "app/cli/model_source.h"

namespace app::cli {
namespace {

struct ExportKerasOptions {
    std::string target;
    std::string checkpoint;
    std::string out;
    std::vector<std::string> settings;
};

void exportKeras(Context& context, const ExportKerasOptions& options) {
    const auto model = findModel(context, options.target, options.checkpoint, options.settings);
    if (!model) {
        return;
    }
    const auto written =
        askEngine(context, modelOf(model->project),
                  engine::spec::ExportQuestion{.checkpoint = model->checkpoint, .out = std::filesystem::absolute(options.out)});
    if (written) {
        context.out << options.out << ": " << written->bytes << " bytes\n";
    }
}

struct OnnxOptions {
    std::string target;
    std::string checkpoint;
    std::string out;
    std::int64_t batch = 0;
    std::vector<std::string> settings;
};

void exportOnnx(Context& context, const OnnxOptions& options) {
    if (!options.out.ends_with(".onnx")) {
        context.err << "error: --out: expected a name that ends in .onnx, got " << options.out << '\n';
        context.exit_code = kUsage;
        return;
    }
    const auto model = findModel(context, options.target, options.checkpoint, options.settings);
    if (!model) return;
    const auto written = askEngine(
        context, modelOf(model->project),
        engine::spec::ExportQuestion{
            .checkpoint = model->checkpoint, .out = std::filesystem::absolute(options.out), .onnx = true, .batch = options.batch});
    if (written) context.out << options.out << ": " << written->bytes << " bytes\n";
}

}  // namespace

void addExportKeras(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("keras", "A checkpoint as a file that Keras opens");
    auto options = std::make_shared<ExportKerasOptions>();
    verb->add_option("MODEL", options->target, kModelHelp)->required();
    verb->add_option("--checkpoint", options->checkpoint, kCheckpointHelp);
    verb->add_option(
            "--out", options->out,
            "the file to write: .keras (whole model), .weights.h5, .h5 (whole model, Keras 2's form) or .npz (weights as NumPy's arrays)")
        ->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer(
        "Exit codes: 0 written, 1 the checkpoint can't be used or the file can't be written, 2 no checkpoint named, 3 "
        "the agent can't be reached.");
    verb->callback([&context, options] { exportKeras(context, *options); });
}

void addExportOnnx(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("onnx", "A checkpoint as an ONNX file, which onnxruntime and others predict with");
    auto options = std::make_shared<OnnxOptions>();
    verb->add_option("MODEL", options->target, kModelHelp)->required();
    verb->add_option("--checkpoint", options->checkpoint, kCheckpointHelp);
    verb->add_option("--out", options->out, "the file to write: .onnx")->required();
    verb->add_option("--batch", options->batch, "the number of samples that the file takes at once; any without it")
        ->check(CLI::Range(1, 1'000'000));
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer(
        "The file takes float32 samples as the model does, after data.scale, channels last. Exit codes: 0 written, 1 the checkpoint can't "
        "be used or the file can't be written, 2 no checkpoint named, 3 the agent can't be reached.");
    verb->callback([&context, options] { exportOnnx(context, *options); });
}

}  // namespace app::cli
