#include "agent/home/doctor_visit.h"

#include <chrono>
#include <thread>
#include <utility>

#include "agent/home/far_files.h"
#include "agent/server/host/host_probe.h"
#include "engine/spec/error.h"
#include "engine/spec/project/project_json.h"

namespace agent::home {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds kCall{3}, kFree{3};
constexpr std::chrono::milliseconds kFreeLook{20};
constexpr int kClockRounds = 5;
constexpr double kNsPerMs = 1e6;

// Returns a project that every Tandem can run.
std::string projectWithoutFiles() {
    spec::RunSpec run;
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {{"Flatten", "flatten", {}},
                        {"Dense", "dense", {{"units", std::int64_t{10}}, {"activation", std::string("softmax")}}}};
    run.data.dataset = "ones";
    return spec::toProjectJson(run);
}

// Checksums of gigabytes take longer than a doctor's look: a launch waits for them.
bool isLate(const Error& error) {
    return error.code() == ErrorCode::kCancelled || error.code() == ErrorCode::kDeadlineExceeded;
}

}  // namespace

std::vector<int> writtenPorts(const server::FarQuestion& question) {
    std::vector<int> ports;
    for (const server::FarTask& task : question.tasks) {
        if (task.port > 0) {
            ports.push_back(task.port);
        }
    }
    return ports;
}

void DoctorVisit::look(const server::FarQuestion& question, const std::string& project_json, files::FileDigests& digests,
                       server::FarLook& look) {
    look.info = far_.client().describe(kCall);
    const client::ClockOffset clock = far_.clockOffset(kClockRounds, kCall);
    look.clock_ahead_ms = static_cast<double>(clock.offset.count()) / kNsPerMs;
    look.round_trip_ms = static_cast<double>(clock.round_trip.count()) / kNsPerMs;
    if (question.tasks.empty()) {
        return;
    }
    FilesThere there;
    bool is_known = false;  // whether the tasks could run there
    try {
        const auto late = [until = Clock::now() + kCall] { return Clock::now() > until; };
        there = filesThere(project_json, parts_, digests, kCall, late);
        look.lacking_bytes = there.lacking.empty() ? 0 : there.lacking_bytes;
        if (there.lacking.empty()) {
            hold(question, projectThere(project_json, there));
            is_known = true;
        }
    } catch (const Error& error) {
        look.refusal = isLate(error) ? "" : namedAsHere(error.what(), there);
        is_known = !isLate(error);
    }
    if (is_known) {
        return;
    }
    try {
        hold(question, projectWithoutFiles());  // for ports nobody needs the files
    } catch (const Error& error) {
        look.refusal = isLate(error) ? "" : error.what();
    }
}

void DoctorVisit::freePorts(const server::FarQuestion& question) {
    letGo();
    const std::vector<int> written = writtenPorts(question);
    const auto until = Clock::now() + kFree;
    while (!written.empty() && !ports_.empty() && Clock::now() < until) {
        try {
            holdThese(projectWithoutFiles(), written.size(), written);
            return letGo();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kAlreadyExists) {
                return;  // it is out of reach
            }
            std::this_thread::sleep_for(kFreeLook);
        }
    }
}

void DoctorVisit::letGo() {
    for (const std::string& id : std::exchange(held_, {})) {
        try {
            parts_.drop(id, kCall);
        } catch (const Error&) {  // it lets go by itself
        }
    }
}

// The ports that stand in the cluster, and any for tasks that have none yet.
void DoctorVisit::hold(const server::FarQuestion& question, const std::string& project_there) {
    const std::vector<int> written = writtenPorts(question);
    std::vector<int> any;
    if (!written.empty()) {
        holdThese(project_there, written.size(), written);
    }
    if (const std::size_t more = question.tasks.size() - written.size(); more > 0) {
        any = holdThese(project_there, more, {});
    }
    std::size_t next = 0;
    for (const server::FarTask& task : question.tasks) {
        ports_.push_back(task.port > 0 ? task.port : any.at(next++));
    }
}

std::vector<int> DoctorVisit::holdThese(const std::string& project_there, std::size_t count, const std::vector<int>& ports) {
    const client::HeldPart held = parts_.prepare(project_there, static_cast<int>(count), server::hostName(), ports, kCall);
    held_.push_back(held.id);
    return held.ports;
}

}  // namespace agent::home
