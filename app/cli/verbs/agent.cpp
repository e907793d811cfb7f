#include <condition_variable>
#include <ctime>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "app/cli/hosts/host_facts.h"
#include "app/cli/run_choice.h"
#include "app/cli/verb.h"
#include "engine/run/exchange_culprit.h"
#include "engine/spec/events/host_load.h"
#include "engine/spec/names.h"
#include "engine/thread/mutex.h"

namespace app::cli {
namespace {

using agent::client::AgentClient;
using engine::run::HostInfo;
namespace spec = engine::spec;
using engine::spec::HostLoad;
using engine::spec::TaskLoad;
using Json = nlohmann::ordered_json;

// The agent reads twice before it has a mean: a quarter of a second after it was asleep, else it has one at once.
constexpr std::chrono::milliseconds kFirstReading{5000}, kSlice{100};
constexpr double kMegabyte = 1 << 20, kGigabyte = 1 << 30;

// Readings as they come in; filled by the client's thread, read by ours.
class Readings {
public:
    // `of_others`: of the computers, too, on which runs of this one have tasks.
    explicit Readings(bool of_others) : of_others_(of_others) {}
    agent::client::HostHandler handler() {
        return {.loads =
                    [this](std::vector<HostLoad> loads) {
                        const engine::MutexLock lock(mutex_);
                        if (!of_others_) {
                            std::erase_if(loads, [](const HostLoad& load) { return !load.host.empty(); });
                        }
                        loads_.insert(loads_.end(), std::make_move_iterator(loads.begin()), std::make_move_iterator(loads.end()));
                        changed_.notify_all();
                        return true;
                    },
                .finished =
                    [this](std::optional<std::string> error) {
                        const engine::MutexLock lock(mutex_);
                        ended_ = true;
                        error_ = std::move(error);
                        changed_.notify_all();
                    }};
    }
    // Returns what has come since the last call; waits for it no longer than `time`.
    std::vector<HostLoad> take(std::chrono::milliseconds time) {
        engine::MutexLock lock(mutex_);
        changed_.wait_for(lock, time, [this]() TANDEM_REQUIRES(mutex_) { return ended_ || !loads_.empty(); });
        return std::exchange(loads_, {});
    }
    bool ended() const {
        const engine::MutexLock lock(mutex_);
        return ended_;
    }
    std::optional<std::string> error() const {
        const engine::MutexLock lock(mutex_);
        return error_;
    }

private:
    const bool of_others_;
    mutable engine::Mutex mutex_;
    std::condition_variable_any changed_;
    std::vector<HostLoad> loads_ TANDEM_GUARDED_BY(mutex_);
    bool ended_ TANDEM_GUARDED_BY(mutex_) = false;
    std::optional<std::string> error_ TANDEM_GUARDED_BY(mutex_);
};

std::int64_t nowUnixNs() {
    std::timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

struct LateTask {
    std::string run;
    std::vector<engine::run::ExchangeRank> ranks;  // of the run's tasks on this host
    engine::run::ExchangeCulprit culprit;
};

std::vector<LateTask> culpritsOf(const HostLoad& load) {
    std::vector<LateTask> late;
    std::set<std::string> runs;
    for (const TaskLoad& task : load.tasks) {
        if (!runs.insert(task.run_id).second) continue;
        const engine::run::HostReading reading{.host = {}, .load = &load};
        auto ranks = engine::run::exchangeRanks({&reading, 1}, task.run_id, {});
        if (const auto culprit = engine::run::findCulprit(ranks)) late.push_back({task.run_id, std::move(ranks), *culprit});
    }
    return late;
}

Json loadJson(const spec::ExchangeState& exchange) {
    return {{"sequence", exchange.sequence},
            {"bucket", exchange.bucket},
            {"buckets", exchange.buckets},
            {"bytes", exchange.bytes},
            {"wait_s", exchange.wait_s},
            {"awaited", exchange.awaited ? Json(toString(*exchange.awaited)) : Json(nullptr)},
            {"step_wait_s", exchange.step_wait_s ? Json(*exchange.step_wait_s) : Json(nullptr)},
            {"age_s", exchange.age_s}};
}

// Returns, of each run, the task that its others wait for.
Json lateTasks(const HostLoad& load) {
    Json late = Json::array();
    for (const auto& [run, ranks, culprit] : culpritsOf(load)) {
        late.push_back({{"run", run},
                        {"task", toString(ranks[culprit.rank].task)},
                        {"silent", culprit.why == engine::run::ExchangeCulprit::Why::kSilent},
                        {"waiting", culprit.waiting},
                        {"longest_s", culprit.longest_s}});
    }
    return late;
}

Json loadJson(const TaskLoad& task) {
    return {{"run", task.run_id},
            {"task", toString(task.task)},
            {"pid", task.pid},
            {"cpu_cores", task.cpu_cores},
            {"resident_bytes", task.resident_bytes},
            {"gpu_memory_bytes", task.gpu_memory_bytes},
            {"exchange", task.exchange ? loadJson(*task.exchange) : Json(nullptr)}};
}

Json loadJson(const HostLoad& load) {
    Json tasks = Json::array();
    for (const TaskLoad& task : load.tasks) {
        tasks.push_back(loadJson(task));
    }
    Json gpus = Json::array();
    for (const spec::GpuLoad& gpu : load.gpus) {
        gpus.push_back(
            {{"name", gpu.name}, {"busy", gpu.busy}, {"memory_used_bytes", gpu.memory_used_bytes}, {"memory_bytes", gpu.memory_bytes}});
    }
    return {{"host", load.host},
            {"time_unix_ns", load.time_unix_ns},
            {"interval_s", load.interval_s},
            {"cpu_cores", load.cpu_cores},
            {"cores", load.cores},
            {"memory_used_bytes", load.memory_used_bytes},
            {"memory_bytes", load.memory_bytes},
            {"received_bytes_per_s", load.received_bytes_per_s},
            {"sent_bytes_per_s", load.sent_bytes_per_s},
            {"loopback_bytes_per_s", load.loopback_bytes_per_s},
            {"tasks", std::move(tasks)},
            {"gpus", std::move(gpus)},
            {"late", lateTasks(load)}};
}

std::string loadDump(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string withDecimals(double value, int decimals) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << value;
    return text.str();
}

std::string loadLine(const HostLoad& load) {
    if (load.cores == 0) return load.host + ": its tasks alone tell";
    return (load.host.empty() ? "CPU " : load.host + ": CPU ") + withDecimals(load.cpu_cores, 2) + " of " + std::to_string(load.cores) +
           " cores, memory " + withDecimals(static_cast<double>(load.memory_used_bytes) / kGigabyte, 2) + " of " +
           withDecimals(static_cast<double>(load.memory_bytes) / kGigabyte, 2) + " GB, network " +
           withDecimals(load.received_bytes_per_s / kMegabyte, 2) + " MB/s in, " + withDecimals(load.sent_bytes_per_s / kMegabyte, 2) +
           " MB/s out, loopback " + withDecimals(load.loopback_bytes_per_s / kMegabyte, 2) + " MB/s";
}

// "  operation 1204, bucket 2 of 5, waits 3.2 s for worker 1"
std::string exchangeText(const spec::ExchangeState& exchange) {
    std::string text = "  operation " + std::to_string(exchange.sequence);
    if (exchange.bucket > 0) text += ", bucket " + std::to_string(exchange.bucket) + " of " + std::to_string(exchange.buckets);
    if (exchange.age_s > engine::run::kExchangeSilentS) return text + ", silent for " + withDecimals(exchange.age_s, 1) + " s";
    if (exchange.wait_s > 0) {
        text += ", waits " + withDecimals(exchange.wait_s, 1) + " s";
        if (exchange.awaited) text += " for " + toString(*exchange.awaited);
    }
    return text;
}

void printLate(std::ostream& out, const HostLoad& load) {
    for (const auto& [run, ranks, culprit] : culpritsOf(load)) {
        const auto& late = ranks[culprit.rank];
        out << run << ": " << toString(late.task) << " is late";
        if (culprit.why == engine::run::ExchangeCulprit::Why::kSilent) {
            out << ", silent for " << withDecimals(late.state->age_s, 1) << " s";
        } else if (late.state && late.task.type != "ps") {
            out << ", still at operation " << late.state->sequence;
        }
        out << "; " << spec::counted(culprit.waiting, "task") << (culprit.waiting == 1 ? " waits" : " wait") << " for it, the longest for "
            << withDecimals(culprit.longest_s, 1) << " s\n";
    }
}

void printLoad(std::ostream& out, const HostLoad& load) {
    out << loadLine(load) << '\n';
    for (std::size_t i = 0; i < load.gpus.size(); ++i) {
        const spec::GpuLoad& gpu = load.gpus[i];
        out << "GPU " << i << ' ' << withDecimals(gpu.busy * 100, 0) << " % busy, "
            << withDecimals(static_cast<double>(gpu.memory_used_bytes) / kGigabyte, 2) << " of "
            << withDecimals(static_cast<double>(gpu.memory_bytes) / kGigabyte, 2) << " GB\n";
    }
    for (const TaskLoad& task : load.tasks) {
        out << "  " << std::left << std::setw(23) << task.run_id << std::setw(12) << toString(task.task) << "pid " << std::setw(9)
            << task.pid << withDecimals(task.cpu_cores, 2) << " cores  "
            << withDecimals(static_cast<double>(task.resident_bytes) / kMegabyte, 0) << " MB";
        if (task.gpu_memory_bytes > 0) {
            out << "  GPU " << withDecimals(static_cast<double>(task.gpu_memory_bytes) / kMegabyte, 0) << " MB";
        }
        if (task.exchange) {
            out << exchangeText(*task.exchange);
        }
        out << '\n';
    }
    printLate(out, load);
}

// This text stays until a GPU has shown otherwise.
constexpr const char* kUntriedGpus = "The back-end for GPUs is compiled and emulated; no GPU has run it yet\n";

void printGpus(std::ostream& out, const spec::GpuInventory& inventory) {
    out << kUntriedGpus;
    if (inventory.gpus.empty()) {
        out << "No GPU: " << inventory.no_gpu_reason << '\n';
        return;
    }
    for (const spec::Gpu& gpu : inventory.gpus) {
        out << toString(gpu) << '\n';
    }
    out << "NVIDIA driver " << inventory.driver_version << " for CUDA " << spec::cudaVersionText(inventory.cuda_version) << ", "
        << (inventory.nccl_version.empty() ? "no NCCL: " + inventory.no_nccl_reason : "NCCL " + inventory.nccl_version) << '\n';
    if (const std::string obstacle = gpuObstacle(inventory); !obstacle.empty()) {
        out << "Training goes on the processor: " << obstacle << '\n';
    }
}

void printHost(std::ostream& out, const HostInfo& host) {
    out << host.host_name << ", agent " << host.agent_version << '\n'
        << host.cpu_model << ", " << host.cores << (host.cores == 1 ? " core, " : " cores, ") << host.vector_units << '\n';
    printGpus(out, host.gpus);
    out << "Runs are kept in " << host.runs_dir << ", " << withDecimals(static_cast<double>(host.disk_available_bytes) / kGigabyte, 1)
        << " GB free\n";
    if (!host.runs_notice.empty()) {
        out << "Note: " << host.runs_notice << '\n';
    }
    if (!host.direct_notice.empty()) {
        out << "Note: " << host.direct_notice << '\n';
    }
}

// The present state, once.
void showHost(Context& context, AgentClient& client, bool json) {
    const HostInfo host = client.describe(kCallDeadline);
    Readings readings(false);
    const auto watch = client.watchHost(nowUnixNs(), readings.handler());  // what was read before may be of tasks that have ended
    const std::vector<HostLoad> loads = readings.take(kFirstReading);
    watch->end();
    if (json) {
        Json value = cli::asJson(host);
        value["load"] = loads.empty() ? Json(nullptr) : loadJson(loads.back());
        context.out << loadDump(value) << '\n';
        return;
    }
    printHost(context.out, host);
    if (!loads.empty()) {
        printLoad(context.out, loads.back());
    }
}

// Every reading from now until Ctrl+C.
void followHost(Context& context, AgentClient& client, bool json) {
    Readings readings(true);
    const auto watch = client.watchHost(nowUnixNs(), readings.handler());
    const int before = context.interrupts();
    while (context.interrupts() == before) {
        const std::vector<HostLoad> loads = readings.take(kSlice);
        for (const HostLoad& load : loads) {
            if (json) {
                context.out << loadDump(loadJson(load)) << '\n';
            } else {
                printLoad(context.out, load);
            }
        }
        context.out << std::flush;
        const bool reads_nobody = !context.out;  // such as `head` after its last line
        if (reads_nobody || (loads.empty() && readings.ended())) {
            break;
        }
    }
    watch->end();
    if (const auto error = readings.error()) {
        context.err << "error: " << *error << '\n';
        context.exit_code = kNoAgent;
    }
}

}  // namespace

void addAgent(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("agent", "Say what this computer has and what of it is in use, by which tasks");
    auto json = std::make_shared<bool>(false), follow = std::make_shared<bool>(false);
    verb->add_flag("--json", *json, "one JSON object; with --follow one a reading");
    verb->add_flag("--follow", *follow, "print every reading, about one a second, until Ctrl+C");
    verb->footer("Exit codes: 0, or 3 when the agent can't be reached.");
    verb->callback([&context, json, follow] {
        const auto client = context.connect();
        *follow ? followHost(context, *client, *json) : showHost(context, *client, *json);
    });
}

}  // namespace app::cli
