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

std::string csv(const std::vector<const SeriesData*>& chosen, std::size_t most_rows) {
    const bool several = chosen.size() > 1;
    std::string out = several ? "series,step,epoch,time_s,value\n" : "step,epoch,time_s,value\n";
    for (const SeriesData* one : chosen) appendCsv(out, *one, several ? quoted(one->name) + ',' : std::string(), most_rows);
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
    Json out{
        {"run",
         {{"id", run.facts.id}, {"name", run.facts.name}, {"state", run.facts.state}, {"created_unix_ns", run.facts.created_unix_ns}}}};
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
    const auto chosen = choose(run, options.series);
    std::vector<ReportFile> files;
    if (chosen.empty()) return files;
    const std::string ending = options.format == DataFormat::kCsv ? ".csv" : ".json";
    const auto add = [&](const std::string& name, const std::vector<const SeriesData*>& series) {
        files.push_back(
            {name + ending, options.format == DataFormat::kCsv ? csv(series, options.most_rows) : json(run, series, options.most_rows)});
    };
    if (options.files == DataFiles::kOne) {
        add(fileWord(run.facts.id), chosen);
    } else {
        for (const SeriesData* one : chosen) add(fileWord(run.facts.id) + '-' + fileWord(one->name), {one});
    }
    return files;
}

}  // namespace engine::report
