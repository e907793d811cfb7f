#include "engine/train/estimator/evaluation.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <utility>

#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"

namespace engine::train::estimator {
namespace {

constexpr const char* kLogs = "logs";
constexpr const char* kExport = "export";

std::string timeText(const char* format) {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), format, &utc);
    return text.data();
}

// Regressors and classifiers of TensorFlow report the mean over the samples under a name of its own.
void nameAsTensorFlow(const spec::RunSpec& run, Logs& logs) {
    if (const double* loss = findLog(logs, "loss"); loss != nullptr && run.estimator && run.estimator->name != "Estimator") {
        setLog(logs, "average_loss", *loss);
    }
}

}  // namespace

std::string resultText(const Logs& logs) {
    Logs sorted = logs;
    std::sort(sorted.begin(), sorted.end());
    std::string text;
    for (const auto& [name, value] : sorted) {
        const bool counts = name == "global_step";
        text += (text.empty() ? "" : ", ") + name + " = " +
                (counts ? std::to_string(static_cast<std::int64_t>(value)) : float32Repr(static_cast<float>(value)));
    }
    return text;
}

Logs Evaluations::run(TrainingContext& context, std::int64_t step, const std::string& checkpoint) {
    const auto tell = [&](const std::string& text) { context.log(spec::LogLevel::kInfo, text); };
    tell("Starting evaluation at " + timeText("%Y-%m-%dT%H:%M:%SZ"));
    if (!checkpoint.empty()) {
        tell("Restoring parameters from " + checkpoint);
    }
    Logs logs = context.evaluate();
    if (logs.empty()) {
        context.log(spec::LogLevel::kWarning, "evaluation: expected test samples or data.validation_split, the data have none");
        return {};
    }
    nameAsTensorFlow(context.run(), logs);
    setLog(logs, "global_step", static_cast<double>(step));
    tell("Finished evaluation at " + timeText("%Y-%m-%d-%H:%M:%S"));
    tell("Saving dict for global step " + std::to_string(step) + ": " + resultText(logs));
    write(context, step, logs);
    exportModels(context, step, logs);
    return logs;
}

void Evaluations::write(TrainingContext& context, std::int64_t step, const Logs& logs) {
    try {
        if (!file_) {
            const std::string folder = eval_.name.empty() ? "eval" : "eval_" + eval_.name;
            file_.emplace(files::Place(context.runFolder(), std::filesystem::path(kLogs) / folder), step);
        }
        for (const auto& [name, value] : logs) {
            if (name != "global_step") file_->addScalar(name, step, static_cast<float>(value));
        }
        file_->flush();
    } catch (const Error& error) {
        context.log(spec::LogLevel::kError, std::string("the evaluation is missing in TensorBoard: ") + error.what());
    }
}

// LatestExporter after each evaluation, BestExporter after one with a smaller loss than all before.
void Evaluations::exportModels(TrainingContext& context, std::int64_t step, const Logs& logs) {
    const double* loss = findLog(logs, "loss");
    const bool is_best = loss != nullptr && (!best_loss_ || *loss < *best_loss_);
    if (is_best) best_loss_ = *loss;
    for (const spec::ObjectSpec& exporter : eval_.exporters) {
        if (exporter.class_name == "FinalExporter" || (exporter.class_name == "BestExporter" && !is_best)) continue;
        exportModel(context, exporter, step);
    }
}

void Evaluations::exportModel(TrainingContext& context, const spec::ObjectSpec& exporter, std::int64_t step) {
    const spec::Settings settings = spec::settingsOf(spec::exporterSchemas(), exporter);
    const std::string name = settings.getString("name");
    const std::filesystem::path file = std::filesystem::path(kExport) / name / (std::to_string(step) + ".keras");
    context.saveCheckpoint(context.runDir() / file, 0, exporter.class_name == "BestExporter");
    std::vector<std::filesystem::path>& written = exported_[name];
    written.push_back(file);
    std::int64_t most = written.size();
    settings.read("exports_to_keep", most);
    while (written.size() > static_cast<std::size_t>(most)) {
        context.runFolder().remove(written.front());
        written.erase(written.begin());
    }
}

void Evaluations::finish(TrainingContext& context, std::int64_t step) {
    for (const spec::ObjectSpec& exporter : eval_.exporters) {
        if (exporter.class_name == "FinalExporter") exportModel(context, exporter, step);
    }
    file_.reset();
}

}  // namespace engine::train::estimator
