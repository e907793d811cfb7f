#include "agent/server/runs/home_submission.h"

#include <algorithm>
#include <utility>

#include "agent/server/host/host_probe.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/validate.h"

namespace agent::server {

namespace spec = engine::spec;

namespace {

// One task of a computer.
struct Seat {
    spec::TaskId task;
    int port = 0;         // that it is to have; 0: any that is free there
    std::string address;  // in numbers, at which it is to listen; empty: the one by which its computer is reached
};

// The share of one computer in the run.
struct Place {
    std::string host;  // as the user calls it
    bool is_here = false;
    std::vector<Seat> seats{};
};

[[noreturn]] void refuse(const std::string& message) {
    throw engine::Error(engine::ErrorCode::kInvalidArgument, message);
}

void refuseErrors(const spec::Diagnostics& findings) {
    const auto error =
        std::find_if(findings.begin(), findings.end(), [](const auto& one) { return one.severity == spec::Severity::kError; });
    if (error != findings.end()) {
        refuse(toString(*error));
    }
}

// The computers that the user named, in the order in which the cluster numbers their tasks. `run` gets a cluster of that shape, with ports
// that mean nothing yet.
std::vector<Place> placesOf(spec::RunSpec& run, const std::vector<spec::HostShare>& shares) {
    std::vector<Place> places;
    std::vector<spec::ShareAddress> addresses;
    const std::vector<std::vector<spec::TaskId>> tasks = spec::tasksOf(shares);
    int port = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        Place& place = places.emplace_back(Place{shares[i].host, isThisHost(shares[i].host)});
        const auto other = std::find_if(places.begin(), places.end(), [](const Place& one) { return one.is_here; });
        if (place.is_here && &*other != &place) {
            refuse("hosts: expected each computer once, got " + other->host + " and " + place.host + ", both this one");
        }
        spec::ShareAddress& address = addresses.emplace_back(spec::ShareAddress{place.host, {}});
        for (const spec::TaskId& task : tasks[i]) {
            place.seats.push_back({task, 0, ""});
            address.ports.push_back(++port);
        }
    }
    spec::useHosts(run, shares, addresses);
    return places;
}

// The computers that the addresses of the run's own cluster name.
std::vector<Place> placesOf(const spec::RunSpec& run) {
    std::vector<spec::TaskId> started;
    for (const spec::TaskPlan& plan : spec::planTasks(run)) {
        started.push_back(plan.task);
    }
    std::vector<Place> places;
    for (const spec::ClusterHost& host : spec::hostsOf(run.cluster, isThisHost)) {
        Place place{host.is_here ? hostName() : host.name, host.is_here};
        for (const spec::TaskId& task : host.tasks) {
            if (std::find(started.begin(), started.end(), task) == started.end()) {
                continue;
            }
            const std::string address = run.cluster.spec.address(task).value_or("");
            const std::optional<spec::HostPort> parsed = spec::parseHostPort(address);
            if (!parsed || parsed->port <= 0 || parsed->port > 65535) {
                refuse(toString(task) + ": expected an address \"host:port\", got \"" + address + "\"");
            }
            const bool stays = isNumericAddress(parsed->host) && !spec::isLoopbackName(parsed->host);
            place.seats.push_back({task, parsed->port, stays ? parsed->host : ""});
        }
        if (!place.seats.empty()) {
            places.push_back(std::move(place));
        }
    }
    return places;
}

const Place& placeOf(const std::vector<Place>& places, const spec::TaskId& task) {
    return *std::find_if(places.begin(), places.end(), [&](const Place& place) {
        return std::any_of(place.seats.begin(), place.seats.end(), [&](const Seat& seat) { return seat.task == task; });
    });
}

// Requires that tasks that need the chief's folder are on the computer where it lies.
void requireChiefsComputer(const std::vector<Place>& places, const std::vector<spec::TaskPlan>& plans, const Submission& submission) {
    const auto chief = std::find_if(plans.begin(), plans.end(), [](const spec::TaskPlan& one) { return one.is_chief; });
    if (chief == plans.end()) {
        return;
    }
    const Place& writes = placeOf(places, chief->task);
    if (!submission.save_weights.empty() && !writes.is_here) {
        refuse("save_weights: expected a run whose " + toString(chief->task) +
               " is on this computer, where it writes the weights, got it on " + writes.host);
    }
    for (const spec::TaskPlan& plan : plans) {
        if (!isEvaluator(plan)) {
            continue;
        }
        const Place& reads = placeOf(places, plan.task);
        if (&reads != &writes) {
            refuse(toString(plan.task) + ": expected it on " + writes.host + ", where the checkpoints of " + toString(chief->task) +
                   " are written, got it on " + reads.host);
        }
        if (!writes.is_here && plans.front().servers > 0) {
            refuse(toString(plan.task) + ": expected a chief on this computer beside an evaluator and parameter servers, got it on " +
                   writes.host);
        }
    }
}

// Returns the ports that the tasks of a computer are to have; empty: any.
std::vector<int> portsOf(const Place& place) {
    std::vector<int> ports;
    for (const Seat& seat : place.seats) {
        if (seat.port > 0) {
            ports.push_back(seat.port);
        }
    }
    return ports;
}

OwnShare takeOwn(const Place& place) {
    OwnShare own;
    for (const Seat& seat : place.seats) {
        own.tasks.push_back(seat.task);
        own.ports.push_back(seat.port > 0 ? PortReservation::thisPort(seat.port) : PortReservation::anyPort());
    }
    return own;
}

// The seats' addresses, once everybody has said them: in `run` as numbers, in `named` by the computers' names.
void fillAddresses(const Place& place, const std::string& reached, const std::vector<int>& ports, spec::RunSpec& run,
                   spec::RunSpec& named) {
    for (std::size_t i = 0; i < place.seats.size() && !run.cluster.spec.empty(); ++i) {
        const Seat& seat = place.seats[i];
        spec::setAddress(run, seat.task, spec::joinHostPort(seat.address.empty() ? reached : seat.address, ports[i]));
        spec::setAddress(named, seat.task, spec::joinHostPort(seat.address.empty() ? place.host : seat.address, ports[i]));
    }
}

spec::RunSpec runOf(const std::string& project_json) {
    spec::ProjectReport report = spec::parseProject(project_json);
    refuseErrors(report.diagnostics);
    return std::move(report.run);
}

// Returns the run's computers but for this one; none for a project that can't be read, since the run is refused for it.
std::vector<std::string> otherComputersOf(const Submission& submission) {
    std::vector<std::string> names;
    if (!submission.hosts.empty()) {
        for (const spec::HostShare& share : submission.hosts) {
            if (!isThisHost(share.host)) {
                names.push_back(share.host);
            }
        }
        return names;
    }
    if (submission.local_workers > 0 || submission.only_task) {
        return names;
    }
    const spec::ProjectReport report = spec::parseProject(submission.project_json);
    if (spec::hasErrors(report.diagnostics) || spec::hasErrors(spec::validate(report.run))) {
        return names;
    }
    for (const Place& place : placesOf(report.run)) {
        if (!place.is_here) {
            names.push_back(place.host);
        }
    }
    return names;
}

}  // namespace

bool spansComputers(const Submission& submission) {
    return !submission.hosts.empty() || !otherComputersOf(submission).empty();
}

void shareFiles(const Submission& submission, const SubmissionContext& context, const ShareHandler& handler) {
    const std::vector<std::string> hosts = otherComputersOf(submission);
    if (!hosts.empty() && context.share) {
        context.share(hosts, submission.project_json, submission.ssh_agent, handler);
    }
}

RunLaunch prepareRunOnHosts(const Submission& submission, const SubmissionContext& context, RunBook& book) {
    spec::RunSpec run = runOf(submission.project_json);
    const bool has_shares = !submission.hosts.empty();
    if (!has_shares) {
        refuseErrors(spec::validate(run));
    }
    const std::vector<Place> places = has_shares ? placesOf(run, submission.hosts) : placesOf(run);
    refuseErrors(spec::validate(run));
    const std::vector<spec::TaskPlan> plans = spec::planTasks(run);
    if (!run.cluster.spec.empty()) {
        requireChiefsComputer(places, plans, submission);
    } else if (!submission.save_weights.empty() && !places.front().is_here) {
        refuse("save_weights: expected a run on this computer, where it writes the weights, got it on " + places.front().host);
    }

    std::vector<PartRequest> requests;
    for (const Place& place : places) {
        if (!place.is_here) {
            requests.push_back({place.host, static_cast<int>(place.seats.size()), portsOf(place)});
        }
    }
    if (!requests.empty() && !context.parts) {
        refuse("hosts: expected an agent that reaches other computers, this one does not");
    }
    const std::vector<std::shared_ptr<FarPart>> parts = requests.empty()
                                                            ? std::vector<std::shared_ptr<FarPart>>()
                                                            : context.parts(requests, spec::toProjectJson(run), submission.ssh_agent);

    OwnShare own;
    spec::RunSpec named = run;
    for (std::size_t i = 0, far = 0; i < places.size(); ++i) {
        if (!places[i].is_here) {
            fillAddresses(places[i], parts[far]->address(), parts[far]->ports(), run, named);
            ++far;
            continue;
        }
        own = takeOwn(places[i]);
        std::vector<int> ports;
        for (const PortReservation& port : own.ports) {
            ports.push_back(port.port());
        }
        fillAddresses(places[i], parts.empty() ? "localhost" : parts.front()->addressOfHome(), ports, run, named);
    }

    Submission whole = submission;
    whole.project_json = spec::toProjectJson(run);
    own.named_cluster = named.cluster.spec;
    RunLaunch launch = prepareRun(whole, context, book, std::move(own));
    launch.across_hosts = !parts.empty();
    const auto chief = std::find_if(plans.begin(), plans.end(), [](const spec::TaskPlan& one) { return one.is_chief; });
    std::size_t far = 0;
    for (const Place& place : places) {
        if (place.is_here) {
            continue;
        }
        PartPlan plan{.run_id = launch.record.id,
                      .project_json = whole.project_json,
                      .tasks = {},
                      .chief = chief != plans.end() ? chief->task : spec::TaskId{},
                      .folder = launch.record.run_dir,
                      .goes_on = launch.attempt.has_value(),
                      .together = !launch.tasks_are_independent,
                      .loads = context.far_loads,
                      .patience = std::chrono::milliseconds(static_cast<std::int64_t>(run.cluster.start_timeout_s * 1000))};
        for (const Seat& seat : place.seats) {
            plan.tasks.push_back(seat.task);
            launch.tasks.push_back({.task = seat.task, .chief = plan.chief == seat.task, .process = {}, .port = {}, .part = parts[far]});
        }
        parts[far++]->plan(std::move(plan));
    }
    return launch;
}

}  // namespace agent::server
