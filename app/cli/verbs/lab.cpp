#include "agent/client/lab_run.h"

#include <cmath>
#include <cstdio>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "agent/client/project_files.h"
#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/lab/lab_result.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"

namespace app::cli {
namespace {

namespace lab = engine::lab;
namespace spec = engine::spec;
using Json = nlohmann::ordered_json;
using lab::LabResult;

struct LabOptions {
    std::string project, device;
    std::vector<std::string> settings, strategies;
    std::int64_t steps = 100;
    double tolerance = -1;  // below 0: the project's
    bool json = false;
};

Json labNumber(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

// Returns how far apart all weights together lie, as a part of what they are.
double relativeOf(const spec::WeightDifference& difference) {
    return difference.norm > 0 ? difference.distance / difference.norm : difference.distance;
}

template <class Value>
Json orNull(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// Returns one sentence: why a row did not run, or may differ, or where it does.
std::string reasonOf(const LabResult& result) {
    if (!result.error.empty()) {
        return result.error;
    }
    if (result.verdict == lab::Verdict::kDiffers && result.difference) {
        return result.difference->not_finite > 0 ? std::to_string(result.difference->not_finite) + " weights are no finite numbers"
                                                 : "most in " + result.difference->variable;
    }
    if (result.grown_from) {
        return "the same until step " + std::to_string(*result.grown_from) + ", from where on rounding grew";
    }
    return toString(result.cause);
}

// strategy, name, verdict, reason, synchronous, largest_difference, relative_difference, steps_per_s, bytes_per_step, mean_staleness,
// largest_staleness, global_batch_size, tolerance, run, steps, losses.
void printLabJson(const LabResult& result, const lab::LabSettings& settings, std::int64_t batch, std::ostream& out) {
    const std::string reason = reasonOf(result);
    Json row{{"strategy", labelOf(result.row)},
             {"name", result.row.name},
             {"verdict", toString(result.verdict)},
             {"reason", reason.empty() ? Json(nullptr) : Json(reason)},
             {"synchronous", isSynchronous(result.row)},
             {"largest_difference", result.difference ? labNumber(result.difference->largest) : Json(nullptr)},
             {"relative_difference", result.difference ? labNumber(relativeOf(*result.difference)) : Json(nullptr)},
             {"steps_per_s", orNull(result.steps_per_s)},
             {"bytes_per_step", orNull(result.bytes_per_step)},
             {"mean_staleness", orNull(result.mean_staleness)},
             {"largest_staleness", orNull(result.largest_staleness)},
             {"global_batch_size", batch},
             {"tolerance", settings.tolerance},
             {"run", result.run_id.empty() ? Json(nullptr) : Json(result.run_id)},
             {"steps", result.curve.step},
             {"losses", Json::array()}};
    for (const double loss : result.curve.loss) {
        row["losses"].push_back(labNumber(loss));
    }
    out << row.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

std::string labShortNumber(double value, const char* format) {
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

// A line a row, as wide as its widest words.
class LabTable {
public:
    LabTable(const lab::LabSettings& settings, std::ostream& out) : out_(out) {
        for (const lab::LabRow& row : settings.rows) {
            label_width_ = std::max(label_width_, labelOf(row).size());
        }
        line("strategy", "verdict", "difference", "steps/s", "bytes/step", "loss", "");
    }

    void print(const LabResult& result) {
        std::string verdict(toString(result.verdict));
        if (result.verdict == lab::Verdict::kDiffers) {
            verdict = "DIFFERS";
        }
        std::string note = reasonOf(result);
        if (result.mean_staleness && !isSynchronous(result.row)) {
            note = "staleness " + labShortNumber(*result.mean_staleness, "%.2f") + " on average, at most " +
                   labShortNumber(result.largest_staleness.value_or(0), "%.0f");
        }
        line(labelOf(result.row), verdict, result.difference ? labShortNumber(result.difference->largest, "%.2g") : "-",
             result.steps_per_s ? labShortNumber(*result.steps_per_s, "%.1f") : "-",
             result.bytes_per_step ? std::to_string(*result.bytes_per_step) : "-",
             result.curve.loss.empty() ? "-" : labShortNumber(result.curve.loss.back(), "%.4f"), note);
    }

private:
    void line(const std::string& label, const std::string& verdict, const std::string& difference, const std::string& speed,
              const std::string& bytes, const std::string& loss, const std::string& note) {
        constexpr int kVerdict = 21, kNumber = 12;
        std::ostringstream text;
        text << std::left << std::setw(static_cast<int>(label_width_)) << label << "  " << std::setw(kVerdict) << verdict << std::right
             << std::setw(kNumber) << difference << std::setw(kNumber) << speed << std::setw(kNumber) << bytes << std::setw(kNumber) << loss
             << (note.empty() ? "" : "  ") << note;
        out_ << text.str() << '\n' << std::flush;
    }

    std::ostream& out_;
    std::size_t label_width_ = 0;
};

int labExitCode(lab::LabOutcome outcome) {
    switch (outcome) {
        case lab::LabOutcome::kEqual:
            return kDone;
        case lab::LabOutcome::kDiffers:
            return kDiffers;
        case lab::LabOutcome::kFailed:
            break;
    }
    return kFailed;
}

// nullopt after saying what is wrong with an option.
std::optional<lab::LabSettings> settingsOf(Context& context, const LabOptions& options, const spec::RunSpec& project) {
    try {
        return lab::LabSettings{.rows = lab::chosenRows(options.strategies),
                                .steps = options.steps,
                                .tolerance = options.tolerance < 0 ? lab::toleranceOf(project) : options.tolerance,
                                .may_grow = options.tolerance < 0,
                                .on_gpus = options.device.empty() ? spec::usesGpus(project.strategy) : options.device == "gpu"};
    } catch (const engine::Error& error) {
        context.err << "error: --" << error.what() << '\n';
        context.exit_code = kUsage;
        return std::nullopt;
    }
}

std::string labHeadline(const lab::LabSettings& settings, const spec::RunSpec& project) {
    const std::int64_t batch = lab::labBatch(project, settings.rows), own = lab::globalBatchOf(project);
    std::ostringstream text;
    text << "Equivalence lab: " << settings.steps << " steps, global batch " << batch;
    if (batch != own) {
        text << " (the project's is " << own << "; all replicas get equal parts)";
    }
    text << ", on " << (settings.on_gpus ? "GPUs" : "processors") << ", equal within " << settings.tolerance;
    return text.str();
}

std::string lastLine(std::span<const LabResult> results, lab::LabOutcome outcome) {
    const auto count = [&](lab::Verdict verdict) {
        return std::count_if(results.begin(), results.end(), [verdict](const LabResult& result) { return result.verdict == verdict; });
    };
    if (outcome == lab::LabOutcome::kFailed) {
        return "Nothing is shown: a run failed.";
    }
    if (outcome == lab::LabOutcome::kDiffers) {
        const auto wrong = count(lab::Verdict::kDiffers);
        return std::to_string(wrong) + (wrong == 1 ? " strategy differs that should be" : " strategies differ that should be") +
               " equal to Default.";
    }
    return "All that should be equal to Default is: " + std::to_string(count(lab::Verdict::kEqual)) + " of " +
           std::to_string(results.size() - 1) + " strategies.";
}

void runVerb(Context& context, const LabOptions& options) {
    auto project = loadProject(context, options.project, options.settings);
    if (!project) {
        return;
    }
    const auto settings = settingsOf(context, options, *project);
    if (!settings) {
        return;
    }
    agent::client::resolveFiles(*project, std::filesystem::absolute(*findProject(context, options.project)).parent_path());
    const std::int64_t batch = lab::labBatch(*project, settings->rows);
    std::optional<LabTable> table;
    if (!options.json) {
        context.out << labHeadline(*settings, *project) << '\n';
        table.emplace(*settings, context.out);
    }
    const auto client = context.connect();
    const agent::client::LabListener listener{
        .ended = [&](std::size_t,
                     const LabResult& result) { table ? table->print(result) : printLabJson(result, *settings, batch, context.out); },
        .is_cancelled = [&context, before = context.interrupts()] { return context.interrupts() > before; }};
    try {
        const std::vector<LabResult> results =
            agent::client::runLab(*client, {.project = *project, .settings = *settings, .data_dir = agent::client::dataFolder()}, listener);
        const lab::LabOutcome outcome = outcomeOf(results);
        context.exit_code = labExitCode(outcome);
        if (table) {
            context.out << lastLine(results, outcome) << '\n';
        }
    } catch (const engine::Error& error) {
        if (error.code() != engine::ErrorCode::kCancelled) {
            throw;
        }
        context.err << "error: " << error.what() << '\n';
        context.exit_code = kInterrupted;
    }
}

}  // namespace

void addLab(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("lab", "Train a project under every strategy and compare what comes of it");
    auto options = std::make_shared<LabOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--steps", options->steps, "steps of each run (default 100)")->check(CLI::Range(std::int64_t{1}, lab::kMostSteps));
    verb->add_option(
            "--strategies", options->strategies,
            "names with commas between them: Default, OneDevice, Mirrored, CentralStorage, MultiWorkerMirrored, ParameterServer, or "
            "one row of these such as MultiWorkerMirrored:3 (default: all; Default, which the others are compared with, always)")
        ->delimiter(',');
    verb->add_option(
            "--tolerance", options->tolerance,
            "weights a and b are equal when the length of a - b is at most so much of that of b; 0: no difference at all (default: "
            "1e-4, 1e-2 for models that compute in 16 bits, and more where rounding grew step by step)")
        ->check(CLI::Range(0.0, 1e9));
    verb->add_option("--device", options->device,
                     "what each replica trains on: cpu or gpu (default: as the project's devices say, else cpu)")
        ->check(CLI::IsMember({"cpu", "gpu"}));
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag(
        "--json", options->json,
        "one JSON object a strategy: strategy, name, verdict, reason, synchronous, largest_difference, relative_difference, steps_per_s, "
        "bytes_per_step, mean_staleness, largest_staleness, global_batch_size, tolerance, run, steps, losses");
    verb->footer(
        "Verdicts: equal or differs, against Default; differs as expected, where replicas rightly compute something else, with the reason; "
        "asynchronous, of workers that do not wait for each other; could not run, with the reason; failed. Every row is a run of its own "
        "in the list of runs.\n"
        "Exit codes: 0 everything that should be equal is, 1 the project has errors or a run failed, 2 wrong options or no such project, 3 "
        "the agent can't be reached, 4 something differs that should be equal, 130 interrupted.");
    verb->callback([&context, options] { runVerb(context, *options); });
}

}  // namespace app::cli
