// `doctor`: the look of the agent before a launch, in the words that the studio shows.
#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <ostream>

#include <nlohmann/json.hpp>

#include "app/cli/hosts/host_ways.h"
#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/errors/error_catalog.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/host_share.h"
#include "engine/spec/error.h"
#include "engine/spec/events/doctor_report.h"

namespace app::cli {
namespace {

namespace errors = engine::errors;
namespace spec = engine::spec;

constexpr std::chrono::seconds kDeadline{30}, kHostsDeadline{120};
constexpr double kMillion = 1e6, kMicrosPerMilli = 1000;

struct DoctorOptions {
    std::string project;
    std::vector<std::string> settings;
    std::optional<std::string> hosts;  // as train takes them; nullopt: those of the project's cluster
    int servers = 0;                   // beside the workers of these hosts
    bool json = false;
};

// Returns the code of a row that warns or stands in the way, which tandem-cli explain takes; empty for the others.
std::string_view codeOf(const spec::DoctorRow& row) {
    const bool is_finding = row.state == spec::DoctorState::kError || row.state == spec::DoctorState::kWarning;
    return is_finding ? errors::kindOrOther(row.path.empty() ? row.title : row.path + ": " + row.title).code : std::string_view();
}

std::string cell(const spec::DoctorLink& link) {
    if (!link.problem.empty()) {
        return "-";
    }
    char text[48];
    std::snprintf(text, sizeof text, "%.2f ms %.0f MB/s", link.latency_us / kMicrosPerMilli, link.bytes_per_s / kMillion);
    return text;
}

void printLinks(std::ostream& out, const std::vector<spec::DoctorLink>& links) {
    std::vector<spec::TaskId> tasks;
    for (const spec::DoctorLink& link : links) {
        if (std::find(tasks.begin(), tasks.end(), link.from) == tasks.end()) {
            tasks.push_back(link.from);
        }
    }
    constexpr int kWidth = 20;
    out << '\n' << std::left << std::setw(kWidth) << "latency, bandwidth";
    for (const spec::TaskId& to : tasks) {
        out << std::setw(kWidth) << toString(to);
    }
    for (const spec::TaskId& from : tasks) {
        out << '\n' << std::setw(kWidth) << toString(from);
        for (const spec::TaskId& to : tasks) {
            const auto link = std::find_if(links.begin(), links.end(), [&](const auto& l) { return l.from == from && l.to == to; });
            out << std::setw(kWidth) << (link == links.end() ? "" : cell(*link));
        }
    }
    out << '\n';
}

void printJson(std::ostream& out, const spec::DoctorReport& report) {
    nlohmann::ordered_json json{{"rows", nlohmann::ordered_json::array()}, {"links", nlohmann::ordered_json::array()}};
    for (const spec::DoctorRow& row : report.rows) {
        json["rows"].push_back({{"state", toString(row.state)},
                                {"check", row.check},
                                {"title", row.title},
                                {"detail", row.detail},
                                {"fix", row.fix},
                                {"path", row.path},
                                {"code", codeOf(row)}});
    }
    for (const spec::DoctorLink& link : report.links) {
        nlohmann::ordered_json entry{{"from", toString(link.from)}, {"to", toString(link.to)}};
        if (link.problem.empty()) {
            entry["latency_us"] = link.latency_us;
            entry["bytes_per_s"] = link.bytes_per_s;
        } else {
            entry["problem"] = link.problem;
        }
        json["links"].push_back(std::move(entry));
    }
    json["ways"] = nlohmann::ordered_json::array();
    for (const spec::HostWay& way : report.ways) {
        json["ways"].push_back(wayJson(way));
    }
    out << json.dump() << '\n';
}

// The run over these computers, on ports that nobody has chosen yet. False after saying what is wrong with the options.
bool chooseHosts(Context& context, const DoctorOptions& options, spec::RunSpec& run) {
    const auto refuse = [&](const std::string& why) {
        context.err << "error: " << why << '\n';
        context.exit_code = kUsage;
        return false;
    };
    if (!options.hosts) {
        return options.servers == 0 || refuse("--servers: expected --hosts beside it, got none");
    }
    try {
        std::vector<spec::HostShare> shares = spec::parseHostShares(*options.hosts);
        spec::dealServers(shares, options.servers);
        std::vector<spec::ShareAddress> addresses;
        addresses.reserve(shares.size());
        for (const spec::HostShare& share : shares) {
            addresses.push_back({share.host, std::vector<int>(static_cast<std::size_t>(share.tasks()), 0)});
        }
        spec::useHosts(run, shares, addresses);
        if (run.cluster.spec.empty()) {
            run.cluster.hosts = {shares.front().host};  // one task has no cluster, and a computer all the same
        }
    } catch (const engine::Error& error) {
        return refuse(error.what());
    }
    return true;
}

// Removes the warnings about the ports that chooseHosts() has put in: nobody's project has them.
void leaveOutPlaceholders(const spec::RunSpec& run, spec::DoctorReport& report) {
    const std::vector<spec::TaskId> tasks = spec::allTasks(run.cluster.spec);
    std::erase_if(report.rows, [&](const spec::DoctorRow& row) {
        return row.check == "project" && row.state == spec::DoctorState::kWarning &&
               std::any_of(tasks.begin(), tasks.end(), [&](const spec::TaskId& task) { return row.path == spec::pathOf(task); });
    });
}

void doctor(Context& context, const DoctorOptions& options) {
    auto run = readProject(context, options.project, options.settings);
    if (!run || !chooseHosts(context, options, *run)) {
        return;
    }
    const bool is_far = options.hosts || spec::namesOtherHosts(run->cluster.spec);
    spec::DoctorReport report = context.connect()->doctor(*run, is_far ? kHostsDeadline : kDeadline, {});
    if (options.hosts) {
        leaveOutPlaceholders(*run, report);
    }
    if (options.json) {
        printJson(context.out, report);
    } else {
        for (const spec::DoctorRow& row : report.rows) {
            context.out << std::left << std::setw(8) << toString(row.state) << std::setw(8) << row.check << row.title
                        << (row.detail.empty() ? "" : " (" + row.detail + ")") << (row.fix.empty() ? "" : " [" + row.fix + "]");
            if (const std::string_view code = codeOf(row); !code.empty()) {
                context.out << " (" << code << ')';
            }
            context.out << '\n';
        }
        if (!report.ways.empty()) {
            printWays(context.out, report.ways);
        } else if (!report.links.empty()) {
            printLinks(context.out, report.links);
        }
    }
    if (hasErrors(report)) {
        context.exit_code = kFailed;
    }
}

}  // namespace

void addDoctor(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("doctor", "Look at what a run would need of this computer and its cluster; starts nothing");
    auto options = std::make_shared<DoctorOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_option(
        "--hosts", options->hosts,
        "computers of the run, as train takes them (node1,node2:2), in place of the project's cluster; their ports are any that "
        "are free there");
    verb->add_option("--servers", options->servers, "number of parameter servers beside the workers of --hosts")->check(CLI::Range(1, 256));
    verb->add_flag("--json", options->json,
                   "one JSON object: rows (state, check, title, detail, fix, path, code), links between tasks and ways between computers");
    verb->footer("Exit codes: 0 nothing stands in the way, 1 an error was found, 2 no such project, 3 the agent can't be reached.");
    verb->callback([&context, options] { doctor(context, *options); });
}

}  // namespace app::cli
