#include "agent/load/proc_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace agent::load {

namespace {

constexpr std::int64_t kKilobyte = 1024;

std::string_view takeLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

// The next word of a line; empty at its end.
std::string_view takeWord(std::string_view& line) {
    constexpr std::string_view kBlanks = " \t\r";
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    return word;
}

// Counters never are below 0, and what is beyond 64 bits is no number of the kernel's.
std::optional<std::int64_t> number(std::string_view word) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool whole = error == std::errc() && end == word.data() + word.size() && !word.empty();
    return whole && value >= 0 ? std::optional(value) : std::nullopt;
}

// nullopt where the sum would not fit.
std::optional<std::int64_t> sum(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    if (!a || !b || *a > std::numeric_limits<std::int64_t>::max() - *b) {
        return std::nullopt;
    }
    return *a + *b;
}

// "cpu3" -> 3; nullopt for the line of all of them.
std::optional<int> processor(std::string_view word) {
    if (!word.starts_with("cpu")) {
        return std::nullopt;
    }
    const auto index = number(word.substr(3));
    return index && *index <= std::numeric_limits<int>::max() ? std::optional(static_cast<int>(*index)) : std::nullopt;
}

}  // namespace

// "cpu0 user nice system idle iowait irq softirq steal guest guest_nice"; guests are in user and nice already.
CpuTicks parseCpuTicks(std::string_view text, const std::function<bool(int)>& counts) {
    constexpr int kTimes = 8, kIdle = 3, kDisk = 4;
    CpuTicks all;
    while (!text.empty()) {
        std::string_view line = takeLine(text);
        const auto index = processor(takeWord(line));
        if (!index || !counts(*index)) {
            continue;
        }
        std::optional<std::int64_t> busy = 0, idle = 0;
        int times = 0;
        for (; times < kTimes; ++times) {
            const std::string_view word = takeWord(line);
            if (word.empty()) {
                break;  // kernels before 2.6.11 had fewer
            }
            std::optional<std::int64_t>& part = times == kIdle || times == kDisk ? idle : busy;
            part = sum(part, number(word));
        }
        busy = sum(busy, all.busy);
        idle = sum(idle, all.idle);
        if (times > kIdle && busy && idle) {
            all = {*busy, *idle, all.cores + 1};
        }
    }
    return all;
}

MemoryUse parseMemory(std::string_view text) {
    std::int64_t total = 0, available = 0;
    while (!text.empty()) {
        std::string_view line = takeLine(text);
        const std::string_view key = takeWord(line);
        const std::int64_t value = number(takeWord(line)).value_or(0);
        if (value > std::numeric_limits<std::int64_t>::max() / kKilobyte) {
            continue;
        }
        if (key == "MemTotal:") {
            total = value * kKilobyte;
        } else if (key == "MemAvailable:") {
            available = value * kKilobyte;
        }
    }
    return {std::max<std::int64_t>(0, total - available), total};
}

// Two lines of head, then "  eth0: received packets errors … (8 numbers) sent …".
std::vector<InterfaceBytes> parseInterfaces(std::string_view text) {
    constexpr int kReceived = 8;
    std::vector<InterfaceBytes> interfaces;
    while (!text.empty()) {
        std::string_view line = takeLine(text);
        const std::size_t colon = line.rfind(':');
        if (colon == std::string_view::npos) {
            continue;
        }
        std::string_view head = line.substr(0, colon);
        const std::string_view name = takeWord(head);
        line.remove_prefix(colon + 1);
        const auto received = number(takeWord(line));
        for (int i = 1; i < kReceived; ++i) {
            takeWord(line);
        }
        const auto sent = number(takeWord(line));
        if (!name.empty() && received && sent) {
            interfaces.push_back({std::string(name), *received, *sent});
        }
    }
    return interfaces;
}

// "PID (NAME) STATE …": the name may hold blanks and brackets, so the fields are counted from the last bracket on, the state being the
// third.
std::optional<ProcessUse> parseProcess(std::string_view text) {
    constexpr int kUserTime = 14, kSystemTime = 15, kStart = 22, kResident = 24;
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string_view::npos) {
        return std::nullopt;
    }
    text.remove_prefix(name_end + 1);
    std::string_view line = takeLine(text);
    const std::string_view state = takeWord(line);
    if (state.empty() || state == "Z" || state == "X") {
        return std::nullopt;
    }
    std::optional<std::int64_t> user, system, start, resident;
    for (int field = 4; field <= kResident; ++field) {
        const std::string_view word = takeWord(line);
        if (field == kUserTime) {
            user = number(word);
        } else if (field == kSystemTime) {
            system = number(word);
        } else if (field == kStart) {
            start = number(word);
        } else if (field == kResident) {
            resident = number(word);
        }
    }
    const auto cpu = sum(user, system);
    if (!cpu || !start || !resident) {
        return std::nullopt;
    }
    return ProcessUse{*start, *cpu, *resident};
}

}  // namespace agent::load
