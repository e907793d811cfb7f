#include "agent/worker/task_gpus.h"

#include <array>
#include <utility>

#include <unistd.h>

#include "engine/distribute/nccl/tell_gpus.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"

namespace agent::worker {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using engine::backend::GpuBackend;
using engine::distribute::Collective;
using engine::distribute::nccl::NcclConnection;

namespace {

std::string hostName() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// The cards of the task's devices, in order.
std::vector<int> cardsOf(const spec::TaskPlan& plan, int gpus) {
    std::vector<int> cards;
    for (const std::string& name : plan.devices) {
        const auto device = spec::parseDeviceName(name);
        if (device && device->type == "GPU") cards.push_back(spec::physicalGpu(*device, gpus));
    }
    return cards;
}

// Connects, or says why not: an error for who asked for NCCL, a line in the log else.
std::unique_ptr<Collective> connectOrSay(GpuBackend& backend, int card, Collective& host, bool must, const GpuLog& log) {
    NcclConnection connection = backend.connectNccl(card, host);
    if (connection.collective) return std::move(connection.collective);
    if (must) throw Error(ErrorCode::kUnavailable, "strategy.communication: NCCL could not connect: " + connection.problem);
    if (host.rank() == 0) log(spec::LogLevel::kWarning, "RING takes the place of NCCL, which could not connect: " + connection.problem);
    return nullptr;
}

}  // namespace

TaskGpus::TaskGpus(const spec::StrategySpec& strategy, FindGpus find) {
    const int needed = spec::gpusNeeded(strategy);
    if (needed == 0 && (!strategy.devices.empty() || strategy.logical_cpus > 0)) {
        no_gpu_reason_ = "the project's devices are CPUs";
        return;
    }
    backend_ = find ? find(&no_gpu_reason_) : nullptr;
    if (backend_ != nullptr) devices_ = backend_->devices();
    if (devices_.empty() && no_gpu_reason_.empty()) no_gpu_reason_ = "no GPU";
    if (needed > count()) {
        throw Error(ErrorCode::kUnavailable, std::string(strategy.devices.empty() ? "strategy.logical_gpus" : "strategy.devices") +
                                                 ": expected " + std::to_string(needed) + (needed == 1 ? " GPU" : " GPUs") + ", found " +
                                                 std::to_string(count()) + (devices_.empty() ? ": " + no_gpu_reason_ : ""));
    }
}

void TaskGpus::configure(const spec::RunSpec& run) const {
    if (devices_.empty()) return;
    backend_->setOptions(
        {.tensor_float_32_execution = run.strategy.tensor_float_32_execution, .op_determinism = run.strategy.op_determinism});
    backend_->setChoices(run.algorithms);
}

std::map<std::string, std::string> TaskGpus::algorithms() const {
    return devices_.empty() ? std::map<std::string, std::string>() : backend_->choices();
}

spec::TaskGpus TaskGpus::facts(const spec::StrategySpec& strategy, const spec::TaskPlan& plan) const {
    spec::TaskGpus mine;
    mine.host = hostName();
    for (const int card : cardsOf(plan, count())) mine.uuids.push_back(devices_[static_cast<std::size_t>(card)].uuid);
    if (mine.uuids.empty()) {
        mine.no_gpu_reason = devices_.empty() ? no_gpu_reason_ : "the project's devices are CPUs";
    } else if (strategy.communication == "AUTO" || strategy.communication == "NCCL") {
        mine.nccl_version = backend_->ncclVersion(mine.no_nccl_reason);
    }
    return mine;
}

Summing TaskGpus::connect(const spec::RunSpec& run, const spec::TaskPlan& plan, const spec::TfConfig& config, Collective* between,
                          GpuLog log) const {
    const spec::StrategySpec& strategy = run.strategy;
    const std::vector<int> cards = cardsOf(plan, count());
    Summing summing;
    bool nccl = false, must = false;
    if (between != nullptr) {
        std::vector<spec::TaskGpus> all = engine::distribute::nccl::tellGpus(*between, facts(strategy, plan));
        const std::vector<spec::TaskId> tasks = config.cluster.trainingTasks();
        for (std::size_t rank = 0; rank < all.size() && rank < tasks.size(); ++rank) all[rank].task = tasks[rank];
        const spec::CommunicationChoice choice = spec::chooseCommunication(strategy.communication, all);
        if (plan.is_chief) log(spec::LogLevel::kInfo, choice.why);
        nccl = choice.nccl;
        must = strategy.communication == "NCCL";
    } else if (cards.size() > 1 && spec::strategyKind(strategy.name) == spec::StrategyKind::kMirrored &&
               strategy.cross_device_ops.class_name == "NcclAllReduce") {
        spec::StrategySpec any = strategy;
        any.communication = "AUTO";
        spec::TaskGpus mine = facts(any, plan);
        mine.task = plan.task;
        const std::string obstacle = spec::ncclObstacle({&mine, 1});
        nccl = obstacle.empty();
        log(spec::LogLevel::kInfo, nccl ? "NcclAllReduce: NCCL " + mine.nccl_version + " between " + std::to_string(cards.size()) + " GPUs"
                                        : "NcclAllReduce: " + obstacle + ", so a ring over the host's memory takes its place");
    }
    if (!nccl || cards.empty()) return summing;
    if (cards.size() == 1) {
        summing.collective = connectOrSay(*backend_, cards.front(), *between, must, log);
        return summing;
    }
    summing.connect_devices = [backend = backend_, cards, must, log = std::move(log)](int device, Collective& member) {
        return connectOrSay(*backend, cards[static_cast<std::size_t>(device)], member, must, log);
    };
    return summing;
}

}  // namespace agent::worker
