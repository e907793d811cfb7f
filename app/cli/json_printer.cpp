#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "app/cli/event_printer.h"
#include "engine/run/layer_anomalies.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;
using Json = nlohmann::ordered_json;

// JSON has no NaN: null stands for it. Values that were float32 print as the shortest decimal that reads back as that float.
Json number(float value) {
    char text[32];
    const auto written = std::to_chars(text, text + sizeof text, value);
    double shortest = 0;
    std::from_chars(text, written.ptr, shortest);
    return std::isfinite(value) ? Json(shortest) : Json(nullptr);
}
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

const char* levelName(spec::LogLevel level) {
    switch (level) {
        case spec::LogLevel::kDebug:
            return "debug";
        case spec::LogLevel::kInfo:
            return "info";
        case spec::LogLevel::kWarning:
            return "warning";
        case spec::LogLevel::kError:
            return "error";
    }
    return "info";
}

class JsonPrinter : public EventPrinter {
public:
    JsonPrinter(std::ostream& out, const PrinterOptions& options) : out_(out), options_(options) {}

    void useHosts(const std::map<spec::TaskId, std::string>& hosts) override { options_.hosts = hosts; }

    void print(const spec::TaskEvent& event) override {
        teller_ = event.task;
        if (const auto* log = std::get_if<spec::LogLine>(&event.body)) {
            line({{"event", "log"}, {"task", toString(event.task)}, {"level", levelName(log->level)}, {"text", log->text}});
        } else if (const auto* failed = std::get_if<spec::TaskFailed>(&event.body)) {
            line(
                {{"event", "task_failed"}, {"task", toString(event.task)}, {"reason", failed->reason}, {"last_lines", failed->last_lines}});
        } else if (const auto* attempt = std::get_if<spec::AttemptStarted>(&event.body)) {
            if (!beginsAgain(*attempt)) {
                return;
            }
            line({{"event", "attempt"},
                  {"attempt", attempt->attempt},
                  {"attempts", attempt->attempts},
                  {"task", toString(event.task)},
                  {"reason", attempt->reason},
                  {"from_backup", attempt->from_backup},
                  {"by_hand", attempt->by_hand}});
        } else if (const auto* load = std::get_if<spec::ServerLoad>(&event.body)) {
            line({{"event", "server_load"},
                  {"task", toString(event.task)},
                  {"seconds", number(load->seconds)},
                  {"updates", load->updates},
                  {"steps", load->steps},
                  {"pulled_bytes", load->pulled_bytes},
                  {"pushed_bytes", load->pushed_bytes},
                  {"staleness", load->staleness}});
        } else if (const auto* layers = std::get_if<spec::LayerReport>(&event.body)) {
            printLayers(*layers);
        } else if (event.task == options_.chief ||
                   (event.task.type == spec::kEvaluator && std::holds_alternative<spec::EpochEnd>(event.body))) {
            printChief(event);
        }
    }

    void finish(const engine::run::RunInfo& run, const Outcome& outcome, std::int64_t process_start_unix_ns) override {
        Json last{{"event", "finished"}, {"run_dir", run.run_dir}};
        last["checkpoint"] =
            outcome.checkpoint.empty() ? Json(nullptr) : Json((std::filesystem::path(run.run_dir) / outcome.checkpoint).string());
        for (const char* name : {"test_accuracy", "test_loss", "images_per_s"}) {
            last[name] = result(outcome, name);
        }
        for (const char* name : {"global_step", "mean_staleness", "largest_staleness", "planned_bytes_per_step"}) {  // of parameter servers
            if (Json value = result(outcome, name); !value.is_null()) {
                last[name] = std::move(value);
            }
        }
        const bool counts = process_start_unix_ns > 0 && outcome.first_step_unix_ns > 0;
        last["first_step_s"] =
            counts ? Json(static_cast<double>(outcome.first_step_unix_ns - process_start_unix_ns) * 1e-9) : Json(nullptr);
        last["weights_sha256"] = outcome.weights_sha256.empty() ? Json(nullptr) : Json(outcome.weights_sha256);
        std::string state(toString(run.state));
        std::transform(state.begin(), state.end(), state.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        last["state"] = state;
        last["run"] = run.id;
        if (!run.detail.empty()) {
            last["detail"] = run.detail;
        }
        if (outcome.failed_task) {
            last["failed_task"] = toString(*outcome.failed_task);
            last["reason"] = outcome.failure.reason;
        }
        write(last);
    }

private:
    static Json result(const Outcome& outcome, std::string_view name) {
        const auto found =
            std::find_if(outcome.results.begin(), outcome.results.end(), [&](const auto& entry) { return entry.first == name; });
        return found == outcome.results.end() ? Json(nullptr) : number(found->second);
    }

    void printChief(const spec::TaskEvent& event) {
        if (const auto* started = std::get_if<spec::RunStarted>(&event.body)) {
            if (started->resumed_step > 0) {
                line({{"event", "resumed"}, {"step", started->resumed_step}});
            }
        } else if (const auto* points = std::get_if<spec::StepPoints>(&event.body)) {
            printSteps(*points);
        } else if (const auto* epoch = std::get_if<spec::EpochEnd>(&event.body)) {
            Json value{{"event", isEvaluation(*epoch) ? "evaluation" : "epoch"},
                       {"epoch", epoch->epoch + 1},
                       {"step", epoch->step},
                       {"seconds", number(epoch->seconds)}};
            for (const auto& [name, logged] : epoch->logs) {
                value[name] = number(logged);
            }
            line(value);
        } else if (const auto* saved = std::get_if<spec::CheckpointSaved>(&event.body)) {
            line({{"event", "checkpoint"},
                  {"prefix", saved->prefix},
                  {"epoch", saved->epoch + 1},
                  {"step", saved->step},
                  {"bytes", saved->bytes}});
        } else if (const auto* report = std::get_if<spec::WeightReport>(&event.body)) {
            printWeights(*report);
        }
    }

    static Json distributionsJson(const std::vector<spec::Distribution>& distributions) {
        Json list = Json::array();
        for (const spec::Distribution& distribution : distributions) {
            list.push_back({{"name", distribution.name},
                            {"min", number(distribution.minimum)},
                            {"max", number(distribution.maximum)},
                            {"mean", number(distribution.mean)},
                            {"std", number(distribution.deviation)},
                            {"norm", number(distribution.norm)},
                            {"not_finite", distribution.not_finite},
                            {"counts", distribution.counts}});
        }
        return list;
    }

    void printWeights(const spec::WeightReport& report) {
        Json value{{"event", "weights"},
                   {"epoch", report.epoch + 1},
                   {"step", report.step},
                   {"weights_norm", number(report.weights_norm)},
                   {"gradients_norm", report.gradients.empty() ? Json(nullptr) : number(report.gradients_norm)},
                   {"weights", distributionsJson(report.weights)},
                   {"gradients", distributionsJson(report.gradients)},
                   {"filters", nullptr}};
        if (const spec::FilterPictures& filters = report.filters; !filters.name.empty()) {
            Json values = Json::array();
            for (const float one : filters.values) {
                values.push_back(number(one));
            }
            value["filters"] = {{"name", filters.name},
                                {"shape", {filters.count, filters.height, filters.width, filters.channels}},
                                {"values", std::move(values)}};
        }
        line(value);
    }

    void printLayers(const spec::LayerReport& report) {
        Json layers = Json::array();
        for (const spec::LayerMeasure& layer : report.layers) {
            layers.push_back({{"layer", layer.layer},
                              {"gradient_norm", number(layer.gradient_norm)},
                              {"weights_norm", number(layer.weights_norm)},
                              {"update_norm", number(layer.update_norm)},
                              {"gradient_not_finite", layer.gradient_not_finite},
                              {"weights_not_finite", layer.weights_not_finite},
                              {"units", layer.units},
                              {"dead_units", layer.dead_units}});
        }
        line({{"event", "layers"},
              {"epoch", report.epoch + 1},
              {"step", report.step},
              {"samples", report.samples},
              {"layers", std::move(layers)}});
        for (const engine::run::LayerAnomaly& anomaly : anomalies_.add(report)) {
            line({{"event", "anomaly"},
                  {"kind", std::string(toString(anomaly.kind))},
                  {"layer", anomaly.layer},
                  {"step", anomaly.step},
                  {"text", engine::run::anomalyText(anomaly)}});
        }
    }

    void printSteps(const spec::StepPoints& points) {
        const std::int64_t every = std::max<std::int64_t>(1, options_.log_every);
        for (std::size_t k = 0; k < points.step.size(); ++k) {
            const std::int64_t step = points.step[k];
            // Steps that lie between may be those of other tasks. What was told before comes again after a restart.
            const std::int64_t before = told_step_ && *told_step_ < step ? *told_step_ : step - 1;
            told_step_ = step;
            if (before / every == step / every) {
                continue;
            }
            Json value{{"event", "step"}, {"step", step}, {"epoch", points.epoch[k] + 1}};
            for (const spec::Column& column : points.columns) {
                value[column.name] = number(column.values.at(k));
            }
            line(value);
        }
    }

    // Writes one line about the event at hand; a task on another computer is named, with its host.
    void line(Json value) {
        if (const auto host = options_.hosts.find(teller_); host != options_.hosts.end()) {
            value["task"] = toString(teller_);
            value["host"] = host->second;
        }
        write(value);
    }
    void write(const Json& value) { out_ << value.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush; }

    std::ostream& out_;
    PrinterOptions options_;
    spec::TaskId teller_;
    engine::run::AnomalyTeller anomalies_;
    std::optional<std::int64_t> told_step_;  // the last one that came, printed or not
};

}  // namespace

std::unique_ptr<EventPrinter> makeJsonPrinter(std::ostream& out, const PrinterOptions& options) {
    return std::make_unique<JsonPrinter>(out, options);
}

}  // namespace app::cli
