#include "engine/report/html_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <initializer_list>

#include "engine/report/svg_chart.h"

namespace engine::report {
namespace {

using namespace spec;

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --ground: #f5f6f8; --card: #fff; --line: #e0e4ea; --text: #18202b; --text2: #4a5563; --axis: #b4bcc7;
  --s1: #2458d8; --s2: #b93a08; --s3: #078067; --s4: #cf2e94; --s5: #b08705; --s6: #40307c; --s7: #2f93ea; --s8: #56291f; }
@media (prefers-color-scheme: dark) { :root { --ground: #15181d; --card: #1c2027; --line: #2b313a; --text: #e7ebf1; --text2: #b1bac6;
  --axis: #57616e; --s1: #62a8ff; --s2: #ff7f38; --s3: #2fa587; --s4: #f7a0c6; --s5: #f2de7a; --s6: #8f6be8; --s7: #a4eeff; --s8: #b0744e; } }
body { margin: 0 auto; padding: 28px 20px; max-width: 1180px; background: var(--ground); color: var(--text);
  font: 13px/1.35 Inter, "Noto Sans CJK KR", "Noto Sans", sans-serif; }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 15px; margin: 28px 0 10px; } p { margin: 0 0 8px; color: var(--text2); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); gap: 10px; }
svg.chart { width: 100%; height: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
svg text { font-size: 11px; fill: var(--text2); } svg .head { font-size: 13px; font-weight: 600; fill: var(--text); }
svg .tick { font-family: "JetBrains Mono", monospace; } svg .grid { stroke: var(--line); } svg .axis { stroke: var(--axis); }
svg .line { fill: none; stroke-width: 2; } svg .dashed { stroke-dasharray: 8 5; } svg .point { fill: var(--card); stroke-width: 1.5; }
svg .s1 { stroke: var(--s1); } svg .s2 { stroke: var(--s2); } svg .s3 { stroke: var(--s3); } svg .s4 { stroke: var(--s4); }
svg .s5 { stroke: var(--s5); } svg .s6 { stroke: var(--s6); } svg .s7 { stroke: var(--s7); } svg .s8 { stroke: var(--s8); }
table { border-collapse: collapse; background: var(--card); border: 1px solid var(--line); width: 100%; }
th, td { padding: 6px 12px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; } th { color: var(--text2); font-weight: 500; }
.number { text-align: right; font-family: "JetBrains Mono", monospace; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px; overflow: auto; font: 12px "JetBrains Mono", monospace; }
@media print { body { background: none; } section { break-inside: avoid; } }
)css";

std::string decimals(double value, int digits) {
    if (!std::isfinite(value)) return "\u2014";
    char text[48];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

std::string resultText(const std::string& name, double value) {
    if (!std::isfinite(value)) return "\u2014";
    if (name.ends_with("_ns") || name.starts_with("images") || name == "steps" || name.ends_with("epoch")) return decimals(value, 0);
    return std::abs(value) < 1e-3 && value != 0 ? shortestNumber(value) : decimals(value, 4);
}

std::string megabytes(std::int64_t bytes) {
    return bytes > 0 ? decimals(static_cast<double>(bytes) / (1 << 20), 1) : "\u2014";
}

// The language's words with values in their places.
std::string filled(const ReportLanguage& language, std::string_view english, std::initializer_list<std::string> values) {
    const std::string words = language.word(english);
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t place = words[i] == '%' && i + 1 < words.size() ? static_cast<std::size_t>(words[i + 1] - '1') : values.size();
        if (place < values.size()) {
            out += values.begin()[place];
            ++i;
        } else {
            out += words[i];
        }
    }
    return out;
}

// A table of these words; the first of `columns` heads it.
ReportTable headed(const ReportLanguage& language, std::string_view title, std::initializer_list<std::string_view> columns,
                   std::vector<bool> numeric) {
    ReportTable table{language.word(title), {{}}, std::move(numeric)};
    for (const std::string_view column : columns) table.rows[0].push_back(column.empty() ? std::string() : language.word(column));
    return table;
}

// As RunHistory::totalSteps() has it: a new run passes over the epochs before `fit.initial_epoch`, a branch counts its file's.
std::int64_t stepsPlanned(const RunData& run) {
    const std::int64_t passed_over = run.facts.run.fit.initial_state ? 0 : run.facts.run.fit.initial_epoch;
    return run.started->steps_per_epoch * std::max<std::int64_t>(0, run.started->epochs - passed_over);
}

ReportTable resultTable(const RunData& run, const ReportLanguage& language) {
    ReportTable table = headed(language, "Results", {"result", "value"}, {false, true});
    for (const auto& [name, value] : run.results) {
        if (!name.ends_with("_unix_ns")) table.rows.push_back({name, resultText(name, value)});
    }
    if (run.started) {
        table.rows.push_back({language.word("parameters"), std::to_string(run.started->parameters)});
        table.rows.push_back({language.word("global batch"), std::to_string(run.started->global_batch_size)});
        table.rows.push_back({language.word("steps planned"), std::to_string(stepsPlanned(run))});
    }
    if (!run.weights_sha256.empty()) table.rows.push_back({language.word("weights, sha256"), run.weights_sha256});
    return table;
}

// Rates come as floats: more digits would be none of theirs.
std::string sixDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

// What the updates were made with, changes by hand included: "0.001", or "0.0001 to 0.001, CosineDecay". Before the first update it is what
// the project says.
std::string rateSentence(const RunData& run, const ReportLanguage& language) {
    const RunSpec& spec = run.facts.run;
    std::string text, kind;
    const SeriesData* told = run.find("learning_rate");
    if (told != nullptr && told->size() > 0) {
        const auto [least, most] = std::minmax_element(told->value.begin(), told->value.end());
        text = *most > *least ? filled(language, "%1 to %2", {sixDigits(*least), sixDigits(*most)}) : sixDigits(*least);
    } else if (const double number = spec.compile.optimizer.config.getDouble("learning_rate", 0); number > 0) {
        text = sixDigits(number);
    }
    if (const ObjectSpec* schedule = spec.compile.optimizer.config.getObject("learning_rate")) kind = schedule->class_name;
    for (const ObjectSpec& callback : spec.callbacks) {
        if (callback.class_name == "LearningRateScheduler" || callback.class_name == "ReduceLROnPlateau") kind = callback.class_name;
    }
    return text.empty() || kind.empty() ? text + kind : text + ", " + kind;
}

ReportTable settingTable(const RunData& run, const ReportLanguage& language) {
    const RunSpec& spec = run.facts.run;
    ReportTable table = headed(language, "Settings", {"setting", "value"}, {false, false});
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) table.rows.push_back({language.word(name), value});
    };
    std::string metrics;
    for (const MetricSpec& metric : spec.compile.metrics) metrics += (metrics.empty() ? "" : ", ") + logName(metric);
    add("model", spec.model.name);
    add("data", spec.data.dataset);
    add("batch per replica", std::to_string(spec.data.batch_size_per_replica));
    add("optimizer", spec.compile.optimizer.class_name);
    add("learning rate", rateSentence(run, language));
    add("loss", spec.compile.loss.class_name);
    add("metrics", metrics);
    add("epochs", std::to_string(spec.fit.epochs));
    add("seed", std::to_string(spec.fit.seed));
    add("strategy", spec.strategy.name);
    if (run.started) {
        add("executor", run.started->executor);
        add("transport", run.started->transport);
    }
    add("folder", run.facts.run_dir);
    return table;
}

ReportTable taskTable(const RunData& run, const ReportLanguage& language) {
    ReportTable table = headed(language, "Tasks",
                               {"task", "address", "state", "last step", "input, ms", "compute, ms", "wait, ms", "reduce, ms", "apply, ms",
                                "peak memory, MB", "detail"},
                               {false, false, false, true, true, true, true, true, true, true, false});
    for (const TaskData& task : run.tasks) {
        std::vector<std::string> row{toString(task.id), task.address.empty() ? language.word("this computer") : task.address,
                                     language.word(toString(task.state)), std::to_string(task.last_step)};
        for (const double us : task.phase_us) row.push_back(decimals(us / 1000, 2));
        row.push_back(megabytes(task.peak_bytes));
        row.push_back(task.detail.empty() ? std::string() : language.word(task.detail));
        table.rows.push_back(std::move(row));
    }
    return table;
}

ReportTable epochTable(const RunData& run, const ReportLanguage& language) {
    ReportTable table = headed(language, "Epochs", {"epoch", "steps", "seconds"}, {true, true, true});
    std::vector<std::string> names;
    for (const auto& [time_s, epoch] : run.epochs) {
        for (const auto& [name, value] : epoch.logs) {
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    table.rows[0].insert(table.rows[0].end(), names.begin(), names.end());
    table.numeric.resize(table.rows[0].size(), true);
    for (const auto& [time_s, epoch] : run.epochs) {
        std::vector<std::string> row{std::to_string(epoch.epoch + 1), std::to_string(epoch.step), decimals(epoch.seconds, 2)};
        for (const std::string& name : names) {
            const auto at = std::find_if(epoch.logs.begin(), epoch.logs.end(), [&](const auto& log) { return log.first == name; });
            row.push_back(at == epoch.logs.end() ? "\u2014" : resultText(name, at->second));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

ReportTable checkpointTable(const RunData& run, const ReportLanguage& language) {
    ReportTable table = headed(language, "Checkpoints", {"file", "epoch", "step", "MB", ""}, {false, true, true, true, false});
    for (const CheckpointSaved& saved : run.checkpoints) {
        table.rows.push_back({saved.prefix, std::to_string(saved.epoch + 1), std::to_string(saved.step), megabytes(saved.bytes),
                              saved.best ? language.word("best") : ""});
    }
    return table;
}

ReportTable markTable(const RunData& run, const ReportLanguage& language) {
    ReportTable table = headed(language, "What happened", {"after", "step", "what"}, {true, true, false});
    for (const Mark& mark : run.marks)
        table.rows.push_back({durationText(mark.time_s), std::to_string(mark.step), language.word(mark.text)});
    return table;
}

void addChart(std::string& out, const RunData& run, const ReportLanguage& language, const std::string& title, const std::string& name,
              bool log_y) {
    std::vector<ChartLine> lines;
    const bool throughput = name == "throughput";
    if (const SeriesData* train = run.find(name)) {
        const bool rate = name == "learning_rate";
        const std::string label = rate ? name : language.word(throughput ? "all tasks" : "train");
        lines.push_back({train, label, "s1", false, false, rate});
    }
    if (const SeriesData* validation = run.find("val_" + name))
        lines.push_back({validation, language.word("validation"), "s2", true, true, false});
    if (throughput) {
        int color = 3;
        for (const TaskData& task : run.tasks) {
            if (const SeriesData* one = run.find(toString(task.id) + "/throughput"); one != nullptr && color <= 8) {
                lines.push_back({one, toString(task.id), "s" + std::to_string(color++), false, false, false});
            }
        }
    }
    if (lines.empty()) return;
    out += svgChart(lines, {.title = title,
                            .y_name = throughput ? language.word("images / s") : name,
                            .x_name = language.word("step"),
                            .nothing = filled(language, "%1: no point was told.", {title}),
                            .log_y = log_y});
}

void addTable(std::string& out, const ReportTable& table) {
    if (table.rows.size() < 2) return;
    out += "<section>\n<h2>" + escaped(table.title) + "</h2>\n<table>\n";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const char* cell = r == 0 ? "th" : "td";
        out += "<tr>";
        for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
            const bool numeric = c < table.numeric.size() && table.numeric[c];
            out += std::string("<") + cell + (numeric ? " class=\"number\">" : ">") + escaped(table.rows[r][c]) + "</" + cell + ">";
        }
        out += "</tr>\n";
    }
    out += "</table>\n</section>\n";
}

}  // namespace

std::string localTime(std::int64_t unix_ns) {
    if (unix_ns == 0) return {};
    const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
    std::tm parts{};
    localtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    return text;
}

std::string durationText(double seconds) {
    const auto whole = static_cast<long long>(std::max(0.0, seconds));
    char text[40];
    if (whole >= 3600) {
        std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
    } else {
        std::snprintf(text, sizeof text, "%lld:%02lld", whole / 60, whole % 60);
    }
    return text;
}

std::string bestSentence(const RunData& run, const ReportLanguage& language) {
    const SeriesData* accuracy = nullptr;
    for (const MetricSpec& metric : run.facts.run.compile.metrics) {
        if (accuracy == nullptr) accuracy = run.find("val_" + logName(metric));
    }
    const bool higher = accuracy != nullptr;
    const SeriesData* watched = higher ? accuracy : run.find("val_loss");
    if (watched == nullptr || watched->size() == 0) return {};
    std::size_t best = 0;
    const bool rises = watched->value.back() >= watched->value.front();
    for (std::size_t i = 1; i < watched->size(); ++i) {
        const bool better = higher && rises ? watched->value[i] > watched->value[best] : watched->value[i] < watched->value[best];
        if (better) best = i;
    }
    return filled(language, "Best %1 %2 in epoch %3.",
                  {watched->name, decimals(watched->value[best], 4), std::to_string(static_cast<int>(watched->epoch[best]) + 1)});
}

std::vector<std::string> reportHead(const RunData& run, const ReportLanguage& language) {
    const RunFacts& facts = run.facts;
    std::vector<std::string> words{filled(language, "Run %1", {facts.id})};
    if (!facts.state.empty()) words.push_back(language.word(facts.state));
    words.push_back(run.tasks.size() == 1 ? language.word("1 task") : filled(language, "%1 tasks", {std::to_string(run.tasks.size())}));
    if (facts.created_unix_ns > 0) words.push_back(filled(language, "launched %1", {localTime(facts.created_unix_ns)}));
    if (!run.attempts.empty()) words.push_back(filled(language, "%1 attempts", {std::to_string(run.attempts.back().started.attempt)}));
    if (facts.finished_unix_ns > 0)
        words.push_back(filled(language, "took %1",
                               {durationText(static_cast<double>(facts.finished_unix_ns - facts.created_unix_ns - facts.idle_ns) * 1e-9)}));
    return words;
}

std::vector<ReportTable> reportTables(const RunData& run, const ReportLanguage& language) {
    std::vector<ReportTable> tables{resultTable(run, language), settingTable(run, language),    taskTable(run, language),
                                    epochTable(run, language),  checkpointTable(run, language), markTable(run, language)};
    ReportTable problems = headed(language, "Warnings and errors", {"line"}, {false});
    for (const std::string& line : run.problems) problems.rows.push_back({line});
    tables.push_back(std::move(problems));
    std::erase_if(tables, [](const ReportTable& table) { return table.rows.size() < 2; });
    return tables;
}

ReportFile htmlReport(const RunData& run, const ReportLanguage& language) {
    const RunFacts& facts = run.facts;
    std::string out = "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"" + escaped(language.tag) +
                      "\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>" +
                      escaped(facts.name) + " \u00b7 " + escaped(filled(language, "Run %1", {facts.id})) + "</title>\n<style>" + kStyle +
                      "</style>\n</head>\n<body>\n";
    out += "<h1>" + escaped(facts.name) + "</h1>\n<p>";
    const std::vector<std::string> head = reportHead(run, language);
    for (std::size_t i = 0; i < head.size(); ++i) out += (i == 0 ? "" : " \u00b7 ") + escaped(head[i]);
    out += "</p>\n";
    if (!facts.detail.empty()) out += "<p>" + escaped(language.word(facts.detail)) + "</p>\n";
    if (const std::string best = bestSentence(run, language); !best.empty()) out += "<p>" + escaped(best) + "</p>\n";
    out += "<h2>" + escaped(language.word("Charts")) + "</h2>\n<div class=\"charts\">\n";
    addChart(out, run, language, language.word("Loss"), "loss", false);
    for (const MetricSpec& metric : facts.run.compile.metrics) addChart(out, run, language, logName(metric), logName(metric), false);
    addChart(out, run, language, language.word("Learning rate"), "learning_rate", true);
    addChart(out, run, language, language.word("Throughput"), "throughput", false);
    out += "</div>\n";
    for (const ReportTable& table : reportTables(run, language)) addTable(out, table);
    out += "<section>\n<h2>" + escaped(language.word("Project")) + "</h2>\n<pre>" + escaped(toProjectJson(facts.run)) +
           "</pre>\n</section>\n</body>\n</html>\n";
    return {facts.fileStem() + ".html", out};
}

}  // namespace engine::report
