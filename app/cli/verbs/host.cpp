// `host`: the user's other computers, and what is to be said of each.
#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <optional>
#include <ostream>

#include <nlohmann/json.hpp>

#include "agent/direct/pairing_line.h"
#include "agent/hosts/host_list.h"
#include "app/cli/hosts/host_facts.h"
#include "app/cli/hosts/host_installer.h"
#include "app/cli/verb.h"
#include "engine/errors/error_catalog.h"
#include "engine/spec/diagnostic.h"
#include "engine/spec/error.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;
using agent::hosts::Host;
using agent::hosts::HostList;
using agent::hosts::HostReport;
using agent::hosts::Installation;
using Json = nlohmann::ordered_json;

constexpr double kHostGigabyte = 1 << 30;
constexpr double kNsPerMs = 1e6;
constexpr std::size_t kShownDigits = 16;  // of a fingerprint
constexpr const char* kNoHost = "No host yet. Add one with: tandem-cli host add node1 --ssh USER@HOST\n";

struct AddOptions {
    std::string name, ssh, direct, folder = agent::hosts::kDefaultFolder;
    bool no_check = false, no_install = false;
    BundleChoice bundle;
};

struct UpdateOptions {
    std::vector<std::string> names;
    bool all = false;
    BundleChoice bundle;
};

struct HostCheckOptions {
    std::vector<std::string> names;
    bool json = false;
};

std::string formatted(const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string gigabytes(std::int64_t bytes) {
    return formatted("%.1f GB", static_cast<double>(bytes) / kHostGigabyte);
}

// "2 x NVIDIA H100", kinds in the order of their first.
std::string gpusOf(const engine::run::HostInfo& info) {
    std::vector<std::pair<std::string, int>> kinds;
    for (const spec::Gpu& gpu : info.gpus.gpus) {
        const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == gpu.name; });
        known == kinds.end() ? static_cast<void>(kinds.emplace_back(gpu.name, 1)) : static_cast<void>(++known->second);
    }
    std::string text;
    for (const auto& [name, count] : kinds) {
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " x " + name;
    }
    return text.empty() ? "no GPU" : text;
}

std::string reportLine(const HostReport& report) {
    if (report.problem) {
        const std::string problem = report.problem->what();
        return problem + " (" + std::string(engine::errors::kindOrOther(problem).code) + ")";
    }
    const engine::run::HostInfo& info = report.info;
    return "Tandem " + info.agent_version + ", " + std::to_string(info.cores) + (info.cores == 1 ? " core" : " cores") + ", memory " +
           gigabytes(info.memory_available_bytes) + " free of " + gigabytes(info.memory_bytes) + ", " + gpusOf(info) + ", disk " +
           gigabytes(info.disk_available_bytes) + " free, clock " +
           formatted("%+.2f ms", static_cast<double>(report.clock.offset.count()) / kNsPerMs);
}

Json hostJson(const Host& host) {
    if (host.direct) {
        return {{"name", host.name}, {"direct", host.direct->address}, {"fingerprint", host.direct->fingerprint}};
    }
    return {{"name", host.name}, {"ssh", toString(host.ssh)}, {"folder", host.folder}};
}

Json hostJson(const HostReport& report) {
    Json value = hostJson(report.host);
    value["ok"] = !report.problem;
    if (report.problem) {
        value["problem"] = report.problem->what();
        value["code"] = engine::errors::kindOrOther(report.problem->what()).code;
        return value;
    }
    value["clock_offset_ms"] = static_cast<double>(report.clock.offset.count()) / kNsPerMs;
    value["round_trip_ms"] = static_cast<double>(report.clock.round_trip.count()) / kNsPerMs;
    value.update(cli::asJson(report.info));
    return value;
}

std::string hostDump(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

int nameWidth(const std::vector<Host>& hosts) {
    std::size_t width = 0;
    for (const Host& host : hosts) {
        width = std::max(width, host.name.size());
    }
    return static_cast<int>(width) + 2;
}

bool wasInterrupted(Context& context) {
    if (context.interrupts() > 0) {
        context.exit_code = kInterrupted;
    }
    return context.exit_code == kInterrupted;
}

// Returns what a look at the host tells, once Tandem lies there.
HostReport lookedAt(Context& context, const Host& host, const AddOptions& options) {
    HostReport report = context.check_hosts({host}).front();
    const bool lacks_it = report.problem && report.problem->code() == engine::ErrorCode::kNotFound;
    if (!lacks_it || options.no_install || context.interrupts() > 0) {
        return report;
    }
    try {
        const Installation installation = HostInstaller(context, options.bundle).install(host);
        if (!options.bundle.json) {
            context.out << host.name << "  " << installedLine(installation) << std::endl;
        }
    } catch (const engine::Error& error) {
        report.problem = error;
        return report;
    }
    return context.check_hosts({host}).front();
}

// False, and told, when a host can't be in the list.
bool isSound(Context& context, const Host& host) {
    const spec::Diagnostics found = findings(host, "host");
    for (const spec::Diagnostic& one : found) {
        context.err << toString(one) << '\n';
    }
    context.exit_code = found.empty() ? context.exit_code : kUsage;
    return found.empty();
}

// The line is good once: who was paired by it stays in the list whatever the look finds.
void pairOne(Context& context, const AddOptions& options) {
    if (!options.ssh.empty()) {
        context.err << "error: expected --ssh or --direct, got both\n";
        context.exit_code = kUsage;
        return;
    }
    const auto line = agent::direct::pairingLineIn(options.direct);
    const HostList list;
    if (line && !isSound(context, {.name = options.name, .direct = line->peer})) {
        return;
    }
    if (const auto known = list.find(options.name)) {
        list.add(*known);  // says that there is one
    }
    const Host host = context.pair_with(options.name, options.direct);
    list.add(host);
    if (!options.bundle.json) {
        context.out << "Added " << host.name << " to " << list.file().string() << std::endl;
    }
    if (options.no_check) {
        return;
    }
    const HostReport report = context.check_hosts({host}).front();
    if (wasInterrupted(context)) {
        return;
    }
    if (report.problem) {
        context.err << "error: " << report.problem->what() << "; it is paired, and stays in the list\n";
        context.exit_code = kFailed;
        return;
    }
    context.out << (options.bundle.json ? hostDump(hostJson(report)) : host.name + "  " + reportLine(report)) << '\n';
}

void addOne(Context& context, const AddOptions& options) {
    if (!options.direct.empty()) {
        pairOne(context, options);
        return;
    }
    const auto destination = agent::hosts::parseSshDestination(options.ssh.empty() ? options.name : options.ssh);
    if (!destination) {
        context.err << "error: --ssh: expected [USER@]HOST[:PORT], got " << options.ssh << '\n';
        context.exit_code = kUsage;
        return;
    }
    const Host host{.name = options.name, .ssh = *destination, .folder = options.folder};
    if (!isSound(context, host)) {
        return;
    }
    const HostList list;
    if (list.find(host.name)) {
        list.add(host);  // says that there is one
    }
    if (!options.no_check) {
        const HostReport report = lookedAt(context, host, options);
        if (wasInterrupted(context)) {
            return;
        }
        if (report.problem) {
            context.err << "error: " << report.problem->what() << "; it was not added (--no-check adds it all the same)\n";
            context.exit_code = kFailed;
            return;
        }
        context.out << (options.bundle.json ? hostDump(hostJson(report)) : host.name + "  " + reportLine(report)) << '\n';
    }
    list.add(host);
    if (!options.bundle.json) {
        context.out << "Added " << host.name << " to " << list.file().string() << '\n';
    }
}

void listAll(Context& context, bool json) {
    const std::vector<Host> hosts = HostList().list();
    for (const Host& host : hosts) {
        if (json) {
            context.out << hostDump(hostJson(host)) << '\n';
        } else {
            context.out << std::left << std::setw(nameWidth(hosts)) << host.name << destinationOf(host) << "  "
                        << (host.direct ? "directly, certificate " + host.direct->fingerprint.substr(0, kShownDigits) : host.folder)
                        << '\n';
        }
    }
    if (hosts.empty() && !json) {
        context.out << kNoHost;
    }
}

std::vector<Host> chosen(const std::vector<std::string>& names) {
    const std::vector<Host> all = HostList().list();
    std::vector<Host> hosts = names.empty() ? all : std::vector<Host>();
    for (const std::string& name : names) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Host& host) { return host.name == name; });
        found == all.end() ? agent::hosts::throwUnknownHost(name, all) : hosts.push_back(*found);
    }
    return hosts;
}

void lookAtHosts(Context& context, const HostCheckOptions& options) {
    const std::vector<Host> hosts = chosen(options.names);
    if (hosts.empty()) {
        context.out << (options.json ? "" : kNoHost);
        return;
    }
    const std::vector<HostReport> reports = context.check_hosts(hosts);
    if (wasInterrupted(context)) {
        return;
    }
    for (const HostReport& report : reports) {
        if (options.json) {
            context.out << hostDump(hostJson(report)) << '\n';
        } else {
            context.out << std::left << std::setw(nameWidth(hosts)) << report.host.name << (report.problem ? "error  " : "ok     ")
                        << reportLine(report) << '\n';
        }
        context.exit_code = report.problem ? kFailed : context.exit_code;
    }
}

void addBundleOptions(CLI::App& verb, BundleChoice& choice, const std::string& at_the_end) {
    verb.add_option("--bundle", choice.file,
                    "what is installed: an archive of bash installer/bundle.sh (default: share/tandem/bundle.tar.gz beside the programs)");
    verb.add_flag("--json", choice.json,
                  "JSON objects: name, sent_bytes and all_bytes while the bundle is sent, for each tenth; at the end " + at_the_end);
}

Json hostJson(const Host& host, const Installation& installation) {
    Json value = hostJson(host);
    value["ok"] = true;
    value["version"] = installation.version;
    value["program"] = installation.program;
    value["installed"] = !installation.was_there;
    if (!installation.before.empty()) {
        value["before"] = installation.before;
    }
    return value;
}

// `installer` is there for a host over ssh.
void updateOne(Context& context, std::optional<HostInstaller>& installer, const Host& host, bool json) {
    try {
        agent::hosts::requireSsh(host);
        const Installation installation = installer.value().install(host);
        context.out << (json ? hostDump(hostJson(host, installation)) : host.name + "  " + installedLine(installation)) << std::endl;
    } catch (const engine::Error& error) {
        if (wasInterrupted(context)) {
            return;
        }
        context.exit_code = kFailed;
        if (json) {
            Json value = hostJson(host);
            value["ok"] = false;
            value["problem"] = error.what();
            context.out << hostDump(value) << std::endl;
        } else {
            context.err << "error: " << error.what() << std::endl;
        }
    }
}

void update(Context& context, const UpdateOptions& options) {
    if (options.names.empty() != options.all) {
        context.err << "error: expected the names of hosts or --all, got " << (options.all ? "both" : "neither") << '\n';
        context.exit_code = kUsage;
        return;
    }
    const std::vector<Host> hosts = chosen(options.names);
    if (hosts.empty()) {
        context.out << (options.bundle.json ? "" : kNoHost);
        return;
    }
    std::optional<HostInstaller> installer;
    if (std::any_of(hosts.begin(), hosts.end(), [](const Host& host) { return !host.direct; })) {
        installer.emplace(context, options.bundle);
    }
    for (const Host& host : hosts) {
        updateOne(context, installer, host, options.bundle.json);
        if (wasInterrupted(context)) {
            return;
        }
    }
}

}  // namespace

void addHost(CLI::App& app, Context& context) {
    CLI::App* group = app.add_subcommand("host", "The other computers that runs may use, and how each is reached");
    group->require_subcommand(1);
    group->footer("The list is yours alone and belongs to no project; projects name hosts.");

    CLI::App* add = group->add_subcommand(
        "add",
        "Add a computer to the list, once a look at it has shown that it can be used; where no Tandem lies, this one is installed over "
        "ssh, without root");
    auto adding = std::make_shared<AddOptions>();
    add->add_option("NAME", adding->name, "the name by which projects mean it")->required();
    add->add_option("--ssh", adding->ssh, "[USER@]HOST[:PORT] for ssh, or a name of ~/.ssh/config (default: NAME)");
    add->add_option("--direct", adding->direct,
                    "reach it without ssh: the line that tandem-agent invite prints there, where tandem-agent --listen HOST:PORT runs");
    add->add_option("--folder", adding->folder,
                    "where Tandem lies there, below the home folder unless absolute; else the PATH there counts")
        ->capture_default_str();
    add->add_flag("--no-check", adding->no_check, "add it without a look, and install nothing there");
    add->add_flag("--no-install", adding->no_install, "install nothing there: a computer without Tandem can't be used");
    addBundleOptions(*add, adding->bundle, "what check --json has");
    add->footer("Exit codes: 0 added, 1 the list has the name or the computer can't be used, 2 no such name or address, 130 interrupted.");
    add->callback([&context, adding] { addOne(context, *adding); });

    CLI::App* list = group->add_subcommand("list", "Print the list");
    auto list_json = std::make_shared<bool>(false);
    list->add_flag("--json", *list_json, "one JSON object a host: name, ssh, folder, or name, direct, fingerprint");
    list->footer("Exit codes: 0, or 1 when the list can't be read.");
    list->callback([&context, list_json] { listAll(context, *list_json); });

    CLI::App* look = group->add_subcommand(
        "check", "Look at computers of the list: version, cores, memory, GPUs, disk and clock of each, or why it can't be used");
    auto checking = std::make_shared<HostCheckOptions>();
    look->add_option("NAME", checking->names, "those to look at (default: all)");
    look->add_flag(
        "--json", checking->json,
        "one JSON object a host: name, ssh, folder, ok; then problem, or clock_offset_ms, round_trip_ms and what agent --json has");
    look->footer("Exit codes: 0 all can be used, 1 one can't, or no such name, 130 interrupted.");
    look->callback([&context, checking] { lookAtHosts(context, *checking); });

    CLI::App* renew = group->add_subcommand(
        "update",
        "Install this version of Tandem on computers of the list where another one lies, or none; an agent of another version "
        "there ends, unless it has a run");
    auto updating = std::make_shared<UpdateOptions>();
    renew->add_option("NAME", updating->names, "those to update");
    renew->add_flag("--all", updating->all, "all of the list");
    addBundleOptions(*renew, updating->bundle,
                     "name, ssh, folder, ok of each host; then problem, or version, program, installed and before");
    renew->footer("Exit codes: 0 all have this version, 1 one has not, or no such name or bundle, 2 no name, 130 interrupted.");
    renew->callback([&context, updating] { update(context, *updating); });

    CLI::App* remove = group->add_subcommand(
        "remove", "Take a computer off the list; nothing changes there: tandem-agent unpair forgets this one there, after --direct");
    auto removing = std::make_shared<std::string>();
    remove->add_option("NAME", *removing, "its name in the list")->required();
    remove->footer("Exit codes: 0 removed, 1 no such name.");
    remove->callback([&context, removing] {
        HostList().remove(*removing);
        context.out << "Removed " << *removing << '\n';
    });
}

}  // namespace app::cli
