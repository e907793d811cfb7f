#include "engine/spec/events/checkpoint_list.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/spec/catalog/monitor_direction.h"

namespace engine::spec {

namespace {

using Json = nlohmann::ordered_json;

struct EpochLogs {
    std::int64_t step = 0;
    std::vector<std::pair<std::string, double>> logs;
};

std::string lineText(const Json& line) {
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool liesInside(const std::string& file) {
    const std::filesystem::path path = file;
    return !file.empty() && file.find('\0') == std::string::npos && path.is_relative() &&
           std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

// A start of the run, whose lines are those behind it.
struct Start {
    std::int64_t step = 0;
    std::int64_t steps_per_epoch = 0;  // 0: not told
    std::int64_t global_batch_size = 0;
};

// What the lines so far say.
struct Lines {
    std::vector<ListedCheckpoint> checkpoints;
    std::map<std::int64_t, EpochLogs> epochs;  // by their number, from 1
    std::map<std::int64_t, std::int64_t>
        ends;  // step at which so many epochs were done, by that step; what was measured in between is none
    std::optional<std::int64_t> first_start_step;  // of the first start
    Start start;                                   // the last one
};

// False for what validation alone measured, between the ends of epochs.
bool isEnd(const Json& logs) {
    return logs.empty() ||
           std::any_of(logs.items().begin(), logs.items().end(), [](const auto& log) { return !log.key().starts_with("val_"); });
}

void takeLine(const Json& line, Lines& lines) {
    auto& [checkpoints, epochs, ends, first_start_step, start] = lines;
    if (const auto resumed = line.find("resumed_step"); resumed != line.end()) {
        const auto step = resumed->get<std::int64_t>();
        std::erase_if(checkpoints, [&](const ListedCheckpoint& one) { return one.step > step; });
        std::erase_if(epochs, [&](const auto& one) { return one.second.step > step; });
        std::erase_if(ends, [&](const auto& one) { return one.first > step; });
        start = {step, line.value("steps_per_epoch", std::int64_t{0}), line.value("global_batch_size", std::int64_t{0})};
        if (!first_start_step) first_start_step = step;
    } else if (const auto file = line.find("checkpoint"); file != line.end()) {
        ListedCheckpoint one{file->get<std::string>(), line.at("epoch"), line.at("step"), line.at("best")};
        if (const auto removed = line.find("removed"); removed != line.end()) {
            const auto gone = removed->get<std::vector<std::string>>();
            std::erase_if(checkpoints,
                          [&](const ListedCheckpoint& other) { return std::find(gone.begin(), gone.end(), other.file) != gone.end(); });
        }
        if (start.steps_per_epoch > 0) {
            one.place = CheckpointPlace{0, 0, start.steps_per_epoch, start.global_batch_size};  // how far it is, the ends of epochs tell
        }
        if (liesInside(one.file)) {
            std::erase_if(checkpoints, [&](const ListedCheckpoint& other) { return other.file == one.file; });
            checkpoints.push_back(std::move(one));
        }
    } else if (const auto logs = line.find("logs"); logs != line.end()) {
        EpochLogs epoch{line.at("step"), {}};
        for (const auto& [name, value] : logs->items()) {
            if (value.is_number()) {
                epoch.logs.emplace_back(name, value.get<double>());
            }
        }
        const auto number = line.at("epoch").get<std::int64_t>();
        if (isEnd(*logs)) ends[epoch.step] = number;
        epochs[number] = std::move(epoch);
    }
}

// The step behind which the epochs began of which `one` knows the number, and their number. A branch that ended no epoch before `one`
// began in the middle of one: the end of that tells where it would have begun.
std::pair<std::int64_t, std::int64_t> lastBorder(const ListedCheckpoint& one, const Lines& lines) {
    const auto behind = lines.ends.upper_bound(one.step);
    if (behind != lines.ends.begin()) {
        return *std::prev(behind);
    }
    const std::int64_t epochs = std::max<std::int64_t>(one.epoch - 1, 0), length = one.place->steps_per_epoch;
    const std::int64_t began = lines.first_start_step.value_or(0);
    if (began > 0 && behind != lines.ends.end() && behind->second == epochs + 1) {
        return {behind->first - length, epochs};
    }
    const bool is_as_long_as_before = began > 0 && one.step / length == epochs;
    return {is_as_long_as_before ? epochs * length : began, epochs};
}

void findPlaces(Lines& lines) {
    for (ListedCheckpoint& one : lines.checkpoints) {
        if (!one.place) continue;
        const auto [step, epochs] = lastBorder(one, lines);
        one.place->epochs = epochs;
        one.place->steps = std::max<std::int64_t>(one.step - step, 0);
        if (one.place->steps >= one.place->steps_per_epoch) {  // it ended while the last step's epoch was being ended
            one.place->epochs += 1;
            one.place->steps = 0;
        }
    }
}

// One is best at most: the last that a callback called so, else the one at the end of the epoch that was measured best.
void markBest(std::vector<ListedCheckpoint>& checkpoints, const std::map<std::int64_t, EpochLogs>& epochs) {
    ListedCheckpoint* best = nullptr;
    for (ListedCheckpoint& one : checkpoints) {
        best = one.best ? &one : best;
        one.best = false;
    }
    if (best != nullptr) {
        best->best = true;
        return;
    }
    double best_value = 0;
    for (ListedCheckpoint& one : checkpoints) {
        const auto epoch = epochs.find(one.epoch);
        if (epoch == epochs.end() || epoch->second.step != one.step) {
            continue;
        }
        const std::string judge = validationJudge(epoch->second.logs);
        const auto value =
            std::find_if(epoch->second.logs.begin(), epoch->second.logs.end(), [&](const auto& log) { return log.first == judge; });
        if (value == epoch->second.logs.end() || !std::isfinite(value->second)) {
            continue;
        }
        const bool rises = betterDirection(judge) == Direction::kRising;
        if (best == nullptr || (rises ? value->second > best_value : value->second < best_value)) {
            best = &one;
            best_value = value->second;
        }
    }
    if (best != nullptr) {
        best->best = true;
    }
}

std::string lastPartOf(const std::string& file) {
    return std::filesystem::path(file).filename().string();
}

std::string withoutEnding(const std::string& name) {
    for (const std::string_view ending : {".weights.h5", ".keras", ".h5"}) {
        if (name.ends_with(ending)) {
            return name.substr(0, name.size() - ending.size());
        }
    }
    return name;
}

}  // namespace

std::optional<std::string> checkpointListLine(const EventBody& body) {
    if (const auto* started = std::get_if<RunStarted>(&body)) {
        return lineText({{"resumed_step", started->resumed_step},
                         {"steps_per_epoch", started->steps_per_epoch},
                         {"global_batch_size", started->global_batch_size}});
    }
    if (const auto* saved = std::get_if<CheckpointSaved>(&body)) {
        Json line{{"checkpoint", saved->prefix}, {"epoch", saved->epoch + 1}, {"step", saved->step}, {"best", saved->best}};
        if (!saved->removed.empty()) line["removed"] = saved->removed;
        return lineText(line);
    }
    if (const auto* ended = std::get_if<EpochEnd>(&body)) {
        Json logs = Json::object();
        for (const auto& [name, value] : ended->logs) {
            logs[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
        }
        return lineText({{"epoch", ended->epoch + 1}, {"step", ended->step}, {"logs", std::move(logs)}});
    }
    return std::nullopt;
}

std::vector<ListedCheckpoint> parseCheckpointList(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        try {
            if (const Json json = Json::parse(line, nullptr, false); json.is_object()) {
                takeLine(json, lines);
            }
        } catch (const Json::exception&) {
            // Something else stands there.
        }
    }
    markBest(lines.checkpoints, lines.epochs);
    findPlaces(lines);
    return std::move(lines.checkpoints);
}

const ListedCheckpoint* findCheckpoint(const std::vector<ListedCheckpoint>& checkpoints, std::string_view word) {
    const bool is_epoch = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    const auto find = [&](const auto& fits) {
        const auto at = std::find_if(checkpoints.rbegin(), checkpoints.rend(), fits);
        return at == checkpoints.rend() ? nullptr : &*at;
    };
    if (const auto* named = find([&](const ListedCheckpoint& one) { return one.file == word || lastPartOf(one.file) == word; })) {
        return named;
    }
    if (const auto* named = find([&](const ListedCheckpoint& one) { return withoutEnding(lastPartOf(one.file)) == word; })) {
        return named;
    }
    if (word.empty() || word == "latest") {
        return checkpoints.empty() ? nullptr : &checkpoints.back();
    }
    if (word == "best") {
        return find([](const ListedCheckpoint& one) { return one.best; });
    }
    return is_epoch ? find([&](const ListedCheckpoint& one) { return std::to_string(one.epoch) == word; }) : nullptr;
}

std::string checkpointNames(const std::vector<ListedCheckpoint>& checkpoints) {
    constexpr std::size_t kMost = 8;
    std::string text;
    const std::size_t shown = checkpoints.size() > kMost ? kMost - 1 : checkpoints.size();
    for (std::size_t i = 0; i < shown; ++i) {
        text += (i == 0 ? "" : ", ") + lastPartOf(checkpoints[i].file);
    }
    return shown == checkpoints.size() ? text : text + " and " + std::to_string(checkpoints.size() - shown) + " more";
}

}  // namespace engine::spec
