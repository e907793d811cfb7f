// The options that `tandem-cli train` and `tandem-worker` share, with their words.
#pragma once

#include <CLI/App.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/project/device_name.h"
#include "engine/spec/project/run_spec.h"

namespace app {

struct TrainOptions {
    std::string project;
    std::vector<std::string> settings;  // PATH=VALUE
    std::optional<std::string> out;
    std::string initial_weights, save_weights, device;
    std::optional<engine::spec::TransportChoice> transport;
    int threads = 0;
    bool overwrite = false;
};

// What happens where an option is not given, in each program's words.
struct TrainDefaults {
    std::string out, overwrite, threads;
    std::string target = "PROJECT", target_help = "a project file (*.tandem), or the name of a starter project";
    bool names_weights = true;  // there is an option for the weights to begin with
};

// Returns the option of the target.
inline CLI::Option* addTrainOptions(CLI::App& app, TrainOptions& options, const TrainDefaults& defaults) {
    using engine::spec::TransportChoice;
    CLI::Option* target = app.add_option(defaults.target, options.project, defaults.target_help);
    app.add_option("--set", options.settings, "PATH=VALUE: change a value of the project, VALUE in JSON (fit.epochs=3); may be given again")
        ->take_all();
    app.add_option("--out", options.out, "the run's folder (default: " + defaults.out + ")");
    app.add_flag("--overwrite", options.overwrite,
                 "begin anew in a folder that holds a run: its checkpoints and its backup go (default: " + defaults.overwrite + ")");
    if (defaults.names_weights) {
        app.add_option("--initial-weights", options.initial_weights,
                       "weights to begin with: .weights.h5, .keras, .h5, or a checkpoint's prefix or folder");
    }
    app.add_option("--save-weights", options.save_weights, "what to write after training: .weights.h5, .keras or .h5");
    static const std::map<std::string, TransportChoice> kTransports{
        {"auto", TransportChoice::kAuto}, {"grpc", TransportChoice::kGrpc}, {"shm", TransportChoice::kShm}};
    app.add_option_function<std::string>(
           "--transport", [&options](const std::string& name) { options.transport = kTransports.at(name); },
           "how workers exchange gradients: auto (shared memory on one host), grpc or shm")
        ->check(CLI::IsMember(kTransports));
    app.add_option("--device", options.device,
                   "what each worker trains on: cpu, gpu, or a device as TensorFlow names it (GPU:1); default: the project's devices, else "
                   "all GPUs that there are");
    app.add_option("--threads", options.threads, "threads per worker (default: " + defaults.threads + ")")->check(CLI::Range(1, 1024));
    return target;
}

// The settings with those that have an option of their own; `weights`: initial_weights as the program resolves them.
inline std::vector<std::string> allSettings(const TrainOptions& options, const std::string& weights) {
    std::vector<std::string> settings = options.settings;
    if (!weights.empty()) {
        settings.push_back("fit.initial_weights=" + weights);
    }
    if (!options.device.empty()) {
        settings.push_back(engine::spec::deviceSetting(options.device));
    }
    return settings;
}

}  // namespace app
