#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/base64.h"
#include "app/cli/engine_call.h"
#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/spec/shape.h"
#include "engine/spec/validate/validate.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;
using Json = nlohmann::ordered_json;

struct DataOptions {
    std::string project;
    std::vector<std::string> settings;
    bool fetch = false;
    bool check = false;
    bool json = false;
};

Json toJson(const spec::SampleFacts& sample) {
    if (sample.pixels.empty()) {
        return {{"index", sample.index}, {"text", sample.text}};
    }
    return {{"index", sample.index},
            {"rows", sample.rows},
            {"columns", sample.columns},
            {"channels", sample.channels},
            {"pixels", base64(sample.pixels)}};
}

Json toJson(const spec::DataFacts& facts) {
    Json json{{"dataset", facts.dataset},
              {"train_samples", facts.train_samples},
              {"train_files", facts.train_files},
              {"test_samples", facts.test_samples},
              {"sample_shape", facts.sample_shape},
              {"sample_dtype", facts.sample_dtype},
              {"label_dtype", facts.label_dtype},
              {"smallest", facts.smallest},
              {"largest", facts.largest},
              {"bytes", facts.bytes},
              {"checksum", facts.is_checked},
              {"bad", {{"count", facts.bad}, {"first", facts.first_bad}}},
              {"not_finite", {{"count", facts.not_finite}, {"first", facts.first_not_finite}}},
              {"refusals", facts.refusals},
              {"columns", Json::array()},
              {"has_classes", facts.has_classes},
              {"groups_left_out", facts.groups_left_out},
              {"groups", Json::array()}};
    for (const spec::ColumnFacts& column : facts.columns) {
        json["columns"].push_back(
            {{"name", column.name}, {"type", column.type}, {"label", column.is_label}, {"categories", column.categories}});
    }
    for (const spec::GroupFacts& group : facts.groups) {
        Json samples = Json::array();
        for (const spec::SampleFacts& sample : group.samples) {
            samples.push_back(toJson(sample));
        }
        json["groups"].push_back({{"name", group.name}, {"train", group.train}, {"test", group.test}, {"samples", std::move(samples)}});
    }
    return json;
}

// One JSON object a line:
//   {"progress": {"stage": "fetch" | "read", "name", "done", "total"}}             as often as it changes, at most a few times a second
//   {"log": text}
//   {"data": {dataset, train_samples, train_files (samples of each, of a set that is read file by file), test_samples, sample_shape,
//             sample_dtype, label_dtype, smallest, largest, bytes, checksum, bad: {count, first}, not_finite: {count, first}, refusals:
//             [text], columns: [{name, type, label, categories}], has_classes, groups_left_out, groups: [{name, train, test, samples:
//             [{index, rows, columns, channels, pixels (base64)} | {index, text}]}]}}                                      the end
//   {"error": {code, message, can_fetch}}                                                                                   or this
void printLine(Context& context, const char* kind, Json value) {
    context.out << Json{{kind, std::move(value)}}.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

void printProblem(Context& context, bool as_json, const spec::DataProblem& problem) {
    if (as_json) {
        printLine(context, "error",
                  {{"code", engine::toString(problem.code)}, {"message", problem.message}, {"can_fetch", problem.can_fetch}});
    } else {
        context.err << "error: " << problem.message << '\n';
    }
}

// Sizes, a line a class, the columns of a table, bad samples.
void printText(const spec::DataFacts& facts, std::ostream& out) {
    out << "data set: " << facts.dataset << ", " << facts.train_samples << " training and " << facts.test_samples
        << " test samples of shape " << spec::shapeText(facts.sample_shape) << ", " << facts.sample_dtype << " from " << facts.smallest
        << " to " << facts.largest << ", " << facts.bytes << " bytes" << (facts.is_checked ? ", the checksums fit" : "") << '\n';
    for (const spec::GroupFacts& group : facts.groups) {
        out << (facts.has_classes ? "class " : "labels ") << (group.name.empty() ? "all" : group.name) << ": " << group.train
            << " training, " << group.test << " test\n";
    }
    for (const spec::ColumnFacts& column : facts.columns) {
        out << (column.is_label ? "label " : "column ") << column.name << ": " << column.type;
        if (column.type == "category") {
            out << " of " << column.categories << " texts";
        }
        out << '\n';
    }
    for (const std::string& bad : facts.first_bad) {
        out << "bad: " << bad << '\n';
    }
    if (facts.bad > static_cast<std::int64_t>(facts.first_bad.size())) {
        out << "bad: " << facts.bad << " in all\n";
    }
    if (facts.not_finite > 0) {
        out << "not finite: " << facts.not_finite << " samples or labels; the first: " << facts.first_not_finite << '\n';
    }
}

// Settings of `data` alone are looked at. False after saying what is wrong with them.
bool isUsable(Context& context, const EngineProject& project, bool as_json) {
    spec::Diagnostics all = validate(project.run);
    std::erase_if(all,
                  [](const spec::Diagnostic& one) { return one.severity != spec::Severity::kError || !one.path.starts_with("data."); });
    for (const spec::Diagnostic& one : all) {
        context.err << project.file.string() << ": " << toString(one) << '\n';
    }
    if (!all.empty() && as_json) {
        printProblem(context, as_json, {engine::ErrorCode::kInvalidArgument, all.front().path + ": " + all.front().message, false});
    }
    return all.empty();
}

EngineListener listenerFor(Context& context, bool as_json) {
    if (!as_json) {
        return {};
    }
    return {.note = [&context](const std::string& line) { printLine(context, "log", line); },
            .progress =
                [&context](const spec::EngineProgress& step) {
                    const bool is_fetch = step.stage == spec::EngineProgress::Stage::kFetch;
                    printLine(context, "progress",
                              {{"stage", is_fetch ? "fetch" : "read"}, {"name", step.name}, {"done", step.done}, {"total", step.total}});
                },
            .failed =
                [&context](const engine::Error& error) {
                    printProblem(context, true, {error.code(), error.what(), false});
                }};
}

void data(Context& context, const DataOptions& options) {
    const auto project = readForEngine(context, options.project, options.settings);
    if (!project || !isUsable(context, *project, options.json)) {
        context.exit_code = kUsage;
        return;
    }
    const auto facts = askEngine(context, *project, spec::DataQuestion{.fetch = options.fetch, .check = options.check},
                                 listenerFor(context, options.json));
    if (!facts) {
        return;
    }
    if (facts->problem) {
        printProblem(context, options.json, *facts->problem);
    } else if (options.json) {
        printLine(context, "data", toJson(*facts));
    } else {
        printText(*facts, context.out);
        for (const std::string& refusal : facts->refusals) {
            context.err << "error: " << refusal << '\n';
        }
    }
    context.exit_code = facts->problem || !facts->refusals.empty() ? kFailed : kDone;
}

}  // namespace

void addData(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("data", "What a project's data set is: sizes, classes, columns of a table, bad samples");
    auto options = std::make_shared<DataOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project; its data alone counts")->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag("--fetch", options->fetch, "download a set that has a name and is not on this computer, or is damaged");
    verb->add_flag(
        "--check", options->check,
        "read every sample, name all that cannot be read, count NaN and infinities, and compare labels with the project's model");
    verb->add_flag("--json", options->json, "one JSON object a line: progress, log, then data (with pictures) or error");
    verb->footer(
        "Exit codes: 0 printed, 1 the data can't be used (with --check: a run would end with an error), 2 no such project or wrong data "
        "settings, 3 the agent can't be reached.");
    verb->callback([&context, options] { data(context, *options); });
}

}  // namespace app::cli
