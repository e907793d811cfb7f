#include "app/cli/hosts/host_ways.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <ostream>
#include <string>

namespace app::cli {

namespace spec = engine::spec;
using spec::HostWay;
using spec::WayOutcome;

namespace {

constexpr std::size_t kMostColumns = 16, kWorst = 16;
constexpr double kWayMillion = 1e6, kWayMicrosPerMilli = 1000;

std::string wayNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    return text;
}

// Returns a word that stands in place of a number.
std::string wordOf(const HostWay& way) {
    switch (way.outcome) {
        case WayOutcome::kRefused:
            return "refused";
        case WayOutcome::kNoRoute:
            return "no route";
        case WayOutcome::kTimedOut:
            return "timed out";
        case WayOutcome::kNotProven:
            return "not proven";
        case WayOutcome::kReached:
        case WayOutcome::kNotTried:
            break;
    }
    return "-";
}

std::string roundTrip(const HostWay& way) {
    return way.round_trip_us > 0 ? wayNumber(way.round_trip_us / kWayMicrosPerMilli) : wordOf(way);
}

std::string bandwidth(const HostWay& way) {
    return way.bytes_per_s > 0 ? wayNumber(way.bytes_per_s / kWayMillion) : wordOf(way);
}

std::string paddedLeft(const std::string& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

void printWayTable(std::ostream& out, const char* title, const std::vector<std::string>& hosts, const std::vector<HostWay>& ways,
                   const std::function<std::string(const HostWay&)>& cell) {
    constexpr std::size_t kLeastFirst = 15, kLeastWidth = 12;  // of the titles; of the longest word of a cell, and two spaces
    std::size_t first = kLeastFirst, width = kLeastWidth;
    for (const std::string& host : hosts) {
        first = std::max(first, host.size());
        width = std::max(width, host.size() + 2);
    }
    const auto print = [&](std::string line, const std::function<std::string(const std::string& to)>& text) {
        line.resize(first, ' ');
        for (const std::string& to : hosts) {
            line += paddedLeft(text(to), width);
        }
        out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    };
    out << '\n';
    print(title, [](const std::string& to) { return to; });
    for (const std::string& from : hosts) {
        print(from, [&](const std::string& to) {
            const auto way = std::find_if(ways.begin(), ways.end(), [&](const HostWay& one) { return one.from == from && one.to == to; });
            return way == ways.end() ? std::string() : cell(*way);
        });
    }
}

// Prints the ways that fail first, then the slowest.
void printWorst(std::ostream& out, std::vector<HostWay> ways) {
    std::erase_if(ways, [](const HostWay& way) { return way.outcome == WayOutcome::kNotTried; });
    std::stable_sort(ways.begin(), ways.end(), [](const HostWay& a, const HostWay& b) { return a.bytes_per_s < b.bytes_per_s; });
    ways.resize(std::min(ways.size(), kWorst));
    out << "\nThe worst ways, round trip in ms and bandwidth in MB/s\n";
    for (const HostWay& way : ways) {
        out << way.from << " -> " << way.to << ": " << roundTrip(way) << (way.bytes_per_s > 0 ? ", " + bandwidth(way) : "") << '\n';
    }
}

}  // namespace

void printWays(std::ostream& out, const std::vector<HostWay>& ways) {
    std::vector<std::string> hosts;
    for (const HostWay& way : ways) {
        if (std::find(hosts.begin(), hosts.end(), way.from) == hosts.end()) {
            hosts.push_back(way.from);
        }
    }
    if (hosts.size() > kMostColumns) {
        printWorst(out, ways);
    } else if (!hosts.empty()) {
        printWayTable(out, "round trip, ms", hosts, ways, roundTrip);
        printWayTable(out, "bandwidth, MB/s", hosts, ways, bandwidth);
    }
}

nlohmann::ordered_json wayJson(const HostWay& way) {
    nlohmann::ordered_json json{{"from", way.from}, {"to", way.to}, {"port", way.port}, {"outcome", toString(way.outcome)}};
    if (way.round_trip_us > 0) {
        json["round_trip_us"] = way.round_trip_us;
    }
    if (way.bytes_per_s > 0) {
        json["bytes_per_s"] = way.bytes_per_s;
    }
    if (way.is_slow) {
        json["is_slow"] = true;
    }
    if (!way.detail.empty()) {
        json["detail"] = way.detail;
    }
    return json;
}

}  // namespace app::cli
