// An agent with memory instead of processes: keeps runs and their events, follows watches, remembers what was asked. A test feeds events
// with addEvents() and reads back submits and controls. Safe from any thread, as AgentClient asks.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agent/client/agent_client.h"
#include "engine/spec/error.h"

namespace tests {

// The agent's state, which outlives the client: when two clients get the same world, the second finds what the first left, as with a real
// agent.
struct FakeAgentWorld {
    std::mutex mutex;
    std::condition_variable news;
    bool answers = true;  // false: every call fails as with an agent that is gone
    engine::run::HostInfo host;
    std::vector<engine::run::RunInfo> runs;  // newest first
    std::map<std::string, std::vector<engine::spec::TaskEvent>> events;
    std::vector<agent::client::SubmitRequest> submits;
    std::vector<agent::client::FolderRequest> folders;  // that were to be followed
    std::vector<agent::client::JobRequest> jobs;
    std::string slurm_says;                              // why it takes no job; empty: it takes every one
    std::vector<engine::run::FilesProgress> files_sent;  // what the next call to send files tells
    bool files_were_unwanted = false;                    // it was ended before it had told all of that
    engine::spec::DoctorReport doctor;                   // answered to every question
    std::vector<engine::spec::RunSpec> doctor_asked;
    std::vector<std::pair<std::string, engine::spec::Control>> controls;
    std::vector<std::pair<std::string, engine::chaos::Fault>> faults;
    std::string fault_refusal;                  // why it injects none; empty: it does
    std::vector<engine::spec::HostLoad> loads;  // what the host used, in order of time
    std::vector<std::int64_t> host_watches;     // after_unix_ns of each that began
    std::size_t host_watches_ended = 0;
    agent::client::PulseHandler pulse;  // of the connection that is open
    // The engine behind it, asked without `mutex` held; empty: it refuses every question.
    std::function<engine::spec::EngineAnswer(const engine::spec::EngineQuestion&, const agent::client::AskOptions&)> engine;
    std::vector<engine::spec::EngineQuestion> asked;
    std::vector<engine::run::ArchiveRequest> archived;
    std::vector<std::string> imported;                     // files
    std::optional<engine::Error> archive_failure;          // of both
    std::int64_t now_unix_ns = 1'800'000'000'000'000'000;  // created_unix_ns of the next run

    // Gives sequence numbers and wakes the watches.
    void addEvents(const std::string& run_id, std::vector<engine::spec::TaskEvent> added) {
        {
            const std::lock_guard lock(mutex);
            auto& list = events[run_id];
            for (auto& event : added) {
                event.sequence = list.size() + 1;
                list.push_back(std::move(event));
            }
        }
        news.notify_all();
    }

    void addLoads(const std::vector<engine::spec::HostLoad>& added) {
        {
            const std::lock_guard lock(mutex);
            loads.insert(loads.end(), added.begin(), added.end());
        }
        news.notify_all();
    }

    void setState(const std::string& run_id, engine::run::RunState state, const std::string& detail = {}) {
        {
            const std::lock_guard lock(mutex);
            for (auto& run : runs) {
                if (run.id != run_id) continue;
                run.state = state;
                run.detail = detail;
                if (isFinished(state)) run.finished_unix_ns = run.created_unix_ns + 75'000'000'000;
            }
        }
        news.notify_all();
    }

    static bool isFinished(engine::run::RunState state) {
        using engine::run::RunState;
        return state == RunState::kDone || state == RunState::kStopped || state == RunState::kFailed;
    }

    // Tells a silence as the client's thread does; nullopt: the agent answers again.
    void tellSilence(std::optional<std::chrono::milliseconds> silent_for) {
        agent::client::PulseHandler told;
        {
            const std::lock_guard lock(mutex);
            told = pulse;
        }
        if (silent_for && told.silent) told.silent(*silent_for);
        if (!silent_for && told.answers) told.answers();
    }

    // Both under `mutex`.
    const engine::run::RunInfo* find(const std::string& run_id) const {
        const auto at = std::find_if(runs.begin(), runs.end(), [&](const auto& run) { return run.id == run_id; });
        return at == runs.end() ? nullptr : &*at;
    }
    void requireAnswer() const {
        if (!answers) throw engine::Error(engine::ErrorCode::kUnavailable, "agent: expected an answer, the connection was refused");
    }
};

class FakeAgentClient : public agent::client::AgentClient {
public:
    explicit FakeAgentClient(std::shared_ptr<FakeAgentWorld> world) : world_(std::move(world)) {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
    }

    engine::run::HostInfo describe(std::chrono::milliseconds) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        return world_->host;
    }

    void shareFiles(const agent::client::SubmitRequest&, const std::function<bool(const engine::run::FilesProgress&)>& progress) override {
        const std::lock_guard lock(world_->mutex);
        for (const engine::run::FilesProgress& one : world_->files_sent) {
            if (!progress(one)) {
                world_->files_were_unwanted = true;
                throw engine::Error(engine::ErrorCode::kCancelled, "files: are not sent any more");
            }
        }
    }

    engine::run::RunInfo submit(const agent::client::SubmitRequest& request, std::chrono::milliseconds) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        world_->submits.push_back(request);
        for (engine::run::RunInfo& known : world_->runs) {
            if (request.run_dir.empty() || request.overwrite || known.run_dir != request.run_dir) continue;
            ++known.attempts;  // as an agent does where the folder has a backup
            known.idle_ns += world_->now_unix_ns - known.finished_unix_ns;
            known.finished_unix_ns = 0;
            known.state = engine::run::RunState::kStarting;
            known.detail.clear();
            known.project_json = engine::spec::toProjectJson(request.run);
            return known;
        }
        engine::run::RunInfo run;
        run.id = "run-" + std::to_string(world_->runs.size() + 1);
        run.name = request.run.name;
        run.created_unix_ns = world_->now_unix_ns;
        world_->now_unix_ns += 1'000'000'000;
        run.run_dir = request.run_dir.empty() ? "/runs/" + run.id : request.run_dir;
        run.tasks = std::max<int>(1, static_cast<int>(request.run.cluster.spec.trainingTasks().size()));
        run.project_json = engine::spec::toProjectJson(request.run);
        world_->runs.insert(world_->runs.begin(), run);
        return run;
    }

    void control(const std::string& run_id, const engine::spec::Control& control, std::chrono::milliseconds) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        if (!world_->find(run_id)) throw engine::Error(engine::ErrorCode::kNotFound, "run " + run_id + ": expected a known run");
        world_->controls.emplace_back(run_id, control);
        world_->news.notify_all();
    }

    void injectFault(const std::string& run_id, const engine::chaos::Fault& fault, std::chrono::milliseconds) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        if (!world_->fault_refusal.empty()) throw engine::Error(engine::ErrorCode::kFailedPrecondition, world_->fault_refusal);
        world_->faults.emplace_back(run_id, fault);
        world_->news.notify_all();
    }

    std::vector<engine::run::RunInfo> listRuns(std::chrono::milliseconds) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        return world_->runs;
    }

    // The run that has trained in that folder.
    engine::run::RunInfo followFolder(const agent::client::FolderRequest& request, std::chrono::milliseconds) override {
        const std::string& folder = request.folder;
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        world_->folders.push_back(request);
        for (const engine::run::RunInfo& run : world_->runs) {
            if (run.run_dir == folder) return run;
        }
        throw engine::Error(engine::ErrorCode::kNotFound,
                            folder + ": expected the folder of a run that tells its events there, got another");
    }

    agent::client::SubmittedJob submitJob(const agent::client::JobRequest& request, std::chrono::milliseconds) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        world_->jobs.push_back(request);
        if (!world_->slurm_says.empty()) throw engine::Error(engine::ErrorCode::kFailedPrecondition, world_->slurm_says);
        engine::run::RunInfo run;
        run.id = "job-" + std::to_string(world_->jobs.size());
        run.name = request.job.name;
        run.created_unix_ns = world_->now_unix_ns;
        run.run_dir = request.job.run_folder;
        run.followed = true;
        run.tasks = static_cast<int>(taskCount(request.job));
        run.project_json = engine::spec::toProjectJson(request.run);
        world_->runs.insert(world_->runs.begin(), run);
        return {.job = "12", .runs = {run}};
    }

    engine::run::WrittenArchive archiveRun(const engine::run::ArchiveRequest& request, const ArchiveProgress& progress) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        world_->archived.push_back(request);
        if (!progress({1, 2})) throw engine::Error(engine::ErrorCode::kCancelled, "archive run: cancelled");
        if (world_->archive_failure) throw engine::Error(*world_->archive_failure);
        return {.bytes = 2'500'000, .checkpoints = 3, .events = 500};
    }

    // A run of the archive's name; the same one for the same file.
    engine::run::ImportedRun importRun(const std::string& file, const ArchiveProgress& progress) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        world_->imported.push_back(file);
        if (!progress({1, 2})) throw engine::Error(engine::ErrorCode::kCancelled, "import run: cancelled");
        if (world_->archive_failure) throw engine::Error(*world_->archive_failure);
        const std::string id = "imported-" + std::to_string(std::hash<std::string>()(file) % 10000);
        if (const auto* known = world_->find(id)) return {*known, true};
        engine::run::RunInfo run;
        run.id = id;
        run.name = "From afar";
        run.state = engine::run::RunState::kDone;
        run.created_unix_ns = world_->now_unix_ns;
        run.finished_unix_ns = world_->now_unix_ns + 1'000'000'000;
        run.run_dir = "/runs/" + id;
        run.project_json = engine::spec::toProjectJson({});
        run.imported_from = "node1";
        world_->runs.push_back(run);
        return {run, false};
    }

    engine::run::RunInfo getRun(const std::string& run_id, std::chrono::milliseconds) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        const auto* run = world_->find(run_id);
        if (!run) throw engine::Error(engine::ErrorCode::kNotFound, "run " + run_id + ": expected a known run");
        return *run;
    }

    engine::spec::DoctorReport doctor(const engine::spec::RunSpec& run, std::chrono::milliseconds, const std::function<bool()>&) override {
        const std::lock_guard lock(world_->mutex);
        world_->requireAnswer();
        world_->doctor_asked.push_back(run);
        return world_->doctor;
    }

    engine::spec::EngineAnswer ask(const engine::spec::EngineQuestion& question, const agent::client::AskOptions& options) override {
        {
            const std::lock_guard lock(world_->mutex);
            world_->requireAnswer();
            world_->asked.push_back(question);
        }
        if (!world_->engine) throw engine::Error(engine::ErrorCode::kUnimplemented, "engine: expected one behind this agent, found none");
        return world_->engine(question, options);
    }

    std::unique_ptr<agent::client::Watch> watch(const std::string& run_id, std::uint64_t from_sequence,
                                                agent::client::WatchHandler handler) override {
        return std::make_unique<FakeWatch>(world_, run_id, from_sequence, std::move(handler));
    }

    std::unique_ptr<agent::client::Watch> watchHost(std::int64_t after_unix_ns, agent::client::HostHandler handler) override {
        {
            const std::lock_guard lock(world_->mutex);
            world_->host_watches.push_back(after_unix_ns);
        }
        return std::make_unique<FakeHostWatch>(world_, after_unix_ns, std::move(handler));
    }

    // Silent and answering as the world says.
    std::unique_ptr<agent::client::Watch> watchPulse(agent::client::PulseHandler handler) override {
        struct Ended : agent::client::Watch {
            explicit Ended(std::shared_ptr<FakeAgentWorld> world) : world_(std::move(world)) {}
            ~Ended() override { end(); }
            void end() override {
                const std::lock_guard lock(world_->mutex);
                world_->pulse = {};
            }
            std::shared_ptr<FakeAgentWorld> world_;
        };
        const std::lock_guard lock(world_->mutex);
        world_->pulse = std::move(handler);
        return std::make_unique<Ended>(world_);
    }

private:
    class FakeHostWatch : public agent::client::Watch {
    public:
        FakeHostWatch(std::shared_ptr<FakeAgentWorld> world, std::int64_t after_unix_ns, agent::client::HostHandler handler)
            : world_(std::move(world)), handler_(std::move(handler)), thread_([this, after_unix_ns] { follow(after_unix_ns); }) {}
        ~FakeHostWatch() override { end(); }
        void end() override {
            {
                const std::lock_guard lock(world_->mutex);
                ended_ = true;
            }
            world_->news.notify_all();
            if (!thread_.joinable()) return;
            thread_.join();
            const std::lock_guard lock(world_->mutex);
            ++world_->host_watches_ended;
        }

    private:
        void follow(std::int64_t after_unix_ns) {
            for (;;) {
                std::vector<engine::spec::HostLoad> batch;
                {
                    std::unique_lock lock(world_->mutex);
                    const auto later = [&](const engine::spec::HostLoad& load) { return load.time_unix_ns > after_unix_ns; };
                    world_->news.wait(
                        lock, [&] { return ended_ || !world_->answers || std::any_of(world_->loads.begin(), world_->loads.end(), later); });
                    if (ended_) return;
                    if (world_->answers) std::copy_if(world_->loads.begin(), world_->loads.end(), std::back_inserter(batch), later);
                }
                if (batch.empty()) return handler_.finished("connection lost");
                after_unix_ns = batch.back().time_unix_ns;
                if (!handler_.loads(std::move(batch))) return;
            }
        }

        std::shared_ptr<FakeAgentWorld> world_;
        const agent::client::HostHandler handler_;
        bool ended_ = false;  // guarded by world_->mutex
        std::thread thread_;
    };

    class FakeWatch : public agent::client::Watch {
    public:
        FakeWatch(std::shared_ptr<FakeAgentWorld> world, std::string run_id, std::uint64_t from, agent::client::WatchHandler handler)
            : world_(std::move(world)), run_id_(std::move(run_id)), next_(std::max<std::uint64_t>(from, 1)), handler_(std::move(handler)) {
            thread_ = std::thread([this] { follow(); });
        }
        ~FakeWatch() override { end(); }
        void end() override {
            {
                const std::lock_guard lock(world_->mutex);
                ended_ = true;
            }
            world_->news.notify_all();
            if (thread_.joinable()) thread_.join();
        }

    private:
        void follow() {
            for (;;) {
                std::vector<engine::spec::TaskEvent> batch;
                bool over = false;
                {
                    std::unique_lock lock(world_->mutex);
                    const auto state = [this] {
                        const auto* run = world_->find(run_id_);
                        return run ? run->state : engine::run::RunState::kFailed;
                    };
                    world_->news.wait(lock, [&] { return ended_ || !world_->answers || waiting() || FakeAgentWorld::isFinished(state()); });
                    if (ended_) return;
                    const auto& list = world_->events[run_id_];
                    if (next_ <= list.size()) batch.assign(list.begin() + static_cast<std::ptrdiff_t>(next_ - 1), list.end());
                    next_ += batch.size();
                    over = batch.empty();
                }
                if (over) return handler_.finished(world_->answers ? std::nullopt : std::optional<std::string>("connection lost"));
                if (!handler_.events(std::move(batch))) return;
            }
        }
        bool waiting() const {
            const auto at = world_->events.find(run_id_);
            return at != world_->events.end() && at->second.size() >= next_;
        }

        std::shared_ptr<FakeAgentWorld> world_;
        const std::string run_id_;
        std::uint64_t next_;
        const agent::client::WatchHandler handler_;
        bool ended_ = false;  // guarded by world_->mutex
        std::thread thread_;
    };

    std::shared_ptr<FakeAgentWorld> world_;
};

}  // namespace tests
