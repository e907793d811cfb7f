// What a run that begins anew in the folder of another one takes away, and what it leaves.
#include "agent/local/run_folder.h"

#include <fstream>

#include <gtest/gtest.h>

#include "engine/spec/project/run_spec.h"
#include "tests/support/temp_dir.h"

namespace agent::convert {
namespace {

namespace fs = std::filesystem;

class ForgottenRun : public testing::Test {
protected:
    // Makes the folder that of a run with this project.
    void wrote(const engine::spec::RunSpec& run) { writeProject(dir_.path(), engine::spec::toProjectJson(run)); }
    void file(const fs::path& below) {
        fs::create_directories((dir_.path() / below).parent_path());
        std::ofstream(dir_.path() / below) << "bytes";
    }
    bool isThere(const fs::path& below) const { return fs::exists(dir_.path() / below); }

    const tests::support::TempDir dir_;
    engine::spec::RunSpec run_;
};

TEST_F(ForgottenRun, TakesTheEventFilesThatItWrote) {
    run_.callbacks = {{"TensorBoard", {{"log_dir", std::string("curves/tb")}}}};
    wrote(run_);
    const fs::path train = "curves/tb/train/events.out.tfevents.1764500000.node.local.41.0.v2",
                   validation = "curves/tb/validation/events.out.tfevents.1764500000.node.local.41.1.v2";
    for (const fs::path& one : {train, validation}) file(one);
    const fs::path others[] = {"curves/tb/train/notes.txt", "curves/tb/train/events.out.tfevents.1764500000.node.7.0",
                               "curves/tb/mine/events.out.tfevents.1764500000.node.7.0.v2",
                               "logs/train/events.out.tfevents.1764500000.node.7.0.v2"};
    for (const fs::path& one : others) file(one);
    forgetRun(dir_.path(), engine::spec::RunSpec());  // the project that comes has no such callback
    EXPECT_FALSE(isThere(train));
    EXPECT_FALSE(isThere(validation));
    for (const fs::path& one : others) EXPECT_TRUE(isThere(one)) << one;
}

TEST_F(ForgottenRun, TakesTheEventFilesOfAnEstimator) {
    run_.estimator.emplace().eval_spec.name = "small";
    wrote(run_);
    const fs::path session = "logs/events.out.tfevents.1764500000.node.41.0.v2",
                   evaluations = "logs/eval_small/events.out.tfevents.1764500000.node.41.1.v2",
                   others = "logs/eval/events.out.tfevents.1764500000.node.7.0.v2";
    for (const fs::path& one : {session, evaluations, others}) file(one);
    forgetRun(dir_.path(), run_);
    EXPECT_FALSE(isThere(session));
    EXPECT_FALSE(isThere(evaluations));
    EXPECT_TRUE(isThere(others));
}

TEST_F(ForgottenRun, LeavesEventFilesWhereItsProjectWroteNone) {
    wrote(run_);
    const fs::path other = "logs/train/events.out.tfevents.1764500000.node.7.0.v2";
    file(other);
    forgetRun(dir_.path(), run_);
    EXPECT_TRUE(isThere(other));
}

}  // namespace
}  // namespace agent::convert
