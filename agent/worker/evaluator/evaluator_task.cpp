#include "agent/worker/evaluator/evaluator_task.h"

#include <thread>
#include <utility>

#include "agent/local/run_folder.h"
#include "engine/export/atomic_file.h"
#include "engine/spec/error.h"
#include "engine/spec/events/checkpoint_list.h"
#include "engine/train/estimator/sidecar_evaluator.h"
#include "engine/train/trainer.h"

namespace agent::worker {

namespace spec = engine::spec;
namespace train = engine::train;

namespace {

class TrainerEvaluator final : public train::estimator::CheckpointEvaluator {
public:
    explicit TrainerEvaluator(const EvaluatorTask& task)
        : run_dir_(task.run_dir),
          trainer_(task.run, task.plan, nullptr, task.observer,
                   {.make_executor = task.make_executor,
                    .run_dir = task.run_dir,
                    .run_folder = task.run_folder,
                    .dataset = task.dataset,
                    .threads = task.threads,
                    .is_cancelled = task.is_cancelled}) {}

    void restore(const spec::ListedCheckpoint& checkpoint) override { trainer_.restore(run_dir_ / checkpoint.file); }
    train::TrainingContext& context() override { return trainer_.context(); }
    // Evaluates all of the test set, whatever the evaluations looked at.
    train::Logs test() { return trainer_.evaluateTest().logs; }

private:
    const std::filesystem::path run_dir_;
    train::Trainer trainer_;
};

// Returns what the chief has listed last; nothing before it wrote the list, or while it writes it anew.
std::optional<spec::ListedCheckpoint> latestListed(const engine::files::SafeFolder& folder) {
    try {
        if (!folder.isFile(spec::kCheckpointListFile)) return std::nullopt;
        const auto listed = spec::parseCheckpointList(engine::exporter::readFile({folder, spec::kCheckpointListFile}));
        return listed.empty() ? std::nullopt : std::optional(listed.back());
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

}  // namespace

spec::TaskState evaluateCheckpoints(const EvaluatorTask& task) {
    TrainerEvaluator evaluator(task);
    const engine::files::SafeFolder& folder = *task.run_folder;
    const train::estimator::CheckpointSource source{.latest = [&] { return latestListed(folder); },
                                                    .is_over = [&] { return folder.isFile(convert::kFinishedFile); },
                                                    .is_cancelled = task.is_cancelled,
                                                    .wait = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); },
                                                    .lost = task.chief_is_lost};
    const auto report = [&](spec::EventBody body) { task.observer.report(std::move(body)); };
    const train::estimator::SidecarOutcome outcome = followCheckpoints(task.run, source, evaluator, report);
    spec::TaskFinished finished{.results = {}, .checkpoint = outcome.checkpoint, .weights_sha256 = {}};
    if (const double* step = train::findLog(outcome.last, "global_step")) {
        finished.results.emplace_back("global_step", *step);
    }
    if (!outcome.last.empty() && outcome.state == spec::TaskState::kDone && task.dataset.test != nullptr) {
        for (const auto& [name, value] : evaluator.test()) {
            finished.results.emplace_back("test_" + name, value);
        }
    }
    report(std::move(finished));
    return outcome.state;
}

}  // namespace agent::worker
