#include "agent/worker/task_runner.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <future>
#include <ostream>
#include <thread>

#include <unistd.h>

#include "agent/local/folder_claim.h"
#include "agent/local/run_folder.h"
#include "agent/local/secret_file.h"
#include "agent/transport/grpc_transport.h"
#include "agent/trust/cluster_key.h"
#include "agent/trust/tls_relay.h"
#include "agent/worker/agent_pipe.h"
#include "agent/worker/await_hosts.h"
#include "agent/worker/chief_files.h"
#include "agent/worker/control_watch.h"
#include "agent/worker/dataset_load.h"
#include "agent/worker/evaluator/chief_watch.h"
#include "agent/worker/evaluator/evaluator_task.h"
#include "agent/worker/exchange_teller.h"
#include "agent/worker/heartbeat.h"
#include "agent/worker/host_teller.h"
#include "agent/worker/parameter_tasks.h"
#include "agent/worker/project_loader.h"
#include "agent/worker/sinks/console_sink.h"
#include "agent/worker/sinks/event_file.h"
#include "agent/worker/sinks/step_lines_sink.h"
#include "agent/worker/sinks/task_start.h"
#include "agent/worker/sinks/two_sinks.h"
#include "agent/worker/task_faults.h"
#include "agent/worker/task_mpi.h"
#include "agent/worker/task_observer.h"
#include "engine/data/dataset_catalog.h"
#include "engine/distribute/peer_lost.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/estimator_run.h"
#include "engine/spec/validate/validate.h"
#include "engine/spec/validate/vocabulary_room.h"
#include "engine/train/estimator/estimator_steps.h"
#include "engine/train/estimator/session_hooks.h"

namespace agent::worker {

namespace spec = engine::spec;
namespace train = engine::train;
using engine::Error;
using engine::ErrorCode;
using engine::files::SafeFolder;

namespace {

constexpr double kAfterTheAgentSeconds = 5;      // how much longer peers wait for a silent one than their agent
constexpr std::chrono::seconds kSecretWait{20};  // the agent sends it before anything else

std::filesystem::path newRunFolder(const std::filesystem::path& project) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 32> stamp{};
    std::strftime(stamp.data(), stamp.size(), "-%Y%m%d-%H%M%S", &local);
    return std::filesystem::current_path() / (project.stem().string() + stamp.data());
}

// Returns the path absolute, without ".", ".." or a slash at its end: "--out ." is printed as the folder's name.
std::filesystem::path plainPath(const std::filesystem::path& path) {
    const std::filesystem::path normal = std::filesystem::absolute(path).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

class Task {
public:
    Task(const TaskOptions& options, const TaskSurroundings& surroundings, LoadedProject project)
        : options_(options),
          surroundings_(surroundings),
          run_(spec::trainedRun(project.run)),
          config_(std::move(project.config)),
          gpus_(run_.strategy, options.find_gpus),
          plan_(planned()),
          out_(plainPath(options.out.empty() ? newRunFolder(options.project) : options.out)) {
        run_.cluster.threads_per_task = options.threads > 0 ? options.threads : threadsPerTask(run_, plan_.address, options.ranked.cores);
        run_.cluster.transport = options.transport.value_or(run_.cluster.transport);
        if (run_.algorithms.empty()) run_.algorithms = algorithmsOfRun(out_);
        gpus_.configure(run_);
        if (options.agent_descriptor >= 0) {
            auto pipe = std::make_unique<AgentPipe>(
                options.agent_descriptor,
                AgentPipe::Handlers{.control = [this](const spec::Control& control) { post(control); },
                                    .ended = surroundings.agent_gone,
                                    .secret =
                                        [this](const convert::Secret& secret, const std::optional<trust::TaskCredentials>& credentials) {
                                            secret_.set_value({secret, credentials});
                                        },
                                    .fault = [this](const engine::chaos::Fault& fault) { take(fault); }});
            sink_ = std::move(pipe);
        } else {
            sink_ = terminalSink();
            if ((isTrainer(plan_) && plan_.is_chief) || !options.out.empty()) {
                auto events = std::make_unique<EventFile>();
                event_file_ = events.get();
                sink_ = std::make_unique<TwoSinks>(std::move(sink_), std::move(events));
            }
        }
        const bool chief_tells = options.agent_descriptor >= 0 && !plan_.is_chief && isTrainer(plan_);
        observer_ = std::make_unique<TaskObserver>(plan_.task, *sink_, surroundings.stop_requested,
                                                   chief_tells ? SharedEvents::kLeaveToTheChief : SharedEvents::kReport,
                                                   [this](const spec::EventBody& body) {
                                                       if (!makesFolder()) openEventFile();
                                                       if (plan_.is_chief) files_.listCheckpoint(body);
                                                   });
        ready_.set_value();
    }

    int run() {
        int exit_code = kExitFailed;
        try {
            ExchangeTeller teller(exchange_, exchangeMembers());
            const std::unique_ptr<HostTeller> host = hostTeller();
            const HeartbeatThread heartbeat(*observer_, [&] {
                return LiveState{.exchange = teller.tell(std::chrono::steady_clock::now()), .host = host ? host->take() : std::nullopt};
            });
            exit_code = isServer(plan_) ? serve() : isEvaluator(plan_) ? evaluate() : train();
        } catch (const engine::distribute::PeerLost& lost) {
            if (options_.agent_descriptor >= 0) exit_code = kExitPeerLost;
            tellFailure(lost);
        } catch (const std::exception& error) {
            tellFailure(error);
        }
        return exit_code;
    }

private:
    // Null where an agent measures this computer, where nobody would read of it, and where another task tells of it.
    std::unique_ptr<HostTeller> hostTeller() const {
        if (event_file_ == nullptr || !tellsOfItsHost(config_.cluster, plan_.task)) return nullptr;
        HostTellerOptions options;
        options.gpus = options_.gpu_use;
        return std::make_unique<HostTeller>(std::move(options));
    }

    void log(spec::LogLevel level, const std::string& text) { observer_->report(spec::LogLine{level, text}); }

    void tellFailure(const std::exception& error) {
        const std::string why = engine::exceptionText(error);
        observer_->report(spec::LogLine{spec::LogLevel::kError, why});
        observer_->report(spec::StateChanged{spec::TaskState::kFailed, why});
    }

    // The agent has written the devices into the project; a task that is started by hand takes what it sees.
    spec::TaskPlan planned() {
        if (options_.agent_descriptor < 0) spec::chooseDevices(run_.strategy, gpus_.count());
        if (const spec::Diagnostics errors = spec::gpuErrors(run_); !errors.empty()) {
            throw Error(ErrorCode::kInvalidArgument, errors.front().path + ": " + errors.front().message);
        }
        spec::TaskPlan plan = spec::planTask(run_, config_);
        if (plan.replicas > 1 && spec::sumsByMpi(run_.strategy)) {
            mpi_.find(run_, config_.cluster, options_.ranked.addresses.size(), options_.find_mpi);
        }
        return plan;
    }

    std::unique_ptr<EventSink> terminalSink() const {
        if (!options_.flags.job_name.empty()) {
            return std::make_unique<StepLinesSink>(surroundings_.out, surroundings_.errors, plan_.task, run_.fit.log_every);
        }
        return std::make_unique<ConsoleSink>(
            surroundings_.out, surroundings_.errors,
            surroundings_.out_is_terminal ? ConsoleSink::Refresh::kTerminal : ConsoleSink::Refresh::kLinesOnly);
    }

    // The agent may speak before the constructor is done.
    void post(const spec::Control& control) {
        is_ready_.wait();
        if (control.verb == spec::ControlVerb::kStop || control.verb == spec::ControlVerb::kStopNow) {
            stop_before_training_.store(true);
        }
        observer_->post(control);
    }

    void take(const engine::chaos::Fault& fault) {
        is_ready_.wait();
        faults_.take(fault, {.skew = [this](auto by, auto lasting) { observer_->skewClock(by, lasting); },
                             .log = [this](const spec::LogLine& line) { observer_->report(line); }});
    }

    int stoppedCode() const { return options_.until_done ? kExitStopped : kExitDone; }

    bool stopRequested() const { return stop_before_training_.load() || (surroundings_.stop_requested && surroundings_.stop_requested()); }

    // Returns the tasks by the rank that the exchange names: a worker's servers, or everybody who trains.
    std::vector<spec::TaskId> exchangeMembers() const {
        if (plan_.servers == 0) return config_.cluster.trainingTasks();
        std::vector<spec::TaskId> servers;
        for (int index = 0; index < plan_.servers; ++index) servers.push_back({"ps", index});
        return servers;
    }

    // True when this task makes the run's folder; else the chief makes it.
    bool makesFolder() const { return (isTrainer(plan_) && plan_.is_chief) || isEvaluator(plan_); }

    // Opens the file in which a task without an agent tells its events, in the run's folder, where it also hears what users ask. Training
    // goes on without either. A task that does not make the folder tells its events once the folder is there; what it tells before waits.
    // May then be called from any thread.
    void openEventFile() {
        std::error_code ignored;
        if (event_file_ == nullptr || is_event_file_open_ || (!makesFolder() && !std::filesystem::is_directory(out_, ignored)) ||
            is_event_file_open_.exchange(true)) {
            return;
        }
        try {
            const auto folder = makesFolder() ? folder_ : std::make_shared<const SafeFolder>(SafeFolder::open(out_));
            event_file_->open(*folder, options_.overwrite ? EventFile::Begin::kAnew : EventFile::Begin::kGoOn, plan_.task,
                              taskStart(run_, config_.cluster, plan_.servers > 0));
            if (isTrainer(plan_) && (plan_.is_chief || plan_.servers > 0)) {
                control_watch_ = std::make_unique<ControlWatch>(
                    folder, ControlWatch::Handlers{.control = [this](const spec::Control& control) { post(control); },
                                                   .problem =
                                                       [this](const std::string& text) {
                                                           observer_->report(spec::LogLine{spec::LogLevel::kWarning, text});
                                                       }});
            }
        } catch (const Error& error) {
            observer_->report(
                spec::LogLine{spec::LogLevel::kWarning, std::string("nobody can follow this task in its run's folder: ") + error.what()});
        }
    }

    // A ps task: it holds variables, reads no data and writes nothing but its events.
    int serve() {
        const ParameterTask task = parameterTask();
        openEventFile();
        observer_->report(spec::StateChanged{spec::TaskState::kConnecting, ""});
        try {
            serveParameters(task);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kCancelled) throw;
            observer_->report(spec::StateChanged{spec::TaskState::kStopped, ""});
            return stoppedCode();
        }
        observer_->report(spec::TaskFinished{});
        observer_->report(spec::StateChanged{spec::TaskState::kDone, ""});
        return kExitDone;
    }

    ParameterTask parameterTask() {
        return {.run = run_,
                .plan = plan_,
                .cluster = config_.cluster,
                .secret = linkSecret(),
                .make_executor = options_.make_executor,
                .silence_s = silenceSeconds(),
                .serves_forever = options_.join_forever,
                .report = [this](const spec::EventBody& body) { observer_->report(body); },
                .progress = &exchange_,
                .is_cancelled = [this] { return stopRequested(); }};
    }

    // The agent judges first where there is one: it names the task that hangs, not one that noticed it.
    double silenceSeconds() const { return run_.cluster.heartbeat_fatal_s + (options_.agent_descriptor >= 0 ? kAfterTheAgentSeconds : 0); }

    // What an evaluator looks for. Before its start delay is over, nobody has to be there.
    ChiefWatchOptions chiefWatch() const {
        const auto milliseconds = [](double seconds) { return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)); };
        const std::vector<spec::TaskId> trainers = config_.cluster.trainingTasks();
        ChiefWatchOptions options{.folder = folder_};
        if (!trainers.empty()) {
            options.chief = toString(trainers.front()) + " at " + config_.cluster.address(trainers.front()).value_or("an unknown address");
        }
        options.away_at_most = milliseconds(run_.cluster.start_timeout_s);
        options.comes_within = options.away_at_most + milliseconds(run_.estimator ? run_.estimator->eval_spec.start_delay_secs : 0);
        options.says = [this](spec::LogLevel level, const std::string& text) { observer_->report(spec::LogLine{level, text}); };
        return options;
    }

    // Beside the others, with the weights that the chief has saved.
    int evaluate() {
        if (options_.agent_descriptor < 0 && options_.out.empty()) {
            throw Error(ErrorCode::kInvalidArgument, "--out: expected the folder of the run whose checkpoints " + toString(plan_.task) +
                                                         " evaluates, which is the chief's, got none");
        }
        folder_ = std::make_shared<const SafeFolder>(SafeFolder::make(out_));
        files_.setFolder(folder_);
        openEventFile();
        observer_->report(spec::StateChanged{spec::TaskState::kConnecting, ""});
        DatasetLoad load(run_, options_.dataset_folders, std::filesystem::absolute(options_.project).parent_path(),
                         loadHooks(options_.download_folder, *observer_, [this] { return stopRequested(); }));
        spec::TaskState state = spec::TaskState::kStopped;
        ChiefWatch chief(chiefWatch());
        std::function<std::optional<std::string>()> chief_is_lost;
        if (options_.agent_descriptor < 0) chief_is_lost = [&chief] { return chief.lost(); };
        try {
            const engine::data::Dataset dataset = load.get();
            spec::RunSpec evaluated = run_;
            engine::data::takeAdapted(evaluated, dataset);
            state = evaluateCheckpoints({.run = evaluated,
                                         .plan = plan_,
                                         .run_dir = out_,
                                         .run_folder = folder_,
                                         .dataset = dataset,
                                         .make_executor = options_.make_executor,
                                         .threads = static_cast<int>(run_.cluster.threads_per_task),
                                         .observer = *observer_,
                                         .is_cancelled = [this] { return stopRequested(); },
                                         .chief_is_lost = chief_is_lost});
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kCancelled || !stopRequested()) throw;
        }
        observer_->report(spec::StateChanged{state, ""});
        return state == spec::TaskState::kDone ? kExitDone : stoppedCode();
    }

    // Returns the hooks of an estimator, whose steps are known when the data are.
    std::function<train::Callbacks()> sessionHooks() const {
        if (!run_.estimator) return {};
        const bool is_alone = plan_.replicas == 1 && plan_.servers == 0 && !has_evaluator_;
        const auto where = is_alone ? train::estimator::Evaluation::kHere : train::estimator::Evaluation::kElsewhere;
        return [this, where] { return train::estimator::sessionHooks(run_, where); };
    }

    // A stop may also come while the task waits for its servers, before the first step or when one of them was lost.
    int train() {
        try {
            return trainToTheEnd();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kCancelled || !stopRequested()) throw;
            observer_->report(spec::StateChanged{spec::TaskState::kStopped, error.what()});
            return stoppedCode();
        }
    }

    // Every task of the run finds the same, before any of them trains: nobody could use the model of a run whose project is too large.
    static void requireRoom(const spec::RunSpec& trained, const engine::data::Dataset& dataset) {
        const auto fault = dataset.adapted ? spec::vocabularyRoomFault(trained) : std::nullopt;
        if (fault) throw Error(ErrorCode::kInvalidArgument, fault->path + ": " + fault->message + " [" + fault->fix + "]");
    }

    int trainToTheEnd() {
        const bool has_folder = plan_.is_chief || options_.agent_descriptor >= 0;  // nothing else is written
        if (has_folder) {
            folder_ = std::make_shared<const SafeFolder>(SafeFolder::make(out_));
            files_.setFolder(folder_);
        }
        if (plan_.is_chief && options_.agent_descriptor < 0) {  // else the agent has claimed it
            claim_ = convert::FolderClaim::take(out_, "tandem-worker (process " + std::to_string(::getpid()) + ")");
        }
        openEventFile();
        tellIdleSettings();
        DatasetLoad load(run_, options_.dataset_folders, std::filesystem::absolute(options_.project).parent_path(),
                         loadHooks(options_.download_folder, *observer_, [this] { return stopRequested(); }));
        std::optional<ParameterTask> with_servers;
        std::unique_ptr<train::ParameterServers> servers;
        std::unique_ptr<engine::distribute::Collective> links, mpi;
        engine::distribute::Collective* collective = nullptr;
        engine::data::Dataset dataset;
        try {
            links = connect(load);
            mpi = joinMpi(links.get(), load);
            collective = mpi ? mpi.get() : links.get();
            if (plan_.servers > 0) {
                waitForTurn(load);
                with_servers.emplace(parameterTask());
                servers = findParameterServers(*with_servers);
            }
            dataset = load.get();
        } catch (const Error& error) {
            if (error.code() == ErrorCode::kCancelled && stopRequested()) {
                observer_->report(spec::StateChanged{spec::TaskState::kStopped, "before the first step"});
                return stoppedCode();
            }
            if (load.failed()) {
                load.get();  // throws why
            }
            throw;
        }
        spec::RunSpec trained = run_;
        if (const std::string adapted = engine::data::takeAdapted(trained, dataset); !adapted.empty() && plan_.is_chief) {
            files_.setAdapted(dataset.adapted);
            observer_->report(spec::LogLine{spec::LogLevel::kInfo, adapted});
        }
        requireRoom(trained, dataset);
        if (run_.estimator) {
            trained.cluster.spec = config_.cluster;
            train::estimator::setSteps(trained, *dataset.train);
            trained.cluster.spec = run_.cluster.spec;
        }
        const Summing summing =
            gpus_.connect(run_, plan_, config_, collective, [this](spec::LogLevel level, const std::string& text) { log(level, text); });
        train::Trainer trainer(trained, plan_, summing.collective ? summing.collective.get() : collective, *observer_,
                               {.make_executor = options_.make_executor,
                                .run_dir = has_folder ? out_ : std::filesystem::path(),
                                .run_folder = folder_,
                                .weights_file = options_.weights_file,
                                .dataset = dataset,
                                .threads = static_cast<int>(run_.cluster.threads_per_task),
                                .connect_devices = summing.connect_devices,
                                .servers = servers.get(),
                                .hooks = sessionHooks(),
                                .leaves_test_to_evaluator = has_evaluator_,
                                .prepared = [this] { keepAlgorithms(); },
                                .is_cancelled = [this] { return stopRequested(); }});
        if (plan_.is_chief) {
            files_.writeRun(run_);
            folder_->remove(convert::kFinishedFile);
        }
        observer_->report(spec::StateChanged{spec::TaskState::kReady, ""});
        const train::FitOutcome outcome = trainer.fit();
        keepAlgorithms();
        tellSkipped(dataset, *observer_);
        observer_->report(outcome.finished);
        if (outcome.state == spec::TaskState::kFailed) {
            if (servers) servers->leave(false);
            throw Error(ErrorCode::kInternal, outcome.detail);
        }
        if (outcome.state == spec::TaskState::kDone) {
            if (plan_.is_chief) files_.markFinished(outcome.finished);
        }
        observer_->report(spec::StateChanged{outcome.state, outcome.state == spec::TaskState::kDone && has_folder ? out_.string() : ""});
        // Last: servers that were told that all is done may end at once, and a task that is lost before it has said so itself would come
        // back to none.
        if (servers) servers->leave(outcome.state == spec::TaskState::kDone && outcome.servers_are_complete);
        return outcome.state == spec::TaskState::kDone ? kExitDone : stoppedCode();
    }

    // Workers of an estimator may begin one after the other. Throws Error(kCancelled) when a stop comes first.
    void waitForTurn(const DatasetLoad& load) {
        constexpr std::chrono::milliseconds kLook{50};
        const double seconds = spec::startDelaySeconds(run_, plan_.task.index, plan_.is_chief);
        if (seconds <= 0) {
            return;
        }
        observer_->report(
            spec::LogLine{spec::LogLevel::kInfo, "Waiting " + std::to_string(std::llround(seconds)) + " secs before starting training."});
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (std::chrono::steady_clock::now() < end) {
            if (load.failed() || stopRequested()) throw Error(ErrorCode::kCancelled, "before the first step");
            std::this_thread::sleep_for(kLook);
        }
    }

    // Settings that are for GPUs, as TensorFlow's are.
    void tellIdleSettings() {
        if (!plan_.is_chief || spec::usesGpus(run_.strategy)) {
            return;
        }
        for (const std::string& setting : spec::gpuSettings(run_.strategy)) {
            observer_->report(
                spec::LogLine{spec::LogLevel::kWarning, setting + ": has no effect on processors, which this run's tasks use"});
        }
    }

    // The secret of this run: the one in the cluster's key, else the one that the agent hands over the pipe, else the user's own.
    LinkSecret linkSecret() {
        if (!options_.cluster_key.empty()) {
            const auto key = trust::ClusterKey::read(options_.cluster_key);
            return {key.secret(), "the cluster's key", std::make_shared<trust::TlsRelay>(key.issue(toString(plan_.task)))};
        }
        if (options_.agent_descriptor < 0) {
            return {convert::userSecret(), "the secret in " + convert::secretFile().string()};
        }
        auto secret = secret_.get_future();
        if (secret.wait_for(kSecretWait) != std::future_status::ready) {
            throw Error(ErrorCode::kDeadlineExceeded, toString(plan_.task) + ": expected the secret of the run from the agent within " +
                                                          std::to_string(kSecretWait.count()) + " s, got none");
        }
        const auto [key, credentials] = secret.get();
        return {key, "the secret of this run", credentials ? std::make_shared<trust::TlsRelay>(*credentials) : nullptr};
    }

    std::unique_ptr<engine::distribute::Collective> connect(const DatasetLoad& load) {
        if (plan_.replicas < 2) {
            observer_->report(spec::StateChanged{spec::TaskState::kConnecting, ""});
            return nullptr;
        }
        ConnectOptions options;
        options.start_timeout = std::chrono::milliseconds(static_cast<std::int64_t>(run_.cluster.start_timeout_s * 1000));
        options.lost_after = std::chrono::milliseconds(static_cast<std::int64_t>(silenceSeconds() * 1000));
        options.progress = &exchange_;
        options.faults = &faults_.links();
        if (gpus_.count() == 0) options.threads = static_cast<int>(run_.cluster.threads_per_task);
        ConnectCallbacks callbacks;
        callbacks.on_listening = [this] {
            observer_->report(spec::StateChanged{spec::TaskState::kConnecting, "listening at " + plan_.address});
        };
        callbacks.on_waiting = [this](const std::string& text, const std::vector<spec::TaskId>& awaited) {
            observer_->report(spec::StateChanged{spec::TaskState::kWaiting, text, spec::WaitCause::kPeers, awaited});
        };
        callbacks.on_log = [this](const std::string& text) { observer_->report(spec::LogLine{spec::LogLevel::kInfo, text}); };
        callbacks.is_cancelled = [this, &load] { return load.failed() || stopRequested(); };
        return connectCollective(plan_, config_, run_.cluster.transport, linkSecret(), options, callbacks);
    }

    std::unique_ptr<engine::distribute::Collective> joinMpi(engine::distribute::Collective* links, const DatasetLoad& load) const {
        auto joined = mpi_.join(links, run_.cluster.start_timeout_s, [this, &load] { return load.failed() || stopRequested(); });
        if (joined && plan_.is_chief && !options_.cluster_key.empty()) {
            observer_->report(spec::LogLine{spec::LogLevel::kWarning,
                                            "MPI encrypts nothing: gradients and weights go between the computers as they are"});
        }
        return joined;
    }

    // Writes the measured algorithms into run.json, when there are new ones.
    void keepAlgorithms() {
        const std::map<std::string, std::string> measured = gpus_.algorithms();
        if (!plan_.is_chief || measured == run_.algorithms || measured.empty()) return;
        run_.algorithms = measured;
        files_.writeRun(run_);
    }

    const TaskOptions& options_;
    const TaskSurroundings& surroundings_;
    spec::RunSpec run_;
    const spec::TfConfig config_;
    const bool has_evaluator_ = config_.cluster.findJob(spec::kEvaluator) != nullptr;
    const TaskGpus gpus_;
    TaskMpi mpi_;  // planned() finds it
    const spec::TaskPlan plan_;
    const std::filesystem::path out_;
    convert::FolderClaim claim_;
    std::shared_ptr<const SafeFolder> folder_;  // out_, once it is there; none of a task that writes nothing
    ChiefFiles files_{[this](spec::LogLevel level, const std::string& text) { log(level, text); }};
    std::atomic<bool> stop_before_training_{false};
    std::promise<void> ready_;
    std::promise<std::pair<convert::Secret, std::optional<trust::TaskCredentials>>> secret_;  // set by the pipe's thread
    const std::shared_future<void> is_ready_ = ready_.get_future().share();
    TaskFaults faults_{config_.cluster.trainingTasks()};
    engine::distribute::ExchangeProgress exchange_;  // of the collective, or of the parameter servers
    std::unique_ptr<TaskObserver> observer_;
    EventFile* event_file_ = nullptr;              // of sink_; null where the task tells its agent, or has no folder
    std::atomic<bool> is_event_file_open_{false};  // or can't be opened
    std::unique_ptr<EventSink> sink_;              // its thread uses the others
    std::unique_ptr<ControlWatch> control_watch_;  // last, for the same reason
};

// Throws Error(kAlreadyExists) for a folder with a finished run, unless that is to be overwritten.
void claimFolder(const TaskOptions& options, const spec::RunSpec& run) {
    const std::filesystem::path folder = plainPath(options.out);
    if (options.overwrite) {
        convert::forgetRun(folder, run);
    } else if (const std::string finished = convert::finishedRunIn(folder, run); !finished.empty()) {
        throw Error(ErrorCode::kAlreadyExists, finished);
    }
}

void waitForHosts(const spec::ClusterSpec& cluster, const TaskOptions& options, const TaskSurroundings& surroundings) {
    awaitHosts(cluster, {.deadline = options.wait_for_hosts,
                         .is_cancelled = surroundings.stop_requested,
                         .on_waiting = [&](const std::string& text) { surroundings.out << text << '\n'
                                                                                       << std::flush; }});
}

}  // namespace

int runTask(const TaskOptions& options, const TaskSurroundings& surroundings) {
    auto project = loadProject(options.project, options.settings,
                               {.flags = options.flags, .ranked = options.ranked, .tf_config = options.tf_config}, surroundings.errors);
    if (!project) {
        return kExitUsage;
    }
    if (const spec::Diagnostics findings = spec::checkWeightsFile(options.weights_file.string()); !findings.empty()) {
        surroundings.errors << toString(findings.front()) << '\n';
        return kExitUsage;
    }
    try {
        const std::optional<spec::TaskId>& task_id = project->config.task;
        const bool evaluates = task_id && task_id->type == spec::kEvaluator;  // where another task writes
        if (options.until_done && !evaluates && convert::readFinishedMark(plainPath(options.out))) {
            surroundings.out << options.out.string() << ": the run is done\n";
            return kExitDone;
        }
        if (options.agent_descriptor < 0 && !options.out.empty() && !evaluates) {  // else the agent has looked
            claimFolder(options, project->run);
        }
        if (options.wait_for_hosts.count() > 0) waitForHosts(project->config.cluster, options, surroundings);
        Task task(options, surroundings, std::move(*project));
        return task.run();
    } catch (const Error& error) {  // a task that is no training task, a folder that cannot be made, a host without an address
        if (error.code() == ErrorCode::kCancelled) return options.until_done ? kExitStopped : kExitDone;
        surroundings.errors << "error: " << error.what() << '\n';
        return error.code() == ErrorCode::kInvalidArgument ? kExitUsage : kExitFailed;
    }
}

}  // namespace agent::worker
