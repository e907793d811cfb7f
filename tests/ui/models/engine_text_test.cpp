// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/engine_text.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/cluster/cluster_check.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/cluster_repair.h"
#include "engine/spec/cluster/communication.h"
#include "engine/spec/cluster/gpu.h"
#include "engine/spec/cluster/strategy_support.h"
#include "engine/spec/project/batch_advice.h"
#include "engine/spec/validate/validate.h"
#include "ui/models/finding_text.h"

namespace ui::models {
namespace {

using namespace engine::spec;

// Puts every text of the list between marks, as if it were another language.
class MarkingTranslator : public QTranslator {
public:
    MarkingTranslator() { QCoreApplication::installTranslator(this); }
    ~MarkingTranslator() override { QCoreApplication::removeTranslator(this); }
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int) const override {
        const QLatin1String name(context);
        const bool of_engine =
            name == QLatin1String("EngineTexts") || name == QLatin1String("FindingTexts") || name == QLatin1String("DoctorTexts");
        return of_engine ? QStringLiteral("<%1>").arg(QString::fromUtf8(source)) : QString();
    }
};

class EngineText : public testing::Test {
protected:
    EngineText() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

private:
    int argc_ = 1;
    char name_[8] = "ui_test";
    char* argv_[2] = {name_, nullptr};
    const QCoreApplication application_{argc_, argv_};
};

RunSpec workers(int count, const std::string& strategy = "MultiWorkerMirroredStrategy") {
    RunSpec run;
    run.strategy.name = strategy;
    for (int i = 0; i < count; ++i) addTask(run, "worker", "localhost", {20000, 20001, 20002, 20003});
    return run;
}

// What the pages show of it.
std::vector<std::string> sentencesOf(const RunSpec& run) {
    std::vector<std::string> all;
    for (const StrategyOption& option : strategyOptions(run)) {
        for (const std::string& text : {option.sentence, option.obstacle, option.limit}) {
            if (!text.empty()) all.push_back(text);
        }
    }
    for (const std::int64_t samples : {0, 60000}) {
        auto advice = batchAdvice(run, 2, samples, samples / 128);
        all.insert(all.end(), advice.begin() + 1, advice.end());
    }
    return all;
}

TEST_F(EngineText, KnowsEverySentenceThatPagesShow) {
    std::vector<std::string> all;
    const auto take = [&all](const std::vector<std::string>& more) { all.insert(all.end(), more.begin(), more.end()); };
    RunSpec with_ps = workers(2);
    addTask(with_ps, "ps", "localhost", {20010});
    RunSpec with_steps = workers(2);
    with_steps.fit.steps_per_epoch = 70;
    for (const StrategyRow& row : strategyTable()) {
        take(sentencesOf(workers(2, std::string(row.name))));
        for (int api = 0; api < kTrainingApis; ++api) all.push_back(supportText(row, static_cast<TrainingApi>(api)));
    }
    take(sentencesOf(RunSpec{}));
    take(sentencesOf(with_ps));
    take(sentencesOf(with_steps));
    for (const auto policy : {AutoShardPolicy::kAuto, AutoShardPolicy::kData, AutoShardPolicy::kFile, AutoShardPolicy::kOff}) {
        for (const bool own_seeds : {true, false}) {
            DataSpec data;
            data.auto_shard = policy;
            data.seed_per_worker = own_seeds;
            for (const bool by_file : {true, false}) all.push_back(shardReason(data, by_file, 5000, 2));
        }
    }
    all.push_back(shardReason({}, false, 0, 1));
    for (const auto& set : datasetFormats()) all.push_back(set.title);
    GpuInventory one, none;
    none.no_gpu_reason = "no NVIDIA driver";
    one.gpus.push_back({"NVIDIA H200", "GPU-1", 1, 1, 9, 0});
    one.cuda_version = kLeastCudaVersion;
    one.nccl_version = "2.28.3";
    for (const char* communication : {"AUTO", "NCCL", "MPI"}) {
        RunSpec run = workers(2);
        run.strategy.communication = communication;
        for (const GpuInventory& host : {none, one}) {
            all.push_back(communicationObstacle("NCCL", run, host));
            if (const std::string choice = communicationChoice(run, host); !choice.empty()) all.push_back(choice);
        }
    }
    GpuInventory old_card = one, old_driver = one, no_module = one;
    old_card.gpus.front().capability_major = 5;
    old_driver.cuda_version = 11040;
    old_driver.driver_version = "470.57";
    no_module.no_backend_reason = "this installation has no back-end for GPUs (libtandem-cuda.so)";
    for (const GpuInventory& host : {old_card, old_driver, no_module, none}) all.push_back(gpuObstacle(host));
    RunSpec chief = workers(1);
    addTask(chief, "chief", "localhost", {20010});
    all.push_back(addObstacle(chief.cluster.spec, "chief"));

    ASSERT_GT(all.size(), 80u);
    const MarkingTranslator marks;
    for (const std::string& sentence : all) {
        EXPECT_TRUE(engineText(sentence).startsWith('<')) << "not of the list: " << sentence;
    }
}

TEST_F(EngineText, KnowsTheRepairsThatButtonsOffer) {
    std::vector<std::string> all;
    const auto take = [&all](const RunSpec& run) {
        for (const Diagnostic& finding : validate(run)) {
            if (const auto repair = repairRun(run, finding, {"this-host", {20020, 20021, 20022}})) all.push_back(repair->text);
        }
    };
    RunSpec late = workers(2), crowded = workers(2);
    late.cluster.start_timeout_s = -1;
    crowded.cluster.threads_per_task = -1;
    take(late);
    take(crowded);
    RunSpec run = workers(2);
    run.cluster.spec.jobs.front().tasks[1] = "localhost";
    take(run);
    run = workers(2);
    run.cluster.spec.jobs.front().name = "workers";
    take(run);
    run = workers(2);
    run.cluster.spec.jobs.front().tasks[1] = run.cluster.spec.jobs.front().tasks[0];
    take(run);
    run = workers(2);
    run.strategy.name = "MirroredStrategy";
    take(run);
    run = workers(2);
    run.strategy.communication = "TREE";
    take(run);
    run = RunSpec{};
    run.strategy.name = "MirroredStrategy";
    run.strategy.devices = {"CPU:0", "CPU:0"};
    take(run);
    run = workers(2);
    std::swap(run.data.order.front(), run.data.order.back());
    take(run);
    run = workers(2);
    run.data.mix = {"MixUp", {}};
    take(run);
    run.data.mix = {"Blend", {}};
    take(run);
    ASSERT_GE(all.size(), 6u) << testing::PrintToString(all);
    const MarkingTranslator marks;
    for (const std::string& text : all) EXPECT_TRUE(engineText(text).startsWith('<')) << "not of the list: " << text;
    EXPECT_EQ(engineText(std::string("Give worker 1 port 20021")), "<Give worker 1 port 20021>") << "a port is no count";
}

TEST_F(EngineText, SaysWhyATaskEnded) {
    const MarkingTranslator marks;
    EXPECT_EQ(agentText("worker 1: killed by signal 9 (SIGKILL)"), "<worker 1: <killed by signal 9 (SIGKILL)>>");
    EXPECT_EQ(agentText("chief 0: exit code 1 before it was done: no room"), "<chief 0: <exit code 1 before it was done: no room>>");
    EXPECT_EQ(agentText("no heartbeat for 6 s"), "<no heartbeat for <6 s>>");
    EXPECT_EQ(agentText("killed by signal 9 (SIGKILL); the run goes on with 2 of 4 workers, without worker 1, worker 3"),
              "<<killed by signal 9 (SIGKILL)>; the run goes on with 2 of 4 workers, without worker 1, worker 3>");
    EXPECT_EQ(
        agentText("node2 has not answered for 9 s; the run goes on with 1 of 2 workers, without worker 1, its learning rate times 1/2"),
        "<<node2 has not answered for <9 s>>; the run goes on with 1 of 2 workers, without worker 1, its learning rate times 1/2>");
    EXPECT_EQ(agentText("worker 0: no heartbeat for 6 s; no worker is left to go on, after 1 restart"),
              "<worker 0: <<<no heartbeat for <6 s>>; no worker is left to go on>, after 1 restart>>");
    EXPECT_EQ(agentText("worker 1 at localhost:20001 sent no heartbeat for 15 s"),
              "<worker 1 at localhost:20001 sent no heartbeat for <15 s>>");
    EXPECT_EQ(agentText("node2: its home was away for 60 s"), "<node2: its home was away for <60 s>>");
    EXPECT_EQ(agentText("out of reach and not asked to stop: node2, node3"), "<out of reach and not asked to stop: node2, node3>");
    EXPECT_EQ(agentText("job 12 waits in Slurm's queue: Priority, place 2 of 5"),
              "<job 12 waits in Slurm's queue: Priority, place 2 of 5>");
    EXPECT_EQ(agentText("job 12 ended with exit code 2, and none of its tasks told anything: srun: error"),
              "<<job 12 ended with exit code 2>, and none of its tasks told anything: srun: error>");
    EXPECT_EQ(agentText("left out"), "<left out>");
    EXPECT_EQ(agentText("stopped because worker 1 failed"), "<stopped because worker 1 failed>");
    EXPECT_EQ(agentText("has told nothing for 90 s on node2"), "<has told nothing for <90 s> on node2>");
    EXPECT_EQ(agentText("ended without a word on node2"), "<ended without a word on node2>");
    EXPECT_EQ(agentText("the run was done by then"), "<the run was done by then>");
    EXPECT_EQ(agentText("a plug-in's own words"), "a plug-in's own words");
    EXPECT_EQ(agentText(""), "");
}

TEST_F(EngineText, SaysWhyATrialHasNoValue) {
    const MarkingTranslator marks;
    EXPECT_EQ(agentText("worker 0: exit code 1: NaN or Inf loss encountered in batch 12"),
              "<worker 0: <exit code 1: <NaN or Inf loss encountered in batch 12>>>");
    EXPECT_EQ(agentText("the run was stopped"), "<the run was stopped>");
    EXPECT_EQ(agentText("expected val_auc among the logs of an epoch's end, got loss, accuracy"),
              "<expected val_auc among the logs of an epoch's end, got loss, accuracy>");
    EXPECT_EQ(agentText("expected val_auc among the logs of an epoch's end, got none"),
              "<expected val_auc among the logs of an epoch's end, got none>");
    EXPECT_EQ(agentText("no reason is known"), "<no reason is known>");
    EXPECT_TRUE(agentText("exit code 1: expected at least one epoch, got none").startsWith("<exit code 1: <")) << "a rule's";
}

// The marks between a name and what is said of it, and between names, are the language's.
TEST_F(EngineText, JoinsByTheMarksOfTheLanguage) {
    EXPECT_EQ(withName("fit.epochs", "too few"), "fit.epochs: too few");
    EXPECT_EQ(withName("100%2", "%1"), "100%2: %1") << "a name may hold anything";
    EXPECT_EQ(listed(QStringList{"worker 0", "worker 1"}), "worker 0, worker 1");
    EXPECT_EQ(listed(QStringList()), "");
    const MarkingTranslator marks;
    EXPECT_EQ(withName("fit.epochs", "too few"), "<fit.epochs: too few>");
}

TEST_F(EngineText, KeepsTheWordsAndWritesCountsAsEverywhere) {
    EXPECT_EQ(engineText(std::string("steps per epoch: 469 (60000 training samples)")), "steps per epoch: 469 (60,000 training samples)");
    EXPECT_EQ(engineText(std::string("Variables on ps tasks")), "Variables on ps tasks");
    for (const StrategyRow& row : strategyTable()) {
        const std::string text = supportText(row, TrainingApi::kKerasFit);
        EXPECT_EQ(engineText(text).toStdString(), text);
    }
    EXPECT_EQ(engineText(std::string("worker 1: expected a port")), "worker 1: expected a port") << "a diagnostic";
    EXPECT_EQ(engineText(std::string()), "");
}

TEST_F(EngineText, TranslatesASentenceWithinASentence) {
    const MarkingTranslator marks;
    EXPECT_EQ(engineText(std::string("AUTO takes RING: worker 0 has no GPU: no NVIDIA driver")),
              "<AUTO takes RING: <worker 0 has no GPU: <no NVIDIA driver>>>");
}

// Every rule of the cluster that a user can break on its page, and what would mend it.
TEST_F(EngineText, KnowsWhatTheRulesOfTheClusterFind) {
    std::vector<std::string> all;
    const auto take = [&all](const RunSpec& run) {
        for (const Diagnostic& finding : validate(run)) {
            const auto begins = [&](const char* path) { return finding.path.starts_with(path); };
            if (!begins("cluster") && !begins("strategy.name") && !begins("strategy.cluster_resolver") && !begins("data.drop")) continue;
            all.push_back(finding.message);
            if (!finding.fix.empty()) all.push_back(finding.fix);
        }
    };
    const auto broken = [&](const auto& breakIt) {
        RunSpec run = workers(2);
        breakIt(run);
        take(run);
    };
    const auto address = [&](const char* text) { broken([&](RunSpec& run) { run.cluster.spec.jobs.front().tasks[1] = text; }); };
    for (const char* text : {"localhost", "http://a/b:1", "localhost:99999", "localhost:0", "lab gpu:1", "localhost:20000", "node1:1"})
        address(text);
    broken([](RunSpec& run) { run.cluster.spec.jobs.front().name = "workers"; });
    broken([](RunSpec& run) { run.cluster.spec.jobs.front().tasks = {{0, "localhost:1"}, {5, "localhost:2"}}; });
    broken([](RunSpec& run) { run.cluster.spec.jobs.push_back({"ps", {{0, "localhost:7"}}}); });
    broken([](RunSpec& run) { run.cluster.spec.jobs.push_back({"chief", {{0, "localhost:7"}, {1, "localhost:8"}}}); });
    broken([](RunSpec& run) { run.cluster.spec.jobs.push_back({"chief", {}}); });
    broken([](RunSpec& run) { run.cluster.spec.jobs.push_back({"evaluator", {{0, "localhost:7"}}}); });
    broken([](RunSpec& run) { run.strategy.name = "MirroredStrategy"; });
    broken([](RunSpec& run) { run.strategy.name = "ParameterServerStrategy"; });
    broken([](RunSpec& run) { run.strategy.name = "TPUStrategy"; });
    broken([](RunSpec& run) {
        run.strategy.name = "TPUStrategy";
        run.estimator = EstimatorSpec{};
        run.fit.epochs = 1;
    });
    const auto resolver = [&](Fields config) {
        broken([&](RunSpec& run) { run.strategy.cluster_resolver = {"TPUClusterResolver", std::move(config)}; });
    };
    resolver({{"tpu", std::string("grpc://10.240.1.2")}});
    resolver({{"tpu", std::string("local")}, {"zone", std::string("us-central1-b")}});
    resolver({{"coordinator_address", std::string("10.0.0.1:2222")}});
    broken([](RunSpec& run) { run.cluster.start_timeout_s = -1; });
    broken([](RunSpec& run) { run.cluster.heartbeat_fatal_s = 1; });
    broken([](RunSpec& run) { run.cluster.threads_per_task = -1; });
    broken([](RunSpec& run) { run.cluster.max_restarts = -1; });
    broken([](RunSpec& run) { run.cluster.home_lost_s = 1; });
    for (const char* name : {"", "lab gpu", "node1:1"}) {
        const auto found = checkHostName(name, "cluster.hosts");
        ASSERT_TRUE(found) << name;
        all.insert(all.end(), {found->message, found->fix});
    }
    const Diagnostic foreign = foreignTask({"worker", 1}, "node1:1");
    all.insert(all.end(), {foreign.message, foreign.fix});
    ASSERT_GT(all.size(), 40u);
    {
        const MarkingTranslator marks;
        for (const std::string& text : all) EXPECT_TRUE(findingText(text).startsWith('<')) << "not of the list: " << text;
        EXPECT_EQ(findingText(std::string("No GPU: no NVIDIA driver")), "<No GPU: <no NVIDIA driver>>");
    }
    for (const std::string& text : all) EXPECT_EQ(findingText(text).toStdString(), text) << "in English the engine's own words";
    EXPECT_EQ(findingText(std::string("conv1: something new")), "conv1: something new");
}

}  // namespace
}  // namespace ui::models
