#include "app/cli/verbs/export/export_run.h"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <ostream>

#include "app/cli/follow.h"
#include "app/cli/run_choice.h"
#include "app/cli/text_file.h"
#include "engine/report/data_files.h"
#include "engine/report/html_report.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "engine/thread/mutex.h"

namespace app::cli {
namespace {

namespace report = engine::report;
using agent::client::AgentClient;
using engine::run::RunInfo;

constexpr std::chrono::milliseconds kQuiet{3000};  // nothing more came for so long

std::int64_t exportNowNs() {
    std::timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// Returns what an agent says in place of events that are damaged in the run's journal; empty for any other event.
std::string_view journalDamage(const engine::spec::TaskEvent& event) {
    const auto* line = std::get_if<engine::spec::LogLine>(&event.body);
    return line != nullptr && line->text.starts_with(engine::spec::kJournalDamage) ? std::string_view(line->text) : std::string_view();
}

bool writeFiles(Context& context, const std::filesystem::path& folder, const std::vector<report::ReportFile>& files) {
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    for (const auto& [name, text] : files) {
        const std::filesystem::path path = folder / name;
        if (!writeWholeText(path, text, context.err)) {
            context.exit_code = kFailed;
            return false;
        }
        context.out << path.string() << '\n';
    }
    return true;
}

std::optional<report::RunData> readRun(Context& context, AgentClient& client, const RunInfo& run) {
    const auto history = readHistory(context, client, run);
    return history ? std::optional(report::runData(*history)) : std::nullopt;
}

struct ExportRunOptions {
    std::string run, format = "csv", out = ".";
    std::vector<std::string> series;
    bool split = false, list = false;
};

void exportData(Context& context, const ExportRunOptions& options) {
    const auto client = context.connect();
    const auto chosen = chooseRun(context, *client, options.run, RunChoice::kAny);
    if (!chosen) return;
    const auto data = readRun(context, *client, *chosen);
    if (!data) return;
    if (options.list) {
        for (const report::SeriesData& one : data->series) {
            context.out << one.name << '\t' << one.size() << '\t' << (one.unit.empty() ? "-" : one.unit) << '\n';
        }
        return;
    }
    const auto files = report::dataFiles(*data, {.format = *report::parseDataFormat(options.format),
                                                 .files = options.split ? report::DataFiles::kEachSeries : report::DataFiles::kOne,
                                                 .series = options.series});
    if (files.empty()) {
        context.err << "error: run " << chosen->id << ": expected at least one point to write, it told none so far\n";
        context.exit_code = kFailed;
        return;
    }
    writeFiles(context, options.out, files);
}

void exportReport(Context& context, const ExportRunOptions& options) {
    const auto client = context.connect();
    const auto chosen = chooseRun(context, *client, options.run, RunChoice::kAny);
    if (!chosen) return;
    if (const auto data = readRun(context, *client, *chosen)) writeFiles(context, options.out, {report::htmlReport(*data)});
}

constexpr const char* kFooter =
    "Exit codes: 0 written, 1 no such run or series, its journal is damaged, or a file could not be written, 2 wrong options, 3 the agent "
    "can't be reached.";

}  // namespace

std::optional<engine::run::RunHistory> readHistory(Context& context, AgentClient& client, const RunInfo& run) {
    engine::run::RunHistory history(run);
    const std::int64_t until = exportNowNs();
    engine::Mutex mutex;
    std::condition_variable_any news;
    bool ended = false;  // guarded by mutex, as all below
    bool is_whole = false;
    std::int64_t batches = 0;
    std::int64_t dropped = 0;
    std::vector<std::string> damage;
    std::optional<std::string> error;
    agent::client::WatchHandler handler;
    handler.events = [&](std::vector<engine::spec::TaskEvent> events) {
        const engine::MutexLock lock(mutex);
        ++batches;
        const auto young = std::find_if(events.begin(), events.end(), [&](const auto& event) { return event.time_unix_ns > until; });
        ended = ended || young != events.end();
        events.erase(young, events.end());
        for (const engine::spec::TaskEvent& event : events) {
            if (const std::string_view what = journalDamage(event); !what.empty()) {
                damage.emplace_back(what);
            }
        }
        history.add(events);
        news.notify_all();
        return !ended;
    };
    handler.dropped = [&](std::int64_t points) {
        const engine::MutexLock lock(mutex);
        dropped += points;
    };
    handler.finished = [&](std::optional<std::string> why) {
        const engine::MutexLock lock(mutex);
        is_whole = !ended && !why;
        ended = true;
        error = std::move(why);
        news.notify_all();
    };
    const auto watch = client.watch(run.id, 1, handler);
    {
        engine::MutexLock lock(mutex);
        for (std::int64_t seen = -1; !ended && seen != batches;) {
            seen = batches;
            news.wait_for(lock, kQuiet, [&]() TANDEM_REQUIRES(mutex) { return ended || batches != seen; });
        }
    }
    watch->end();
    if (error) {
        context.err << "error: run " << run.id << ": " << *error << '\n';
        context.exit_code = exitCodeOfLostWatch(client, run.id);
        return std::nullopt;
    }
    for (const std::string& what : damage) {
        context.err << "warning: run " << run.id << ": " << what << '\n';
    }
    if (is_whole) history.endOfEvents();
    if (dropped > 0) context.err << "warning: " << dropped << " intermediate points were left out here\n";
    return history;
}

void addExportData(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("data", "The points of a run as CSV or JSON: one series, several or all");
    auto options = std::make_shared<ExportRunOptions>();
    verb->add_option("RUN", options->run, "id of the run, its beginning, or its folder (default: the newest)");
    verb->add_option("--format", options->format, "csv or json")->check(CLI::IsMember({"csv", "json"}))->capture_default_str();
    verb->add_option("--series", options->series, "name of a series, such as loss or \"worker 1/wait_us\"; again for more (default: all)")
        ->take_all();
    verb->add_flag("--split", options->split, "a file for each series instead of one for all");
    verb->add_flag("--list", options->list, "print name, number of points and unit of every series, write nothing");
    verb->add_option("--out", options->out, "folder to write to, made when missing")->capture_default_str();
    verb->footer(kFooter);
    verb->callback([&context, options] { exportData(context, *options); });
}

void addExportReport(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("report", "A run as one HTML file: results, charts, settings, tasks, epochs");
    auto options = std::make_shared<ExportRunOptions>();
    verb->add_option("RUN", options->run, "id of the run, its beginning, or its folder (default: the newest)");
    verb->add_option("--out", options->out, "folder to write to, made when missing")->capture_default_str();
    verb->footer(kFooter);
    verb->callback([&context, options] { exportReport(context, *options); });
}

}  // namespace app::cli
