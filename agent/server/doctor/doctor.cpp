#include "agent/server/doctor/doctor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <future>
#include <map>
#include <set>

#include "agent/server/doctor/way_findings.h"
#include "agent/server/host/host_probe.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/strategy_support.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/project_json.h"
#include "engine/spec/validate/validate.h"

namespace agent::server {

namespace spec = engine::spec;
using spec::DoctorRow;
using spec::DoctorState;

namespace {

constexpr double kMib = 1024.0 * 1024.0, kGib = 1024.0 * kMib;
constexpr std::int64_t kLowMemory = 1LL << 30, kLowDisk = 1LL << 30;
constexpr std::size_t kMostMeasured = 8;  // tasks between which every way is measured; more would take too long
constexpr auto kNoTime = "no time was left";
constexpr std::size_t kMostAsked = 64;  // other hosts
constexpr double kFarClockMs = 1000;
constexpr std::chrono::seconds kMeasuringTime{4};
constexpr int kWeightsAndSlots = 3, kBytesPerNumber = 4;

std::string sizeText(double bytes) {
    char text[32];
    std::snprintf(text, sizeof text, bytes >= kGib ? "%.1f GB" : "%.1f MB", bytes / (bytes >= kGib ? kGib : kMib));
    return text;
}

std::string milliseconds(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.2f ms" : "%.0f ms", value);
    return text;
}

std::string counted(std::int64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// "12345, 23456 and 34567"
std::string listed(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        text += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
        text += parts[i];
    }
    return text;
}

DoctorState stateOf(spec::Severity severity) {
    return severity == spec::Severity::kError     ? DoctorState::kError
           : severity == spec::Severity::kWarning ? DoctorState::kWarning
                                                  : DoctorState::kInfo;
}

class Doctor {
public:
    Doctor(const spec::RunSpec& run, const DoctorWorld& world)
        : run_(run), world_(world), tasks_(run.cluster.spec.trainingTasks()), linked_(spec::linkedTasks(run)) {
        for (const spec::ClusterHost& host : spec::hostsOf(run.cluster, world.is_this_host)) {
            if (host.is_here) {
                here_ = host.tasks;
            } else {
                elsewhere_.push_back(host);
            }
        }
    }

    spec::DoctorReport look() {
        project();
        hosts();
        versions();
        cores();
        memory();
        ports();
        data();
        disk();
        clock();
        gpu();
        links();
        return std::move(report_);
    }

private:
    void add(DoctorState state, const char* check, std::string title, std::string detail = "", std::string fix = "",
             std::string path = "") {
        report_.rows.push_back({state, check, std::move(title), std::move(detail), std::move(fix), std::move(path)});
    }

    std::int64_t localTasks() const {
        const auto count = std::count_if(tasks_.begin(), tasks_.end(), [&](const spec::TaskId& task) { return isHere(task); });
        return tasks_.empty() ? 1 : count;
    }
    bool isHere(const spec::TaskId& task) const {
        const std::string host = spec::hostOf(run_.cluster.spec.address(task).value_or(""));
        return spec::isLoopbackName(host) || world_.is_this_host(host);
    }

    void project() {
        const spec::Diagnostics found = spec::validate(run_);
        for (const spec::Diagnostic& d : found) {
            add(stateOf(d.severity), "project", d.message, "", d.fix, d.path);
        }
        if (!hasErrors(found)) {
            add(DoctorState::kOk, "project", run_.cluster.spec.empty() ? "The project holds every rule" : "TF_CONFIG: all rules hold");
        }
    }

    // The port of a host's first task; 0 when it has none.
    int firstPort(const spec::ClusterHost& host) const {
        const auto parsed = host.tasks.empty() ? std::nullopt : spec::parseHostPort(*run_.cluster.spec.address(host.tasks.front()));
        return parsed ? parsed->port : 0;
    }

    FarQuestion questionOf(const std::string& name, const std::vector<spec::TaskId>& tasks) const {
        FarQuestion question{name, {}};
        for (const spec::TaskId& task : tasks) {
            const auto parsed = spec::parseHostPort(*run_.cluster.spec.address(task));
            if (parsed && parsed->port >= 0 && parsed->port <= 65535) {  // else a row of the project's says so
                const bool stays = isNumericAddress(parsed->host) && !spec::isLoopbackName(parsed->host);
                const bool is_linked = std::find(linked_.begin(), linked_.end(), task) != linked_.end();
                question.tasks.push_back({task, parsed->port, stays ? parsed->host : "", is_linked});
            }
        }
        return question;
    }

    // Looks at the computers of the user's list, by the agents there, and at the ways between all.
    void lookAtKnown() {
        looks_.resize(elsewhere_.size());
        if (!world_.look || elsewhere_.empty()) {
            return;
        }
        FarCase asked{
            .project_json = spec::toProjectJson(run_), .questions = {}, .here = questionOf(world_.host.host_name, here_), .ssh_agent = ""};
        for (const spec::ClusterHost& host : elsewhere_) {
            asked.questions.push_back(questionOf(host.name, host.tasks));
        }
        FarSight sight = world_.look(std::move(asked));
        looks_ = std::move(sight.looks);
        looks_.resize(elsewhere_.size());
        report_.ways = std::move(sight.ways);
    }

    void knownHost(const spec::ClusterHost& host, const FarLook& look, const std::string& path) {
        if (!look.problem.empty()) {
            add(DoctorState::kError, "host", look.problem, "", "Look at it with tandem-cli host check " + host.name + ".", path);
            return;
        }
        add(DoctorState::kOk, "host", host.name + " answers, " + milliseconds(look.round_trip_ms) + " away",
            counted(look.info.cores, "core") + ", " + sizeText(static_cast<double>(look.info.memory_available_bytes)) +
                " of memory free, " + sizeText(static_cast<double>(look.info.disk_available_bytes)) + " free for runs",
            "", path);
        if (!look.refusal.empty()) {
            add(DoctorState::kError, "host", host.name + ": " + look.refusal, "", "Mend it there, or move its tasks.", path);
        }
        if (look.lacking_bytes > 0) {
            add(DoctorState::kInfo, "data",
                host.name + ": a launch sends " + sizeText(static_cast<double>(look.lacking_bytes)) + " of the run's files there",
                "They are kept there: the next launch sends what has changed.", "", path);
        }
        if (look.info.memory_available_bytes < kLowMemory) {
            add(DoctorState::kWarning, "memory",
                host.name + ": " + sizeText(static_cast<double>(look.info.memory_available_bytes)) + " of memory free",
                "A task needs about 200 MB and its data.", "Close other programs.", path);
        }
        if (look.info.disk_available_bytes < kLowDisk) {
            add(DoctorState::kWarning, "disk",
                host.name + ": " + sizeText(static_cast<double>(look.info.disk_available_bytes)) + " free for runs", "", "Make room.",
                path);
        }
    }

    void unknownHost(const spec::ClusterHost& host, const HostAnswer& answer, const std::string& path) {
        if (!answer.resolved) {
            add(DoctorState::kError, "host", host.name + ": no address is known for this name", answer.problem,
                "Write the host's number, or add the name to /etc/hosts.", path);
        } else if (!answer.answers) {
            add(DoctorState::kError, "host", host.name + ": no answer", answer.problem,
                "Is it on, and does its firewall let port " + std::to_string(firstPort(host)) + " through?", path);
        } else {
            add(DoctorState::kOk, "host", host.name + " answers, " + milliseconds(answer.round_trip_ms) + " away",
                answer.interface.empty() ? "" : "over the interface " + answer.interface, "", path);
        }
        for (const spec::TaskId& task : host.tasks) {
            const spec::Diagnostic refused = spec::foreignTask(task, *run_.cluster.spec.address(task));
            add(DoctorState::kError, "host", refused.message, "", refused.fix, refused.path);
        }
    }

    void hosts() {
        lookAtKnown();
        std::map<std::size_t, std::future<HostAnswer>> answers;  // all at once: each may take its two seconds
        for (std::size_t i = 0; i < elsewhere_.size() && answers.size() < kMostAsked; ++i) {
            if (!looks_[i].is_known) {
                answers[i] = std::async(std::launch::async, [&, i] { return world_.reach(elsewhere_[i].name, firstPort(elsewhere_[i])); });
            }
        }
        for (std::size_t i = 0; i < elsewhere_.size(); ++i) {
            const spec::ClusterHost& host = elsewhere_[i];
            const std::string path = host.tasks.empty() ? std::string("cluster.hosts") : spec::pathOf(host.tasks.front());
            if (looks_[i].is_known) {
                knownHost(host, looks_[i], path);
            } else {
                const auto asked = answers.find(i);
                unknownHost(
                    host, asked != answers.end() ? asked->second.get() : HostAnswer{.resolved = true, .problem = "it was not asked"}, path);
            }
        }
        if (elsewhere_.empty()) {
            add(DoctorState::kOk, "host",
                tasks_.size() > 1 ? "All tasks are on this computer, over loopback" : "The task is on this computer",
                world_.host.host_name);
        }
    }

    void versions() {
        const std::string worker = world_.worker_version();
        if (worker.empty()) {
            add(DoctorState::kError, "version", "tandem-worker can't be started", "The agent looks for it beside itself.",
                "Install it again.");
        } else if (worker != world_.agent_version) {
            add(DoctorState::kError, "version", "The worker is " + worker + ", the agent " + world_.agent_version, "",
                "End the agent: the next launch starts the new one.");
        } else {
            add(DoctorState::kOk, "version", "Agent and worker are " + worker);
        }
    }

    void cores() {
        const std::int64_t tasks = localTasks(), cores = world_.host.cores, threads = run_.cluster.threads_per_task;
        const std::string units = world_.host.vector_units;
        if (tasks == 0) {
            return;
        }
        if (threads > 0 && threads * tasks > cores) {
            add(DoctorState::kWarning, "cores",
                counted(tasks, "task") + " with " + counted(threads, "thread") + " each share " + counted(cores, "core"),
                "They take turns: a step waits for the slowest.", "Set the threads of a task to 0.", "cluster.threads_per_task");
        } else if (tasks > cores) {
            add(DoctorState::kWarning, "cores", counted(tasks, "task") + " share " + counted(cores, "core"),
                "They take turns: a step waits for the slowest.", "Use fewer tasks.");
        } else {
            const std::int64_t each = threads > 0 ? threads : cores / tasks;
            add(DoctorState::kOk, "cores", tasks > 1 ? counted(each, "core") + " for each task" : counted(each, "core") + " for the task",
                units);
        }
    }

    void memory() {
        const std::int64_t free = world_.host.memory_available_bytes;
        const std::string text = sizeText(static_cast<double>(free)) + " of memory free";
        if (free < kLowMemory) {
            add(DoctorState::kWarning, "memory", text, "A task needs about 200 MB and its data.", "Close other programs.");
        } else {
            add(DoctorState::kOk, "memory", text);
        }
    }

    void ports() {
        std::vector<std::string> free;
        std::set<int> seen;
        for (const spec::TaskId& task : linked_) {
            const auto parsed = spec::parseHostPort(*run_.cluster.spec.address(task));
            if (!parsed || parsed->port <= 0 || parsed->port > 65535 || !isHere(task) || !seen.insert(parsed->port).second) {
                continue;  // a row of the project's says so
            }
            const std::string problem = world_.port_problem(parsed->port);
            if (problem.empty()) {
                free.push_back(std::to_string(parsed->port));
            } else {
                add(DoctorState::kError, "port", toString(task) + ": port " + std::to_string(parsed->port) + " is not free", problem,
                    "Choose a free port.", spec::pathOf(task));
            }
        }
        if (free.size() == 1) {
            add(DoctorState::kOk, "port", "Port " + free.front() + " is free");
        } else if (!free.empty()) {
            add(DoctorState::kOk, "port", "Ports " + listed(free) + " are free");
        }
    }

    void data() {
        const spec::DataSpec& data = run_.data;
        if (spec::findDatasetFormat(data.dataset) != nullptr) {
            std::vector<std::string> files{data.train_images, data.train_labels};
            files.insert(files.end(), data.train_files.begin(), data.train_files.end());
            for (const std::string& file : files) {
                const bool pattern = file.find('*') != std::string::npos || file.empty() || file.front() != '/';
                if (!pattern && !world_.is_readable(file)) {
                    add(DoctorState::kError, "data", file + " can't be read", "", "Choose the file again on the Data page.",
                        "data.dataset");
                }
            }
            return;
        }
        const spec::NamedDataset* named = spec::findNamedDataset(data.dataset);
        const auto& found = world_.host.datasets;
        const std::string title = named == nullptr ? data.dataset : named->title;
        if (std::find(found.begin(), found.end(), data.dataset) != found.end()) {
            add(DoctorState::kOk, "data", tasks_.size() > 1 ? "All tasks see the same " + title : title + " is here");
        } else if (named != nullptr && named->is_computed) {
            add(DoctorState::kOk, "data", title + " needs no files");
        } else if (named != nullptr && data.download && named->download_bytes > 0) {
            add(DoctorState::kInfo, "data", title + " is fetched before the first step",
                sizeText(static_cast<double>(named->download_bytes)) + ", once for this computer");
        } else {
            add(DoctorState::kError, "data", title + " is not on this computer", "", "Fetch it on the Data page.", "data.dataset");
        }
    }

    // Returns the bytes that the run may write: weights with the optimizer's slots for every epoch kept.
    std::int64_t neededDisk() const {
        std::int64_t parameters = 0;
        for (const spec::LayerInfo& layer : spec::inferShapes(run_.model)) {
            parameters += layer.parameters;
        }
        const bool keeps = std::any_of(run_.callbacks.begin(), run_.callbacks.end(),
                                       [](const spec::ObjectSpec& callback) { return callback.class_name == "ModelCheckpoint"; });
        return parameters * kBytesPerNumber * kWeightsAndSlots * (keeps ? std::max<std::int64_t>(run_.fit.epochs, 1) : 1);
    }

    void disk() {
        const std::int64_t free = world_.host.disk_available_bytes, needed = neededDisk();
        const std::string title = sizeText(static_cast<double>(free)) + " free for runs",
                          detail = "this one writes up to " + sizeText(static_cast<double>(needed));
        if (free < needed) {
            add(DoctorState::kError, "disk", title, detail, "Make room, or keep fewer checkpoints.");
        } else {
            add(free < kLowDisk ? DoctorState::kWarning : DoctorState::kOk, "disk", title, detail, free < kLowDisk ? "Make room." : "");
        }
    }

    void clock() {
        if (elsewhere_.empty()) {
            add(DoctorState::kOk, "clock", "One clock for all tasks", world_.clock_is_synchronised() ? "set by a time server" : "");
            return;
        }
        for (std::size_t i = 0; i < elsewhere_.size(); ++i) {
            if (!looks_[i].is_known || !looks_[i].problem.empty()) {
                continue;
            }
            const double ahead = looks_[i].clock_ahead_ms;
            const std::string off = milliseconds(std::abs(ahead)) + (ahead < 0 ? " behind" : " ahead");
            const bool fits = std::abs(ahead) < kFarClockMs;
            add(fits ? DoctorState::kOk : DoctorState::kWarning, "clock", elsewhere_[i].name + ": its clock is " + off,
                "What its tasks tell is put on this computer's clock.", fits ? "" : "Switch on NTP on every host.");
        }
        if (!world_.clock_is_synchronised()) {
            add(DoctorState::kInfo, "clock", "This computer's clock is not set by a time server");
        }
    }

    void gpu() {
        const spec::GpuInventory& host = world_.host.gpus;
        if (host.gpus.empty()) {
            add(DoctorState::kInfo, "gpu", "No GPU: " + host.no_gpu_reason);
        } else if (const std::string obstacle = spec::gpuObstacle(host); !obstacle.empty()) {
            add(DoctorState::kWarning, "gpu", "No GPU can be used: " + obstacle, "Training goes on the processor.",
                host.cuda_version < spec::kLeastCudaVersion ? "Install a newer NVIDIA driver." : "");
        } else {
            for (const spec::Gpu& gpu : host.gpus) {
                const std::string unfit = spec::gpuObstacle(gpu);
                add(unfit.empty() ? DoctorState::kOk : DoctorState::kInfo, "gpu", unfit.empty() ? toString(gpu) : unfit,
                    sizeText(static_cast<double>(gpu.memory_free_bytes)) + " free, driver " + host.driver_version + " for CUDA " +
                        spec::cudaVersionText(host.cuda_version));
            }
            add(DoctorState::kInfo, "gpu", host.nccl_version.empty() ? "No NCCL: " + host.no_nccl_reason : "NCCL " + host.nccl_version);
        }
        needed();
        if (tasks_.size() > 1) {
            communication();
        }
    }

    // Devices that the project names and the host lacks.
    void needed() {
        const int each = spec::gpusNeeded(run_.strategy), here = spec::usableGpus(world_.host.gpus);
        if (each > here) {
            const std::string none = spec::gpuObstacle(world_.host.gpus);
            add(DoctorState::kError, "gpu",
                "The project needs " + counted(each, "GPU") + " for a task, " +
                    (here > 0 ? "here are " + std::to_string(here) : std::string("here is none")),
                none, "Use CPUs or fewer devices.", run_.strategy.devices.empty() ? "strategy.logical_gpus" : "strategy.devices");
        }
    }

    void communication() {
        const std::string choice = spec::communicationChoice(run_, world_.host.gpus);
        if (choice.empty()) {
            return;
        }
        const bool refused = run_.strategy.communication != "AUTO";
        add(refused ? DoctorState::kError : DoctorState::kInfo, "gpu", choice, "", refused ? "Set it to AUTO." : "",
            "strategy.communication");
    }

    void links() {
        const std::size_t count = std::min(linked_.size(), kMostMeasured);
        const auto until = std::chrono::steady_clock::now() + kMeasuringTime;
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = 0; b < count; ++b) {
                if (!spec::areLinked(run_, linked_[a], linked_[b])) {
                    continue;
                }
                spec::DoctorLink link{linked_[a], linked_[b], 0, 0, ""};
                if (!isHere(link.from) || !isHere(link.to)) {
                    fillFromWays(link);
                } else if (std::chrono::steady_clock::now() > until) {
                    link.problem = kNoTime;
                } else {
                    const LinkMeasure measure = world_.measure(*run_.cluster.spec.address(link.from), *run_.cluster.spec.address(link.to));
                    link.latency_us = measure.latency_us;
                    link.bytes_per_s = measure.bytes_per_s;
                    link.problem = measure.problem;
                }
                report_.links.push_back(std::move(link));
            }
        }
        network();
    }

    // Returns the name of the task's computer, as the cluster's addresses and the ways have it.
    std::string computerOf(const spec::TaskId& task) const {
        return isHere(task) ? world_.host.host_name : spec::hostOf(run_.cluster.spec.address(task).value_or(""));
    }

    // What goes between two computers takes the way between them.
    void fillFromWays(spec::DoctorLink& link) const {
        const std::string from = computerOf(link.from), to = computerOf(link.to);
        const auto way = std::find_if(report_.ways.begin(), report_.ways.end(),
                                      [&](const spec::HostWay& one) { return one.from == from && one.to == to; });
        if (way != report_.ways.end() && way->outcome == spec::WayOutcome::kReached && way->bytes_per_s > 0) {
            link.latency_us = way->round_trip_us / 2;
            link.bytes_per_s = way->bytes_per_s;
        } else if (way != report_.ways.end() && way->outcome != spec::WayOutcome::kReached && way->outcome != spec::WayOutcome::kNotTried) {
            link.problem = from + " can't reach " + to + " at port " + std::to_string(way->port);
        } else {
            link.problem = from == to ? "not measured: both are on " + to : "the way from " + from + " to " + to + " was not measured";
        }
    }

    // The field of the project that names a computer of the ways.
    std::string pathOfComputer(const std::string& name) const {
        const auto other = std::find_if(elsewhere_.begin(), elsewhere_.end(), [&](const auto& host) { return host.name == name; });
        const std::vector<spec::TaskId>& tasks = other != elsewhere_.end() ? other->tasks : here_;
        return name.empty() || tasks.empty() ? "" : spec::pathOf(tasks.front());
    }

    // Adds what the ways between computers say.
    void network() {
        for (const std::size_t way : suspiciousWays(report_.ways)) {
            report_.ways[way].is_slow = true;
        }
        for (WayFinding& finding : wayFindings(report_.ways)) {
            finding.row.path = pathOfComputer(finding.host);
            report_.rows.push_back(std::move(finding.row));
        }
        loopback();
    }

    // Adds what the ways between tasks of this computer say.
    void loopback() {
        double slowest_us = 0, narrowest = 0;
        std::size_t measured = 0;
        for (const spec::DoctorLink& link : report_.links) {
            if (!isHere(link.from) || !isHere(link.to)) {
                continue;
            }
            if (link.problem.empty()) {
                slowest_us = std::max(slowest_us, link.latency_us);
                narrowest = measured == 0 ? link.bytes_per_s : std::min(narrowest, link.bytes_per_s);
                ++measured;
            } else if (link.problem != kNoTime) {
                add(DoctorState::kError, "network", toString(link.from) + " can't reach " + toString(link.to), link.problem,
                    "Write an address that this computer has.", spec::pathOf(link.to));
            }
        }
        if (measured > 0) {
            char text[64];
            std::snprintf(text, sizeof text, "Loopback: %.0f \u00b5s at most, %.1f GB/s at least", slowest_us, narrowest / kGib);
            add(DoctorState::kOk, "network", text, "between tasks over TCP, as gRPC goes; shared memory is faster");
        }
    }

    const spec::RunSpec& run_;
    const DoctorWorld& world_;
    const std::vector<spec::TaskId> tasks_;   // that train
    const std::vector<spec::TaskId> linked_;  // that listen
    std::vector<spec::TaskId> here_;
    std::vector<spec::ClusterHost> elsewhere_;
    std::vector<FarLook> looks_;  // of each of them
    spec::DoctorReport report_;
};

}  // namespace

spec::DoctorReport diagnose(const spec::RunSpec& run, const DoctorWorld& world) {
    return Doctor(run, world).look();
}

}  // namespace agent::server
