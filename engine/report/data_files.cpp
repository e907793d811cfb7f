#include "engine/report/data_files.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/spec/error.h"

namespace engine::report {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& name) {
    if (name.find_first_of(",\"\n") == std::string::npos) return name;
    std::string out = "\"";
    for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

void appendCsv(std::string& out, const SeriesData& one, const std::string& lead, std::size_t most_rows) {
    for (std::size_t i = 0; i < std::min(one.size(), most_rows); ++i) {
        out += lead + std::to_string(one.step[i]) + ',' + shortestNumber(one.epoch[i]) + ',' + shortestNumber(one.time_s[i]) + ',' +
               shortestNumber(one.value[i]) + '\n';
    }
}

// What each row of a series begins with.
std::string leadOf(const SeriesData& one, bool several) {
    return several ? quoted(one.name) + ',' : std::string();
}

std::string csv(const std::vector<const SeriesData*>& chosen, std::size_t most_rows) {
    const bool several = chosen.size() > 1;
    std::string out = several ? "series,step,epoch,time_s,value\n" : "step,epoch,time_s,value\n";
    for (const SeriesData* one : chosen) appendCsv(out, *one, leadOf(*one, several), most_rows);
    return out;
}

Json numbers(const std::vector<double>& values, std::size_t rows) {
    Json list = Json::array();
    for (std::size_t i = 0; i < rows; ++i) {
        const std::string text = shortestNumber(values[i]);
        double value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        list.push_back(text.empty() ? Json(nullptr) : Json(value));
    }
    return list;
}

std::string json(const RunData& run, const std::vector<const SeriesData*>& chosen, std::size_t most_rows) {
    Json attempts = Json::array();
    for (const AttemptData& one : run.attempts) {
        attempts.push_back({{"attempt", one.started.attempt},
                            {"time_s", one.time_s},
                            {"resumed_step", one.resumed_step ? Json(*one.resumed_step) : Json(nullptr)},
                            {"by_hand", one.started.by_hand},
                            {"from_backup", one.started.from_backup},
                            {"reason", one.started.reason}});
    }
    Json out{{"run",
              {{"id", run.facts.id},
               {"name", run.facts.name},
               {"state", run.facts.state},
               {"created_unix_ns", run.facts.created_unix_ns},
               {"attempts", std::move(attempts)}}}};
    out["series"] = Json::array();
    for (const SeriesData* one : chosen) {
        const std::size_t rows = std::min(one->size(), most_rows);
        out["series"].push_back({{"name", one->name},
                                 {"unit", one->unit},
                                 {"step", Json(std::vector<std::int64_t>(one->step.begin(), one->step.begin() + static_cast<long>(rows)))},
                                 {"epoch", numbers(one->epoch, rows)},
                                 {"time_s", numbers(one->time_s, rows)},
                                 {"value", numbers(one->value, rows)}});
    }
    return out.dump() + '\n';
}

std::string fileWord(const std::string& name) {
    std::string word = name;
    for (char& c : word) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
        if (!plain) c = '-';
    }
    return word;
}

std::vector<const SeriesData*> choose(const RunData& run, const std::vector<std::string>& names) {
    std::vector<const SeriesData*> chosen;
    if (names.empty()) {
        for (const SeriesData& one : run.series) chosen.push_back(&one);
        return chosen;
    }
    for (const std::string& name : names) {
        const SeriesData* one = run.find(name);
        if (one == nullptr) {
            std::string known;
            for (const SeriesData& other : run.series) known += (known.empty() ? "" : ", ") + other.name;
            throw Error(ErrorCode::kNotFound, "run " + run.facts.id + ": expected a series it told (" +
                                                  (known.empty() ? "none so far" : known) + "), got \"" + name + "\"");
        }
        chosen.push_back(one);
    }
    return chosen;
}

std::string textOf(const RunData& run, const std::vector<const SeriesData*>& chosen, DataFormat format, std::size_t most_rows) {
    return format == DataFormat::kCsv ? csv(chosen, most_rows) : json(run, chosen, most_rows);
}

struct ChosenFile {
    std::string name;
    std::vector<const SeriesData*> series;
};

std::vector<ChosenFile> chosenFiles(const RunData& run, const DataOptions& options) {
    const auto chosen = choose(run, options.series);
    std::vector<ChosenFile> files;
    if (chosen.empty()) return files;
    const std::string id = run.facts.file_stem.empty() ? fileWord(run.facts.id) : run.facts.file_stem,
                      ending = options.format == DataFormat::kCsv ? ".csv" : ".json";
    if (options.files == DataFiles::kOne) return {{id + ending, chosen}};
    for (const SeriesData* one : chosen) files.push_back({id + '-' + fileWord(one->name) + ending, {one}});
    return files;
}

// Every n-th row, `rows` in all.
SeriesData thinned(const SeriesData& one, std::size_t rows) {
    SeriesData thin{one.name, one.unit, {}, {}, {}, {}};
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t at = i * one.size() / rows;
        thin.append(one.step[at], one.epoch[at], one.time_s[at], one.value[at]);
    }
    return thin;
}

// The bytes of the rows alone, in a file that holds `several` series.
std::size_t rowBytes(const RunData& run, const SeriesData& one, bool several, DataFormat format) {
    if (format == DataFormat::kJson) return json(run, {&one}, one.size()).size() - json(run, {&one}, 0).size();
    std::string rows;
    appendCsv(rows, one, leadOf(one, several), one.size());
    return rows.size();
}

}  // namespace

std::optional<DataFormat> parseDataFormat(std::string_view name) {
    if (name == "csv") return DataFormat::kCsv;
    if (name == "json") return DataFormat::kJson;
    return std::nullopt;
}

std::string shortestNumber(double value) {
    if (!std::isfinite(value)) return {};
    char text[40];
    const auto narrow = static_cast<float>(value);
    const auto end = static_cast<double>(narrow) == value ? std::to_chars(text, text + sizeof text, narrow)
                                                          : std::to_chars(text, text + sizeof text, value);
    return {text, end.ptr};
}

std::vector<ReportFile> dataFiles(const RunData& run, const DataOptions& options) {
    std::vector<ReportFile> files;
    for (const ChosenFile& file : chosenFiles(run, options))
        files.push_back({file.name, textOf(run, file.series, options.format, options.most_rows)});
    return files;
}

std::vector<ReportFileSize> dataFileSizes(const RunData& run, const DataOptions& options, std::size_t sample_rows) {
    std::vector<ReportFileSize> sizes;
    for (const ChosenFile& file : chosenFiles(run, options)) {
        ReportFileSize& size = sizes.emplace_back();
        size.file_name = file.name;
        auto bytes = static_cast<double>(textOf(run, file.series, options.format, 0).size());
        for (const SeriesData* one : file.series) {
            const std::size_t rows = std::min(one->size(), options.most_rows), counted = std::min(rows, sample_rows);
            if (counted == 0) continue;
            const std::size_t sampled = rowBytes(run, thinned(*one, counted), file.series.size() > 1, options.format);
            bytes += static_cast<double>(sampled) * static_cast<double>(rows) / static_cast<double>(counted);
            size.about = size.about || counted < rows;
        }
        size.bytes = static_cast<std::size_t>(std::llround(bytes));
    }
    return sizes;
}

}  // namespace engine::report
