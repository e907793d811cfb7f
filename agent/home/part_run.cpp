#include "agent/home/part_run.h"

#include <algorithm>
#include <csignal>
#include <utility>
#include <variant>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agent/client/agent_channel.h"
#include "agent/local/run_folder.h"
#include "agent/proto/task_event.pb.h"
#include "agent/server/host/host_probe.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/supervision/task_kinds.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/fault_convert.h"
#include "agent/wire/status.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"

namespace agent::home {

namespace spec = engine::spec;
using namespace std::chrono_literals;
using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kCallDeadline = 20s, kPartControlDeadline = 5s, kPingDeadline = 1500ms;
constexpr std::chrono::milliseconds kWakelessLook = 200ms;  // between two looks at what came without a wake
constexpr std::chrono::milliseconds kPing = 1s;             // between two signs of life
constexpr std::chrono::milliseconds kPartSilent = 3s;       // without one: told, and given up when the tasks there are to end
constexpr std::chrono::milliseconds kPartRetry = 1s;        // between two tries to reach a host, or to start there

// Returns what the tasks were on that host before; empty when there is no note that says so.
EarlierRun before(const PartRunOptions& options, const std::string& host) {
    if (!options.goes_on) {
        return {};
    }
    const std::optional<convert::PartNote> note = convert::readPartNote(options.folder, convert::partNoteName(options.tasks.front()));
    return note && note->host == host ? EarlierRun{.id = note->run, .folder = note->folder, .next_sequence = 0} : EarlierRun{};
}

// Returns where a run keeps backups that another computer's chief may have to go on from: the computer of this chief may be lost.
std::string backupFolder(const PartRunOptions& options) {
    const spec::RunSpec run = spec::parseProject(options.project_json).run;
    const std::vector<std::filesystem::path> files = convert::backupFiles(run);
    const bool may_move = options.brings_home && run.cluster.on_task_lost == spec::OnTaskLost::kContinue;
    return may_move && !files.empty() ? files.front().parent_path().string() + "/" : "";
}

}  // namespace

PartRun::PartRun(std::shared_ptr<HostLink> link, PartRunOptions options, std::unique_ptr<PartRun> earlier)
    : link_(std::move(link)),
      options_(std::move(options)),
      before_(earlier ? earlier->standing() : before(options_, hostName())),
      backup_folder_(backupFolder(options_)),
      earlier_(std::move(earlier)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      live_(link_->live()),
      held_(options_.held) {
    if (options_.standing) {
        adopt(*options_.standing);
    }
}

void PartRun::adopt(const server::StandingPart& part) {
    begun_.is_done = true;
    adopted_.found = false;
    run_id_ = part.run;
    folder_ = part.folder;
    next_sequence_ = part.next_sequence;
    earlier_start_.skip_to_attempt = part.skip_to_attempt;
    adopted_.told = part.told;
    if (options_.loads) {
        link_->showLoads(run_id_, options_.run_id, options_.loads);
    }
    times_.last_answer = Clock::now();
    const engine::MutexLock lock(mutex_);
    noted_.lost = true;
    noted_.has_new_files = true;  // what was told of while nobody was home
}

PartRun::~PartRun() {
    thread_.request_stop();
    wake();
    if (thread_.joinable()) {
        thread_.join();
    }
}

std::unique_ptr<server::Process> PartRun::launch(const spec::TaskId& task) {
    tasks_.push_back(std::make_shared<FarTask>(task, hostName(), [this] { wake(); }));
    auto process = FarTask::process(tasks_.back());
    if (isLaunched()) {
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
    return process;
}

// Returns the run there. A part that never started has the run that was before it.
EarlierRun PartRun::standing() const {
    EarlierRun run = before_;
    if (begun_.is_done) {
        run = {.id = run_id_, .folder = folder_, .next_sequence = next_sequence_};
    }
    run.in_this_start = true;
    return run;
}

void PartRun::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
}

void PartRun::run(const std::stop_token& stop) {
    earlier_.reset();
    times_.start_by = Clock::now() + options_.patience;
    const auto between = [&] { serveBetweenPieces(stop); };
    while (!isOver(stop)) {
        waitForWork();
        takeAllOrders();
        if (!begun_.is_done && credentials_.size() == tasks_.size()) {
            start(stop);
        }
        keepLink();
        mirror(MirrorKind::kAll, between);
        if (!isOver(stop)) {
            mirrorInTime(between);
        }
        applyEnds(stop);
        if (everyTaskEnded()) {
            break;  // nothing that their agent could still say concerns anybody
        }
        look(stop);
        giveUpTheUnreached();
        obeySignals();
    }
    watch_.reset();
}

void PartRun::waitForWork() {
    std::vector<pollfd> waiting{{wake_.get(), POLLIN, 0}};
    for (const auto& task : tasks_) {
        waiting.push_back({task->hasEnded() || closed_.contains(task->id()) ? -1 : task->orderDescriptor(), POLLIN, 0});
    }
    ::poll(waiting.data(), waiting.size(), static_cast<int>(kWakelessLook.count()));
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t ignored = ::read(wake_.get(), &count, sizeof count);
}

// Called between two pieces of a file. A stop that waited for a large one would become a kill, and what its task writes before it ends
// would be lost.
void PartRun::serveBetweenPieces(const std::stop_token& stop) {
    times_.last_answer = Clock::now();  // a piece has come, whatever the pings behind it do
    keepLink();
    takeAllOrders();
    obeySignals();
    requireListeners(stop);
}

// Throws when nobody waits for files any more. A run that is stopped, or killed, still gets what its tasks have left; an agent that ends
// waits for that as long as it waits for tasks of its own.
void PartRun::requireListeners(const std::stop_token& stop) const {
    const bool ends = options_.is_ending && options_.is_ending() && wantedSignal() == SIGKILL;
    if (isOver(stop) || ends) {
        throw Error(ErrorCode::kCancelled, hostName() + ": nobody waits for the files of its part any more");
    }
}

void PartRun::takeAllOrders() {
    for (const auto& task : tasks_) {
        takeOrders(*task);
    }
}

void PartRun::takeOrders(FarTask& task) {
    proto::TaskOrder order;
    try {
        while (!closed_.contains(task.id())) {
            const convert::ReadResult result = task.orders().read(order);
            if (result == convert::ReadResult::kWouldBlock) {
                return;
            }
            if (result == convert::ReadResult::kEnd) {
                closed_.insert(task.id());
            } else if (order.has_credentials()) {
                credentials_[task.id()] = convert::fromProto(order.credentials());
            } else if (order.has_control() && isFirstTrainer(task)) {
                hand(convert::fromProto(order.control()));
            } else if (order.has_fault()) {
                hand(convert::fromProto(order.fault()));
            }
        }
    } catch (const Error& error) {
        closed_.insert(task.id());
        options_.log(spec::LogLevel::kError, hostName() + ": " + toString(task.id()) + ": " + error.what());
    }
}

// Controls are a run's, not a task's: of those that get one here the first hands it on.
bool PartRun::isFirstTrainer(const FarTask& task) const {
    const auto first =
        std::find_if(tasks_.begin(), tasks_.end(), [](const auto& one) { return server::trains(one->id()) && !one->hasEnded(); });
    return first != tasks_.end() && first->get() == &task;
}

void PartRun::hand(const spec::Control& control) {
    try {
        if (!live_ || !watch_) {
            throw Error(ErrorCode::kUnavailable, "the host is out of reach");
        }
        live_->client().control(run_id_, control, kPartControlDeadline);
    } catch (const Error& error) {
        tellFirst(spec::LogLine{spec::LogLevel::kWarning, hostName() + ": a control was not taken: " + error.what()});
    }
}

// Hands the fault on. What comes of it stands in the part's journal.
void PartRun::hand(const engine::chaos::Fault& fault) {
    try {
        if (!live_ || !watch_) {
            throw Error(ErrorCode::kUnavailable, "the host is out of reach");
        }
        live_->client().injectFault(run_id_, fault, kPartControlDeadline);
    } catch (const Error& error) {
        tellFirst(spec::LogLine{spec::LogLevel::kWarning, hostName() + ": \"" + toText(fault) + "\" was not done: " + error.what()});
    }
}

// The first start is tried once: a run that can't start says so, and one that may be restarted is, where the host went out of reach. Later
// starts wait for such a host, and for ports that the tasks before still have.
void PartRun::start(const std::stop_token& stop) {
    if (Clock::now() < times_.next_try) {
        return;
    }
    try {
        if (!live_) {
            live_ = link_->again(lost_, [&] { return stop.stop_requested() || wantedSignal() != 0; });
        }
        if (live_) {
            lost_.reset();
            startThere(stop);
        }
    } catch (const Error& error) {
        if (error.code() == ErrorCode::kCancelled && (stop.stop_requested() || wantedSignal() != 0)) {
            return;  // obeySignals() ends its tasks
        }
        const bool passes = convert::mayPass(error) || error.code() == ErrorCode::kAlreadyExists || error.code() == ErrorCode::kCancelled;
        const bool is_first = !before_.in_this_start && before_.id.empty() && !begun_.unanswered;
        if (is_first || !passes || Clock::now() > times_.start_by) {
            failToStart(error);
            return;
        }
        if (live_ && error.code() != ErrorCode::kAlreadyExists) {
            lost_ = std::exchange(live_, nullptr);
        }
        if (!begun_.unanswered) {
            held_.clear();
        }
        if (!std::exchange(told_.retry, true)) {
            tellFirst(
                spec::LogLine{spec::LogLevel::kWarning, hostName() + ": its tasks are started as soon as they can be: " + error.what()});
        }
    } catch (const std::exception& error) {  // of a file system, such as of a folder that vanishes while it is listed
        failToStart(Error(ErrorCode::kInternal, engine::exceptionText(error)));
        return;
    }
    times_.next_try = Clock::now() + kPartRetry;
}

void PartRun::startThere(const std::stop_token& stop) {
    if (options_.goes_on && options_.brings_home && before_.id.empty() && before_.folder.empty()) {
        throw Error(
            ErrorCode::kFailedPrecondition,
            "expected the backup that the run goes on from on the host of its worker 0 or chief, it was written on another one: name the "
            "hosts in the same order, or begin anew (--overwrite)");
    }
    // What a host that was out of reach still runs, or what an agent that was killed here had started.
    if (!before_.id.empty() && !begun_.unanswered && (held_.empty() || before_.next_sequence == 0)) {
        try {
            live_->client().control(before_.id, {spec::ControlVerb::kStopNow, 0}, kPartControlDeadline);
        } catch (const Error&) {  // it is over, as it should be
        }
    }
    const auto is_cancelled = [&] { return stop.stop_requested() || wantedSignal() != 0; };
    const std::string project =
        projectThere(options_.project_json, options_.files->get(options_.project_json, live_->parts(), kCallDeadline, is_cancelled));
    if (held_.empty()) {
        held_ = live_->parts().prepare(project, static_cast<int>(tasks_.size()), server::hostName(), options_.ports, kCallDeadline).id;
    }
    const engine::run::RunInfo run = startHeld(project, is_cancelled);
    begun_.is_done = true;
    run_id_ = run.id;
    folder_ = run.run_dir;
    const bool follows = run_id_ == before_.id && before_.next_sequence > 0;
    next_sequence_ = follows ? before_.next_sequence : 1;
    earlier_start_.skip_to_attempt = run.attempts > 1 ? run.attempts : 0;
    earlier_start_.is_told = follows;
    adopted_.told.clear();
    noteFolder();
    if (options_.loads) {
        link_->showLoads(run_id_, options_.run_id, options_.loads);
    }
    options_.log(spec::LogLevel::kInfo, hostName() + ": its part is run " + run_id_ + " there");
    watch();
}

// Starts the tasks on what is held for them. Where the answer is lost they may have been started: then the same start is asked for again,
// and an agent that knows it answers the run.
engine::run::RunInfo PartRun::startHeld(const std::string& project, const std::function<bool()>& is_cancelled) {
    std::vector<client::PartTask> tasks;
    for (std::size_t i = 0; i < options_.tasks.size(); ++i) {
        tasks.push_back({options_.tasks[i], options_.ports[i], credentials_.at(options_.tasks[i])});
    }
    const std::string backup = sendBackup(is_cancelled);
    try {
        const engine::run::RunInfo run = live_->parts().start(held_, project, tasks, before_.folder, backup, kCallDeadline);
        begun_.unanswered.reset();
        return run;
    } catch (const Error& error) {
        if (convert::mayPass(error)) {
            begun_.unanswered = error;
            throw;
        }
        const std::optional<Error> before = std::exchange(begun_.unanswered, std::nullopt);
        if (before && error.code() == ErrorCode::kNotFound) {
            throw Error(*before);  // it has lost what it held, or is another agent: nothing was started
        }
        throw;
    }
}

// A note that can't be written costs the way back to what runs there, and to a backup there, and nothing else.
void PartRun::noteFolder() {
    try {
        std::vector<std::string> names;
        for (const spec::TaskId& task : options_.tasks) {
            names.push_back(toString(task));
        }
        convert::writePartNote(options_.folder, convert::partNoteName(options_.tasks.front()),
                               {.host = hostName(),
                                .folder = folder_,
                                .run = run_id_,
                                .tasks = names,
                                .ports = options_.ports,
                                .first_sequence = next_sequence_,
                                .skip_to_attempt = earlier_start_.skip_to_attempt});
    } catch (const Error& error) {
        options_.log(spec::LogLevel::kWarning, error.what());
    }
}

void PartRun::failToStart(const Error& error) {
    const std::string reason = hostName() + ": its tasks could not be started: " + error.what();
    if (convert::mayPass(error)) {
        endAll({.exit_code = -1, .signal = 0}, reason);  // lost with their host or its agent: nothing says that it would be so again
        return;
    }
    tellAll(spec::StateChanged{spec::TaskState::kFailed, reason});
    endAll({.exit_code = 1, .signal = 0}, "");
}

void PartRun::watch() {
    const std::chrono::nanoseconds offset = live_->offset();
    client::WatchHandler handler;
    handler.events = [this, offset](std::vector<spec::TaskEvent> events) {
        for (spec::TaskEvent& event : events) {
            next_sequence_ = event.sequence + 1;
            take(corrected(std::move(event), offset));
        }
        return true;
    };
    handler.finished = [this](const std::optional<std::string>& error) {
        {
            const engine::MutexLock lock(mutex_);
            (error ? noted_.lost : noted_.over) = true;
            noted_.why = error.value_or("");
        }
        wake();
    };
    watch_ = live_->client().watch(run_id_, next_sequence_, std::move(handler));
    times_.last_answer = times_.next_ping = Clock::now();
}

// Called on the watch's thread. What the far agent says of a task's end is its process' end; the rest is the task's own word.
void PartRun::take(const spec::TaskEvent& event) {
    const auto task = std::find_if(tasks_.begin(), tasks_.end(), [&](const auto& one) { return one->id() == event.task; });
    if (const auto* attempt = std::get_if<spec::AttemptStarted>(&event.body)) {  // home tells of attempts itself
        earlier_start_.skip_to_attempt = attempt->attempt >= earlier_start_.skip_to_attempt ? 0 : earlier_start_.skip_to_attempt;
        return;
    }
    if (task == tasks_.end()) {
        return;
    }
    if (earlier_start_.skip_to_attempt > 0) {
        tellOfEarlier(**task, event);
        return;
    }
    if (const auto told = adopted_.told.find(event.task); told != adopted_.told.end() && event.sequence <= told->second) {
        return;
    }
    {
        const engine::MutexLock lock(mutex_);
        if (const auto* failed = std::get_if<spec::TaskFailed>(&event.body)) {
            const bool gave_up = failed->exit_code == -1 && failed->signal == 0;
            noted_.ends[event.task] = {{.exit_code = failed->exit_code, .signal = failed->signal},
                                       gave_up ? failed->reason + " on " + hostName() : ""};
            wake();
            return;
        }
        if (const auto* change = std::get_if<spec::StateChanged>(&event.body)) {
            noted_.states[event.task] = *change;
        } else if (std::holds_alternative<spec::CheckpointSaved>(event.body)) {
            noted_.has_new_files = true;
            wake();
        }
    }
    static_cast<void>((*task)->tell(event));  // false: the supervisor has let go of it, and this ends
}

// The tasks before went on while their host was out of reach: what they measured counts. How they stood, and that they ended, is nothing of
// the tasks now. It goes as a word of home's own: the part's numbers in home's journal are those of this start.
void PartRun::tellOfEarlier(FarTask& task, spec::TaskEvent event) {
    const bool counts = std::holds_alternative<spec::StepPoints>(event.body) || std::holds_alternative<spec::EpochEnd>(event.body) ||
                        std::holds_alternative<spec::LogLine>(event.body);
    if (earlier_start_.is_told && counts) {
        event.sequence = 0;
        static_cast<void>(task.tell(event));
    }
}

// An agent that takes no connection is lost at once, one that is silent when ssh notices.
void PartRun::keepLink() {
    if (!watch_ || Clock::now() < times_.next_ping) {
        return;
    }
    try {
        live_->agent().channel()->ping(kPingDeadline, run_id_);
        times_.last_answer = Clock::now();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kDeadlineExceeded) {
            const engine::MutexLock lock(mutex_);
            noted_.lost = true;
            noted_.why = error.what();
        }
    }
    times_.next_ping = Clock::now() + kPing;
}

bool PartRun::isSilent() const {
    return begun_.is_done && Clock::now() - times_.last_answer > kPartSilent;
}

std::string PartRun::silence() const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - times_.last_answer).count();
    return hostName() + " has not answered for " + std::to_string(seconds) + " s";
}

// Obeys what the handlers have noted.
void PartRun::look(const std::stop_token& stop) {
    bool over = false, lost = false;
    std::string why;
    {
        const engine::MutexLock lock(mutex_);
        over = noted_.over;
        lost = noted_.lost;
        why = noted_.why;
    }
    if (over && live_) {
        endOver(stop);
        return;
    }
    noteReach(why);
    if (lost) {
        reachAgain(stop);
    }
}

void PartRun::noteReach(const std::string& why) {
    if (isSilent()) keepLink();  // this thread may have had no processor since it looked
    for (const auto& task : tasks_) {
        task->setReached(!isSilent());
    }
    tellSilence(why);
}

void PartRun::tellSilence(const std::string& why) {
    const bool silent = isSilent();
    if (silent == told_.silence) {
        return;
    }
    told_.silence = silent;
    const std::string text = silence() + (why.empty() ? "" : " (" + why + ")");
    const spec::LogLine line = silent ? spec::LogLine{spec::LogLevel::kWarning, text + "; what runs there goes on"}
                                      : spec::LogLine{spec::LogLevel::kInfo, hostName() + " answers again"};
    options_.log(line.level, line.text);
    tellFirst(line);
    for (const auto& task : tasks_) {
        if (task->hasEnded()) {
            continue;
        }
        spec::StateChanged change{spec::TaskState::kWaiting, text, spec::WaitCause::kSilence};
        if (!silent) {
            const engine::MutexLock lock(mutex_);
            change = noted_.states.contains(task->id()) ? noted_.states[task->id()] : spec::StateChanged{spec::TaskState::kConnecting, ""};
        }
        static_cast<void>(task->tell({.sequence = 0, .time_unix_ns = server::nowUnixNs(), .task = task->id(), .body = change}));
    }
}

void PartRun::reachAgain(const std::stop_token& stop) {
    if (Clock::now() < times_.next_try) {
        return;
    }
    watch_.reset();
    std::string why;
    const auto is_cancelled = [&] {
        noteReach(why);  // a connection may take longer than the host may be silent
        const int signal = wantedSignal();
        return stop.stop_requested() || signal == SIGKILL || (signal != 0 && isSilent());
    };
    times_.next_try = Clock::now() + kPartRetry;
    {
        const engine::MutexLock lock(mutex_);
        noted_.over = false;  // asked again over the next connection
        why = noted_.why;
    }
    const std::shared_ptr<HostLink::Live> lost = std::exchange(live_, nullptr);
    try {
        live_ = link_->again(lost, is_cancelled);
        if (!live_) {
            return;  // another part makes the connection
        }
        {
            const engine::MutexLock lock(mutex_);
            noted_.lost = false;
            noted_.why.clear();
            noted_.has_new_files = true;  // that the cut kept from coming
        }
        findAgain();
        if (!everyTaskEnded()) {
            watch();
        }
    } catch (const std::exception& error) {  // also of this computer: a folder or a thread that can't be made just now
        const engine::MutexLock lock(mutex_);
        noted_.lost = true;
        noted_.why = engine::exceptionText(error);
    }
}

// Asks for a standing part once. A part that is not there any more can't be followed.
void PartRun::findAgain() {
    if (adopted_.found) {
        return;
    }
    try {
        static_cast<void>(live_->client().getRun(run_id_, kCallDeadline));
        adopted_.found = true;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kNotFound) {
            throw;
        }
        endAll({.exit_code = -1, .signal = 0}, hostName() + ": " + error.what());
    }
}

// A home that comes back waits for a host as long as for one that is to start tasks again.
void PartRun::giveUpTheUnreached() {
    if (!adopted_.found && !everyTaskEnded() && Clock::now() > times_.start_by) {
        endAll({.exit_code = -1, .signal = 0}, silence());
    }
}

// The strongest that a task is to get.
int PartRun::wantedSignal() const {
    int wanted = 0;
    for (const auto& task : tasks_) {
        const int signal = task->hasEnded() ? 0 : task->wantedSignal();
        wanted = signal == SIGKILL || wanted == 0 ? signal : wanted;
        if (wanted == SIGKILL) {
            break;
        }
    }
    return wanted;
}

// The supervisor ends tasks one by one, an agent a run: the first that is to end takes the others along, as all do that end together here.
void PartRun::obeySignals() {
    const int wanted = wantedSignal();
    if (wanted == 0 || everyTaskEnded()) {
        return;
    }
    if (!begun_.is_done) {
        endAll({.exit_code = -1, .signal = SIGTERM}, "");
        return;
    }
    if (isSilent()) keepLink();  // as above
    if (isSilent()) {
        endAll({.exit_code = -1, .signal = 0}, silence());
        return;
    }
    if (wanted == sent_signal_ || !live_ || !watch_) {
        return;
    }
    sent_signal_ = wanted;
    try {
        const spec::ControlVerb verb = wanted == SIGKILL ? spec::ControlVerb::kStopNow : spec::ControlVerb::kStop;
        live_->client().control(run_id_, {verb, 0}, kPingDeadline);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kFailedPrecondition) {  // else it is over there, and the journal says how
            sent_signal_ = 0;
            times_.next_ping = Clock::now();
            options_.log(spec::LogLevel::kWarning, hostName() + ": a stop was not taken: " + error.what());
        }
    }
}

bool PartRun::isOver(const std::stop_token& stop) const {
    return stop.stop_requested() || everyTaskEnded();
}

bool PartRun::everyTaskEnded() const {
    return std::all_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->hasEnded(); });
}

void PartRun::endAll(const server::ExitStatus& status, const std::string& given_up) {
    for (const auto& task : tasks_) {
        task->end(status, given_up);
    }
}

// Tells what concerns the host rather than a task, once.
void PartRun::tellFirst(const spec::EventBody& body) {
    const auto task = std::find_if(tasks_.begin(), tasks_.end(), [](const auto& one) { return !one->hasEnded(); });
    if (task != tasks_.end()) {
        static_cast<void>((*task)->tell({.sequence = 0, .time_unix_ns = server::nowUnixNs(), .task = (*task)->id(), .body = body}));
    }
}

void PartRun::tellAll(const spec::EventBody& body) {
    for (const auto& task : tasks_) {
        if (!task->hasEnded()) {
            static_cast<void>(task->tell({.sequence = 0, .time_unix_ns = server::nowUnixNs(), .task = task->id(), .body = body}));
        }
    }
}

}  // namespace agent::home
