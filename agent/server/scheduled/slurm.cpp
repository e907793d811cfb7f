#include "agent/server/scheduled/slurm.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <utility>

#include "engine/spec/error.h"

namespace agent::server {
namespace {

using engine::Error;
using engine::ErrorCode;
using Stage = JobReport::Stage;

std::string_view firstLine(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

// "JobId=12 JobState=PENDING Reason=Priority": a word that is no pair belongs to the value before it.
std::map<std::string, std::string, std::less<>> pairsOf(std::string_view line) {
    std::map<std::string, std::string, std::less<>> pairs;
    std::string* value = nullptr;
    while (!line.empty()) {
        const std::string_view word = line.substr(0, line.find(' '));
        line.remove_prefix(std::min(line.size(), word.size() + 1));
        const std::size_t equals = word.find('=');
        if (equals != std::string_view::npos && equals > 0 && std::isupper(static_cast<unsigned char>(word.front())) != 0) {
            value = &pairs.try_emplace(std::string(word.substr(0, equals)), word.substr(equals + 1)).first->second;
        } else if (value != nullptr && !word.empty()) {
            *value += " " + std::string(word);
        }
    }
    return pairs;
}

std::string valueOf(const std::map<std::string, std::string, std::less<>>& pairs, std::string_view name) {
    const auto found = pairs.find(name);
    return found == pairs.end() || found->second == "(null)" || found->second == "Unknown" || found->second == "None" ? "" : found->second;
}

// ", place 3 of 5"
std::string placeText(const std::string& id, std::string_view queue) {
    std::size_t place = 0, jobs = 0;
    while (!queue.empty()) {
        std::string_view line = firstLine(queue);
        queue.remove_prefix(std::min(queue.size(), line.size() + 1));
        while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
        if (line.empty()) continue;
        ++jobs;
        if (line == id) place = jobs;
    }
    return place == 0 ? "" : ", place " + std::to_string(place) + " of " + std::to_string(jobs);
}

JobReport waiting(const std::string& id, const std::map<std::string, std::string, std::less<>>& pairs, std::string_view queue) {
    std::string text = "job " + id + " waits in Slurm's queue";
    if (const std::string reason = valueOf(pairs, "Reason"); !reason.empty()) text += ": " + reason;
    text += placeText(id, queue);
    return {.stage = Stage::kQueued, .text = text};
}

JobReport ended(const std::string& id, const std::string& state, const std::map<std::string, std::string, std::less<>>& pairs) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kWords{{
        {"COMPLETED", "is over"},
        {"CANCELLED", "was cancelled"},
        {"TIMEOUT", "reached its limit of time"},
        {"NODE_FAIL", "lost a node"},
        {"OUT_OF_MEMORY", "needed more memory than it may have"},
    }};
    const auto known = std::find_if(kWords.begin(), kWords.end(), [&](const auto& one) { return state == one.first; });
    std::string text = "job " + id + " ";
    if (known != kWords.end()) {
        text += known->second;
    } else if (const std::string code = valueOf(pairs, "ExitCode"); state == "FAILED" && !code.empty()) {
        text += "ended with exit code " + code.substr(0, code.find(':'));
    } else {
        text += "ended as " + state;
    }
    return {.stage = Stage::kEnded, .text = text, .is_cancelled = state == "CANCELLED", .is_completed = state == "COMPLETED"};
}

}  // namespace

std::string slurmReason(std::string_view errors) {
    // Slurm prints what ended the program behind what led to it.
    const std::size_t fatal = errors.find("fatal: ");
    std::string_view line = firstLine(fatal == std::string_view::npos ? errors : errors.substr(fatal));
    // Each begins with the program's name, and with more that only Slurm's makers need.
    for (const std::string_view mark : {"fatal: ", "error: ", "failed: "}) {
        if (const std::size_t at = line.find(mark); at != std::string_view::npos) line.remove_prefix(at + mark.size());
    }
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.remove_suffix(1);
    return line.empty() ? "it gave no reason" : std::string(line);
}

std::string submittedJob(const convert::ProgramEnd& end) {
    std::string_view line = firstLine(end.output);
    line = line.substr(0, line.find(';'));
    const bool is_number = !line.empty() && std::all_of(line.begin(), line.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (end.exit_code != 0 || !is_number) {
        throw Error(ErrorCode::kFailedPrecondition, "Slurm took no job: " + slurmReason(end.errors));
    }
    return std::string(line);
}

std::string jobOfScript(std::string_view queue, std::string_view script) {
    std::string newest;
    while (!queue.empty()) {
        std::string_view line = firstLine(queue);
        queue.remove_prefix(std::min(queue.size(), line.size() + 1));
        while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
        const std::string id(line.substr(0, line.find(' ')));
        if (line.size() <= id.size() || line.substr(id.size() + 1) != script) continue;
        if (std::pair(id.size(), id) > std::pair(newest.size(), newest)) newest = id;  // numbers, of which the larger one is newer
    }
    return newest;
}

std::string waitingPartition(const convert::ProgramEnd& shown) {
    const auto pairs = pairsOf(firstLine(shown.output));
    return valueOf(pairs, "JobState") == "PENDING" ? valueOf(pairs, "Partition") : "";
}

bool isOfNoSuchJob(const convert::ProgramEnd& end) {
    return end.exit_code != 0 && end.errors.find("Invalid job id") != std::string::npos;
}

JobReport jobReport(const std::string& id, const convert::ProgramEnd& shown, std::string_view queue) {
    if (shown.exit_code != 0) {
        if (isOfNoSuchJob(shown)) return {.stage = Stage::kEnded};
        return {.stage = Stage::kUnanswered, .text = "Slurm does not answer: " + slurmReason(shown.errors)};
    }
    const auto pairs = pairsOf(firstLine(shown.output));
    const std::string state = valueOf(pairs, "JobState");
    static constexpr std::array<std::string_view, 5> kWaits{"PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT"};
    static constexpr std::array<std::string_view, 8> kRuns{"RUNNING", "CONFIGURING", "COMPLETING", "SUSPENDED",
                                                           "STOPPED", "RESIZING",    "SIGNALING",  "STAGE_OUT"};
    if (std::find(kWaits.begin(), kWaits.end(), state) != kWaits.end()) return waiting(id, pairs, queue);
    if (std::find(kRuns.begin(), kRuns.end(), state) != kRuns.end()) {
        const std::string nodes = valueOf(pairs, "NodeList");
        return {.stage = Stage::kRunning, .text = "job " + id + " runs" + (nodes.empty() ? "" : " on " + nodes)};
    }
    if (state.empty()) return {.stage = Stage::kUnanswered, .text = "Slurm does not answer: it said nothing of job " + id};
    return ended(id, state, pairs);
}

}  // namespace agent::server
