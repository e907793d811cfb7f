#include "agent/server/runs/home_submission.h"

#include <algorithm>
#include <utility>

#include "agent/server/host/host_probe.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/validate.h"

namespace agent::server {

namespace spec = engine::spec;

namespace {

[[noreturn]] void refuse(const std::string& message) {
    throw engine::Error(engine::ErrorCode::kInvalidArgument, message);
}

spec::RunSpec runOf(const std::string& project_json) {
    spec::ProjectReport report = spec::parseProject(project_json);
    if (spec::hasErrors(report.diagnostics)) {
        const auto error = std::find_if(report.diagnostics.begin(), report.diagnostics.end(),
                                        [](const auto& one) { return one.severity == spec::Severity::kError; });
        refuse(toString(*error));
    }
    return std::move(report.run);
}

// The project with a cluster of the right shape, before anybody has said a port.
std::string sketchOf(spec::RunSpec run, const std::vector<spec::HostShare>& shares) {
    std::vector<spec::ShareAddress> nowhere;
    int port = 0;
    for (const spec::HostShare& share : shares) {
        spec::ShareAddress& address = nowhere.emplace_back(spec::ShareAddress{"localhost", {}});
        for (int i = 0; i < share.tasks(); ++i) {
            address.ports.push_back(++port);
        }
    }
    spec::useHosts(run, shares, nowhere);
    for (const spec::Diagnostic& finding : spec::validate(run)) {
        if (finding.severity == spec::Severity::kError) {
            refuse(toString(finding));
        }
    }
    return spec::toProjectJson(run);
}

}  // namespace

RunLaunch prepareRunOnHosts(const Submission& submission, const SubmissionContext& context, RunBook& book) {
    const std::vector<spec::HostShare>& shares = submission.hosts;
    spec::RunSpec run = runOf(submission.project_json);
    const std::string sketch = sketchOf(run, shares);

    std::vector<PartRequest> requests;
    std::vector<spec::ShareAddress> addresses(shares.size());
    OwnShare own;
    std::optional<std::size_t> here;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (!isThisHost(shares[i].host)) {
            requests.push_back({shares[i].host, shares[i].tasks()});
        } else if (here) {
            refuse("hosts: expected each computer once, got " + shares[*here].host + " and " + shares[i].host + ", both this one");
        } else {
            here = i;
        }
    }
    if (!submission.save_weights.empty() && here != std::size_t{0}) {
        refuse("save_weights: expected a run whose first host is this computer, which then writes the weights, got " + shares[0].host);
    }
    if (!requests.empty() && !context.parts) {
        refuse("hosts: expected an agent that reaches other computers, this one does not");
    }
    const std::vector<std::shared_ptr<FarPart>> parts =
        requests.empty() ? std::vector<std::shared_ptr<FarPart>>() : context.parts(requests, sketch, submission.ssh_agent);

    const std::vector<std::vector<spec::TaskId>> tasks = spec::tasksOf(shares);
    for (std::size_t i = 0, far = 0; i < shares.size(); ++i) {
        if (here != i) {
            addresses[i] = {parts[far]->address(), parts[far]->ports()};
            ++far;
            continue;
        }
        addresses[i].address = parts.empty() ? "localhost" : parts.front()->addressOfHome();
        for (const spec::TaskId& task : tasks[i]) {
            own.tasks.push_back(task);
            own.ports.push_back(PortReservation::anyPort());
            addresses[i].ports.push_back(own.ports.back().port());
        }
    }
    spec::useHosts(run, shares, addresses);
    const std::vector<spec::TaskPlan> plans = spec::planTasks(run);

    Submission whole = submission;
    whole.project_json = spec::toProjectJson(run);
    RunLaunch launch = prepareRun(whole, context, book, std::move(own));
    launch.across_hosts = !parts.empty();
    const auto chief = std::find_if(plans.begin(), plans.end(), [](const spec::TaskPlan& one) { return one.is_chief; });
    for (std::size_t i = 0, far = 0; i < shares.size(); ++i) {
        if (here == i) {
            continue;
        }
        for (const spec::TaskId& task : tasks[i]) {
            launch.tasks.push_back(
                {.task = task, .chief = chief != plans.end() && chief->task == task, .process = {}, .port = {}, .part = parts[far]});
        }
        parts[far]->plan({.project_json = whole.project_json,
                          .tasks = tasks[i],
                          .chief = chief != plans.end() ? chief->task : spec::TaskId{},
                          .folder = launch.record.run_dir,
                          .goes_on = launch.attempt.has_value(),
                          .together = !launch.tasks_are_independent,
                          .patience = std::chrono::milliseconds(static_cast<std::int64_t>(run.cluster.start_timeout_s * 1000))});
        ++far;
    }
    return launch;
}

}  // namespace agent::server
